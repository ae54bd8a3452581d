// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls of the module that access an object by a callee's name: the table
// of linesman/Facts/KnownCalls.h, asked about IR.

#include "linesman/Facts/KnownCalls.h"
#include "ModuleFacts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace linesman::facts;

static uint64_t getSize(const Operand &Op, const CallBase &Call) {
  if (Op.Bytes == Span::Fixed)
    return Op.Fixed;
  if (std::optional<unsigned> Number = sizeArgument(Op.Bytes)) {
    if (*Number >= Call.arg_size())
      return 0;
    const auto *Size = dyn_cast<ConstantInt>(Call.getArgOperand(*Number));
    return Size ? Size->getLimitedValue() : 0;
  }
  Triple Target(Call.getModule()->getTargetTriple());
  if (!Target.isOSLinux() ||
      (Target.getArch() != Triple::x86_64 && !Target.isAArch64()))
    return 0;
  return typeSize(Op.Bytes);
}

SmallVector<CallAccess, 2> linesman::facts::touchedBy(const CallBase &Call) {
  SmallVector<CallAccess, 2> Touched;
  const Function *Callee = Call.getCalledFunction();
  // A program's own static function may have any name.
  if (!Callee || Callee->isIntrinsic() || Callee->hasLocalLinkage())
    return Touched;
  for (const Operand &Op : knownOperands(Callee->getName()))
    if (Op.Argument < Call.arg_size() &&
        Call.getArgOperand(Op.Argument)->getType()->isPointerTy())
      Touched.push_back({Op.Argument, Op.Kind, getSize(Op, Call)});
  return Touched;
}
