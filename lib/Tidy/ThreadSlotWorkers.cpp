// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman-thread-slot where no index and no loop tells: objects that start a
// thread of their own, side by side in an array.
//
//     void Worker::start() { thread = std::thread([this] { run(); }); }
//     std::vector<Worker> workers;

#include "Analysis/Containers/ElementGaps.h"
#include "Analysis/Names/PlainName.h"
#include "Analysis/Threads/StartCalls.h"
#include "Analysis/Threads/ThreadStarts.h"
#include "LineReader.h"
#include "ThreadSlotCheck.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/MapVector.h"

using namespace clang;
using namespace clang::tidy;

namespace linesman::tidy {

class ThreadSlotCheck::WorkerReader : LineReader {
public:
  WorkerReader(ThreadSlotCheck &Check, ASTContext &Unit)
      : LineReader(Check, Unit), Check(Check) {}

  void read() {
    for (const UnitAccesses::CallSite &Site : Accesses.calls())
      if (const FunctionDecl *Entry = ownEntry(Site))
        readEntry(*Entry->getCanonicalDecl());
    if (Workers.empty())
      return;
    for (const RecordDecl *Record : Accesses.records())
      for (const FieldDecl *Field : Record->fields())
        checkArray(*Field);
    for (const VarDecl *Static : Accesses.statics())
      checkArray(*Static);
  }

private:
  using FieldSet = llvm::SmallPtrSet<const FieldDecl *, 4>;
  struct Worker {
    FieldSet Written;
    const Access *Write = nullptr;
  };

  /// What the one thread runs that an object starts for itself; null for any
  /// other call.
  static const FunctionDecl *ownEntry(const UnitAccesses::CallSite &Site) {
    llvm::ArrayRef<const Expr *> Given = startedWith(*Site.Call);
    if (Given.empty() || Site.Loop)
      return nullptr;
    const bool IsOwn = llvm::any_of(Given, [](const Expr *Argument) {
      const Expr &Bare = bareArgument(*Argument);
      const auto *Lambda = dyn_cast<LambdaExpr>(&Bare);
      return isa<CXXThisExpr>(Bare) ||
             (Lambda &&
              llvm::any_of(Lambda->captures(), [](const LambdaCapture &C) {
                return C.capturesThis();
              }));
    });
    return IsOwn ? entryOf(*Given.front()) : nullptr;
  }

  /// What the thread runs, and the methods of the same object that it calls.
  void readEntry(const FunctionDecl &Entry) {
    readWrites(Entry);
    for (const UnitAccesses::CallSite &Site : Accesses.calls()) {
      const auto *Call = Site.Function && Site.Function->getCanonicalDecl() ==
                                              Entry.getCanonicalDecl()
                             ? dyn_cast<CXXMemberCallExpr>(Site.Call)
                             : nullptr;
      const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
      if (Method && isa<CXXThisExpr>(
                        Call->getImplicitObjectArgument()->IgnoreParenCasts()))
        readWrites(*Method);
    }
  }

  void readWrites(const FunctionDecl &Function) {
    const FunctionDecl *Definition = Function.getDefinition();
    if (!Definition)
      return;
    for (unsigned Index : Accesses.in(*Definition)) {
      const Access &Use = Accesses.all()[Index];
      const FieldDecl *Field = Use.Object.field();
      if (!Field || !Use.Object.IsThis || Use.Object.Index ||
          Use.Object.IsPointee || !Use.writes() || !Use.Loop || Use.IsRare ||
          Use.Object.Path.size() != 1)
        continue;
      Worker &Found = Workers[Field->getParent()];
      Found.Written.insert(Field);
      if (!Found.Write)
        Found.Write = &Use;
    }
  }

  /// Of what may have more than one; nothing otherwise.
  QualType elementOf(QualType Type) const {
    if (const ArrayType *Array = Unit.getAsArrayType(Type)) {
      const auto *Constant = dyn_cast<ConstantArrayType>(Array);
      return Constant && Constant->getZExtSize() < 2 ? QualType()
                                                     : Array->getElementType();
    }
    const auto *Class = dyn_cast_if_present<ClassTemplateSpecializationDecl>(
        Type->getAsCXXRecordDecl());
    if (!Class || !isContiguous(Type))
      return QualType();
    const TemplateArgumentList &Given = Class->getTemplateArgs();
    if (Given.size() == 0 || Given[0].getKind() != TemplateArgument::Type ||
        (Given.size() > 1 && Given[1].getKind() == TemplateArgument::Integral &&
         Given[1].getAsIntegral().ult(2)))
      return QualType();
    return Given[0].getAsType();
  }

  void checkArray(const DeclaratorDecl &Array) {
    const QualType Element = elementOf(Array.getType());
    const RecordDecl *Record =
        Element.isNull() ? nullptr : Element->getAsRecordDecl();
    Record = Record ? Record->getDefinition() : nullptr;
    auto Found = Workers.find(Record);
    if (!Record || Found == Workers.end() || !isOwnRecord(Element, Unit) ||
        Check.common().isAccepted(Array) || Check.common().isAccepted(*Record))
      return;
    const uint64_t Stride = Unit.getTypeSizeInChars(Element).getQuantity();
    const FieldSet &Written = Found->second.Written;
    std::optional<uint64_t> Gap =
        gapBetween(Element, Stride, Line, Unit,
                   [&](const FieldDecl &F) { return Written.contains(&F); });
    // Of longer ones, only the ends meet.
    if (Stride >= 3 * Line || !Gap || keepsApart(*Gap, Element, Line, Unit) ||
        !Check.Reported.insert(Array.getLocation()).second)
      return;
    Check.warn(
        Array.getLocation(),
        {.Subject = Array, .Function = Found->second.Write->Function},
        "each element of '%0' has a thread of its own that writes it, in "
        "'%1', but elements are %2 bytes apart and a cache line has %3: "
        "neighbouring threads write the same line; give the element "
        "type alignas(%3)")
        << plainName(Array) << plainName(*Found->second.Write->Function)
        << unsigned(Stride) << unsigned(Line);
  }

  ThreadSlotCheck &Check;
  llvm::MapVector<const RecordDecl *, Worker> Workers;
};

void ThreadSlotCheck::checkWorkers(ASTContext &Unit) {
  WorkerReader(*this, Unit).read();
}

} // namespace linesman::tidy
