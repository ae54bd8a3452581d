// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts for people, one line an access or an edge (stage, kind, callee):
//
//     f: initializer
//       g [g.c:1]
//         write 4 at 0 weight 8 g.c:3
//       type S size 48 align 8
//         atomic 8 at 16 weight 1 synchronised
//       pointer parameter 0 + 8 write 4 weight 1 g.c:9
//       0 loop call h weight 32 with lock
//       1 address k declared 17
//       takes lock+0 weight 1

#include "Pointers.h"
#include "linesman/Facts/FlagForm.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace linesman::facts;

static StringRef getName(AccessKind Kind) {
  switch (Kind) {
  case AccessKind::Read:
    return "read";
  case AccessKind::Write:
    return "write";
  case AccessKind::Atomic:
    return "atomic";
  }
  llvm_unreachable("unknown access kind");
}

static std::string describeLock(const LockState &Held) {
  if (Held.Lock.Object)
    return (" with " + Held.Lock.Object->getName() +
            (Held.Lock.Offset ? "+" + Twine(Held.Lock.Offset) : Twine()))
        .str();
  return Held.IsLocked ? " with a lock" : "";
}

static std::string describeFlag(const ObjectPlace &Flag) {
  if (!Flag)
    return "";
  const uint64_t Offset = FlagForm::addressOf(Flag.Offset);
  return (" while " + Flag.Object->getName() +
          (Offset ? "+" + Twine(Offset) : Twine()) +
          (FlagForm::isFirst(Flag.Offset)     ? " is not 0"
           : FlagForm::isMinus(Flag.Offset)   ? " is -1"
           : FlagForm::isInitial(Flag.Offset) ? " is what it began with"
                                              : " is 0"))
      .str();
}

static void printAccess(const Access &A, raw_ostream &OS,
                        const char *Marks = "") {
  OS << "    " << getName(A.Kind) << ' ';
  if (A.Size)
    OS << A.Size;
  else
    OS << '?';
  OS << " at ";
  if (A.Offset)
    OS << *A.Offset;
  else if (A.Stride > 1)
    OS << A.First << "+n*" << A.Stride << (A.IsByThread ? " by thread" : "");
  else
    OS << '?';
  OS << " weight " << llvm::format("%g", A.Weight) << Marks;
  if (A.Stored)
    OS << " storing " << *A.Stored;
  if (A.Line)
    OS << ' ' << A.File << ':' << A.Line;
  if (A.StagesBefore)
    OS << " after " << *A.StagesBefore;
  OS << '\n';
}

static void printRecord(const RecordType &Type, ArrayRef<TypeAccess> Accesses,
                        raw_ostream &OS) {
  OS << "  type " << Type.Name << " size ";
  if (Type.Size)
    OS << Type.Size;
  else
    OS << '?';
  OS << " align " << Type.Alignment << '\n';
  for (const TypeAccess &A : Accesses) {
    std::string Marks;
    if (A.IsLock)
      Marks += " lock";
    else if (A.IsSynchronised)
      Marks += " synchronised";
    if (A.IsElement)
      Marks += " element";
    if (A.IsIndexed)
      Marks += " indexed";
    if (A.IsUnlocked)
      Marks += " unlocked";
    printAccess(A, OS, Marks.c_str());
  }
}

static void printOrigin(const PointerOrigin &Source, const ModuleFacts &Facts,
                        raw_ostream &OS) {
  auto PrintOffset = [&] {
    if (Source.Offset)
      OS << *Source.Offset;
    else
      OS << '?';
  };
  switch (Source.Kind) {
  case Origin::Object:
    OS << Source.GV->getName();
    break;
  case Origin::Parameter:
    OS << "parameter " << Source.Number;
    break;
  case Origin::Result:
    OS << "result of " << Source.GV->getName();
    break;
  case Origin::Field:
    OS << "field " << Facts.Types[Source.Type].Name << '+';
    PrintOffset();
    break;
  case Origin::Variable:
    OS << "contents of " << Source.GV->getName() << '+';
    PrintOffset();
    break;
  case Origin::Loaded:
  case Origin::Unknown:
    OS << "others";
    break;
  }
}

static void printPointer(const PointerFact &P, const ModuleFacts &Facts,
                         raw_ostream &OS) {
  OS << "  pointer " << (P.IsMay ? "perhaps " : "");
  printOrigin(P.Source, Facts, OS);
  if (P.Steps)
    OS << " + " << P.Steps.First << "+n*" << P.Steps.Stride
       << (P.Steps.IsByThread ? " by thread" : "");
  else if (!P.Offset)
    OS << " + ?";
  else if (*P.Offset)
    OS << " + " << *P.Offset;
  switch (P.Kind) {
  case PointerUse::Access:
    OS << ' ' << (P.IsLock ? "lock" : getName(P.Does)) << ' ' << P.Size;
    break;
  case PointerUse::Handed:
    OS << " to parameter " << P.Parameter << " of " << P.Callee->getName();
    break;
  case PointerUse::Returned:
    OS << " returned";
    break;
  case PointerUse::Stored:
    OS << " stored in ";
    printOrigin(P.Destination, Facts, OS);
    break;
  case PointerUse::StoredThrough:
  case PointerUse::LoadedThrough:
    break;
  }
  if (P.Except.Object)
    OS << " unless it is " << P.Except.Object->getName();
  if (P.Kind == PointerUse::Access || P.Kind == PointerUse::Handed)
    OS << " weight " << llvm::format("%g", P.Touched.Weight)
       << describeLock(P.Held) << describeFlag(P.Flag);
  if (P.Touched.Line)
    OS << ' ' << P.Touched.File << ':' << P.Touched.Line;
  if (P.Touched.StagesBefore)
    OS << " after " << *P.Touched.StagesBefore;
  OS << '\n';
}

static StringRef getName(CallKind Kind) {
  switch (Kind) {
  case CallKind::Direct:
    return "call";
  case CallKind::Start:
    return "start";
  case CallKind::Address:
    return "address";
  case CallKind::Indirect:
    return "indirect";
  }
  llvm_unreachable("unknown call kind");
}

static void printEdges(ArrayRef<Edge> Edges, raw_ostream &OS) {
  for (const Edge &E : Edges) {
    OS << "  " << E.Stage << (E.InLoop ? " loop " : " ") << getName(E.Kind)
       << ' ' << (E.Callee ? E.Callee->getName() : "?");
    if (E.Kind == CallKind::Direct)
      OS << " weight " << llvm::format("%g", E.Weight);
    if (E.Declared)
      OS << " declared " << unsigned(E.Declared);
    OS << describeLock(E.Held) << describeFlag(E.Flag) << '\n';
  }
}

void linesman::facts::printFacts(const ModuleFacts &Facts, raw_ostream &OS) {
  for (const FunctionFacts &FF : Facts.Functions) {
    OS << FF.F->getName() << ':' << (FF.IsInitializer ? " initializer" : "")
       << (FF.HasProfile ? " profile" : "") << '\n';
    for (const ObjectAccesses &O : FF.Objects) {
      OS << "  " << O.Object->getName();
      if (const DIGlobalVariable *Decl = getDeclaration(*O.Object))
        OS << " [" << Decl->getFilename() << ':' << Decl->getLine() << ']';
      OS << '\n';
      for (const ObjectAccess &A : O.Accesses)
        printAccess(A, OS,
                    (describeLock(A.Held) + describeFlag(A.Flag)).c_str());
    }
    for (const RecordAccesses &R : FF.Records)
      printRecord(Facts.Types[R.Type], R.Accesses, OS);
    for (const PointerFact &P : FF.Pointers)
      printPointer(P, Facts, OS);
    printEdges(FF.Calls, OS);
    for (const Take &T : FF.Takes)
      OS << "  takes " << T.Lock.Object->getName() << '+' << T.Lock.Offset
         << " weight " << llvm::format("%g", T.Weight) << '\n';
    if (FF.LeavesLock)
      OS << "  leaves a lock of its callers\n";
  }
  if (!Facts.Initial.empty())
    OS << "initial values:\n";
  for (const PointerFact &P : Facts.Initial)
    printPointer(P, Facts, OS);
  for (const TableFacts &TF : Facts.Tables) {
    OS << TF.Table->getName() << ": table\n";
    printEdges(TF.Functions, OS);
  }
}
