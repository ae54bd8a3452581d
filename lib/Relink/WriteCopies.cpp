// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of objects and archives.
//
// An archive is copied byte by byte around its changed members, and the offsets
// of its index corrected: building the index again would read the symbols of
// every member, which in a large link costs more than linking. Thin archives
// hold no members, BSD's are of another form; they become ordinary ones.

#include "WriteCopies.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace llvm::object;

namespace linesman::relink {

namespace {

/// New bytes of an archive's members, by the offset of their headers.
using Members = std::map<uint64_t, SmallVector<char, 0>>;

constexpr uint64_t HeaderSize = 60, SizeField = 48, SizeDigits = 10;

/// Where a byte of the archive went.
class Movement {
public:
  void add(uint64_t After, int64_t By) { Moves.push_back({After, By}); }
  uint64_t of(uint64_t Offset) const {
    int64_t By = 0;
    for (auto [After, Move] : Moves)
      if (Offset > After)
        By += Move;
    return Offset + By;
  }

private:
  std::vector<std::pair<uint64_t, int64_t>> Moves;
};

template <typename OffsetT>
void moveIndex(MutableArrayRef<char> Index, const Movement &Moved) {
  using support::endian::read;
  using support::endian::write;
  if (Index.size() < sizeof(OffsetT))
    return;
  uint64_t Count = read<OffsetT, endianness::big>(Index.data());
  for (uint64_t I = 1; I <= Count && (I + 1) * sizeof(OffsetT) <= Index.size();
       ++I) {
    char *Entry = Index.data() + I * sizeof(OffsetT);
    write<OffsetT, endianness::big>(
        Entry, Moved.of(read<OffsetT, endianness::big>(Entry)));
  }
}

Expected<SmallVector<char, 0>> spliceArchive(StringRef Old,
                                             const Members &Changed) {
  SmallVector<char, 0> New;
  Movement Moved;
  uint64_t Done = 0;
  for (const auto &[Offset, Bytes] : Changed) {
    // The header was read when its member was.
    uint64_t OldSize = 0;
    StringRef(Old.substr(Offset + SizeField, SizeDigits).rtrim())
        .getAsInteger(10, OldSize);
    New.append(Old.begin() + Done, Old.begin() + Offset + HeaderSize);
    std::string Size = formatv("{0,-10}", Bytes.size());
    if (Size.size() != SizeDigits)
      return createStringError("a member of %zu bytes is too large for an "
                               "archive",
                               size_t(Bytes.size()));
    std::copy(Size.begin(), Size.end(), New.end() - HeaderSize + SizeField);
    New.append(Bytes.begin(), Bytes.end());
    if (Bytes.size() % 2)
      New.push_back('\n');
    Done = Offset + HeaderSize + alignTo(OldSize, 2);
    Moved.add(Offset,
              int64_t(alignTo(Bytes.size(), 2)) - int64_t(alignTo(OldSize, 2)));
  }
  if (Done < Old.size())
    New.append(Old.begin() + Done, Old.end());

  uint64_t First = 8; // "!<arch>\n"
  StringRef Name = Old.substr(First, 16).rtrim();
  uint64_t IndexSize = 0;
  StringRef(Old.substr(First + SizeField, SizeDigits).rtrim())
      .getAsInteger(10, IndexSize);
  MutableArrayRef<char> Index =
      MutableArrayRef(New).slice(First + HeaderSize, IndexSize);
  if (Name == "/")
    moveIndex<uint32_t>(Index, Moved);
  else if (Name == "/SYM64/")
    moveIndex<uint64_t>(Index, Moved);
  return New;
}

Error fattenArchive(const InputArchive &Old, const Members &Changed,
                    StringRef Path) {
  std::vector<NewArchiveMember> Members;
  Error Problem = Error::success();
  for (const Archive::Child &Child : Old.Archive->children(Problem)) {
    Expected<MemoryBufferRef> Buffer = Child.getMemoryBufferRef();
    if (!Buffer)
      return createFileError(Old.Path, Buffer.takeError());
    auto New = Changed.find(Child.getChildOffset());
    StringRef Bytes = New == Changed.end()
                          ? Buffer->getBuffer()
                          : StringRef(New->second.data(), New->second.size());
    Members.emplace_back(MemoryBufferRef(Bytes, Buffer->getBufferIdentifier()));
  }
  if (Problem)
    return createFileError(Old.Path, std::move(Problem));
  return writeArchive(Path, Members, SymtabWritingMode::NormalSymtab,
                      Archive::K_GNU, /*Deterministic=*/true, /*Thin=*/false);
}

Error writeArchiveCopy(const InputArchive &Old, const Members &Changed,
                       StringRef Path) {
  // Others have names in front of the bytes of their members (BSD's #1/N).
  bool IsGnu = Old.Archive->kind() == Archive::K_GNU ||
               Old.Archive->kind() == Archive::K_GNU64;
  if (Old.Archive->isThin() || !IsGnu)
    return fattenArchive(Old, Changed, Path);
  Expected<SmallVector<char, 0>> New =
      spliceArchive(Old.Archive->getData(), Changed);
  if (!New)
    return createFileError(Old.Path, New.takeError());
  return writeFile(Path, *New);
}

} // namespace

Expected<std::vector<std::string>>
writeCopies(const LinkInputs &Inputs, const LinkChanges &Changes,
            const ScratchFolder &Scratch, std::vector<std::string> Command) {
  std::map<size_t, Members> Archives;
  for (const auto &[Index, Change] : Changes) {
    const InputObject &Object = Inputs.Objects[Index];
    Expected<SmallVector<char, 0>> Bytes = editObject(Object.Bytes, Change);
    if (!Bytes)
      return createFileError(Object.Path, Bytes.takeError());
    if (Object.Archive) {
      Archives[*Object.Archive][Object.MemberOffset] = std::move(*Bytes);
      continue;
    }
    std::string Copy =
        Scratch.file(Twine(Index) + "-" + sys::path::filename(Object.Path));
    if (Error E = writeFile(Copy, *Bytes))
      return std::move(E);
    Command[Object.Argument] = Copy;
  }
  for (const auto &[Index, Changed] : Archives) {
    const InputArchive &Archive = Inputs.Archives[Index];
    std::string Copy = Scratch.file("archive" + Twine(Index) + "-" +
                                    sys::path::filename(Archive.Path));
    if (Error E = writeArchiveCopy(Archive, Changed, Copy))
      return std::move(E);
    for (size_t Argument : Archive.Arguments)
      Command[Argument] = Copy;
  }
  return Command;
}

} // namespace linesman::relink
