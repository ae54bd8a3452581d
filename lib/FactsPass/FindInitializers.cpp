// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which functions only run before main: what they write is written before there
// is a second thread, so their facts do not count for sharing.

#include "ModuleFacts.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// Functions that the compiler or the source puts before main.
static void addEntryPoints(const Module &M,
                           DenseSet<const Function *> &Initializers) {
  if (const GlobalVariable *Ctors = M.getNamedGlobal("llvm.global_ctors"))
    if (Ctors->hasInitializer())
      if (const auto *List = dyn_cast<ConstantArray>(Ctors->getInitializer()))
        for (const Use &Entry : List->operands())
          if (const auto *Fields = dyn_cast<ConstantStruct>(Entry))
            if (const auto *F = dyn_cast<Function>(
                    Fields->getOperand(1)->stripPointerCasts()))
              Initializers.insert(F);
  // GCC and Clang put static initialisers there, and GCC also main.
  for (const Function &F : M)
    if (F.getSection() == ".text.startup" && F.getName() != "main")
      Initializers.insert(&F);
}

/// Whether all uses of \p F are calls from \p Initializers.
static bool isOnlyCalledBy(const Function &F,
                           const DenseSet<const Function *> &Initializers) {
  if (!F.hasLocalLinkage() || F.use_empty())
    return false;
  for (const Use &U : F.uses()) {
    const auto *Call = dyn_cast<CallBase>(U.getUser());
    if (!Call || !Call->isCallee(&U) ||
        !Initializers.contains(Call->getFunction()))
      return false;
  }
  return true;
}

DenseSet<const Function *> linesman::facts::findInitializers(const Module &M) {
  DenseSet<const Function *> Initializers;
  addEntryPoints(M, Initializers);
  if (Initializers.empty())
    return Initializers;

  // Each round looks at what the functions found last call. A function that
  // calls itself stays out, and so do circles of functions: rare before main.
  SmallVector<const Function *, 16> Worklist(Initializers.begin(),
                                             Initializers.end());
  while (!Worklist.empty())
    for (const Instruction &I : instructions(*Worklist.pop_back_val()))
      if (const auto *Call = dyn_cast<CallBase>(&I))
        if (const Function *Callee = Call->getCalledFunction();
            Callee && !Callee->isDeclaration() &&
            !Initializers.contains(Callee) &&
            isOnlyCalledBy(*Callee, Initializers)) {
          Initializers.insert(Callee);
          Worklist.push_back(Callee);
        }
  return Initializers;
}
