// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts for people, one line an access or an edge (stage, kind, callee):
//
//     f: initializer
//       g [g.c:1]
//         write 4 at 0 weight 8 g.c:3
//       0 loop call h weight 32

#include "ModuleFacts.h"
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

static void printAccess(const Access &A, raw_ostream &OS) {
  OS << "    " << getName(A.Kind) << ' ';
  if (A.Size)
    OS << A.Size;
  else
    OS << '?';
  OS << " at ";
  if (A.Offset)
    OS << *A.Offset;
  else
    OS << '?';
  OS << " weight " << format("%g", A.Weight);
  if (A.Line)
    OS << ' ' << A.File << ':' << A.Line;
  if (A.StagesBefore)
    OS << " after " << *A.StagesBefore;
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
      OS << " weight " << format("%g", E.Weight);
    OS << '\n';
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
      for (const Access &A : O.Accesses)
        printAccess(A, OS);
    }
    printEdges(FF.Calls, OS);
  }
  for (const TableFacts &TF : Facts.Tables) {
    OS << TF.Table->getName() << ": table\n";
    printEdges(TF.Functions, OS);
  }
}
