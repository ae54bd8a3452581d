// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One matcher for the unit itself: the host calls us once, after parsing.

#include "LinesmanCheck.h"
#include "Analysis/Names/PlainName.h"
#include "clang/ASTMatchers/ASTMatchers.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;
using namespace clang::ast_matchers;
using namespace clang::tidy;

namespace linesman::tidy {

namespace {

llvm::StringRef kindOf(const NamedDecl &Subject) {
  if (isa<FieldDecl>(Subject))
    return "field";
  if (isa<FunctionDecl>(Subject))
    return "function";
  return isa<TagDecl>(Subject) ? "type" : "variable";
}

/// In a message, a percent sign begins an argument.
std::string describe(const Subject &About) {
  std::string Text =
      (kindOf(About.Subject) + " " + plainName(About.Subject)).str();
  if (About.Field)
    Text += ", field " + plainName(*About.Field);
  if (About.Neighbour)
    Text += ", beside " + plainName(*About.Neighbour);
  if (About.Function)
    Text += ", in " + plainName(*About.Function);
  std::string Escaped;
  for (char Letter : Text)
    Escaped.append(Letter == '%' ? 2 : 1, Letter);
  return Escaped;
}

} // namespace

LinesmanCheck::LinesmanCheck(StringRef Name, ClangTidyContext *Context,
                             std::shared_ptr<UnitAnalyses> Analyses)
    : ClangTidyCheck(Name, Context), Name(Name),
      Common(readCommonOptions(*this, Options)), Analyses(std::move(Analyses)),
      SystemHeaders(Context->getOptions().SystemHeaders.value_or(false)) {
  this->Analyses->Checks.push_back(this);
}

LinesmanCheck::~LinesmanCheck() {
  llvm::erase(Analyses->Checks, this);
  // Of a unit that was parsed and never judged.
  if (Analyses->Checks.empty())
    Analyses->Errors.reset();
}

void LinesmanCheck::storeOptions(ClangTidyOptions::OptionMap &Map) {
  storeCommonOptions(Common, Options, Map);
}

void LinesmanCheck::onStartOfTranslationUnit() {
  // The next unit may get the address of the last one.
  Analyses->forget();
}

void LinesmanCheck::registerPPCallbacks(const SourceManager &,
                                        Preprocessor *Reader, Preprocessor *) {
  // Called for each check, before the unit is parsed.
  if (!Analyses->Errors || Analyses->Errors->hasStopped())
    Analyses->Errors =
        std::make_unique<CompileErrors>(Reader->getDiagnostics());
}

const UnitAccesses &LinesmanCheck::accesses(ASTContext &Unit) {
  if (!Analyses->Accesses)
    Analyses->Accesses = std::make_unique<UnitAccesses>(
        Unit, WalkOptions{.SystemHeaders = SystemHeaders,
                          .Broken = Analyses->Broken.get()});
  return *Analyses->Accesses;
}

AddressAnalyses &LinesmanCheck::addresses(ASTContext &Unit) {
  if (!Analyses->Addresses)
    Analyses->Addresses = std::make_unique<AddressAnalyses>(
        Unit, SystemHeaders ? UnitCode::Scope::SystemHeadersToo
                            : UnitCode::Scope::User);
  return *Analyses->Addresses;
}

TypeKinds LinesmanCheck::typeKinds() const {
  return TypeKinds({&Common.AtomicTypes.Names, &Common.LockTypes.Names,
                    &Common.ThreadIdFunctions.Names});
}

SourceLocation LinesmanCheck::place(const Access &Use) const {
  return place(*Use.Site);
}

SourceLocation LinesmanCheck::place(const Expr &Site) const {
  return Sources->getFileLoc(Site.getBeginLoc());
}

DiagnosticBuilder LinesmanCheck::warn(SourceLocation Place,
                                      const Subject &About, StringRef Message) {
  for (const NamedDecl *Named :
       {&About.Subject, static_cast<const NamedDecl *>(About.Field),
        About.Neighbour})
    if (Named)
      Analyses->Named.insert(Named->getLocation());
  return diag(Place, (Message + " [" + describe(About) + "]").str());
}

DiagnosticBuilder LinesmanCheck::warnOf(StringRef Kind, StringRef Name,
                                        SourceLocation Place,
                                        StringRef Message) {
  return diag(Place, (Message + " [" + Kind + " " + Name + "]").str());
}

void LinesmanCheck::noteSites(llvm::ArrayRef<const Access *> Sites) {
  // A reviewer wants to see that there are others, not all of them; and an
  // instantiation's site is where its pattern's is.
  constexpr unsigned MaxNotes = 3;
  llvm::SmallDenseSet<SourceLocation, 4> Seen = {place(*Sites.front())};
  unsigned Notes = 0;
  for (const Access *Use : Sites.drop_front()) {
    if (!Seen.insert(place(*Use)).second)
      continue;
    if (++Notes > MaxNotes)
      break;
    diag(place(*Use), "also written here%select{|, in '%1'}0",
         DiagnosticIDs::Note)
        << (Use->Function != nullptr)
        << (Use->Function ? plainName(*Use->Function) : std::string());
  }
}

void LinesmanCheck::noteUses(const FunctionDecl &Function,
                             const UnitAccesses &All) {
  if (Sources->isInMainFile(Sources->getFileLoc(Function.getLocation())))
    return;
  if (size_t Uses = All.callersOf(Function).size(); Uses > 1)
    diag(Function.getLocation(), "'%0' is called in %1 places of this unit",
         DiagnosticIDs::Note)
        << plainName(Function) << unsigned(Uses);
}

void LinesmanCheck::registerMatchers(MatchFinder *Finder) {
  Finder->addMatcher(translationUnitDecl(), this);
}

void LinesmanCheck::check(const MatchFinder::MatchResult &Result) {
  if (Analyses->Unit == Result.Context)
    return;
  Analyses->Unit = Result.Context;
  CompileErrors &Errors = *Analyses->Errors;
  Errors.stop();
  if (Errors.hasGivenUp())
    return;
  if (Errors.any())
    Analyses->Broken = std::make_unique<BrokenCode>(*Result.Context, Errors);
  auto Ordered = Analyses->Checks;
  llvm::sort(Ordered, [](const LinesmanCheck *A, const LinesmanCheck *B) {
    return A->Name < B->Name;
  });
  for (LinesmanCheck *Check : Ordered) {
    Check->Sources = Result.SourceManager;
    Check->checkUnit(*Result.Context);
  }
  for (LinesmanCheck *Check : Ordered)
    if (Check->Common.Likeliest)
      Check->checkRest(*Result.Context);
  Analyses->Broken.reset();
}

} // namespace linesman::tidy
