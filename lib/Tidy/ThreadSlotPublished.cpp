// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman-thread-slot where an object keeps the address of an atomic word of
// its own, which it publishes and others look at, as hazard pointers and epochs
// do:
//
//     Guard() { number = next.fetch_add(1); word = &words[number]; }
//     void protect(void *p) { word->store(p); }          the owner's writes
//     for (...) if (words[i].load() == p) ...            who looks at all
//
// A word that data picks is no owner's: the number has to come from a count
// that hands them out.

#include "Analysis/Accesses/PlaceResolver.h"
#include "Analysis/Code/UnitCode.h"
#include "Analysis/Names/PlainName.h"
#include "LineReader.h"
#include "ThreadSlotCheck.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;
using namespace clang::tidy;

namespace linesman::tidy {

class ThreadSlotCheck::PublishedReader : LineReader {
public:
  PublishedReader(ThreadSlotCheck &Check, ASTContext &Unit)
      : LineReader(Check, Unit), Check(Check) {}

  void read() {
    for (const Access &Use : Accesses.all())
      if (const FieldDecl *Pointer = keptIn(Use))
        checkKept(*Pointer, Use);
  }

private:
  /// word = ..., in the object: a pointer to an atomic word.
  const FieldDecl *keptIn(const Access &Use) const {
    const FieldDecl *Field = Use.Object.field();
    return Use.Kind == AccessKind::Write && Field && Use.Function &&
                   Use.Object.Path.size() == 1 && !Use.Object.Index &&
                   Field->getType()->isPointerType() &&
                   Kinds.isAtomic(Field->getType()->getPointeeType())
               ? Field
               : nullptr;
  }

  /// The array of `&words[number]`, and the number.
  static Element elementAt(const Expr &Address) {
    const auto *Unary = dyn_cast<UnaryOperator>(Address.IgnoreParenCasts());
    if (!Unary || Unary->getOpcode() != UO_AddrOf)
      return {};
    const Place Object = PlaceResolver().ofObject(*Unary->getSubExpr());
    return {Object.Array, Object.Index, Object.ElementType};
  }

  static bool assigns(const Stmt &S, const ValueDecl &Number,
                      const Expr *&Value) {
    const auto *Store = dyn_cast<BinaryOperator>(&S);
    if (!Store || Store->getOpcode() != BO_Assign)
      return false;
    const Expr *Target = Store->getLHS()->IgnoreParenCasts();
    const auto *Member = dyn_cast<MemberExpr>(Target);
    const auto *Ref = dyn_cast<DeclRefExpr>(Target);
    Value = Store->getRHS();
    return (Member && Member->getMemberDecl() == &Number) ||
           (Ref && Ref->getDecl() == &Number);
  }

  /// next.fetch_add(1), next++
  bool isHandedOut(const Expr &Value) const {
    return !Value.isValueDependent() &&
           Kinds.operationOf(*Value.IgnoreParenImpCasts()) ==
               AtomicOperation::FetchModify;
  }

  /// The number, or the variable that it is in, comes from such a count.
  bool isHandedOut(const Expr &Index, const FunctionDecl &Function) const {
    const Expr *Inner = Index.IgnoreParenCasts();
    if (isHandedOut(*Inner))
      return true;
    const auto *Member = dyn_cast<MemberExpr>(Inner);
    const auto *Ref = dyn_cast<DeclRefExpr>(Inner);
    const ValueDecl *Number = Member ? Member->getMemberDecl()
                              : Ref  ? Ref->getDecl()
                                     : nullptr;
    if (!Number)
      return false;
    if (const auto *Local = dyn_cast<VarDecl>(Number);
        Local && Local->hasInit() && isHandedOut(*Local->getInit()))
      return true;
    return llvm::any_of(
        UnitCode::read(Function).Statements, [&](const Stmt *Node) {
          const Expr *Value = nullptr;
          return assigns(*Node, *Number, Value) && isHandedOut(*Value);
        });
  }

  /// Somebody goes through all words and only looks.
  bool isLookedThrough(const ValueDecl &Array) const {
    return llvm::any_of(Accesses.all(), [&](const Access &Use) {
      return Use.Object.Array == &Array && Use.Object.Index && Use.Loop &&
             Use.Kind == AccessKind::Read && Hot.isAtomic(Use);
    });
  }

  /// word->store(p), by a method that neither makes nor ends the object.
  std::pair<const FunctionDecl *, const Expr *>
  publishedBy(const FieldDecl &Pointer) const {
    for (const FunctionDecl *Function : Accesses.functions()) {
      const auto *Method = dyn_cast<CXXMethodDecl>(Function);
      if (!Method || Method->getParent() != Pointer.getParent() ||
          isa<CXXConstructorDecl, CXXDestructorDecl>(Method) ||
          !Hot.isOperation(Function) || !Accesses.isUsedHere(*Function))
        continue;
      for (const Stmt *Node : UnitCode::read(*Function).Statements) {
        const auto *Call = dyn_cast<CXXMemberCallExpr>(Node);
        const auto *Member =
            Call ? dyn_cast<MemberExpr>(
                       Call->getImplicitObjectArgument()->IgnoreParenCasts())
                 : nullptr;
        if (!Member || Member->getMemberDecl() != &Pointer)
          continue;
        const AtomicOperation Operation = Kinds.operationOf(*Call);
        if (Operation == AtomicOperation::Store ||
            Operation == AtomicOperation::Exchange)
          return {Function, Call};
      }
    }
    return {nullptr, nullptr};
  }

  void checkKept(const FieldDecl &Pointer, const Access &Store) {
    const auto *Assignment =
        dyn_cast<BinaryOperator>(Store.Site->IgnoreParens());
    if (!Assignment || Assignment->getOpcode() != BO_Assign ||
        Check.common().isAccepted(Pointer))
      return;
    const Element Part = elementAt(*Assignment->getRHS());
    if (!Part.Array || Part.Type.isNull() || Part.Type->isIncompleteType())
      return;
    const uint64_t Stride = Unit.getTypeSizeInChars(Part.Type).getQuantity();
    if (!Part.Index || Check.common().isAccepted(*Part.Array) || Stride == 0 ||
        Stride % Line == 0 || !isHandedOut(*Part.Index, *Store.Function) ||
        !isLookedThrough(*Part.Array))
      return;
    const auto [Owner, Site] = publishedBy(Pointer);
    if (!Owner || !Check.Reported.insert(Part.Array->getLocation()).second)
      return;
    Check.warn(Unit.getSourceManager().getFileLoc(Site->getExprLoc()),
               {.Subject = *Part.Array, .Function = Owner},
               "'%0' is the address of an element of '%1' that this object has "
               "for itself, and '%2' stores to it for others to see, but "
               "elements are %3 bytes apart and a cache line has %4: owners "
               "that store at the same time write one line; make the element a "
               "record with alignas(%4)")
        << fieldName(Pointer) << nameOf(*Part.Array) << plainName(*Owner)
        << unsigned(Stride) << unsigned(Line);
    Check.diag(Assignment->getRHS()->getExprLoc(), "its element is picked here",
               DiagnosticIDs::Note);
  }

  static std::string nameOf(const ValueDecl &Array) {
    const auto *Field = dyn_cast<FieldDecl>(&Array);
    return Field ? fieldName(*Field) : plainName(Array);
  }

  ThreadSlotCheck &Check;
};

void ThreadSlotCheck::checkPublished(ASTContext &Unit) {
  PublishedReader(*this, Unit).read();
}

} // namespace linesman::tidy
