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
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Parallel.h"
#include "llvm/Support/Path.h"
#include <cstddef>

using namespace llvm;
using namespace llvm::object;

namespace linesman::relink {

namespace {

/// New bytes of an archive's members, by the offset of their headers.
using Members = std::map<uint64_t, SmallVector<char, 0>>;

using Header = UnixArMemHdrType;

/// Of a member that was read before.
const Header &headerAt(StringRef Archive, uint64_t Offset) {
  return *reinterpret_cast<const Header *>(Archive.data() + Offset);
}

uint64_t sizeOf(const Header &Member) {
  uint64_t Size = 0;
  StringRef(Member.Size, sizeof(Member.Size)).rtrim().getAsInteger(10, Size);
  return Size;
}

/// Where a byte of the archive went.
class Movement {
public:
  void add(uint64_t After, int64_t Step) { Moves.push_back({After, Step}); }
  uint64_t of(uint64_t Offset) const {
    int64_t Step = 0;
    for (auto [After, Move] : Moves)
      if (Offset > After)
        Step += Move;
    return Offset + Step;
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

/// Most of it goes from the old archive to the new one as it is.
Error spliceArchive(const Archive &Old, const Members &Changed,
                    StringRef Path) {
  StringRef Data = Old.getData();
  Movement Moved;
  for (const auto &[Offset, Bytes] : Changed) {
    if (utostr(Bytes.size()).size() > sizeof(Header::Size))
      return createStringError("a member of %zu bytes is too large for an "
                               "archive",
                               size_t(Bytes.size()));
    Moved.add(Offset, int64_t(alignTo(Bytes.size(), 2)) -
                          int64_t(alignTo(sizeOf(headerAt(Data, Offset)), 2)));
  }
  StringRef OldIndex = Old.getSymbolTable();
  SmallString<0> Index = OldIndex;
  if (Old.kind() == Archive::K_GNU64)
    moveIndex<uint64_t>(Index, Moved);
  else
    moveIndex<uint32_t>(Index, Moved);

  return writeFile(Path, [&](raw_ostream &OS) {
    uint64_t Done = 0;
    if (!Index.empty()) {
      Done = OldIndex.end() - Data.begin();
      OS << Data.take_front(Done - Index.size()) << Index;
    }
    for (const auto &[Offset, Bytes] : Changed) {
      const Header &Member = headerAt(Data, Offset);
      OS << Data.slice(Done, Offset + offsetof(Header, Size))
         << left_justify(utostr(Bytes.size()), sizeof(Member.Size))
         << StringRef(Member.Terminator, sizeof(Member.Terminator))
         << StringRef(Bytes.data(), Bytes.size())
         << (Bytes.size() % 2 ? "\n" : "");
      Done = Offset + sizeof(Header) + alignTo(sizeOf(Member), 2);
    }
    OS << Data.drop_front(std::min<uint64_t>(Done, Data.size()));
  });
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
  if (Error E = spliceArchive(*Old.Archive, Changed, Path))
    return createFileError(Old.Path, std::move(E));
  return Error::success();
}

struct ObjectCopy {
  size_t Object;
  const ObjectChanges *Changes;
  /// Of a member of an archive.
  SmallVector<char, 0> Bytes;
  /// Of a file of its own.
  std::string Path;
};

} // namespace

Expected<std::vector<std::string>>
writeCopies(const LinkInputs &Inputs, const LinkChanges &Changes,
            const ScratchFolder &Scratch, std::vector<std::string> Command) {
  std::vector<ObjectCopy> Copies;
  for (const auto &[Index, OfObject] : Changes)
    Copies.push_back({Index, &OfObject, {}, ""});
  // Objects are large: all cores copy.
  if (Error E = parallelForEachError(Copies, [&](ObjectCopy &Copy) -> Error {
        const InputObject &Object = Inputs.Objects[Copy.Object];
        Expected<SmallVector<char, 0>> Bytes =
            editObject(Object.Bytes, *Copy.Changes);
        if (!Bytes)
          return createFileError(Object.Path, Bytes.takeError());
        if (Object.Archive) {
          Copy.Bytes = std::move(*Bytes);
          return Error::success();
        }
        Copy.Path = Scratch.file(Twine(Copy.Object) + "-" +
                                 sys::path::filename(Object.Path));
        return writeFile(Copy.Path, *Bytes);
      }))
    return std::move(E);
  MapVector<size_t, Members> Archives;
  for (ObjectCopy &Copy : Copies) {
    const InputObject &Object = Inputs.Objects[Copy.Object];
    if (Object.Archive)
      Archives[*Object.Archive][Object.MemberOffset] = std::move(Copy.Bytes);
    else
      Command[Object.Argument] = Copy.Path;
  }
  auto PathOf = [&](size_t Index) {
    return Scratch.file("archive" + Twine(Index) + "-" +
                        sys::path::filename(Inputs.Archives[Index].Path));
  };
  for (const auto &[Index, Changed] : Archives)
    for (size_t Argument : Inputs.Archives[Index].Arguments)
      Command[Argument] = PathOf(Index);
  if (Error E = parallelForEachError(Archives, [&](const auto &Archive) {
        return writeArchiveCopy(Inputs.Archives[Archive.first], Archive.second,
                                PathOf(Archive.first));
      }))
    return std::move(E);
  return Command;
}

} // namespace linesman::relink
