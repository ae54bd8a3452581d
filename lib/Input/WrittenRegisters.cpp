// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All that is written on any way counts. What is not known to end in a function
// that is read as well may write what the ABI allows.

#include "WrittenRegisters.h"

using namespace llvm;

namespace linesman::input {

/// Larger ones use most registers.
static constexpr uint64_t MostCalleeBytes = 256;
static constexpr unsigned MostDepth = 4;

/// Whether what is at \p Address does nothing but return. Kernels have one
/// return for all functions, which is no function by its symbol; what each of
/// theirs calls first, for whoever traces it, ends there.
static bool returnsAtOnce(uint64_t Address, const CodeMap &Map,
                          StepDecoder &Decoder) {
  constexpr size_t MostBytes = 16;
  ArrayRef<uint8_t> Code = Map.codeFrom(Address).take_front(MostBytes);
  std::vector<Step> Steps;
  DecodeTrouble Trouble;
  Decoder.decode(Code, Address, Steps, Trouble);
  return !Steps.empty() && Steps.front().Kind == StepKind::End &&
         Steps.front().Offset == 0;
}

void WrittenRegisters::narrow(MutableArrayRef<Step> Steps,
                              StepDecoder &Decoder) {
  for (Step &S : Steps)
    // Behind an entry of the PLT another library's function may be.
    if (S.Kind == StepKind::Call && S.Spot.IsAddress &&
        Map.isFunction(S.Spot.Disp))
      // What it returns is asked for in any case.
      S.Clobbers &= writtenBy(S.Spot.Disp, Decoder, 0) | uint32_t(1)
                                                             << Arch.result();
}

uint32_t WrittenRegisters::writtenBy(uint64_t Function, StepDecoder &Decoder,
                                     unsigned Depth) {
  const uint32_t All = Arch.callerSaved();
  if (auto It = Known.find(Function); It != Known.end())
    return It->second;
  std::optional<size_t> Position = Functions.find(Function);
  if (!Position && Returns == BareReturns::Known &&
      returnsAtOnce(Function, Map, Decoder))
    return Known[Function] = 0;
  if (!Position || Depth == MostDepth ||
      Functions.sizeOf(*Position) > MostCalleeBytes)
    return All;
  // A recursion adds nothing to what the rest writes, but here nobody waits.
  Known[Function] = All;
  CodeFunction Code = Functions[*Position];
  std::vector<Step> Steps;
  DecodeTrouble Trouble;
  Decoder.decode(Code.Bytes, Function, Steps, Trouble);
  auto WrittenFrom = [&](const Step &S) {
    return S.Spot.IsAddress ? writtenBy(S.Spot.Disp, Decoder, Depth + 1) : All;
  };
  uint32_t Written = Trouble.Undecodable ? All : 0;
  for (const Step &S : Steps) {
    // More would change nothing, and callees of callees are many.
    if ((Written & All) == All)
      break;
    if (definesDst(S.Kind) && S.Dst < MostRegisters)
      Written |= uint32_t(1) << S.Dst;
    switch (S.Kind) {
    case StepKind::Call:
      Written |= WrittenFrom(S);
      break;
    case StepKind::Jump:
    case StepKind::Branch:
      if (!Code.Range.contains({uint64_t(S.Spot.Disp)}))
        Written |= WrittenFrom(S);
      break;
    case StepKind::CallThrough:
    case StepKind::IndirectJump:
      Written |= All;
      break;
    case StepKind::Clobber:
      Written |= S.Clobbers;
      break;
    default:
      break;
    }
  }
  return Known[Function] = Written;
}

} // namespace linesman::input
