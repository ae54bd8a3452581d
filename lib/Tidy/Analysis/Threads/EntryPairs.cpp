// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Threads/EntryPairs.h"
#include "Analysis/Accesses/FieldRoles.h"
#include "Analysis/Names/WordSwitch.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace linesman::tidy {

bool waitsForSomebody(const Stmt *S) {
  if (!S || isa<LambdaExpr>(S))
    return false;
  const auto *Call = dyn_cast<CallExpr>(S);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  if (Callee && Callee->getIdentifier()) {
    const llvm::StringRef Name = Callee->getName();
    for (llvm::StringRef Part :
         {"wait", "sleep", "poll", "select", "recv", "lock", "join"})
      if (Name.contains_insensitive(Part))
        return true;
    if (WordSwitch<bool>(Name)
            .Cases({"accept", "accept4", "read", "pread", "readv", "fread",
                    "pop", "take", "get"},
                   true)
            .Default(false))
      return true;
  }
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(S);
      Construct &&
      Construct->getConstructor()->getParent()->getName().contains_insensitive(
          "lock"))
    return true;
  return llvm::any_of(
      S->children(), [](const Stmt *Child) { return waitsForSomebody(Child); });
}

namespace {

bool isSameObject(const Place &A, const Place &B) {
  return A.Root == B.Root && A.Base == B.Base && A.IsThis == B.IsThis &&
         (A.Root || A.Base || A.IsThis) && !A.Index && !B.Index &&
         llvm::ArrayRef(A.Path).drop_back() ==
             llvm::ArrayRef(B.Path).drop_back();
}

} // namespace

const EntryPairs::EntrySet &EntryPairs::entriesOf(const FunctionDecl &F,
                                                  unsigned Depth) {
  constexpr unsigned MaxDepth = 6;
  const FunctionDecl *Key = F.getCanonicalDecl();
  auto [Place, IsNew] = Known.try_emplace(Key);
  if (!IsNew)
    return Place->second;
  EntrySet Result;
  if (llvm::is_contained(Starts.entries(), Key))
    Result.insert(Key);
  auto Callers = Accesses.callersOf(*Key);
  if ((Callers.empty() && Result.empty()) || Depth == MaxDepth)
    Result.insert(nullptr);
  else
    for (const CodePlace &Caller : Callers) {
      if (!Caller.Function) {
        Result.insert(nullptr);
        continue;
      }
      const EntrySet Above = entriesOf(*Caller.Function, Depth + 1);
      Result.insert(Above.begin(), Above.end());
    }
  return Known[Key] = Result;
}

bool EntryPairs::isRepeated(const Access &Use) const {
  if (Use.Loop)
    return !waitsForSomebody(Use.Loop);
  const FunctionDecl *Function = Use.Function->getCanonicalDecl();
  return llvm::any_of(
      Accesses.calls(), [&](const UnitAccesses::CallSite &Call) {
        const auto *Plain = dyn_cast<CallExpr>(Call.Call);
        const FunctionDecl *Callee = Plain ? Plain->getDirectCallee() : nullptr;
        return Call.Loop && Callee && Callee->getCanonicalDecl() == Function &&
               !waitsForSomebody(Call.Loop);
      });
}

EntryPairs::Owned EntryPairs::readLoops(const ValueDecl &Word) {
  const auto *Field = dyn_cast<FieldDecl>(&Word);
  const llvm::ArrayRef<unsigned> Uses =
      Field ? Accesses.of(*Field) : Accesses.of(cast<VarDecl>(Word));
  auto EntryOf = [&](const Access &Use) -> const FunctionDecl * {
    const EntrySet &Entries = entriesOf(*Use.Function);
    return Entries.size() == 1 ? *Entries.begin() : nullptr;
  };
  // Most words of a large unit are no thread's; loops are slow to read.
  if (llvm::none_of(Uses, [&](unsigned Index) {
        const Access &Use = Accesses.all()[Index];
        return Use.Function && EntryOf(Use);
      }))
    return {};
  Owned Result;
  for (unsigned Index : Uses) {
    const Access &Use = Accesses.all()[Index];
    if (Use.Object.field() != Field || !Use.Function || Use.IsConstruction ||
        Use.IsRare || (Field && isBehindField(Use, *Field)) || !isRepeated(Use))
      continue;
    const FunctionDecl *Entry = EntryOf(Use);
    if (!Entry || (Result.Entry && Result.Entry != Entry) || Hot.isLocked(Use))
      return {};
    Result.Entry = Entry;
    Result.Loops.push_back(&Use);
  }
  return Result;
}

const EntryPairs::Owned &EntryPairs::ownedLoops(const ValueDecl &Word) {
  auto [Place, IsNew] = KnownLoops.try_emplace(&Word);
  if (IsNew)
    Place->second = readLoops(Word);
  return Place->second;
}

EntryPairs::Pair EntryPairs::find(const FieldDecl &Written,
                                  const FieldDecl &Other) {
  const Owned Own = ownedLoops(Written), Others = ownedLoops(Other);
  if (Own.Loops.empty() || Others.Loops.empty() || Own.Entry == Others.Entry)
    return {};
  for (const Access *Write : Own.Loops)
    for (const Access *Use : Others.Loops)
      if (Write->writes() && Use->Kind != AccessKind::Address &&
          isSameObject(Write->Object, Use->Object))
        return {Write, Use};
  return {};
}

EntryPairs::Pair EntryPairs::find(const VarDecl &Written,
                                  const VarDecl &Other) {
  const Owned Own = ownedLoops(Written), Others = ownedLoops(Other);
  if (Own.Loops.empty() || Others.Loops.empty() || Own.Entry == Others.Entry)
    return {};
  const auto *Write =
      llvm::find_if(Own.Loops, [](const Access *Use) { return Use->writes(); });
  return Write == Own.Loops.end() ? Pair{} : Pair{*Write, Others.Loops.front()};
}

} // namespace linesman::tidy
