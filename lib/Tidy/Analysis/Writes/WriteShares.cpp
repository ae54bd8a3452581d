// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Writes/WriteShares.h"
#include "Analysis/Code/StmtPath.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// The branches between the top of the function and the access.
unsigned conditionsAround(const Access &Use) {
  StmtPath Path;
  const Stmt *Body = Use.Function->getBody();
  if (!Body || !findPath(*Body, *Use.Site, Path))
    return 0;
  unsigned Count = 0;
  for (size_t I = 0; I + 1 < Path.size(); ++I) {
    const Stmt *Next = Path[I + 1];
    if (const auto *If = dyn_cast<IfStmt>(Path[I]))
      Count += Next == If->getThen() || Next == If->getElse();
    else if (const auto *Choice = dyn_cast<ConditionalOperator>(Path[I]))
      Count += Next != Choice->getCond();
    else if (const auto *Binary = dyn_cast<BinaryOperator>(Path[I]))
      Count += Binary->isLogicalOp() && Next == Binary->getRHS();
    else
      Count += isa<SwitchStmt>(Path[I]);
  }
  return Count;
}

} // namespace

WriteShares writeSharesOf(const FieldDecl &Field, HotAccesses &Hot) {
  constexpr double TurnsOfLoop = 8;
  WriteShares Shares;
  for (unsigned Index : Hot.accesses().of(Field)) {
    const Access &Use = Hot.accesses().all()[Index];
    if (Use.Object.field() != &Field || !Use.Function || !Hot.isHotWrite(Use))
      continue;
    const unsigned Conditions = std::min(conditionsAround(Use), 30u);
    Shares[Use.Function->getCanonicalDecl()] +=
        (Use.Loop ? TurnsOfLoop : 1) / double(1u << Conditions);
  }
  return Shares;
}

bool haveDifferentOwners(const FieldDecl &A, const FieldDecl &B,
                         HotAccesses &Hot) {
  const WriteShares OfA = writeSharesOf(A, Hot), OfB = writeSharesOf(B, Hot);
  unsigned OwnersOfA = 0, OwnersOfB = 0, Neutral = 0;
  bool WritesBoth = false;
  WriteShares All = OfA;
  for (const auto &Entry : OfB)
    All.insert(Entry);
  for (const auto &Entry : All) {
    const FunctionDecl *Function = Entry.first;
    const double ShareA = OfA.lookup(Function), ShareB = OfB.lookup(Function);
    if (ShareA >= 2 * ShareB)
      ++OwnersOfA;
    else if (ShareB >= 2 * ShareA)
      ++OwnersOfB;
    else
      ++Neutral;
    WritesBoth |= ShareA > 0 && ShareB > 0;
  }
  // What rebuilds or empties the whole writes both, and is the exception.
  return OwnersOfA != 0 && OwnersOfB != 0 && WritesBoth &&
         Neutral < OwnersOfA + OwnersOfB;
}

} // namespace linesman::tidy
