// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Containers/ListEnds.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// Node, for `Node *`, `std::atomic<Node *>` and C's `_Atomic(Node *)`.
const RecordDecl *nodeOf(QualType Type) {
  if (const auto *Atomic = Type->getAs<AtomicType>())
    Type = Atomic->getValueType();
  if (const auto *Special =
          dyn_cast_if_present<ClassTemplateSpecializationDecl>(
              Type->getAsRecordDecl());
      Special && Special->getTemplateArgs().size() == 1 &&
      Special->getTemplateArgs()[0].getKind() == TemplateArgument::Type)
    Type = Special->getTemplateArgs()[0].getAsType();
  if (!Type->isPointerType())
    return nullptr;
  const RecordDecl *Record = Type->getPointeeType()->getAsRecordDecl();
  return Record ? Record->getDefinition() : nullptr;
}

bool linksToItsKind(const RecordDecl &Node) {
  return llvm::any_of(Node.fields(), [&](const FieldDecl *Field) {
    return nodeOf(Field->getType()) == &Node;
  });
}

} // namespace

bool areEndsOfList(const FieldDecl &Swapped, const FieldDecl &Walked,
                   HotAccesses &Hot) {
  const RecordDecl *Node = nodeOf(Walked.getType());
  if (!Node || nodeOf(Swapped.getType()) != Node || !linksToItsKind(*Node))
    return false;
  const UnitAccesses &Accesses = Hot.accesses();
  bool IsSwapped = llvm::any_of(Accesses.of(Swapped), [&](unsigned Index) {
    const Access &Use = Accesses.all()[Index];
    return Use.Object.field() == &Swapped &&
           Hot.operationOf(Use) == AtomicOperation::Exchange &&
           Use.IsResultUsed && Hot.isHotWrite(Use);
  });
  if (!IsSwapped)
    return false;
  bool IsWalked = false;
  for (unsigned Index : Accesses.of(Walked)) {
    const Access &Use = Accesses.all()[Index];
    if (Use.Object.field() != &Walked || !Hot.isHotWrite(Use))
      continue;
    if (Hot.kindOf(Use) != AccessKind::Write || Hot.isAtomic(Use))
      return false;
    IsWalked |= Hot.isReadBefore(Use);
  }
  return IsWalked;
}

} // namespace linesman::tidy
