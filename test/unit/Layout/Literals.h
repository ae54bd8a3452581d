// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images and accesses from literals: what the tests of this folder are made of.

#ifndef LINESMAN_TEST_UNIT_LAYOUT_LITERALS_H
#define LINESMAN_TEST_UNIT_LAYOUT_LITERALS_H

#include "linesman/Layout/Finding.h"

namespace linesman::layout {

inline Section data(llvm::StringRef Name, uint64_t Begin, uint64_t End,
                    SectionKind Kind = SectionKind::Data) {
  Section S;
  S.Name = Name;
  S.Range = {{Begin}, {End}};
  S.Alignment = 64;
  S.Kind = Kind;
  return S;
}

inline Symbol object(const char *Name, uint64_t Address, uint64_t Size,
                     uint16_t Section = 0) {
  Symbol S;
  S.NameData = Name;
  S.Address = {Address};
  S.Size = Size;
  S.Section = Section;
  return S;
}

/// A static variable of a unit.
inline Symbol local(const char *Name, uint64_t Address, uint32_t File) {
  Symbol S = object(Name, Address, 8);
  S.Binding = SymbolBinding::Local;
  S.File = File;
  return S;
}

inline facts::Access access(facts::AccessKind Kind, double Weight,
                            std::optional<uint64_t> Offset, uint64_t Size) {
  facts::Access A;
  A.Kind = Kind;
  A.Weight = Weight;
  A.Offset = Offset;
  A.Size = Size;
  return A;
}
inline facts::Access reads(double Weight, std::optional<uint64_t> Offset = 0,
                           uint64_t Size = 8) {
  return access(facts::AccessKind::Read, Weight, Offset, Size);
}
inline facts::Access writes(double Weight, std::optional<uint64_t> Offset = 0,
                            uint64_t Size = 8) {
  return access(facts::AccessKind::Write, Weight, Offset, Size);
}
inline facts::Access atomics(double Weight, std::optional<uint64_t> Offset = 0,
                             uint64_t Size = 8) {
  return access(facts::AccessKind::Atomic, Weight, Offset, Size);
}
/// At a line of one.cpp.
inline facts::Access at(uint32_t Line, facts::Access A) {
  A.File = "one.cpp";
  A.Line = Line;
  return A;
}
inline constexpr std::nullopt_t Somewhere = std::nullopt;

/// An image and what touches it. Functions are told apart by address.
class Scene {
public:
  explicit Scene(ImageDescription Description)
      : Program(buildImage(std::move(Description))) {}
  /// One section from 0 to 0x1000, which is where most tests live.
  explicit Scene(std::vector<Symbol> Symbols)
      : Scene(ImageDescription{{data(".bss", 0, 0x1000)}, Symbols}) {}

  Scene &fact(uint64_t Object, std::vector<facts::Access> Accesses,
              uint64_t Function = 0x100000,
              llvm::StringRef FunctionName = "work") {
    facts::Fact F;
    F.Function = Function;
    F.FunctionName = FunctionName;
    F.Object = Object;
    F.Accesses.append(Accesses.begin(), Accesses.end());
    Facts.push_back(std::move(F));
    return *this;
  }
  Scene &add(facts::Fact F) {
    Facts.push_back(std::move(F));
    return *this;
  }

  const Image &image() const { return Program; }
  AccessTable table(std::vector<LinkAddress> StartUp = {}) const {
    AccessJoin Join(Program, std::move(StartUp));
    for (const facts::Fact &F : Facts)
      Join.add(F);
    return std::move(Join).finish();
  }

private:
  Image Program;
  std::vector<facts::Fact> Facts;
};

/// A scene's findings, with what they point into.
struct Found {
  AccessTable Table;
  std::vector<LineFinding> Findings;

  explicit Found(const Scene &Source, uint64_t Line = 64,
                 std::vector<LinkAddress> StartUp = {})
      : Table(Source.table(std::move(StartUp))),
        Findings(findHazards(Source.image(), LineMap(Source.image(), {Line}),
                             Table)) {}
};

} // namespace linesman::layout

#endif // LINESMAN_TEST_UNIT_LAYOUT_LITERALS_H
