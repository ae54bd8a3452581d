// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Code/CompileErrors.h"
#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/LexDiagnostic.h"

using namespace clang;

namespace linesman::tidy {

CompileErrors::CompileErrors(DiagnosticsEngine &Listened)
    : Engine(&Listened), Listener(Listened.getClient()),
      Limit(Listened.getDiagnosticOptions().ErrorLimit) {
  if (Engine->ownsClient())
    Owned = Engine->takeClient();
  Engine->setClient(this, /*ShouldOwnClient=*/false);
  // Unless all errors are to end it.
  Engine->setSeverity(diag::err_pp_file_not_found, diag::Severity::Error, {});
}

void CompileErrors::stop() {
  if (!Engine)
    return;
  if (Owned)
    Engine->setClient(Owned.release(), /*ShouldOwnClient=*/true);
  else
    Engine->setClient(Listener, /*ShouldOwnClient=*/false);
  // Which nobody could say while there was something to listen to.
  if (IsAboveLimit && !LacksHeader)
    Engine->Report(diag::fatal_too_many_errors);
  Engine = nullptr;
}

void CompileErrors::BeginSourceFile(const LangOptions &Language,
                                    const Preprocessor *Reader) {
  Listener->BeginSourceFile(Language, Reader);
}

void CompileErrors::EndSourceFile() { Listener->EndSourceFile(); }

bool CompileErrors::IncludeInDiagnosticCounts() const {
  return !LacksHeader && !isAtLimit() && Listener->IncludeInDiagnosticCounts();
}

void CompileErrors::HandleDiagnostic(DiagnosticsEngine::Level Level,
                                     const Diagnostic &Said) {
  DiagnosticConsumer::HandleDiagnostic(Level, Said);
  const bool IsError = Level >= DiagnosticsEngine::Error;
  IsAboveLimit |= IsError && isAtLimit();
  if (!LacksHeader && !IsAboveLimit)
    Listener->HandleDiagnostic(Level, Said);
  if (!IsError)
    return;
  ++Shown;
  note(Level, Said);
}

void CompileErrors::note(DiagnosticsEngine::Level Level,
                         const Diagnostic &Said) {
  DiagnosticIDs &Known = *Said.getDiags()->getDiagnosticIDs();
  const bool IsHeader = Said.getID() == diag::err_pp_file_not_found;
  LacksHeader |= IsHeader;
  HasGivenUp |= Level == DiagnosticsEngine::Fatal;
  // A warning that is an error by default has been made sense of: a call of a
  // function that is not declared, in C. One that -Werror made is a warning.
  const bool IsWarning = !Known.getWarningOptionForDiag(Said.getID()).empty();
  HasErrors |= !IsWarning || Known.isDefaultMappingAsError(Said.getID());
  if (!IsWarning && !IsHeader && Said.getLocation().isValid() &&
      Said.hasSourceManager())
    Places.push_back(
        Said.getSourceManager().getExpansionLoc(Said.getLocation()));
}

} // namespace linesman::tidy
