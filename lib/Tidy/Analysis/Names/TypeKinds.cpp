// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names first, because they are cheap and certain, then a class's shape. A
// record is classified once: the same std::mutex is asked for at every access.

#include "Analysis/Names/TypeKinds.h"
#include "Analysis/Code/AtomicNames.h"
#include "Analysis/Code/ParallelRegions.h"
#include "Analysis/Names/NameWords.h"
#include "Analysis/Names/PlainName.h"
#include "Analysis/Names/WordSwitch.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace linesman::tidy {

namespace {

constexpr llvm::StringLiteral AtomicNames[] = {
    "std::atomic", "std::atomic_flag", "std::atomic_ref", "std::__atomic_base",
    "std::__atomic_ref", "boost::atomic_ref", "boost::atomic", "atomic_flag",
    "folly::relaxed_atomic", "folly::AtomicStruct", "tbb::atomic", "QAtomicInt",
    "QAtomicInteger", "QAtomicPointer", "QBasicAtomicInt",
    "QBasicAtomicInteger", "QBasicAtomicPointer",
    // Where <stdatomic.h> is C++'s, or a library's C interface is a struct.
    "rte_atomic16_t", "rte_atomic32_t", "rte_atomic64_t", "atomic_t",
    "atomic64_t"};

constexpr llvm::StringLiteral LockTypeNames[] = {
    "std::mutex",
    "std::recursive_mutex",
    "std::timed_mutex",
    "std::recursive_timed_mutex",
    "std::shared_mutex",
    "std::shared_timed_mutex",
    "pthread_mutex_t",
    "pthread_rwlock_t",
    "pthread_spinlock_t",
    "mtx_t",
    "omp_lock_t",
    "omp_nest_lock_t",
    "absl::Mutex",
    "absl::base_internal::SpinLock",
    "folly::SharedMutex",
    "folly::SharedMutexImpl",
    "folly::MicroLock",
    "folly::MicroSpinLock",
    "folly::SpinLock",
    "folly::DistributedMutex",
    "boost::mutex",
    "boost::recursive_mutex",
    "boost::shared_mutex",
    "tbb::spin_mutex",
    "tbb::mutex",
    "rte_spinlock_t",
    "rte_rwlock_t",
    "spinlock_t",
    "uv_mutex_t",
    "uv_rwlock_t",
    "CRITICAL_SECTION",
    "SRWLOCK",
    "ck_spinlock_t",
    "apr_thread_mutex_t",
    "QMutex",
    "QReadWriteLock"};

constexpr llvm::StringLiteral GuardNames[] = {"std::lock_guard",
                                              "std::unique_lock",
                                              "std::scoped_lock",
                                              "std::shared_lock",
                                              "absl::MutexLock",
                                              "absl::ReaderMutexLock",
                                              "absl::WriterMutexLock",
                                              "absl::MutexLockMaybe",
                                              "absl::ReleasableMutexLock",
                                              "boost::lock_guard",
                                              "boost::unique_lock",
                                              "boost::mutex::scoped_lock",
                                              "QMutexLocker",
                                              "QReadLocker",
                                              "QWriteLocker"};

constexpr llvm::StringLiteral SynchronizerNames[] = {
    "std::condition_variable",
    "std::condition_variable_any",
    "std::once_flag",
    "std::counting_semaphore",
    "std::latch",
    "std::barrier",
    "pthread_cond_t",
    "pthread_barrier_t",
    "pthread_once_t",
    "cnd_t",
    "once_flag",
    "sem_t",
    "absl::CondVar",
    "absl::once_flag",
    "absl::Notification",
    "absl::Barrier",
    "absl::BlockingCounter",
    "folly::Baton",
    "folly::once_flag",
    "boost::condition_variable",
    "uv_cond_t",
    "uv_sem_t",
    "QWaitCondition"};

constexpr llvm::StringLiteral ThreadIdNames[] = {
    "pthread_self",
    "omp_get_thread_num",
    "rte_lcore_id",
    "sched_getcpu",
    "gettid",
    "thrd_current",
    "std::this_thread::get_id",
    "rte_gettid",
    "smp_processor_id",
    "GetCurrentThreadId",
    "GetCurrentProcessorNumber",
    "tbb::this_task_arena::current_thread_index",
    "folly::getCurrentThreadID",
    "folly::getOSThreadID",
    "boost::this_thread::get_id",
    "uv_thread_self",
    "__kmpc_global_thread_num",
    "numa_node_of_cpu",
    "QThread::currentThreadId"};

bool hasMethods(const CXXRecordDecl &Record, StringRef First,
                StringRef Second) {
  bool HasFirst = false, HasSecond = false;
  for (const CXXMethodDecl *Method : Record.methods())
    if (const IdentifierInfo *Name = Method->getIdentifier()) {
      HasFirst |= Name->isStr(First);
      HasSecond |= Name->isStr(Second);
    }
  return HasFirst && HasSecond;
}

bool soundsLikeGuard(StringRef Name) {
  return Name.contains_insensitive("lock") ||
         Name.contains_insensitive("guard");
}

/// By the bare name, which decides most cases without building a string, or by
/// the one with namespaces.
bool isNamed(const NamedDecl &Decl, const llvm::StringSet<> &Known) {
  const IdentifierInfo *Name = Decl.getIdentifier();
  return Name && (Known.contains(Name->getName()) ||
                  (Known.contains(("::" + Name->getName()).str()) &&
                   Known.contains(plainName(Decl))));
}

bool matches(const NameList *Names, const auto &Subject) {
  return Names && Names->matches(Subject);
}

} // namespace

TypeKinds::TypeKinds(const ExtraNames &Extra) : Extra(Extra) {
  // Each name is there twice: as given, and as "::last" to tell quickly that
  // it is worth building a declaration's full name.
  auto AddType = [&](StringRef Name, TypeKind Kind) {
    Name.consume_front("::");
    KnownTypes[Name] = Kind;
    size_t Last = Name.rfind("::");
    if (Last != StringRef::npos)
      KnownTypes[Name.substr(Last)] = Kind;
  };
  for (StringRef Name : AtomicNames)
    AddType(Name, TypeKind::Atomic);
  for (StringRef Name : LockTypeNames)
    AddType(Name, TypeKind::Lock);
  for (StringRef Name : GuardNames)
    AddType(Name, TypeKind::LockGuard);
  for (StringRef Name : SynchronizerNames)
    AddType(Name, TypeKind::Synchronizer);

  auto AddFunction = [&](StringRef Name) {
    Name.consume_front("::");
    ThreadIdFunctions.insert(Name);
    size_t Last = Name.rfind("::");
    if (Last != StringRef::npos)
      ThreadIdFunctions.insert(Name.substr(Last));
  };
  for (StringRef Name : ThreadIdNames)
    AddFunction(Name);
}

/// The one member, of a record of one as well; null if there are others.
static const FieldDecl *onlyMember(const RecordDecl &Record) {
  if (std::distance(Record.field_begin(), Record.field_end()) != 1)
    return nullptr;
  const FieldDecl *Field = *Record.field_begin();
  const RecordDecl *Inner = Field->getType()->getAsRecordDecl();
  Inner = Inner ? Inner->getDefinition() : nullptr;
  return Inner ? onlyMember(*Inner) : Field;
}

/// A class of one word that says "atomic", and whose methods load and update:
/// a project's own, on builtins or assembly. What is around another atomic is
/// that one's.
bool TypeKinds::isOwnAtomic(const CXXRecordDecl &Class) const {
  if (!Class.getIdentifier() ||
      !llvm::is_contained(wordsOf(Class.getName()), "atomic"))
    return false;
  const FieldDecl *Word = onlyMember(Class);
  if (!Word || !Word->getType()->isScalarType() || isAtomic(Word->getType()))
    return false;
  bool Loads = false, Updates = false;
  for (const CXXMethodDecl *Method : Class.methods()) {
    Loads |= isa<CXXConversionDecl>(Method);
    if (!Method->getIdentifier())
      continue;
    switch (operationOfMethod(Method->getName())) {
    case AtomicOperation::Load:
      Loads = true;
      break;
    case AtomicOperation::Exchange:
    case AtomicOperation::CompareExchange:
    case AtomicOperation::FetchModify:
      Updates = true;
      break;
    default:
      break;
    }
  }
  return Loads && Updates;
}

TypeKind TypeKinds::kindOf(QualType Type) const {
  if (Type.isNull())
    return TypeKind::Plain;
  Type = Type.getNonReferenceType();
  while (const ArrayType *Array = Type->getAsArrayTypeUnsafe())
    Type = Array->getElementType();
  if (matches(Extra.AtomicTypes, Type))
    return TypeKind::Atomic;
  if (matches(Extra.LockTypes, Type))
    return TypeKind::Lock;
  // A typedef's name counts before what it stands for.
  for (const auto *Typedef = Type->getAs<TypedefType>(); Typedef;
       Typedef = Typedef->desugar()->getAs<TypedefType>()) {
    const TypedefNameDecl *Decl = Typedef->getDecl();
    auto Known = KnownTypes.find(Decl->getName());
    if (Known != KnownTypes.end())
      return Known->second;
    if (KnownTypes.contains(("::" + Decl->getName()).str())) {
      Known = KnownTypes.find(plainName(*Decl));
      if (Known != KnownTypes.end())
        return Known->second;
    }
  }
  if (Type->isAtomicType())
    return TypeKind::Atomic;
  if (const auto *Record = Type->getAsRecordDecl())
    return kindOfRecord(*Record);
  return TypeKind::Plain;
}

TypeKind TypeKinds::kindOfRecord(const RecordDecl &Record) const {
  const RecordDecl *Key = cast<RecordDecl>(Record.getCanonicalDecl());
  auto [Place, IsNew] = Records.try_emplace(Key, TypeKind::Plain);
  if (!IsNew)
    return Place->second;
  auto Remember = [&](TypeKind Kind) { return Records[Key] = Kind; };

  if (const IdentifierInfo *Name = Record.getIdentifier()) {
    auto Known = KnownTypes.find(Name->getName());
    if (Known == KnownTypes.end() &&
        KnownTypes.contains(("::" + Name->getName()).str()))
      Known = KnownTypes.find(plainName(Record));
    if (Known != KnownTypes.end())
      return Remember(Known->second);
  }
  if (Record.hasAttr<ScopedLockableAttr>())
    return Remember(TypeKind::LockGuard);
  if (Record.hasAttr<CapabilityAttr>())
    return Remember(TypeKind::Lock);

  const auto *Class = dyn_cast<CXXRecordDecl>(&Record);
  if (!Class || !Class->hasDefinition())
    return TypeKind::Plain;
  Class = Class->getDefinition();
  for (const CXXBaseSpecifier &Base : Class->bases())
    if (const CXXRecordDecl *Parent = Base.getType()->getAsCXXRecordDecl()) {
      TypeKind Kind = kindOfRecord(*Parent);
      if (Kind != TypeKind::Plain)
        return Remember(Kind);
    }

  if (isOwnAtomic(*Class))
    return Remember(TypeKind::Atomic);

  // A guard refers to a lock that is elsewhere and has a destructor; a lock has
  // the lock in itself and two methods to hold it.
  bool RefersToLock = llvm::any_of(Class->fields(), [&](const FieldDecl *F) {
    QualType Type = F->getType();
    return (Type->isReferenceType() || Type->isPointerType()) &&
           isLock(Type->isPointerType() ? Type->getPointeeType() : Type);
  });
  // scoped_mutex is given the mutex; a mutex that owns one by pointer is not.
  auto IsGivenLock = [&] {
    return llvm::any_of(Class->ctors(), [&](const CXXConstructorDecl *Made) {
      if (Made->param_empty() || Made->isCopyOrMoveConstructor())
        return false;
      QualType Type = Made->getParamDecl(0)->getType().getNonReferenceType();
      return isLock(Type->isPointerType() ? Type->getPointeeType() : Type);
    });
  };
  if (RefersToLock && Class->hasUserDeclaredDestructor() &&
      Class->getIdentifier() &&
      (soundsLikeGuard(Class->getName()) ||
       (Class->getName().contains_insensitive("mutex") && IsGivenLock())))
    return Remember(TypeKind::LockGuard);
  // A holder: a guard together with what it guards.
  if (Class->getIdentifier() && soundsLikeGuard(Class->getName()) &&
      llvm::any_of(Class->fields(), [&](const FieldDecl *F) {
        return kindOf(F->getType()) == TypeKind::LockGuard;
      }))
    return Remember(TypeKind::LockGuard);
  if (!RefersToLock &&
      (hasMethods(*Class, "lock", "unlock") ||
       hasMethods(*Class, "Lock", "Unlock")) &&
      Class->getIdentifier() &&
      // A weak_ptr or a file has lock() too, but no unlock(); a surface or a
      // buffer may have both and is not named after what it does.
      (Class->getName().contains_insensitive("lock") ||
       Class->getName().contains_insensitive("mutex") ||
       Class->getName().contains_insensitive("mtx") ||
       Class->getName().contains_insensitive("latch")))
    return Remember(TypeKind::Lock);
  return TypeKind::Plain;
}

bool TypeKinds::isThreadIdentity(const Expr &E, unsigned Depth) const {
  // Three levels: a local that holds what a helper returned that reads a
  // thread_local. Deeper chains were never seen, and recursion must end.
  constexpr unsigned MaxDepth = 4;
  if (Depth > MaxDepth)
    return false;
  const Expr *Inner = E.IgnoreParenCasts();
  if (const auto *Ref = dyn_cast<DeclRefExpr>(Inner)) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (!Var)
      return false;
    if (isPerThread(*Var) || Registers.areReadInto(*Var))
      return true;
    return Var->hasLocalStorage() && !isa<ParmVarDecl>(Var) && Var->hasInit() &&
           !Var->getInit()->isValueDependent() &&
           isThreadIdentity(*Var->getInit(), Depth + 1);
  }
  if (const auto *Member = dyn_cast<MemberExpr>(Inner)) {
    if (const auto *Var = dyn_cast<VarDecl>(Member->getMemberDecl()))
      return isPerThread(*Var);
    return isThreadIdentity(*Member->getBase(), Depth + 1);
  }
  if (const auto *Binary = dyn_cast<BinaryOperator>(Inner))
    // A comparison of identities is a test, not an index.
    return !Binary->isComparisonOp() && !Binary->isLogicalOp() &&
           !Binary->isAssignmentOp() &&
           (isThreadIdentity(*Binary->getLHS(), Depth + 1) ||
            isThreadIdentity(*Binary->getRHS(), Depth + 1));
  // The address of a local, as a number: of the thread's own stack.
  if (const auto *Unary = dyn_cast<UnaryOperator>(Inner);
      Unary && Unary->getOpcode() == UO_AddrOf &&
      E.getType()->isIntegerType()) {
    const auto *Ref =
        dyn_cast<DeclRefExpr>(Unary->getSubExpr()->IgnoreParens());
    const auto *Local = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    return Local && Local->hasLocalStorage() &&
           !Local->getType()->isReferenceType();
  }
  if (const auto *Unary = dyn_cast<UnaryOperator>(Inner))
    return (Unary->getOpcode() == UO_Deref ||
            Unary->isIncrementDecrementOp()) &&
           isThreadIdentity(*Unary->getSubExpr(), Depth + 1);
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(Inner))
    return isThreadIdentity(*Temporary->getSubExpr(), Depth + 1);
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(Inner))
    // A copy of an identity is one; a generator that is seeded with it is none.
    return Construct->getNumArgs() == 1 &&
           Construct->getArg(0)->getType()->isRecordType() &&
           isThreadIdentity(*Construct->getArg(0), Depth + 1);
  const auto *Call = dyn_cast<CallExpr>(Inner);
  if (!Call)
    return false;
  if (const FunctionDecl *Callee = Call->getDirectCallee()) {
    if (isNamed(*Callee, ThreadIdFunctions) ||
        matches(Extra.ThreadIdFunctions, *Callee))
      return true;
    const FunctionDecl *Definition = nullptr;
    if (const Stmt *Body = Callee->getBody(Definition))
      if (const auto *Block = dyn_cast<CompoundStmt>(Body);
          Block && !Block->body_empty())
        if (const auto *Return = dyn_cast<ReturnStmt>(Block->body_back()))
          if (const Expr *Value = Return->getRetValue())
            if (isThreadIdentity(*Value, Depth + 1))
              return true;
  }
  // What a list has for a thread is data, whatever the list is of.
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call);
      Operator && Operator->getOperator() == OO_Subscript)
    return false;
  // hash(id), std::min(id, n): a function of the identity.
  return llvm::any_of(Call->arguments(), [&](const Expr *Argument) {
    return !Argument->getType()->isPointerType() &&
           isThreadIdentity(*Argument, Depth + 1);
  });
}

} // namespace linesman::tidy
