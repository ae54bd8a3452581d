// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every check is: a look at the whole unit once it is parsed. Hazards are
// joins (who writes it, who else is on its line), so no check is a single
// matcher; a check registers for the unit, walks or asks the shared analyses,
// and reports.

#ifndef LINESMAN_TIDY_LINESMANCHECK_H
#define LINESMAN_TIDY_LINESMANCHECK_H

#include "Analysis/Accesses/UnitAccesses.h"
#include "Analysis/Addresses/AddressAnalyses.h"
#include "Analysis/Code/BrokenCode.h"
#include "Analysis/Names/TypeKinds.h"
#include "CommonOptions.h"
#include "Compat.h"
#include <memory>

namespace linesman::tidy {

/// The analyses of one unit that several checks use, each made when the first
/// check asks. All checks of a clang-tidy run hold the same object, so that
/// nothing is global and nothing is computed twice.
class LinesmanCheck;

struct UnitAnalyses {
  /// All checks of this run. The first that clang-tidy calls runs them in the
  /// order of their names, so that what one says of a word keeps the others
  /// from saying it again, whatever order the host has.
  llvm::SmallVector<LinesmanCheck *, 12> Checks;
  /// Where the unit that is parsed, or judged, does not compile.
  std::unique_ptr<CompileErrors> Errors;
  /// What is not judged for that, while the checks run.
  std::unique_ptr<BrokenCode> Broken;
  /// The unit that the analyses below belong to.
  const clang::ASTContext *Unit = nullptr;
  std::unique_ptr<UnitAccesses> Accesses;
  std::unique_ptr<AddressAnalyses> Addresses;
  /// Fields that a check has named as written; another check that would say
  /// the same of them is silent.
  llvm::DenseSet<const clang::Decl *> ReportedWords;
  /// The same where the word is a field of one variable with static storage,
  /// and the message says that the word itself moves between cores.
  llvm::DenseSet<std::pair<const clang::Decl *, const clang::Decl *>>
      ReportedParts;
  /// What messages of this unit were about, or named as a neighbour, by where
  /// it is declared: instances of a template are one.
  llvm::DenseSet<clang::SourceLocation> Named;

  void forget() {
    auto KeptChecks = std::move(Checks);
    auto KeptErrors = std::move(Errors);
    *this = UnitAnalyses();
    Checks = std::move(KeptChecks);
    Errors = std::move(KeptErrors);
  }
};

/// What a finding is about, for programs. Every message ends with it, in
/// brackets before the check's name, so that the words before it can change:
///
///   [field Cache::hits, beside Cache::limit, in Cache::hit]
///   [variable shop::nobody, field Item::owner, in Ref::set]
///
/// docs/checks/README.md has the form; lib/Input/TidySubject.cpp reads it.
struct Subject {
  /// A variable, a field or a type.
  const clang::NamedDecl &Subject;
  /// Who accesses it; null where nobody in particular does.
  const clang::NamedDecl *Function = nullptr;
  /// Of a variable, the field that is accessed.
  const clang::FieldDecl *Field = nullptr;
  /// The neighbour on its line that the message is about.
  const clang::NamedDecl *Neighbour = nullptr;
};

class LinesmanCheck : public clang::tidy::ClangTidyCheck {
public:
  LinesmanCheck(llvm::StringRef Name, clang::tidy::ClangTidyContext *Context,
                std::shared_ptr<UnitAnalyses> Analyses);
  ~LinesmanCheck() override;

  /// Called once a unit, also for one with errors: what has them is marked as
  /// invalid meanwhile.
  virtual void checkUnit(clang::ASTContext &Unit) = 0;

  /// Called once all checks have had the unit, unless the option Likeliest is
  /// off: for what is said only of words that no check has named.
  virtual void checkRest(clang::ASTContext & /*Unit*/) {}

  /// The warning of a finding; notes are clang-tidy's diag. A check calls
  /// nothing else for its warnings.
  clang::DiagnosticBuilder warn(clang::SourceLocation Place,
                                const Subject &About, llvm::StringRef Message);
  /// The same of what has no declaration: a "macro".
  clang::DiagnosticBuilder warnOf(llvm::StringRef Kind, llvm::StringRef Name,
                                  clang::SourceLocation Place,
                                  llvm::StringRef Message);

  /// A check with options of its own overrides this and calls it.
  void storeOptions(clang::tidy::ClangTidyOptions::OptionMap &Map) override;

  void registerMatchers(clang::ast_matchers::MatchFinder *Finder) final;
  void check(const clang::ast_matchers::MatchFinder::MatchResult &Result) final;
  void onStartOfTranslationUnit() final;
  /// A check that overrides this calls it.
  void registerPPCallbacks(const clang::SourceManager &Sources,
                           clang::Preprocessor *Reader,
                           clang::Preprocessor *ModuleReader) override;

protected:
  class LineReader;

  const CommonOptions &common() const { return Common; }
  UnitAnalyses &analyses() { return *Analyses; }
  /// Everything that the unit's code accesses, from the one walk.
  const UnitAccesses &accesses(clang::ASTContext &Unit);
  /// Where addresses of static objects go.
  AddressAnalyses &addresses(clang::ASTContext &Unit);
  /// What the options call atomic, a lock, a thread's identity.
  TypeKinds typeKinds() const;
  /// Where to anchor a report of an access: its beginning, and for a macro's
  /// body the place that uses the macro, because that is where NOLINT works.
  clang::SourceLocation place(const Access &Use) const;
  clang::SourceLocation place(const clang::Expr &Site) const;
  /// Notes at the accesses after the first, a few.
  void noteSites(llvm::ArrayRef<const Access *> Sites);
  /// For an inline function of a header: how often this file calls it.
  void noteUses(const clang::FunctionDecl &Function, const UnitAccesses &All);
  /// With --system-headers: code in system headers is looked at as well.
  bool looksIntoSystemHeaders() const { return SystemHeaders; }

private:
  std::string Name;
  CommonOptions Common;
  std::shared_ptr<UnitAnalyses> Analyses;
  bool SystemHeaders;
  const clang::SourceManager *Sources = nullptr;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_LINESMANCHECK_H
