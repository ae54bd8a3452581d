// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The writes are BlindWrites' to find; here they are put into words. One report
// a place.

#include "RedundantStoreCheck.h"
#include "Analysis/Addresses/AccessPath.h"
#include "Analysis/Code/Conditions.h"
#include "Analysis/Names/PlainName.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallSet.h"

using namespace clang;
using namespace clang::tidy;

namespace linesman::tidy {

RedundantStoreCheck::RedundantStoreCheck(StringRef Name,
                                         ClangTidyContext *Context,
                                         std::shared_ptr<UnitAnalyses> Analyses)
    : LinesmanCheck(Name, Context, std::move(Analyses)),
      PlainStores(Options.get("PlainStores", false)) {}

void RedundantStoreCheck::storeOptions(ClangTidyOptions::OptionMap &Map) {
  LinesmanCheck::storeOptions(Map);
  Options.store(Map, "PlainStores", PlainStores);
}

namespace {

std::string nameOf(const Place &Object) {
  if (const FieldDecl *Field = Object.field())
    return fieldName(*Field);
  if (Object.Root)
    return plainName(*Object.Root);
  if (Object.Array && !Object.Base)
    return plainName(*Object.Array);
  return Object.Base ? Object.Base->getNameAsString() : "*this";
}

/// The load that goes in front of \p Site: "lock.load(...)". Empty where it
/// cannot be written down from the text, or would do more than load.
std::string loadFor(const Access &Use, const ASTContext &Unit) {
  const Expr *Site = Use.Site->IgnoreParenImpCasts();
  const Expr *Operated = operatedObject(*Site);
  if (!Operated || Operated->HasSideEffects(Unit))
    return "";
  const SourceManager &Sources = Unit.getSourceManager();
  auto TextOf = [&](const Expr *E) {
    return Lexer::getSourceText(
               CharSourceRange::getTokenRange(E->getSourceRange()), Sources,
               Unit.getLangOpts())
        .str();
  };
  if (Site->getBeginLoc().isMacroID())
    return "";
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Site)) {
    const auto *Callee = dyn_cast<MemberExpr>(Member->getCallee());
    if (!Callee || Callee->isImplicitAccess() ||
        Callee->getOperatorLoc().isInvalid())
      return "";
    std::string Object =
        TextOf(Callee->getBase()) + (Callee->isArrow() ? "->" : ".");
    if (Use.Atomic == AtomicOperation::TestAndSet)
      return Unit.getLangOpts().CPlusPlus20
                 ? Object + "test(std::memory_order_relaxed)"
                 : "";
    return Object + "load(std::memory_order_relaxed)";
  }
  if (const auto *Atomic = dyn_cast<AtomicExpr>(Site)) {
    if (Atomic->getOp() == AtomicExpr::AO__atomic_exchange_n)
      return "__atomic_load_n(" + TextOf(Atomic->getPtr()->IgnoreImpCasts()) +
             ", __ATOMIC_RELAXED)";
  }
  return "";
}

/// `!x.exchange(1)` succeeds where `x.exchange(1)` is busy.
const Expr *conditionAround(const Expr &Site, const Stmt *Condition) {
  if (!Condition)
    return nullptr;
  const auto *E = dyn_cast<Expr>(Condition);
  if (!E)
    return nullptr;
  E = E->IgnoreParenImpCasts();
  if (E == &Site || E->IgnoreParenImpCasts() == Site.IgnoreParenImpCasts())
    return E;
  return nullptr;
}

/// What is wrong with the write; %0 is the object, %1 the function.
StringRef messageFor(BlindWrite Kind) {
  switch (Kind) {
  case BlindWrite::None:
    break;
  case BlindWrite::Spin:
    return "this loop writes '%0' on every turn while it waits: each waiting "
           "core takes the cache line away from the others and from the one "
           "that will release it; wait with a load, and write only when it "
           "looks free";
  case BlindWrite::Claim:
    return "'%1' exchanges '%0' for the same constant to see whether it was "
           "set, and takes its cache line away from all other cores also when "
           "it was, until somebody puts it back; load it first, and exchange "
           "only what is not set";
  case BlindWrite::Time:
    return "'%1' stores a time to '%0' that changes once a second, also when "
           "it is already there: each call takes the cache line away from all "
           "other cores; test before storing";
  case BlindWrite::LastUse:
    return "'%1' stores the time of its use to '%0', also when it was used "
           "just before: each call takes the cache line away from all other "
           "cores that use the object; store only when the time that is there "
           "is older than its reader can bear";
  case BlindWrite::Neutral:
    return "this read-modify-write leaves '%0' as it is, and takes its cache "
           "line away from all other cores all the same; use a load, or a "
           "fence where the order is wanted";
  case BlindWrite::Extreme:
    return "this loop keeps an extreme in '%0', and exchanges it also when the "
           "new value does not change it, which is mostly so: the cache "
           "line moves to this core for nothing; leave the loop when the value "
           "that was loaded is as good";
  case BlindWrite::Hint:
    return "'%1' starts from '%0' and stores back where it stopped, also when "
           "that is where it started: the cache line moves to this core for "
           "nothing; store only what differs";
  case BlindWrite::Mark:
    return "'%1' sets '%0' in every call, though it mostly is set: the cache "
           "line moves to this core for nothing; test before storing";
  case BlindWrite::Level:
    return "'%1' stores the same constant to '%0' in every call, as long as "
           "the amount that it compares is past its limit: the cache line "
           "moves to this core for nothing; test before storing";
  case BlindWrite::Answer:
    return "'%1' stores every answer to a question in '%0', even the value "
           "that is already there: the cache line moves to this core for "
           "nothing; store only an answer that changes it";
  case BlindWrite::Repeated:
    return "this loop stores the same constant to '%0' on every turn: the "
           "cache line moves to this core for nothing, and away from those who "
           "read it; store it once in front of the loop, or test before "
           "storing";
  case BlindWrite::Flag:
    return "the threads that run this loop store the same constant to '%0', "
           "which they all share, even after another thread has stored it: the "
           "cache line moves to this core for nothing; test before storing, or "
           "let each thread keep its own flag and combine the flags afterwards";
  case BlindWrite::Exchange:
    return "this compare-exchange on '%0' expects a constant, and nothing "
           "loads '%0' before: it takes the cache line away from all other "
           "cores also when it fails; test the value with a load first";
  case BlindWrite::Store:
    return "every call of '%1' stores the same constant to '%0', also when it "
           "is already there: the cache line moves to this core for nothing; "
           "test before storing";
  }
  llvm_unreachable("no finding");
}

} // namespace

void RedundantStoreCheck::checkUnit(ASTContext &Unit) {
  TypeKinds Kinds = typeKinds();
  const UnitAccesses &Accesses = accesses(Unit);
  const ThreadStarts Starts(Accesses);
  BlindWrites Writes(Accesses, Kinds, Starts, Unit);
  llvm::SmallSet<SourceLocation, 8> Reported;
  for (const Access &Use : Accesses.all()) {
    BlindWrite Kind = Writes.kindOf(Use, PlainStores);
    if (Kind == BlindWrite::None || isAccepted(Use.Object) ||
        !Reported.insert(place(Use)).second)
      continue;
    // global-write says that the value wants a test.
    if (const Decl *Word = Use.Object.field();
        Kind == BlindWrite::Extreme && Use.Object.Root &&
        analyses().ReportedWords.contains(Word ? Word : Use.Object.Root))
      continue;
    report(Use, Kind, Unit);
    noteUses(*Use.Function, Accesses);
  }
  for (const UnitAccesses::CallSite &Call : Accesses.calls()) {
    if (const Access *Exchange = Writes.spinThrough(Call);
        Exchange && !isAccepted(Exchange->Object))
      reportCall(*Call.Call, *Exchange, Unit);
    if (const ValueDecl *Lock = Writes.triesInLoop(Call);
        Lock && !common().isAccepted(*Lock))
      reportTries(Call, *Lock, Unit);
  }
}

static const ValueDecl *declarationOf(const Place &Object) {
  if (const FieldDecl *Field = Object.field())
    return Field;
  return Object.Root ? Object.Root : Object.Array;
}

static Subject subjectOf(const Access &Use) {
  const NamedDecl *Known = declarationOf(Use.Object);
  if (!Known)
    Known = Use.Object.Base;
  if (!Known)
    Known = Use.Function; // *this
  return {.Subject = *Known, .Function = Use.Function};
}

void RedundantStoreCheck::reportCall(const Expr &Call, const Access &Exchange,
                                     const ASTContext &Unit) {
  warn(Unit.getSourceManager().getFileLoc(Call.getBeginLoc()),
       subjectOf(Exchange),
       "this loop writes '%0', in '%1', on every turn while it waits: each "
       "waiting core takes the cache line away from the others and from the "
       "one that will release it; wait with a load, and call '%1' only when it "
       "looks free")
      << nameOf(Exchange.Object) << plainName(*Exchange.Function);
  diag(place(Exchange), "it is written here", DiagnosticIDs::Note);
}

void RedundantStoreCheck::reportTries(const UnitAccesses::CallSite &Call,
                                      const ValueDecl &Lock,
                                      const ASTContext &Unit) {
  const SourceLocation Place =
      Unit.getSourceManager().getFileLoc(Call.Call->getBeginLoc());
  const auto *Field = dyn_cast<FieldDecl>(&Lock);
  warn(Place, {.Subject = Lock, .Function = Call.Function},
       "this loop tries to take '%0' on every turn until it has it, and each "
       "try writes: each waiting core takes the cache line away from the "
       "others and from the one that will release it; take the lock with a "
       "call that waits")
      << (Field ? fieldName(*Field) : plainName(Lock));
}

bool RedundantStoreCheck::isAccepted(const Place &Object) const {
  if ((Object.Root && common().isAccepted(*Object.Root)) ||
      (Object.Array && common().isAccepted(*Object.Array)))
    return true;
  return llvm::any_of(Object.Path, [&](const FieldDecl *Field) {
    return common().isAccepted(*Field);
  });
}

void RedundantStoreCheck::report(const Access &Use, BlindWrite Kind,
                                 const ASTContext &Unit) {
  std::string Name = nameOf(Use.Object);
  const ValueDecl *Declaration = declarationOf(Use.Object);
  const Subject About = subjectOf(Use);
  FixItHint Fix;
  if (Kind == BlindWrite::Spin) {
    const Expr *Whole = conditionAround(*Use.Site, conditionOf(*Use.Loop));
    const std::string Load = loadFor(Use, Unit);
    if (Whole && !Load.empty())
      Fix = FixItHint::CreateInsertion(Whole->getBeginLoc(), Load + " || ");
  }
  warn(place(Use), About, messageFor(Kind))
      << Name << plainName(*Use.Function) << Fix;
  if (Declaration)
    diag(Declaration->getLocation(), "'%0' is declared here",
         DiagnosticIDs::Note)
        << Name;
}

} // namespace linesman::tidy
