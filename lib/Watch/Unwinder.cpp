// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's reader of .eh_frame, applied to registers and a piece of a stack.

#include "Unwinder.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugFrame.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/Endian.h"
#include <asm/perf_regs.h>

using namespace llvm;
using namespace linesman::process;

namespace linesman::watch {

/// From a lock function to who takes the lock is two or three.
static constexpr unsigned MostFrames = 6;

namespace {

/// A register that frames are described by: DWARF's number and the kernel's.
struct FrameRegister {
  uint32_t Dwarf;
  unsigned Kernel;
};

#if defined(__x86_64__)
constexpr FrameRegister FrameRegisters[] = {
    {3, PERF_REG_X86_BX},   {6, PERF_REG_X86_BP},   {7, PERF_REG_X86_SP},
    {12, PERF_REG_X86_R12}, {13, PERF_REG_X86_R13}, {14, PERF_REG_X86_R14},
    {15, PERF_REG_X86_R15}};
constexpr uint32_t StackPointer = 7, ReturnAddress = 16;
#elif defined(__aarch64__)
constexpr FrameRegister FrameRegisters[] = {
    {29, PERF_REG_ARM64_X29}, {30, PERF_REG_ARM64_LR}, {31, PERF_REG_ARM64_SP}};
constexpr uint32_t StackPointer = 31, ReturnAddress = 30;
#else
constexpr FrameRegister FrameRegisters[] = {{0, 0}};
constexpr uint32_t StackPointer = 0, ReturnAddress = 0;
#endif

} // namespace

/// The functions of one module, by where they begin.
struct Unwinder::Frames {
  /// Points into the module.
  std::unique_ptr<object::ObjectFile> File;
  std::unique_ptr<DWARFContext> Context;
  std::map<uint64_t, const dwarf::FDE *> ByBegin;

  const dwarf::FDE *find(LinkAddress Address) const {
    auto Next = ByBegin.upper_bound(Address.Value);
    if (Next == ByBegin.begin())
      return nullptr;
    const dwarf::FDE *Found = std::prev(Next)->second;
    return Address.Value - Found->getInitialLocation() <
                   Found->getAddressRange()
               ? Found
               : nullptr;
  }
};

struct Unwinder::State {
  RunAddress Instruction;
  /// By DWARF's numbers.
  std::map<uint32_t, uint64_t> Registers;
};

Unwinder::Unwinder(const ModuleMap &Modules) : Modules(Modules) {}
Unwinder::~Unwinder() = default;

uint64_t Unwinder::wantedRegisters() {
  uint64_t Mask = 0;
  if (StackPointer)
    for (const FrameRegister &R : FrameRegisters)
      Mask |= uint64_t(1) << R.Kernel;
  return Mask;
}

const Unwinder::Frames &Unwinder::framesOf(const Module &M) {
  std::unique_ptr<Frames> &Result = Known[&M];
  if (Result)
    return *Result;
  Result = std::make_unique<Frames>();
  // What cannot be read has no frames, and no callers.
  Expected<std::unique_ptr<object::ObjectFile>> File =
      object::ObjectFile::createELFObjectFile(M.Bytes->getMemBufferRef());
  if (!File) {
    consumeError(File.takeError());
    return *Result;
  }
  Result->File = std::move(*File);
  Result->Context = DWARFContext::create(
      *Result->File, DWARFContext::ProcessDebugRelocations::Ignore, nullptr, "",
      consumeError, consumeError);
  Expected<const DWARFDebugFrame *> Table = Result->Context->getEHFrame();
  if (!Table) {
    consumeError(Table.takeError());
    return *Result;
  }
  for (const dwarf::FrameEntry &Entry : **Table)
    if (const auto *Function = dyn_cast<dwarf::FDE>(&Entry))
      Result->ByBegin[Function->getInitialLocation()] = Function;
  return *Result;
}

bool Unwinder::step(State &Now, ArrayRef<uint8_t> Stack,
                    RunAddress StackBegin) {
  const Module *M = Modules.find(Now.Instruction);
  if (!M)
    return false;
  const LinkAddress Address = M->Bias.toLink(Now.Instruction);
  const dwarf::FDE *Function = framesOf(*M).find(Address);
  if (!Function)
    return false;
  Expected<dwarf::UnwindTable> Table = dwarf::createUnwindTable(Function);
  if (!Table) {
    consumeError(Table.takeError());
    return false;
  }
  const dwarf::UnwindRow *Row = nullptr;
  for (const dwarf::UnwindRow &Candidate : *Table)
    if (Candidate.hasAddress() && Candidate.getAddress() <= Address.Value)
      Row = &Candidate;
  if (!Row)
    return false;

  const dwarf::UnwindLocation &Frame = Row->getCFAValue();
  auto Base = Now.Registers.find(Frame.getRegister());
  if (Frame.getLocation() != dwarf::UnwindLocation::RegPlusOffset ||
      Frame.getDereference() || Base == Now.Registers.end())
    return false;
  const uint64_t FrameAddress = Base->second + int64_t(Frame.getOffset());
  auto ValueOf = [&](uint32_t Register) -> std::optional<uint64_t> {
    std::optional<dwarf::UnwindLocation> Rule =
        Row->getRegisterLocations().getRegisterLocation(Register);
    if (!Rule || Rule->getLocation() == dwarf::UnwindLocation::Same) {
      auto Old = Now.Registers.find(Register);
      return Old == Now.Registers.end() ? std::nullopt
                                        : std::optional(Old->second);
    }
    if (Rule->getLocation() != dwarf::UnwindLocation::CFAPlusOffset ||
        !Rule->getDereference())
      return std::nullopt;
    const uint64_t Position =
        FrameAddress + int64_t(Rule->getOffset()) - StackBegin.Value;
    if (Position > Stack.size() || Stack.size() - Position < 8)
      return std::nullopt;
    return support::endian::read64le(Stack.data() + Position);
  };
  State Caller;
  std::optional<uint64_t> Return = ValueOf(ReturnAddress);
  if (!Return || *Return == 0)
    return false;
  // Inside of the call: the function may end with it.
  Caller.Instruction = {*Return - 1};
  for (const FrameRegister &R : FrameRegisters)
    if (std::optional<uint64_t> Value = ValueOf(R.Dwarf))
      Caller.Registers[R.Dwarf] = *Value;
  Caller.Registers[StackPointer] = FrameAddress;
  Now = std::move(Caller);
  return true;
}

std::optional<RunAddress>
Unwinder::callFromOutside(const UserSampler::Sample &Sample) {
  const Module *Library = Modules.find(Sample.Instruction);
  if (!Library || !StackPointer)
    return std::nullopt;
  State Now;
  Now.Instruction = Sample.Instruction;
  for (const FrameRegister &R : FrameRegisters)
    Now.Registers[R.Dwarf] = Sample.Registers[R.Kernel];
  const RunAddress Begin = {Now.Registers[StackPointer]};
  for (unsigned I = 0; I != MostFrames; ++I) {
    if (!step(Now, Sample.Stack, Begin))
      return std::nullopt;
    const Module *M = Modules.find(Now.Instruction);
    if (!M)
      return std::nullopt;
    if (M != Library)
      return Now.Instruction;
  }
  return std::nullopt;
}

} // namespace linesman::watch
