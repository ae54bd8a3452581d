// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses to lines, and the report that findings come from and go back to.

#include "linesman/Drive/WatchTargets.h"
#include "linesman/Guard/Document.h"
#include "linesman/Process/Modules.h"
#include "linesman/Report/Report.h"
#include "linesman/Watch/WatchError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace linesman::process;
using namespace linesman::watch;

namespace linesman::drive {

/// 16 lines take 64 steps of 4 ms a turn: 8 turns in the usual 2 seconds.
static constexpr uint64_t MaxLines = 16;

Expected<std::vector<Line>> linesOf(RunAddress Address, uint64_t Size,
                                    unsigned LineSize) {
  uint64_t First = Address.Value & ~uint64_t(LineSize - 1);
  uint64_t Last = (Address.Value + std::max<uint64_t>(Size, 1) - 1) &
                  ~uint64_t(LineSize - 1);
  uint64_t Count = (Last - First) / LineSize + 1;
  if (Count > MaxLines)
    return createStringError(
        formatv("{0} bytes are {1} lines, and at most {2} can be watched at "
                "once: give an offset (SYMBOL+OFFSET) for one line",
                Size, Count, MaxLines));
  std::vector<Line> Lines;
  for (uint64_t I = 0; I != Count; ++I)
    Lines.push_back({{First + I * LineSize}, LineSize});
  return Lines;
}

Expected<ProcessObject> findObject(const ObjectChoice &Choice,
                                   ProcessId Process,
                                   const ModuleMap &Modules) {
  if (!Choice.Symbol.empty()) {
    Expected<ProcessObject> Object =
        ProcessSymbols(Modules).find(Choice.Symbol);
    if (Object && StringRef(Choice.Symbol).contains('+'))
      Object->Size = 1;
    return Object;
  }
  ObjectFinder Finder(Process, Modules);
  if (!Choice.Expression.empty())
    return Choice.Type.empty() ? Finder.find(Choice.Expression)
                               : Finder.fieldOf(Choice.Type, Choice.Expression);
  RunAddress Address;
  if (StringRef(Choice.Address).getAsInteger(0, Address.Value))
    return createStringError("--address=" + Choice.Address +
                             ": expected a number such as 0x7f0012345678");
  if (!Choice.Type.empty())
    return Finder.fieldOf(Choice.Type, Address);
  return ProcessObject{Address, 1, Choice.Address};
}

Expected<FindingsReport> FindingsReport::read(StringRef File) {
  Expected<json::Value> Root =
      guard::readJson(File, guard::Source::FileOrStandardInput);
  if (!Root)
    return Root.takeError();
  Expected<report::Document> Read = report::readReport(*Root);
  if (!Read)
    return createFileError(File, Read.takeError());
  return FindingsReport(std::move(*Root), std::move(*Read));
}

unsigned FindingsReport::lineSize() const {
  return Read.LineSize == watch::LinePair ? watch::LinePair : watch::OneLine;
}

/// The file that a report names: from here, or from the root of its tree, which
/// is above.
static std::string findBinary(StringRef Named) {
  SmallString<256> Current;
  if (sys::fs::exists(Named) || sys::fs::current_path(Current))
    return Named.str();
  for (StringRef Folder = Current; !Folder.empty();
       Folder = sys::path::parent_path(Folder)) {
    SmallString<256> Path = Folder;
    sys::path::append(Path, Named);
    if (sys::fs::exists(Path))
      return Path.str().str();
  }
  return Named.str();
}

/// Whether it is a shared object: one that names no loader to start it with.
/// Of a file that is not here its name has to tell.
static bool isLibrary(StringRef Path) {
  Expected<object::OwningBinary<object::ObjectFile>> File =
      object::ObjectFile::createObjectFile(Path);
  if (!File) {
    consumeError(File.takeError());
    StringRef Name = sys::path::filename(Path);
    return Name.ends_with(".so") || Name.contains(".so.");
  }
  auto *Elf = dyn_cast<object::ELF64LEObjectFile>(File->getBinary());
  if (!Elf || Elf->getELFFile().getHeader().e_type != ELF::ET_DYN)
    return false;
  auto Headers = Elf->getELFFile().program_headers();
  if (!Headers) {
    consumeError(Headers.takeError());
    return false;
  }
  return none_of(*Headers,
                 [](const auto &H) { return H.p_type == ELF::PT_INTERP; });
}

Expected<const Module *>
FindingsReport::moduleIn(const ModuleMap &Modules) const {
  std::string Binary = findBinary(Read.Binary);
  for (const Module &M : Modules.modules())
    if (sys::path::filename(M.Path) == sys::path::filename(Binary) ||
        sys::fs::equivalent(M.File, Binary))
      return &M;
  // A program may run under another name.
  if (Modules.modules().empty() || isLibrary(Binary))
    return make_error<WatchError>(Refusal::NotLoaded,
                                  "the report is of " + Binary +
                                      ", which the process has not loaded");
  return &Modules.modules().front();
}

Expected<WatchTarget> FindingsReport::targetOf(size_t Index,
                                               const Module &Loaded) const {
  const report::Finding &Found = Read.Findings[Index];
  if (Found.field())
    return createStringError("finding '" + Found.Id +
                             "' is about a type: give an object of it with "
                             "--at or --address, beside --finding");
  const report::FindingLine *Line = Found.line();
  if (!Line || !Line->Address)
    return createStringError("finding '" + Found.Id +
                             "' has no line address: only located findings "
                             "can be watched (linesman layout BINARY)");
  RunAddress Run = Loaded.Bias.toRun({*Line->Address});
  if (!Loaded.holdsPartOf(Run, lineSize()))
    return createStringError("finding '" + Found.Id + "' is at 0x" +
                             utohexstr(*Line->Address) + ", which is outside " +
                             Loaded.Path + ": is the report of this binary?");
  Expected<std::vector<watch::Line>> Lines = linesOf(Run, 1, lineSize());
  if (!Lines)
    return Lines.takeError();
  return WatchTarget{Found.Id, std::move(*Lines), Index};
}

Expected<size_t> FindingsReport::indexOf(StringRef Id) const {
  for (auto [Index, Found] : enumerate(Read.Findings))
    if (Found.Id == Id)
      return Index;
  return createStringError("the report has no finding '" + Id + "'");
}

Expected<std::string> FindingsReport::fieldOfType(StringRef Id) const {
  Expected<size_t> Index = indexOf(Id);
  if (!Index)
    return Index.takeError();
  const report::FieldSubject *Field = Read.Findings[*Index].field();
  if (!Field || Field->Type.empty() || Field->Member.empty())
    return createStringError("finding '" + Id +
                             "' is not about a field of a type: it has its "
                             "own address, so leave out --at and --address");
  return Field->Type + "::" + Field->Member;
}

Expected<WatchTarget> FindingsReport::find(StringRef Id,
                                           const Module &Loaded) const {
  Expected<size_t> Index = indexOf(Id);
  if (!Index)
    return Index.takeError();
  return targetOf(*Index, Loaded);
}

std::vector<WatchTarget> FindingsReport::top(size_t Count, const Module &Loaded,
                                             size_t &WithoutAddress) const {
  std::vector<WatchTarget> Targets;
  WithoutAddress = 0;
  for (size_t I = 0; I != Read.Findings.size() && Targets.size() != Count;
       ++I) {
    Expected<WatchTarget> Target = targetOf(I, Loaded);
    if (Target) {
      Targets.push_back(std::move(*Target));
    } else {
      consumeError(Target.takeError());
      ++WithoutAddress;
    }
  }
  return Targets;
}

Error FindingsReport::checkBuild(size_t Finding, const Module &Loaded,
                                 const SymbolTable &Symbols) const {
  for (const report::FindingOccupant &Occupant :
       Read.Findings[Finding].Occupants) {
    // Holes have no object, and names that layout made up are in no file.
    if (!Occupant.Object || Occupant.Object->Origin == "anonymous")
      continue;
    std::string Reason = Symbols.contradiction(
        Occupant.Symbol, {Occupant.Object->Address}, Occupant.Object->Size);
    if (!Reason.empty())
      return createStringError("the report is of another build of " +
                               Loaded.Path + ": " + Reason);
  }
  return Error::success();
}

void FindingsReport::attach(size_t Finding, report::FindingObservation Seen) {
  report::Finding &Found = Read.Findings[Finding];
  json::Object &Keys =
      *(*Root.getAsObject()->getArray("findings"))[Finding].getAsObject();
  if ((Seen.Outcome == "confirmed" || Seen.Outcome == "refuted") &&
      Found.Reached != layout::Rung::Costed) {
    Found.Reached = layout::Rung::Observed;
    Keys["rung"] = report::word(Found.Reached);
  }
  // What threads were seen to do outranks what the binary allows.
  if (Seen.Outcome == "confirmed" &&
      Seen.Verdict != verdictName(watch::Verdict::Sharing)) {
    Found.Kind = Seen.Verdict;
    Keys["kind"] = Found.Kind;
  }
  Keys["observed"] = report::toJson(Seen);
  Found.Seen = std::move(Seen);
}

bool FindingsReport::isCosted(size_t Finding) const {
  return Read.Findings[Finding].Reached == layout::Rung::Costed;
}

} // namespace linesman::drive
