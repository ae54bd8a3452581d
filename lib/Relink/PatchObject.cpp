// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Patches section headers. Every linker honours a section's alignment and size,
// so this is the one mechanism with the same result on all of them:
//
//     NOBITS    sh_addralign = line, sh_size rounded up to lines
//     PROGBITS  the same, and the bytes move to the end of the file, where
//               there is room for the zeros that pad them
//     COMMON    st_value (its alignment) = line, st_size rounded up
//
// LLVM's ObjCopy library can set the alignment, but leaves the tail of the last
// line to the next section.

#include "PatchObject.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace llvm;
using namespace llvm::object;

namespace linesman::relink {

Error checkIsolation(const InputObject &Object, const Definition &D) {
  std::string Where = sys::path::filename(Object.Path).str();
  std::string Name = demangle(D.Name);
  if (D.Kind == DefinitionKind::ThreadLocal)
    return createStringError(formatv("cannot isolate '{0}': it is thread-local "
                                     "in {1}, every thread has its own copy",
                                     Name, Where));
  if (D.Kind == DefinitionKind::ReadOnly)
    return createStringError(
        formatv("cannot isolate '{0}': {1} has it in a read-only section", Name,
                Where));
  if (D.Kind == DefinitionKind::Relro)
    return createStringError(
        formatv("cannot isolate '{0}': {1} has it in .data.rel.ro, which "
                "nobody writes after start",
                Name, Where));
  if (!D.Section)
    return Error::success();
  std::set<uint64_t> Offsets;
  for (const Definition &Other : Object.Definitions)
    if (Other.Section == D.Section)
      Offsets.insert(Other.Offset);
  if (Offsets.size() == 1)
    return Error::success();
  return createStringError(
      formatv("cannot isolate '{0}': {1} has {2} symbols in one input section; "
              "rebuild with -fdata-sections",
              Name, Where, Offsets.size()));
}

namespace {

class Patcher {
public:
  Patcher(StringRef Original, uint64_t Line)
      : Line(Line), Bytes(Original.begin(), Original.end()) {}

  void isolateSection(uint32_t Index) {
    Elf::Shdr S = section(Index);
    uint64_t Size = alignTo(S.sh_size, Line);
    if (S.sh_type != ELF::SHT_NOBITS) {
      uint64_t Alignment = std::max<uint64_t>(S.sh_addralign, Line);
      uint64_t Offset = alignTo(Bytes.size(), Alignment);
      Bytes.resize(Offset + Size);
      std::copy_n(Bytes.begin() + S.sh_offset, S.sh_size,
                  Bytes.begin() + Offset);
      S.sh_offset = Offset;
    }
    S.sh_addralign = std::max<uint64_t>(S.sh_addralign, Line);
    S.sh_size = Size;
    *at<Elf::Shdr>(sectionOffset(Index)) = S;
  }

  void isolateCommon(uint32_t SymbolIndex) {
    uint64_t Table = symbolTableOffset();
    auto *Symbol = at<Elf::Sym>(Table + SymbolIndex * sizeof(Elf::Sym));
    Symbol->st_value = std::max<uint64_t>(Symbol->st_value, Line);
    Symbol->st_size = alignTo(Symbol->st_size, Line);
  }

  SmallVector<char, 0> take() && { return std::move(Bytes); }

private:
  uint64_t Line;
  SmallVector<char, 0> Bytes;

  // The headers were read and checked with the object's definitions.
  template <typename T> T *at(uint64_t Offset) {
    return reinterpret_cast<T *>(Bytes.data() + Offset);
  }
  uint64_t sectionOffset(uint32_t Index) {
    return at<Elf::Ehdr>(0)->e_shoff + Index * sizeof(Elf::Shdr);
  }
  const Elf::Shdr &section(uint32_t Index) {
    return *at<Elf::Shdr>(sectionOffset(Index));
  }
  uint64_t symbolTableOffset() {
    uint32_t Index = 0;
    while (section(Index).sh_type != ELF::SHT_SYMTAB)
      ++Index;
    return section(Index).sh_offset;
  }
};

} // namespace

SmallVector<char, 0> patchObject(const InputObject &Object,
                                 ArrayRef<const Definition *> Isolated,
                                 layout::LineSize Line) {
  Patcher Patch(Object.File->getBuffer(), Line.Bytes);
  std::set<uint32_t> Done; // aliases share a section
  for (const Definition *D : Isolated) {
    if (!D->Section)
      Patch.isolateCommon(D->SymbolIndex);
    else if (Done.insert(*D->Section).second)
      Patch.isolateSection(*D->Section);
  }
  return std::move(Patch).take();
}

} // namespace linesman::relink
