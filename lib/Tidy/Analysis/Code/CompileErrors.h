// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a unit does not compile. The tree alone does not tell: clang drops a
// statement that it cannot make sense of, and the lock that it took is gone
// without a trace. So this listens while the unit is parsed.
//
// clang says nothing more after a header that is missing, or after so many
// errors, and instantiates no template any more. Who hears of nothing would
// take the rest for whole, so both are errors like others here, and clang goes
// on. What it would not have said stays unsaid: the user sees what he saw
// before.

#ifndef LINESMAN_TIDY_ANALYSIS_CODE_COMPILEERRORS_H
#define LINESMAN_TIDY_ANALYSIS_CODE_COMPILEERRORS_H

#include "clang/Basic/Diagnostic.h"
#include <memory>
#include <vector>

namespace linesman::tidy {

class CompileErrors : public clang::DiagnosticConsumer {
public:
  /// Listens to \p Engine, before it parses, in front of who listened so far.
  explicit CompileErrors(clang::DiagnosticsEngine &Engine);
  ~CompileErrors() override { stop(); }

  /// The unit is parsed: the engine has its own consumer again.
  void stop();
  bool hasStopped() const { return !Engine; }

  /// Something is missing, so that the unit is not all that there is.
  bool any() const { return HasErrors; }
  /// clang gave up, and what came behind may be anything.
  bool hasGivenUp() const { return HasGivenUp; }
  bool lacksHeader() const { return LacksHeader; }
  /// Places in files, in the order of the errors.
  llvm::ArrayRef<clang::SourceLocation> places() const { return Places; }

  void BeginSourceFile(const clang::LangOptions &Language,
                       const clang::Preprocessor *Reader) override;
  void EndSourceFile() override;
  bool IncludeInDiagnosticCounts() const override;
  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Said) override;

private:
  void note(clang::DiagnosticsEngine::Level Level,
            const clang::Diagnostic &Said);
  bool isAtLimit() const { return Limit && Shown >= Limit; }

  clang::DiagnosticsEngine *Engine;
  clang::DiagnosticConsumer *Listener;
  std::unique_ptr<clang::DiagnosticConsumer> Owned;
  std::vector<clang::SourceLocation> Places;
  /// Errors that clang shows before it stops, and those that it has shown.
  unsigned Limit, Shown = 0;
  bool HasErrors = false;
  bool HasGivenUp = false;
  bool LacksHeader = false;
  bool IsAboveLimit = false;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_CODE_COMPILEERRORS_H
