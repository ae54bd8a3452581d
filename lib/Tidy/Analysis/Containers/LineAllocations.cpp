// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The standard library's own `new` is in a system header, which is not walked:
// the call in the unit names the type as well.

#include "Analysis/Containers/LineAllocations.h"
#include "Analysis/Code/LocalValues.h"
#include "Analysis/Code/UnitCode.h"
#include "Analysis/Code/VisibleBody.h"
#include "Analysis/Names/WordSwitch.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/TargetInfo.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// The C library's, and those of GLib and talloc, which promise no more.
bool isMalloc(StringRef Name) {
  return WordSwitch<bool>(Name)
      .Cases({"malloc", "calloc", "realloc", "strdup", "reallocarray"}, true)
      .Cases({"g_malloc", "g_malloc0", "g_malloc_n", "g_malloc0_n", "g_realloc",
              "g_realloc_n", "g_slice_alloc", "g_slice_alloc0"},
             true)
      .Cases({"_talloc", "_talloc_zero", "_talloc_array", "_talloc_zero_array",
              "talloc_named_const"},
             true)
      .Default(false);
}

/// malloc() and its kin, or a function of this unit that returns what these
/// gave: xcalloc(), which ends the program where there is no memory.
bool givesMalloc(const FunctionDecl &Callee, unsigned Depth = 0) {
  constexpr unsigned MaxDepth = 2;
  if (!Callee.getIdentifier() || isMalloc(Callee.getName()))
    return Callee.getIdentifier();
  const FunctionDecl *Definition = nullptr;
  const Stmt *Body = visibleBody(Callee, Definition);
  if (!Body || Depth == MaxDepth || !Callee.getReturnType()->isPointerType())
    return false;
  auto IsGiven = [&](const Expr *Value) {
    const auto *Call = dyn_cast<CallExpr>(Value->IgnoreParenCasts());
    const FunctionDecl *Inner = Call ? Call->getDirectCallee() : nullptr;
    return Inner && givesMalloc(*Inner, Depth + 1);
  };
  bool Gives = false, HasOther = false;
  forEachStatement(Body, [&](const Stmt &Node) {
    const auto *Return = dyn_cast<ReturnStmt>(&Node);
    const Expr *Value = Return ? Return->getRetValue() : nullptr;
    if (!Value)
      return;
    const auto *Ref = dyn_cast<DeclRefExpr>(Value->IgnoreParenCasts());
    const auto *Local = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (!Local || !Local->hasLocalStorage() || isa<ParmVarDecl>(Local)) {
      (IsGiven(Value) ? Gives : HasOther) = true;
      return;
    }
    auto Values = valuesOf(*Local, *Definition);
    if (Local->hasInit())
      Values.append(assignmentsOf(*Local, *Definition));
    if (Values.empty() || !llvm::all_of(Values, IsGiven))
      HasOther = true;
    else
      Gives = true;
  });
  return Gives && !HasOther;
}

/// Gives new memory by its name and type: `void *pool_alloc(size_t)`.
bool isAllocator(const FunctionDecl &Function) {
  return Function.getIdentifier() &&
         Function.getReturnType()->isVoidPointerType() &&
         Function.getNumParams() != 0 &&
         Function.getName().contains_insensitive("alloc");
}

/// The same by its last parameter: `int pool_alloc(pool *, size_t, void *)`,
/// which gives back whether it could.
bool allocatesInPlace(const FunctionDecl &Function) {
  const unsigned Count = Function.getNumParams();
  if (!Function.getIdentifier() || Count < 2 ||
      !Function.getReturnType()->isIntegralOrEnumerationType() ||
      !Function.getName().contains_insensitive("alloc"))
    return false;
  const QualType Last = Function.getParamDecl(Count - 1)->getType();
  return (Last->isVoidPointerType() ||
          (Last->isPointerType() &&
           Last->getPointeeType()->isVoidPointerType())) &&
         llvm::any_of(Function.parameters(), [](const ParmVarDecl *Parameter) {
           return Parameter->getType()->isIntegerType();
         });
}

bool takesAlignment(const FunctionDecl &Function) {
  return Function.getName().contains_insensitive("align") ||
         llvm::any_of(Function.parameters(), [](const ParmVarDecl *Parameter) {
           return Parameter->getName().contains_insensitive("align");
         });
}

/// The function declared beside \p Callee, which \p IsOne of the same kind,
/// that allocates with an alignment, if Callee, of another unit, is not given
/// one: who has both gives no more by the plain one than malloc() does.
const FunctionDecl *
siblingOf(const FunctionDecl &Callee,
          llvm::function_ref<bool(const FunctionDecl &)> IsOne) {
  if (!IsOne(Callee) || Callee.getBody() || takesAlignment(Callee) ||
      Callee.hasAttr<AllocAlignAttr>() || Callee.hasAttr<AssumeAlignedAttr>())
    return nullptr;
  for (StringRef Part : {"page", "cache", "line", "huge", "dma", "slab"})
    if (Callee.getName().contains_insensitive(Part))
      return nullptr;
  const SourceManager &Sources = Callee.getASTContext().getSourceManager();
  const FileID File =
      Sources.getFileID(Sources.getExpansionLoc(Callee.getLocation()));
  if (Sources.isInSystemHeader(Callee.getLocation()))
    return nullptr;
  for (const Decl *Other : Callee.getLexicalDeclContext()->decls())
    if (const auto *Function = dyn_cast<FunctionDecl>(Other);
        Function && IsOne(*Function) && takesAlignment(*Function) &&
        Sources.getFileID(Sources.getExpansionLoc(Function->getLocation())) ==
            File)
      return Function;
  return nullptr;
}

/// Of one that takes nothing but sizes.
const FunctionDecl *aligningSibling(const FunctionDecl &Callee) {
  const bool TakesSizes =
      llvm::all_of(Callee.parameters(), [](const ParmVarDecl *Parameter) {
        return Parameter->getType()->isIntegerType();
      });
  return TakesSizes ? siblingOf(Callee, isAllocator) : nullptr;
}

/// The type of the object that a call makes for its last argument, `&object`.
QualType madeInPlace(const CallExpr &Call) {
  const QualType Target =
      Call.getArg(Call.getNumArgs() - 1)->IgnoreParenCasts()->getType();
  return Target->isPointerType() && Target->getPointeeType()->isPointerType()
             ? Target->getPointeeType()->getPointeeType()
             : QualType();
}

bool namesAlignment(const Expr &E) {
  const auto *Trait =
      dyn_cast<UnaryExprOrTypeTraitExpr>(E.IgnoreParenImpCasts());
  return Trait && (Trait->getKind() == UETT_AlignOf ||
                   Trait->getKind() == UETT_PreferredAlignOf);
}

/// T of a std::vector<T> and its kin that take their memory from the standard
/// allocator; otherwise nothing.
QualType elementOf(QualType Container) {
  const auto *Special = dyn_cast_if_present<ClassTemplateSpecializationDecl>(
      Container.getNonReferenceType()->getAsCXXRecordDecl());
  if (!Special || !Special->getIdentifier() || !Special->isInStdNamespace() ||
      !llvm::is_contained({"vector", "deque", "list"}, Special->getName()))
    return {};
  const TemplateArgumentList &Arguments = Special->getTemplateArgs();
  if (Arguments.size() == 0 || Arguments[0].getKind() != TemplateArgument::Type)
    return {};
  const auto *Allocator =
      Arguments.size() > 1 && Arguments[1].getKind() == TemplateArgument::Type
          ? Arguments[1].getAsType()->getAsCXXRecordDecl()
          : nullptr;
  if (Allocator &&
      (!Allocator->isInStdNamespace() || !Allocator->getIdentifier() ||
       Allocator->getName() != "allocator"))
    return {};
  return Arguments[0].getAsType();
}

/// What a call fills with elements, or makes with some: the container's type.
QualType filledBy(const Expr &Call) {
  if (const auto *Made = dyn_cast<CXXConstructExpr>(&Call))
    return Made->getConstructor()->isCopyOrMoveConstructor() ? QualType()
                                                             : Made->getType();
  const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
  const CXXMethodDecl *Method = Member ? Member->getMethodDecl() : nullptr;
  return Method && Method->getIdentifier() &&
                 llvm::is_contained({"resize", "reserve", "push_back",
                                     "emplace_back", "assign"},
                                    Method->getName())
             ? Member->getObjectType()
             : QualType();
}

} // namespace

QualType madeByLibrary(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || !Callee->getIdentifier() || !Callee->isInStdNamespace() ||
      (Callee->getName() != "make_shared" &&
       Callee->getName() != "make_unique"))
    return {};
  const TemplateArgumentList *Arguments =
      Callee->getTemplateSpecializationArgs();
  if (!Arguments || Arguments->size() == 0 ||
      Arguments->get(0).getKind() != TemplateArgument::Type)
    return {};
  return Arguments->get(0).getAsType();
}

uint64_t LineAllocations::naturalAlignment() const {
  return Unit.getTargetInfo().getNewAlign() / 8;
}

/// The alignment that the type asks for and an allocator does not give.
uint64_t LineAllocations::overAlignment(QualType Type) const {
  if (Type.isNull() || Type->isIncompleteType() || Type->isDependentType() ||
      !Type->isRecordType())
    return 0;
  uint64_t Alignment = Unit.getTypeAlignInChars(Type).getQuantity();
  return Alignment >= Line && Alignment > naturalAlignment() ? Alignment : 0;
}

/// malloc(sizeof(T) + 64): somebody rounds the result up by hand.
bool LineAllocations::hasRoomToAlign(const CallExpr &Call) const {
  return llvm::any_of(Call.arguments(), [&](const Expr *Argument) {
    const auto *Sum = dyn_cast<BinaryOperator>(Argument->IgnoreParenImpCasts());
    if (!Sum || Sum->getOpcode() != BO_Add)
      return false;
    return llvm::any_of(
        llvm::ArrayRef<const Expr *>({Sum->getLHS(), Sum->getRHS()}),
        [&](const Expr *Side) {
          if (isa<UnaryExprOrTypeTraitExpr>(Side->IgnoreParenImpCasts()))
            return namesAlignment(*Side);
          Expr::EvalResult Value;
          return !Side->isValueDependent() &&
                 Side->EvaluateAsInt(Value, Unit, Expr::SE_NoSideEffects) &&
                 Value.Val.getInt().getLimitedValue() + 1 >= Line;
        });
  });
}

std::vector<LineAllocations::Allocation> LineAllocations::findTooWeak() const {
  std::vector<Allocation> Found;
  auto Add = [&](SourceLocation Place, QualType Type, StringRef Allocator,
                 bool IsByLibrary, StringRef AligningSibling = {}) {
    if (uint64_t Alignment = overAlignment(Type))
      Found.push_back({Unit.getSourceManager().getFileLoc(Place),
                       Type->getAsRecordDecl(), Alignment, Allocator.str(),
                       IsByLibrary, AligningSibling.str()});
  };
  for (const UnitAccesses::CallCast &Converted : Accesses.callCasts()) {
    const auto *Call =
        cast<CallExpr>(Converted.Cast->getSubExpr()->IgnoreParenImpCasts());
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (!Callee || hasRoomToAlign(*Call))
      continue;
    const bool IsMalloc = givesMalloc(*Callee);
    const FunctionDecl *Sibling = IsMalloc ? nullptr : aligningSibling(*Callee);
    if (Sibling || IsMalloc)
      Add(Converted.Cast->getBeginLoc(),
          Converted.Cast->getType()->getPointeeType(), Callee->getName(), false,
          Sibling ? Sibling->getName() : StringRef());
  }
  for (const UnitAccesses::CallSite &Site : Accesses.calls()) {
    const auto *Call = dyn_cast<CallExpr>(Site.Call);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    if (!Callee || Call->getNumArgs() < 2 || hasRoomToAlign(*Call))
      continue;
    const QualType Type = madeInPlace(*Call);
    if (overAlignment(Type) == 0)
      continue;
    if (const FunctionDecl *Sibling = siblingOf(*Callee, allocatesInPlace))
      Add(Call->getBeginLoc(), Type, Callee->getName(), false,
          Sibling->getName());
  }
  if (Unit.getLangOpts().AlignedAllocation)
    return Found;
  // Elements come from one place in the library: said once for a type.
  llvm::SmallPtrSet<const RecordDecl *, 4> Elements;
  for (const UnitAccesses::CallSite &Site : Accesses.calls()) {
    if (QualType Container = filledBy(*Site.Call); !Container.isNull())
      if (QualType Type = elementOf(Container);
          !Type.isNull() && Type->isRecordType() &&
          Elements.insert(Type->getAsRecordDecl()).second)
        Add(Site.Call->getBeginLoc(), Type,
            Container->getAsCXXRecordDecl()->getQualifiedNameAsString(), true);
    if (const auto *New = dyn_cast<CXXNewExpr>(Site.Call)) {
      const FunctionDecl *Operator = New->getOperatorNew();
      if (New->getNumPlacementArgs() == 0 && Operator &&
          !isa<CXXMethodDecl>(Operator))
        Add(New->getBeginLoc(), New->getAllocatedType(), "new", false);
    } else if (const auto *Call = dyn_cast<CallExpr>(Site.Call)) {
      if (QualType Type = madeByLibrary(*Call); !Type.isNull())
        Add(Call->getBeginLoc(), Type,
            Call->getDirectCallee()->getQualifiedNameAsString(), true);
    }
  }
  return Found;
}

template <typename Visitor>
void LineAllocations::forEachCast(const RecordDecl &Record,
                                  Visitor Visit) const {
  for (const UnitAccesses::CallCast &Converted : Accesses.callCasts()) {
    const RecordDecl *Made =
        Converted.Cast->getType()->getPointeeType()->getAsRecordDecl();
    const auto *Call =
        cast<CallExpr>(Converted.Cast->getSubExpr()->IgnoreParenImpCasts());
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (Made && Callee && Callee->getIdentifier() &&
        Made->getCanonicalDecl() == Record.getCanonicalDecl())
      Visit(Converted, *Call, Callee->getName());
  }
}

bool LineAllocations::isAllocatedAligned(const RecordDecl &Record) const {
  bool IsAligned = false;
  forEachCast(Record, [&](const UnitAccesses::CallCast &, const CallExpr &Call,
                          StringRef Name) {
    IsAligned |= Name.contains_insensitive("align") || Name == "mmap" ||
                 Name.contains_insensitive("page") || hasRoomToAlign(Call);
  });
  return IsAligned || isGivenByAddress(Record);
}

/// posix_memalign((void **)&object, line, size)
bool LineAllocations::isGivenByAddress(const RecordDecl &Record) const {
  return llvm::any_of(
      Accesses.calls(), [&](const UnitAccesses::CallSite &Site) {
        const auto *Call = dyn_cast<CallExpr>(Site.Call);
        const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
        if (!Callee || !Callee->getIdentifier() || Call->getNumArgs() < 3 ||
            !Callee->getName().contains("memalign"))
          return false;
        QualType Target = Call->getArg(0)->IgnoreParenCasts()->getType();
        if (!Target->isPointerType() ||
            !Target->getPointeeType()->isPointerType())
          return false;
        const RecordDecl *Made =
            Target->getPointeeType()->getPointeeType()->getAsRecordDecl();
        return Made && Made->getCanonicalDecl() == Record.getCanonicalDecl();
      });
}

llvm::SmallVector<LineAllocations::Malloc, 2>
LineAllocations::mallocsOf(const RecordDecl &Record) const {
  llvm::SmallVector<Malloc, 2> Found;
  forEachCast(Record, [&](const UnitAccesses::CallCast &Converted,
                          const CallExpr &, StringRef Name) {
    if (isMalloc(Name))
      Found.push_back(
          {Unit.getSourceManager().getFileLoc(Converted.Cast->getBeginLoc()),
           Name});
  });
  return Found;
}

} // namespace linesman::tidy
