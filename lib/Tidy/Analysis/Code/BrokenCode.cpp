// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By the places of errors, because what is dropped has left nothing in the
// tree; and by the tree, because the use of what is invalid is no error again.

#include "Analysis/Code/BrokenCode.h"
#include "Analysis/Code/UnitCode.h"
#include "Analysis/Names/RecordLines.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include <algorithm>
#include <map>

using namespace clang;

namespace linesman::tidy {

namespace {

using Offsets = std::pair<unsigned, unsigned>;

/// The errors' offsets in each file. What is included in the middle of
/// something is there for who includes it, too.
class ErrorMap {
public:
  ErrorMap(const CompileErrors &Errors, const SourceManager &Sources)
      : Sources(Sources) {
    for (SourceLocation Place : Errors.places())
      for (; Place.isValid();
           Place = Sources.getIncludeLoc(Sources.getFileID(Place))) {
        auto [File, Offset] = Sources.getDecomposedExpansionLoc(Place);
        ByFile[File].push_back(Offset);
      }
    for (auto &[File, Places] : ByFile)
      llvm::sort(Places);
  }

  /// Unless the two are in different files, as of a declaration that macros
  /// of several files make.
  std::optional<std::pair<FileID, Offsets>> rangeOf(const Decl &D) const {
    auto [First, Begin] = Sources.getDecomposedExpansionLoc(D.getBeginLoc());
    auto [Last, End] = Sources.getDecomposedExpansionLoc(D.getEndLoc());
    if (First != Last || D.getBeginLoc().isInvalid() || End < Begin)
      return std::nullopt;
    return std::pair(First, Offsets(Begin, End));
  }

  llvm::ArrayRef<unsigned> in(FileID File, Offsets Range) const {
    auto Found = ByFile.find(File);
    if (Found == ByFile.end())
      return {};
    llvm::ArrayRef<unsigned> All = Found->second;
    const unsigned *First = llvm::lower_bound(All, Range.first);
    return {First, std::upper_bound(First, All.end(), Range.second)};
  }

  bool hitsBodyOf(const Decl &D) const {
    const auto Range = rangeOf(D);
    return !Range || !in(Range->first, Range->second).empty();
  }

  /// On its lines, or on the one before it where nothing ends: what the error
  /// hides may be an attribute that is written in front of it or behind it.
  llvm::ArrayRef<unsigned> onLinesOf(const Decl &D) const {
    const auto Range = rangeOf(D);
    if (!Range)
      return {};
    auto [File, Whole] = *Range;
    llvm::StringRef Text = Sources.getBufferData(File);
    const size_t Begin = Text.take_front(Whole.first).rfind('\n') + 1;
    llvm::StringRef Before = Text.take_front(Begin ? Begin - 1 : 0);
    Before = Before.drop_front(Before.rfind('\n') + 1);
    const bool IsPart = Before.find_first_of(";}") == llvm::StringRef::npos;
    const size_t End = std::min(Text.find('\n', Whole.second), Text.size());
    return in(
        File,
        Offsets(IsPart ? Begin - Before.size() - (Begin != 0) : Begin, End));
  }

  auto files() const { return llvm::make_first_range(ByFile); }

private:
  const SourceManager &Sources;
  std::map<FileID, std::vector<unsigned>> ByFile;
};

bool hasErrors(const FunctionDecl &Function) {
  bool Found = false;
  forEachStatement(Function.getBody(), [&](const Stmt &Node) {
    if (const auto *Value = dyn_cast<Expr>(&Node))
      Found |= Value->containsErrors();
    else if (const auto *Declarations = dyn_cast<DeclStmt>(&Node))
      Found |= llvm::any_of(Declarations->decls(), [](const Decl *Declared) {
        return Declared->isInvalidDecl();
      });
  });
  return Found;
}

} // namespace

class BrokenCode::Marker : public RecursiveASTVisitor<BrokenCode::Marker> {
public:
  Marker(BrokenCode &Result, const CompileErrors &Errors, ASTContext &Unit)
      : Result(Result), Errors(Errors), Unit(Unit),
        Sources(Unit.getSourceManager()), Places(Errors, Sources) {}

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool TraverseDecl(Decl *D) {
    if (D && D->getLocation().isValid() &&
        Sources.isInSystemHeader(D->getLocation()))
      return true;
    return RecursiveASTVisitor::TraverseDecl(D);
  }

  bool VisitFunctionDecl(FunctionDecl *Function) {
    if (!Function->doesThisDeclarationHaveABody())
      return true;
    if (Places.hitsBodyOf(*Function) || hasErrors(*Function))
      mark(*Function);
    return true;
  }

  bool VisitVarDecl(VarDecl *Variable) {
    if (Variable->hasLocalStorage() || isa<ParmVarDecl>(Variable))
      return true;
    const Expr *Init = Variable->getInit();
    if ((Init && Init->containsErrors()) ||
        !Places.onLinesOf(*Variable).empty() ||
        !hasKnownLayout(Variable->getType(), Unit))
      mark(*Variable);
    // struct Counts { ... } LINE_ALIGNED; declares a variable where the header
    // with the macro is missing.
    if (RecordDecl *Record = Variable->getType()->getAsRecordDecl();
        Record && Errors.lacksHeader() && !Variable->isReferenced() && !Init &&
        Record->getBraceRange().isValid() &&
        Variable->getSourceRange().fullyContains(Record->getSourceRange()))
      markLayout(*Record);
    return true;
  }

  bool VisitRecordDecl(RecordDecl *Record) {
    if (!Record->isThisDeclarationADefinition() || Record->isInvalidDecl())
      return true;
    const size_t All = Places.onLinesOf(*Record).size();
    size_t InBodies = 0;
    if (const auto *Class = dyn_cast<CXXRecordDecl>(Record))
      for (const CXXMethodDecl *Method : Class->methods())
        if (const auto Range = Places.rangeOf(*Method);
            Range && Method->doesThisDeclarationHaveABody())
          InBodies += Places.in(Range->first, Range->second).size();
    if (All > InBodies)
      markLayout(*Record);
    return true;
  }

  /// What is in no declaration of a file with errors that is whole.
  void readNames() {
    for (FileID File : Places.files()) {
      std::vector<Offsets> Whole;
      addWhole(*Unit.getTranslationUnitDecl(), File, Whole);
      llvm::sort(Whole);
      readNames(File, Whole);
    }
  }

private:
  void mark(Decl &D) {
    if (D.isInvalidDecl())
      return;
    D.setInvalidDecl();
    Result.Marked.push_back(&D);
  }

  /// A record that is complete cannot be marked; without one of its fields it
  /// has no layout either.
  void markLayout(RecordDecl &Record) {
    if (!Record.field_empty())
      mark(**Record.field_begin());
  }

  void addWhole(const DeclContext &Context, FileID File,
                std::vector<Offsets> &Whole) const {
    for (const Decl *D : Context.decls()) {
      const auto Range = Places.rangeOf(*D);
      if (D->isInvalidDecl() || D->isImplicit() || !Range ||
          Range->first != File)
        continue;
      if (const auto *Template = dyn_cast<ClassTemplateDecl>(D))
        D = Template->getTemplatedDecl();
      if (Places.in(File, Range->second).empty())
        Whole.push_back(Range->second);
      else if (isa<NamespaceDecl, LinkageSpecDecl, RecordDecl>(D))
        addWhole(*cast<DeclContext>(D), File, Whole);
    }
  }

  void readNames(FileID File, llvm::ArrayRef<Offsets> Whole) {
    llvm::StringRef Text = Sources.getBufferData(File);
    Lexer Raw(Sources.getLocForStartOfFile(File), Unit.getLangOpts(),
              Text.begin(), Text.begin(), Text.end());
    bool InDirective = false;
    for (Token Next; !Raw.LexFromRawLexer(Next);) {
      const unsigned Offset = Sources.getFileOffset(Next.getLocation());
      while (!Whole.empty() && Whole.front().second < Offset)
        Whole = Whole.drop_front();
      if (Next.isAtStartOfLine())
        InDirective = Next.is(tok::hash);
      if (Next.is(tok::raw_identifier) && !InDirective &&
          (Whole.empty() || Offset < Whole.front().first))
        Result.Names.insert(Next.getRawIdentifier());
    }
  }

  BrokenCode &Result;
  const CompileErrors &Errors;
  ASTContext &Unit;
  const SourceManager &Sources;
  ErrorMap Places;
};

BrokenCode::BrokenCode(ASTContext &Unit, const CompileErrors &Errors) {
  Marker Reader(*this, Errors, Unit);
  Reader.TraverseDecl(Unit.getTranslationUnitDecl());
  Reader.readNames();
}

BrokenCode::~BrokenCode() {
  for (Decl *D : Marked)
    D->setInvalidDecl(false);
}

} // namespace linesman::tidy
