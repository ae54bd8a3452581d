// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's demanglers, bounded. They parse by recursion and print by expanding
// each substitution, so that a name of 200 characters can be terabytes long.

#include "llvm/Demangle/Demangle.h"
#include "linesman/Guard/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/ItaniumDemangle.h"
#include <cstdlib>

using namespace llvm;

namespace linesman::guard {

namespace {

/// Of a mangled name: the parser recurses, at the worst for each character.
/// TextTest parses such names on half of the stack that a thread has.
constexpr size_t MostMangled = 8192;
/// Of a demangled name, and of steps to print it: empty parts take some too.
constexpr size_t MostDemangled = 65536;
constexpr unsigned MostSteps = 100000;
/// For Rust and D, whose printers have no bound: N references back to earlier
/// parts of the name can repeat it 3^(N/3) times.
constexpr size_t MostReferences = 24, MostNameBytes = 2048;

class BoundedOutput : public itanium_demangle::OutputBuffer {
public:
  ~BoundedOutput() override { std::free(getBuffer()); }

  bool isTooLong() const {
    return Steps > MostSteps || getCurrentPosition() > MostDemangled;
  }
  void printLeft(const itanium_demangle::Node &N) override {
    ++Steps;
    if (!isTooLong())
      OutputBuffer::printLeft(N);
  }
  void printRight(const itanium_demangle::Node &N) override {
    ++Steps;
    if (!isTooLong())
      OutputBuffer::printRight(N);
  }

private:
  unsigned Steps = 0;
};

std::string demangleItanium(StringRef Mangled) {
  // The parser points into it.
  std::string Name = Mangled.str();
  ItaniumPartialDemangler Parser;
  // True is a failure.
  if (Parser.partialDemangle(Name.c_str()))
    return "";
  BoundedOutput Output;
  Parser.finishDemangle(&Output);
  if (Output.isTooLong())
    return "";
  return std::string(std::string_view(Output).data()); // without the NUL
}

/// \p Reference begins a reference back.
std::string demangleOther(StringRef Mangled, char Reference,
                          char *(*Demangle)(std::string_view)) {
  if (Mangled.size() > MostNameBytes ||
      Mangled.count(Reference) > MostReferences)
    return "";
  // LLVM's demangler of D reads on to a NUL.
  std::string Name = Mangled.str();
  char *Text = Demangle(Name);
  std::string Result = Text ? Text : "";
  std::free(Text);
  return Result;
}

std::string demangleKnown(StringRef Mangled) {
  if (Mangled.size() > MostMangled)
    return "";
  if (Mangled.starts_with("_Z") || Mangled.starts_with("___Z"))
    return demangleItanium(Mangled);
  if (Mangled.starts_with("_R"))
    return demangleOther(Mangled, 'B', rustDemangle);
  if (Mangled.starts_with("_D"))
    return demangleOther(Mangled, 'Q', dlangDemangle);
  return "";
}

/// Older names of Rust are C++'s and end in a hash, which changes with each
/// compiler and tells nobody anything, and so does what a link with bitcode may
/// add: counters::HITS::h0123456789abcdef (.llvm.123).
StringRef withoutRustHash(StringRef Name) {
  auto [Path, Hash] = Name.split(" (.llvm.").first.rsplit("::");
  bool IsHash =
      Hash.size() == 17 && Hash.consume_front("h") && all_of(Hash, isHexDigit);
  return IsHash ? Path : Name;
}

} // namespace

std::string demangle(StringRef Mangled) {
  std::string Known = demangleKnown(Mangled);
  return printable(Known.empty() ? Mangled : withoutRustHash(Known));
}

std::string withoutBrackets(StringRef Text, char Open, char Close) {
  std::string Result;
  unsigned Depth = 0;
  for (char Letter : Text) {
    Depth += Letter == Open;
    if (!Depth)
      Result += Letter;
    if (Letter == Close && Depth)
      --Depth;
  }
  return Result;
}

} // namespace linesman::guard
