// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ObjectByUse.h"
#include "linesman/Watch/WatchError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace llvm;

namespace linesman::drive {

/// The part of the finding's line that it is about.
static const report::FindingOccupant *headOf(const report::Finding &Found) {
  const report::FieldSubject *Field = Found.field();
  auto Head = find_if(Found.Occupants, [&](const report::FindingOccupant &O) {
    return O.Member == Field->Member && O.isUsed();
  });
  return Head == Found.Occupants.end() ? nullptr : &*Head;
}

Expected<std::vector<input::MemberAccess>>
findUses(const report::Finding &Found, const process::Module &Loaded) {
  assert(Found.field() && "a finding of a variable has an address");
  auto No = [&](const Twine &Reason) {
    return createStringError("no object of finding '" + Found.Id +
                             "' can be found by its use: " + Reason +
                             "; give one with --at or --address");
  };
  const report::FindingOccupant *Head = headOf(Found);
  if (!Head || !Head->Offset || *Head->Offset < 0 || !Head->Size)
    return No("the report does not say where the member is");
  std::vector<input::UseSite> Sites;
  for (const report::FindingSite &Site : Head->Sites)
    if (Site.Place && Site.Place.Line && !Site.isStartUp())
      Sites.push_back({Site.Function, Site.Place.File, Site.Place.Line,
                       Site.Access != "read"});
  if (Sites.empty())
    return No("its sites are not in the source (compile with -g)");
  Expected<std::unique_ptr<MemoryBuffer>> File = process::handOn(Loaded.Bytes);
  if (!File)
    return File.takeError();
  Expected<input::Binary> Binary = input::readBinary(std::move(*File));
  if (!Binary)
    return Binary.takeError();
  std::vector<input::MemberAccess> Known = input::findMemberAccesses(
      *Binary, Sites, {static_cast<uint64_t>(*Head->Offset), Head->Size});
  if (Known.empty())
    return No("no instruction of its source lines uses it by a register");
  // Who writes first; half of the registers are for those who read.
  std::stable_partition(Known.begin(), Known.end(),
                        [](const input::MemberAccess &A) { return A.IsWrite; });
  auto Reads =
      find_if(Known, [](const input::MemberAccess &A) { return !A.IsWrite; });
  constexpr ptrdiff_t Half = watch::MostPointerUses / 2;
  if (Reads - Known.begin() > Half && Reads != Known.end())
    Known.erase(Known.begin() + Half, Reads);
  if (Known.size() > watch::MostPointerUses)
    Known.resize(watch::MostPointerUses);
  return Known;
}

Expected<FoundMember> findUsedMember(ArrayRef<input::MemberAccess> Uses,
                                     process::ProcessId Process,
                                     const process::Module &Loaded,
                                     double Seconds,
                                     function_ref<bool()> ShouldStop) {
  std::vector<watch::PointerUse> Places;
  for (const input::MemberAccess &A : Uses)
    Places.push_back({Loaded.Bias.toRun({A.Instruction.Value}), A.Register,
                      A.Index, A.IndexBytes, A.Distance});
  auto Caught = watch::catchPointers(Process, Places, Seconds, ShouldStop);
  if (!Caught)
    return Caught.takeError();
  if (Caught->empty())
    return make_error<watch::WatchError>(
        watch::Refusal::BadAddress,
        "no thread came to the code that uses it; --wait=SECONDS waits "
        "longer");
  FoundMember Result;
  Result.Address = watch::mostShared(*Caught);
  SmallSet<int, 4> Threads, All;
  for (const watch::CaughtPointer &C : *Caught) {
    All.insert(C.Thread.Value);
    if (C.Address == Result.Address)
      Threads.insert(C.Thread.Value);
  }
  Result.Threads = Threads.size();
  // No address has more of them.
  if (Threads.size() == 1 && All.size() > 1)
    Result.ThreadsApart = All.size();
  return Result;
}

} // namespace linesman::drive
