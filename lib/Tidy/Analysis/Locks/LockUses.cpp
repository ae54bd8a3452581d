// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names are split into words, because letters alone would find the lock in
// "clock" and "block".

#include "Analysis/Locks/LockUses.h"
#include "Analysis/Locks/LockWords.h"
#include "Analysis/Names/NameWords.h"
#include "Analysis/Names/WordSwitch.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace linesman::tidy {

bool soundsLikeLock(llvm::StringRef Name) {
  llvm::SmallVector<std::string, 4> Words = wordsOf(Name);
  if (Words.empty())
    return false;
  if (Words.size() > 1 && Words.back() == "t")
    Words.pop_back();
  // ticketlock, seqlock; not clock, block and what lets go.
  llvm::StringRef Last = Words.back();
  if (Last.ends_with("lock"))
    return WordSwitch<bool>(Last.drop_back(4))
        .Cases({"", "spin", "rw", "ticket", "seq", "mcs", "queue", "read"},
               true)
        .Cases({"s", "bit", "tas", "ttas", "lw", "qspin", "brw", "prw", "big",
                "micro", "futex", "clh"},
               true)
        .Default(false);
  return WordSwitch<bool>(Last)
      .Cases({"mutex", "mtx", "latch"}, true)
      .Default(false);
}

/// Integers, atomic or not, in 8 bytes at most.
static bool isWord(QualType Type, const ASTContext &Unit) {
  Type = Type.getCanonicalType();
  if (Type->isDependentType() || Type->isIncompleteType() ||
      Unit.getTypeSizeInChars(Type).getQuantity() > 8)
    return false;
  if (const auto *Atomic = Type->getAs<AtomicType>())
    Type = Atomic->getValueType();
  const RecordDecl *Record = Type->getAsRecordDecl();
  return Record ? llvm::all_of(Record->fields(),
                               [&](const FieldDecl *Field) {
                                 return isWord(Field->getType(), Unit);
                               })
                : Type->isIntegerType();
}

/// `spin_t` beside `spinlock_t`. A type of another kind that is called "spin"
/// is somebody's angle, or a message.
static bool isSpinWord(const NamedDecl &Name, QualType Type) {
  llvm::SmallVector<std::string, 4> Words = wordsOf(Name.getName());
  return Words.size() > 1 && Words.back() == "t" &&
         Words[Words.size() - 2] == "spin" &&
         isWord(Type, Name.getASTContext());
}

bool isLockType(QualType Type, const TypeKinds &Kinds) {
  if (Kinds.isLock(Type))
    return true;
  Type = Type.getNonReferenceType();
  if (const auto *Typedef = Type->getAs<TypedefType>()) {
    llvm::StringRef Name = Typedef->getDecl()->getName();
    if (isSpinWord(*Typedef->getDecl(), Type))
      return true;
    if (soundsLikeLock(Name))
      return !Type->isPointerType() && !Type->isFunctionPointerType();
    // using lock_type = atomic_flag; as an enum it says how to lock.
    if (Name.consume_back("_type") && soundsLikeLock(Name) &&
        Type->isRecordType())
      return true;
  }
  const RecordDecl *Record = Type->getAsRecordDecl();
  return Record && Record->getIdentifier() &&
         (soundsLikeLock(Record->getName()) || isSpinWord(*Record, Type)) &&
         Kinds.kindOf(Type) != TypeKind::LockGuard;
}

bool isLockField(const FieldDecl &Field, const TypeKinds &Kinds) {
  QualType Type = Field.getType();
  if (Type->isArrayType() || Type->isPointerType())
    return false;
  return isLockType(Type, Kinds) ||
         ((Type->isIntegerType() || Kinds.isAtomic(Type)) &&
          soundsLikeLock(Field.getName()));
}

/// `SharedGuard`, `using ReadLocker = Locker<Lock, ReadLocking>`.
static bool isSharedGuard(QualType Type) {
  if (const auto *Alias = Type->getAs<TypedefType>();
      Alias && saysShared(Alias->getDecl()->getName()))
    return true;
  const RecordDecl *Guard = Type->getAsRecordDecl();
  if (!Guard || !Guard->getIdentifier())
    return false;
  if (saysShared(Guard->getName()))
    return true;
  const auto *Special = dyn_cast<ClassTemplateSpecializationDecl>(Guard);
  return Special &&
         llvm::any_of(Special->getTemplateArgs().asArray().drop_front(
                          Special->getTemplateArgs().size() != 0),
                      [](const TemplateArgument &Argument) {
                        if (Argument.getKind() != TemplateArgument::Type)
                          return false;
                        const RecordDecl *Policy =
                            Argument.getAsType()->getAsRecordDecl();
                        return Policy && Policy->getIdentifier() &&
                               saysShared(Policy->getName());
                      });
}

bool takesForReading(const Access &Use, const ASTContext &Unit) {
  const Expr *Site = Use.Site->IgnoreParenImpCasts();
  if (const auto *Call = dyn_cast<CallExpr>(Site))
    if (const FunctionDecl *Callee = Call->getDirectCallee();
        Callee && Callee->getIdentifier() && saysShared(Callee->getName()))
      return true;
  if (const auto *Call = dyn_cast<CallExpr>(Site))
    // rwlock_lock(&l, rwlocktype_read)
    for (const Expr *Argument : Call->arguments())
      if (const auto *Ref =
              dyn_cast<DeclRefExpr>(Argument->IgnoreParenImpCasts());
          Ref && isa<EnumConstantDecl>(Ref->getDecl()) &&
          saysShared(("lock_" + Ref->getDecl()->getName()).str()))
        return true;
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(Site);
      Construct && isSharedGuard(Construct->getType()))
    return true;
  const SourceManager &Sources = Unit.getSourceManager();
  for (SourceLocation Place = Use.Site->getBeginLoc(); Place.isMacroID();
       Place = Sources.getImmediateExpansionRange(Place).getBegin())
    if (saysShared(
            Lexer::getImmediateMacroName(Place, Sources, Unit.getLangOpts())))
      return true;
  return false;
}

namespace {

/// mutex_init(&lock), lock_destroy(&lock): before the first and after the last
/// who takes it.
bool initialises(const Access &Use) {
  const auto *Call = dyn_cast<CallExpr>(Use.Site->IgnoreParenImpCasts());
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  if (!Callee || !Callee->getIdentifier())
    return false;
  llvm::StringRef Name = Callee->getName();
  return llvm::any_of(
      llvm::ArrayRef<llvm::StringRef>({"init", "create", "destroy"}),
      [&](llvm::StringRef Word) { return Name.contains_insensitive(Word); });
}

} // namespace

static void addTake(const Access &Use, LockUse &Result,
                    const ASTContext &Unit) {
  const FunctionDecl *Function = Use.Function->getCanonicalDecl();
  if (Result.Takers.insert(Function).second)
    Result.Takes.push_back(&Use);
  if (!Result.Take)
    Result.Take = &Use;
  if (!takesForReading(Use, Unit))
    return;
  Result.ReadTakers.insert(Function);
  if (!Result.ReadTake)
    Result.ReadTake = &Use;
}

static LockUse takesAmong(llvm::ArrayRef<unsigned> Indices, HotAccesses &Hot,
                          const ASTContext &Unit) {
  LockUse Result;
  for (unsigned Index : Indices) {
    const Access &Use = Hot.accesses().all()[Index];
    AccessKind Kind = Hot.kindOf(Use);
    // A release alone is a plain store; who takes it modifies it.
    if ((Kind != AccessKind::Update && Kind != AccessKind::Mutate) ||
        !Hot.isOnOperationPath(Use) || initialises(Use))
      continue;
    addTake(Use, Result, Unit);
  }
  return Result;
}

LockUse findUses(const FieldDecl &Lock, HotAccesses &Hot,
                 const ASTContext &Unit) {
  return takesAmong(Hot.accesses().of(Lock), Hot, Unit);
}

LockUse findUses(const VarDecl &Lock, HotAccesses &Hot,
                 const ASTContext &Unit) {
  return takesAmong(Hot.accesses().of(Lock), Hot, Unit);
}

/// By its body, or by its name where the body makes a guard of *this.
static bool takesOwn(const FunctionDecl &Method, const FieldDecl &Lock,
                     HotAccesses &Hot) {
  if (!Method.getIdentifier())
    return false;
  const auto Words = wordsOf(Method.getName());
  if (llvm::is_contained(Words, "lock") || llvm::is_contained(Words, "rlock") ||
      llvm::is_contained(Words, "wlock"))
    return true;
  const FunctionDecl *Definition = Method.getDefinition();
  return Definition &&
         llvm::any_of(Hot.accesses().in(*Definition), [&](unsigned Index) {
           const Access &Use = Hot.accesses().all()[Index];
           const AccessKind Kind = Hot.kindOf(Use);
           return Use.Object.IsThis && Use.Object.field() == &Lock &&
                  (Kind == AccessKind::Update || Kind == AccessKind::Mutate);
         });
}

LockUse findUsesThrough(const FieldDecl &Holder, const FieldDecl &Lock,
                        HotAccesses &Hot, const ASTContext &Unit) {
  LockUse Result;
  for (unsigned Index : Hot.accesses().of(Holder)) {
    const Access &Use = Hot.accesses().all()[Index];
    const auto &Path = Use.Object.Path;
    if (Use.Object.Index || !Hot.isOnOperationPath(Use) || initialises(Use))
      continue;
    const AccessKind Kind = Hot.kindOf(Use);
    const bool IsDirect =
        Path.size() > 1 && Path.back() == &Lock &&
        Path[Path.size() - 2] == &Holder &&
        (Kind == AccessKind::Update || Kind == AccessKind::Mutate);
    const auto *Call =
        dyn_cast<CXXMemberCallExpr>(Use.Site->IgnoreParenImpCasts());
    const bool IsCall = Path.back() == &Holder && Call &&
                        Call->getMethodDecl() &&
                        takesOwn(*Call->getMethodDecl(), Lock, Hot);
    if (IsDirect || IsCall)
      addTake(Use, Result, Unit);
  }
  return Result;
}

bool releasesLock(const Access &Use) {
  const auto *Call = dyn_cast<CallExpr>(Use.Site->IgnoreParenImpCasts());
  return Call && hasEffect(Call->getDirectCallee(), LockEffect::Release);
}

} // namespace linesman::tidy
