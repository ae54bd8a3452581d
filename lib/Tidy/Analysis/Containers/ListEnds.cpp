// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Containers/ListEnds.h"
#include "Analysis/Accesses/FieldRoles.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// Node *, for itself, `std::atomic<Node *>` and C's `_Atomic(Node *)`.
QualType valueOf(QualType Type) {
  if (const auto *Atomic = Type->getAs<AtomicType>())
    Type = Atomic->getValueType();
  if (const auto *Special =
          dyn_cast_if_present<ClassTemplateSpecializationDecl>(
              Type->getAsRecordDecl());
      Special && Special->getTemplateArgs().size() == 1 &&
      Special->getTemplateArgs()[0].getKind() == TemplateArgument::Type)
    Type = Special->getTemplateArgs()[0].getAsType();
  return Type;
}

const RecordDecl *nodeOf(QualType Type) {
  Type = valueOf(Type);
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

/// Also of a pointer with a count beside it, which tells one that has come back
/// from one that has stayed: `struct { Node *to; unsigned count; }`.
const RecordDecl *countedNodeOf(QualType Type) {
  if (const RecordDecl *Node = nodeOf(Type))
    return Node;
  const RecordDecl *Pair = valueOf(Type)->getAsRecordDecl();
  Pair = Pair ? Pair->getDefinition() : nullptr;
  if (!Pair || std::distance(Pair->field_begin(), Pair->field_end()) != 2)
    return nullptr;
  const FieldDecl *First = *Pair->field_begin(),
                  *Second = *std::next(Pair->field_begin());
  if (First->getType()->isIntegerType())
    std::swap(First, Second);
  return Second->getType()->isIntegerType() ? nodeOf(First->getType())
                                            : nullptr;
}

/// Those that compare and exchange it; none where any writes it otherwise.
FunctionSet movers(const FieldDecl &End, HotAccesses &Hot) {
  FunctionSet Movers;
  for (unsigned Index : Hot.accesses().of(End)) {
    const Access &Use = Hot.accesses().all()[Index];
    if (Use.Object.field() != &End || !Hot.isHotWrite(Use))
      continue;
    if (Hot.operationOf(Use) != AtomicOperation::CompareExchange)
      return {};
    Movers.insert(Use.Function->getCanonicalDecl());
  }
  return Movers;
}

bool uses(const FunctionDecl &Function, const FieldDecl &Field,
          const UnitAccesses &Accesses) {
  return llvm::any_of(Accesses.of(Field), [&](unsigned Index) {
    const Access &Use = Accesses.all()[Index];
    return Use.Object.field() == &Field && Use.Function &&
           Use.Function->getCanonicalDecl() == &Function;
  });
}

} // namespace

bool isNode(QualType Type) {
  const RecordDecl *Node = Type->getAsRecordDecl();
  Node = Node ? Node->getDefinition() : nullptr;
  return Node && linksToItsKind(*Node);
}

/// \p Use is to the link of the node that \p Dummy is, by value:
/// `queue->head.next`. A record of nothing but a link is its link.
static bool isAtLinkOf(const Access &Use, const FieldDecl &Dummy) {
  const auto &Path = Use.Object.Path;
  const RecordDecl *Node = Dummy.getType()->getAsRecordDecl()->getDefinition();
  if (Use.Object.field() == &Dummy)
    return std::distance(Node->field_begin(), Node->field_end()) == 1;
  return Path.size() > 1 && Path[Path.size() - 2] == &Dummy &&
         nodeOf(Path.back()->getType()) == Node;
}

bool areEndsOfList(const FieldDecl &Swapped, const FieldDecl &Walked,
                   HotAccesses &Hot) {
  const RecordDecl *Node = nodeOf(Walked.getType());
  const bool IsDummy = !Node && isNode(Walked.getType());
  if (IsDummy)
    Node = Walked.getType()->getAsRecordDecl()->getDefinition();
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
    if (!(IsDummy ? isAtLinkOf(Use, Walked) : Use.Object.field() == &Walked) ||
        !Hot.isHotWrite(Use))
      continue;
    // Who puts into an empty queue links the dummy to the new node.
    if (Hot.kindOf(Use) != AccessKind::Write || (Hot.isAtomic(Use) && !IsDummy))
      return false;
    IsWalked |= Hot.isReadBefore(Use);
  }
  return IsWalked;
}

bool areHelpedEnds(const FieldDecl &Grown, const FieldDecl &Taken,
                   HotAccesses &Hot) {
  const RecordDecl *Node = countedNodeOf(Taken.getType());
  if (!Node || countedNodeOf(Grown.getType()) != Node ||
      llvm::none_of(Node->fields(), [&](const FieldDecl *Link) {
        return countedNodeOf(Link->getType()) == Node;
      }))
    return false;
  const FunctionSet Takers = movers(Taken, Hot);
  return !Takers.empty() &&
         llvm::all_of(Takers,
                      [&](const FunctionDecl *Taker) {
                        return uses(*Taker, Grown, Hot.accesses());
                      }) &&
         llvm::any_of(movers(Grown, Hot), [&](const FunctionDecl *Adder) {
           return !Takers.contains(Adder);
         });
}

} // namespace linesman::tidy
