// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions to instructions, and those to source lines and registers.

#include "linesman/Input/MemberAccesses.h"
#include "OpenCode.h"
#include "linesman/Guard/Text.h"
#include "linesman/Input/SourceLines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace linesman::input {

namespace {

/// Whether two spellings can be of one file: one may have more folders.
bool isSameFile(StringRef A, StringRef B) {
  if (A.size() < B.size())
    std::swap(A, B);
  return A.consume_back(B) && (A.empty() || A.ends_with("/"));
}

class AccessFinder {
public:
  AccessFinder(const Binary &File, OpenedCode &Code, ArrayRef<UseSite> Sites,
               MemberPlace Member)
      : Code(Code), Lines(File), Sites(Sites), Member(Member) {
    for (const UseSite &Site : Sites)
      Wanted.insert(Site.Function);
  }

  std::vector<MemberAccess> find() {
    for (size_t I = 0; I != Code.Functions.size(); ++I) {
      StringRef Name = Code.Functions.nameOf(I);
      if (Name.empty())
        continue;
      Looked = guard::demangle(Name);
      if (Wanted.contains(Looked))
        look(Code.Functions[I]);
    }
    return std::move(Exact.empty() ? Alike : Exact);
  }

private:
  OpenedCode &Code;
  SourceLines Lines;
  ArrayRef<UseSite> Sites;
  MemberPlace Member;
  StringSet<> Wanted;
  /// The function that is looked at: a line of an inlined one is in many.
  std::string Looked;
  /// With the member's offset; writes with its size.
  std::vector<MemberAccess> Exact, Alike;

  void look(const CodeFunction &Function) {
    std::vector<Step> Steps;
    DecodeTrouble Trouble;
    Code.Decoder->decode(Function.Bytes, Function.Range.Begin.Value, Steps,
                         Trouble);
    for (const Step &S : Steps)
      if (S.Kind == StepKind::Access)
        look(S, Function.Range.Begin);
  }

  void look(const Step &S, layout::LinkAddress Begin) {
    const Place &Spot = S.Spot;
    // What is on the stack has no finding.
    bool IsIndexed = Spot.Index != NoRegister;
    if (Spot.IsAddress || Spot.Base >= Code.Arch->registers() ||
        Spot.Base == Code.Arch->stackPointer() || S.Count != NoRegister ||
        (IsIndexed && Spot.Index >= Code.Arch->registers()))
      return;
    MemberAccess Found;
    Found.Instruction = Begin + S.Offset;
    Found.Register = Spot.Base;
    if (IsIndexed) {
      Found.Index = Spot.Index;
      Found.IndexBytes = uint64_t(Spot.Times) << Spot.Shift;
    }
    Found.Distance = Spot.Disp;
    Found.IsWrite = S.Access != facts::AccessKind::Read;
    int64_t Offset = Member.Offset;
    if (Spot.Disp <= Offset && Offset < Spot.Disp + int64_t(S.Size)) {
      Found.Distance = Offset;
      if (isAtSite(Found))
        add(Found);
    } else if (Found.IsWrite && S.Size == Member.Size && isAtSite(Found)) {
      Alike.push_back(Found);
    }
  }

  /// An instruction that reads and writes is one, and counts as a write.
  void add(const MemberAccess &Found) {
    if (Exact.empty() || Exact.back().Instruction != Found.Instruction)
      Exact.push_back(Found);
    else if (Found.IsWrite)
      Exact.back() = Found;
  }

  bool isAtSite(const MemberAccess &Found) {
    return any_of(Lines.find(Found.Instruction), [&](const layout::Frame &F) {
      return any_of(Sites, [&](const UseSite &Site) {
        return Site.Function == Looked && Site.IsWrite == Found.IsWrite &&
               Site.Line == F.Line && isSameFile(F.File, Site.File);
      });
    });
  }
};

} // namespace

std::vector<MemberAccess> findMemberAccesses(const Binary &File,
                                             ArrayRef<UseSite> Sites,
                                             MemberPlace Member) {
  Expected<ElfFile> Elf = openElf(File.File->getBuffer());
  if (!Elf) {
    consumeError(Elf.takeError()); // reading the file has said so
    return {};
  }
  OpenedCode Code(*Elf);
  return Code.read(File) ? AccessFinder(File, Code, Sites, Member).find()
                         : std::vector<MemberAccess>();
}

} // namespace linesman::input
