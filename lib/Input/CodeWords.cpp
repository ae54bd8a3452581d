// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strings and callees of single functions. The values of registers are followed
// in straight lines only: a string is loaded right before it is used.

#include "linesman/Input/CodeWords.h"
#include "ControlFlow.h"
#include "OpenCode.h"
#include "linesman/Guard/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <array>
#include <map>

using namespace llvm;

namespace linesman::input {

namespace {

/// What is shorter is a format or a separator, and found everywhere.
constexpr size_t LeastString = 5;
/// Of a string, what is enough to find it.
constexpr size_t ShownString = 32;
/// A string of a program is not longer.
constexpr size_t MostString = 4096;

/// Which argument of an assertion's failure is the function's name.
std::optional<unsigned> nameArgument(StringRef Callee) {
  if (Callee == "__assert_fail" || Callee == "__assert_perror_fail")
    return 3;
  if (Callee == "g_assertion_message_expr" || Callee == "g_assertion_message")
    return 3;
  if (Callee == "g_return_if_fail_warning")
    return 1;
  return std::nullopt;
}

} // namespace

struct CodeWords::Opened : OpenedCode {
  using OpenedCode::OpenedCode;

  /// Read-only data.
  std::vector<CodeSection> Constants;
  /// What was asked for before, by function and by instruction.
  std::map<uint64_t, std::string> Described, Callees;
  /// Of the function that was asked for last.
  uint64_t Last = 0;
  std::vector<Step> Steps;

  static std::unique_ptr<Opened> open(const Binary &File);
  void decode(uint64_t Function);
  StringRef stringAt(uint64_t Address) const;
  std::string describe(uint64_t Function);
};

/// Errors are those that reading the binary has reported already.
std::unique_ptr<CodeWords::Opened> CodeWords::Opened::open(const Binary &File) {
  auto Ignore = [](Error E) {
    consumeError(std::move(E));
    return nullptr;
  };
  Expected<ElfFile> Elf = openElf(File.File->getBuffer());
  if (!Elf)
    return Ignore(Elf.takeError());
  auto Result = std::make_unique<Opened>(*Elf);
  if (!Result->read(File))
    return nullptr;
  auto Headers = Elf->sections();
  if (!Headers)
    return Ignore(Headers.takeError());
  for (const ElfSection &Header : *Headers) {
    if (Header.sh_type != ELF::SHT_PROGBITS ||
        !(Header.sh_flags & ELF::SHF_ALLOC) ||
        Header.sh_flags & (ELF::SHF_WRITE | ELF::SHF_EXECINSTR))
      continue;
    Expected<ArrayRef<uint8_t>> Bytes = Elf->getSectionContents(Header);
    if (!Bytes)
      return Ignore(Bytes.takeError());
    Result->Constants.push_back(
        {{{Header.sh_addr}, {Header.sh_addr + Header.sh_size}}, *Bytes});
  }
  return Result;
}

void CodeWords::Opened::decode(uint64_t Function) {
  if (Last == Function)
    return;
  Last = Function;
  Steps.clear();
  if (std::optional<size_t> Position = Functions.find(Function)) {
    DecodeTrouble Trouble;
    Decoder->decode(Functions[*Position].Bytes, Function, Steps, Trouble);
  }
}

/// The printable string at an address; empty where there is none.
StringRef CodeWords::Opened::stringAt(uint64_t Address) const {
  for (const CodeSection &C : Constants) {
    if (!C.Range.contains({Address}))
      continue;
    StringRef Rest = toStringRef(C.Bytes)
                         .drop_front(Address - C.Range.Begin.Value)
                         .take_front(MostString);
    size_t End = Rest.find('\0');
    if (End == StringRef::npos)
      return "";
    StringRef Text = Rest.take_front(End);
    return all_of(Text, [](char Ch) { return isPrint(Ch) || isSpace(Ch); })
               ? Text
               : "";
  }
  return "";
}

/// "could not lock %s"
static std::string quoted(StringRef Text) {
  std::string Result;
  raw_string_ostream OS(Result);
  OS << '"';
  // Of the path of a source, the end tells.
  if (Text.size() > ShownString && Text.contains('/') && !Text.contains(' ')) {
    OS << "...";
    Text = Text.take_back(ShownString);
    if (size_t Folder = Text.find('/'); Folder != StringRef::npos)
      Text = Text.substr(Folder);
  }
  OS.write_escaped(Text.take_front(ShownString));
  OS << (Text.size() > ShownString ? "..." : "") << '"';
  return guard::printable(Result);
}

std::string CodeWords::Opened::describe(uint64_t Function) {
  decode(Function);
  std::array<uint64_t, MostRegisters> Holds = {};
  StringRef Longest;
  for (const Step &S : Steps) {
    if (S.Kind == StepKind::Add) {
      uint64_t Base = S.Spot.Base < MostRegisters ? Holds[S.Spot.Base] : 0;
      bool IsKnown = S.Spot.Index == NoRegister &&
                     (S.Spot.IsAddress ? S.Spot.Base == NoRegister : Base != 0);
      uint64_t Address = IsKnown ? Base + uint64_t(S.Spot.Disp) : 0;
      // In a file for one address, addresses are numbers.
      if (!IsKnown && Map.isFixed() && S.Spot.Base == NoRegister &&
          S.Spot.Index == NoRegister)
        Address = uint64_t(S.Spot.Disp);
      if (S.Dst < MostRegisters)
        Holds[S.Dst] = Address;
      if (StringRef Text = Address ? stringAt(Address) : "";
          Text.size() >= LeastString && Text.size() > Longest.size() &&
          any_of(Text, isAlpha))
        Longest = Text;
    } else if (S.Kind == StepKind::Call || S.Kind == StepKind::CallThrough) {
      std::optional<unsigned> Argument = nameArgument(calleeOf(S, Map));
      if (Argument && *Argument < Arch->arguments().size())
        if (StringRef Name = stringAt(Holds[Arch->arguments()[*Argument]]);
            !Name.empty())
          return "asserts in " + guard::printable(Name);
    }
    for (unsigned R = 0; R != MostRegisters; ++R)
      if (S.Clobbers >> R & 1 && S.Kind != StepKind::Add)
        Holds[R] = 0;
  }
  return Longest.empty() ? "" : quoted(Longest);
}

CodeWords::CodeWords(const Binary &File) : Code(Opened::open(File)) {}
CodeWords::~CodeWords() = default;

std::string CodeWords::describeFunction(layout::LinkAddress Function) {
  if (!Code)
    return "";
  auto [It, IsNew] = Code->Described.try_emplace(Function.Value);
  if (IsNew)
    It->second = Code->describe(Function.Value);
  return It->second;
}

std::string CodeWords::findCallee(layout::LinkAddress Function,
                                  layout::LinkAddress Instruction) {
  if (!Code || Instruction < Function)
    return "";
  auto [It, IsNew] = Code->Callees.try_emplace(Instruction.Value);
  if (!IsNew)
    return It->second;
  Code->decode(Function.Value);
  uint64_t Offset = Instruction - Function;
  for (const Step &S : Code->Steps)
    if (S.Offset == Offset &&
        (S.Kind == StepKind::Call || S.Kind == StepKind::CallThrough ||
         S.Kind == StepKind::Jump))
      return It->second = guard::demangle(calleeOf(S, Code->Map));
  return "";
}

} // namespace linesman::input
