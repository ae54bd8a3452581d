// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Readers of other tools' formats: tools/perf/Documentation/perf-script.txt,
// gperftools' docs/cpuprofile-fileformat.html, pprof's proto/profile.proto.

#include "SampleFormats.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/Regex.h"
#include <vector>

using namespace llvm;
using support::endian::read64le;

namespace linesman::input {

namespace {

/// Part of a file in memory.
struct Mapping {
  uint64_t Begin, End, Offset;
  StringRef File;
};

} // namespace

// perf script.

/// "4711 12.345678: 1 cycles:u:" — the end of what comes before a place.
static Regex headOfSample() {
  return Regex("[0-9]+[.][0-9]+: +([0-9]+ +)?[A-Za-z][^ ]*:( |$)");
}

SampleFormat guessFormat(StringRef Bytes) {
  if (Bytes.starts_with("\x1f\x8b"))
    return SampleFormat::Compressed;
  // Header count, header words, version, period, padding.
  if (Bytes.size() >= 40 && read64le(Bytes.data()) == 0 &&
      read64le(Bytes.data() + 8) >= 3 && read64le(Bytes.data() + 8) < 64)
    return SampleFormat::Gperftools;
  // Field 1 of a profile, sample_type, is a message and comes first.
  if (Bytes.starts_with("\x0a") && Bytes.take_front(64).contains('\0') &&
      Bytes.size() > 4)
    return SampleFormat::Pprof;
  if (Bytes.starts_with("\x0a\x04\x08"))
    return SampleFormat::Pprof;
  SmallVector<StringRef> Lines;
  Bytes.take_front(1 << 16).split(Lines, '\n', /*MaxSplit=*/100, false);
  Regex Head = headOfSample();
  bool IsPerf = any_of(Lines, [&](StringRef Line) {
    return !Line.starts_with("#") && Head.match(Line.rtrim());
  });
  return IsPerf ? SampleFormat::PerfScript : SampleFormat::Lines;
}

/// "  401a3c worker+0x1f (/usr/bin/server)", "  7f3a [unknown] (server+0x1a3c)"
static std::optional<SamplePlace> parseFrame(StringRef Line) {
  Line = Line.trim();
  auto [Address, Rest] = Line.split(' ');
  if (Address.empty() || !all_of(Address, isHexDigit))
    return std::nullopt;
  SamplePlace Place;
  (void)Address.getAsInteger(16, Place.Address);
  size_t Open = Rest.rfind(" (");
  StringRef Symbol = Rest.trim();
  if (Open != StringRef::npos && Rest.ends_with(")")) {
    Symbol = Rest.take_front(Open).trim();
    Place.File = Rest.drop_front(Open + 2).drop_back(1);
    auto [File, Offset] = Place.File.rsplit("+0x");
    uint64_t Number;
    if (!Offset.empty() && !Offset.getAsInteger(16, Number)) {
      Place.File = File;
      Place.FileOffset = Number;
    }
  }
  auto [Name, Offset] = Symbol.rsplit("+0x");
  if (!Offset.empty() && all_of(Offset, isHexDigit))
    Symbol = Name;
  if (Symbol != "[unknown]")
    Place.Symbol = Symbol;
  return Place;
}

/// "[0x55d0(0x1000) @ 0x1000 08:01 77 0]: r-xp /usr/bin/server", of
/// --show-mmap-events.
static std::optional<Mapping> parseMapping(StringRef Line) {
  static constexpr char Pattern[] =
      "[[]0x([0-9a-f]+)[(]0x([0-9a-f]+)[)] @ (0x)?([0-9a-f]+) .*[]]: "
      "[^ ]*x[^ ]* (.*)$";
  SmallVector<StringRef, 6> Parts;
  Mapping M;
  if (!Regex(Pattern).match(Line, &Parts) ||
      Parts[1].getAsInteger(16, M.Begin) || Parts[2].getAsInteger(16, M.End) ||
      Parts[4].getAsInteger(16, M.Offset))
    return std::nullopt;
  M.End += M.Begin;
  M.File = Parts[5];
  return M;
}

Error visitPerfScript(StringRef Bytes, SampleVisitor Visit) {
  Regex Head = headOfSample();
  std::vector<Mapping> Maps;
  auto Found = [&](SamplePlace Place) {
    if (Place.Symbol.empty() && !Place.FileOffset)
      for (const Mapping &M : Maps)
        if (M.File == Place.File && Place.Address >= M.Begin &&
            Place.Address < M.End)
          Place.FileOffset = Place.Address - M.Begin + M.Offset;
    Visit(Place);
  };
  // A header whose place is in the line that follows.
  bool IsOpen = false;
  for (unsigned Number = 1; !Bytes.empty(); ++Number) {
    StringRef Line;
    std::tie(Line, Bytes) = Bytes.split('\n');
    Line = Line.rtrim();
    if (Line.starts_with("#"))
      continue;
    if (Line.empty()) {
      IsOpen = false;
      continue;
    }
    if (Line.contains(": PERF_RECORD_")) {
      if (std::optional<Mapping> M = parseMapping(Line))
        Maps.push_back(*M);
      continue;
    }
    SmallVector<StringRef, 3> Matches;
    if (Head.match(Line, &Matches)) {
      StringRef Rest = Line.drop_front(Matches[0].end() - Line.begin()).trim();
      IsOpen = Rest.empty();
      if (Rest.empty())
        continue;
      if (auto Place = parseFrame(Rest))
        Found(*Place);
      continue;
    }
    std::optional<SamplePlace> Place = parseFrame(Line);
    if (!Place)
      return createStringError(
          "line " + Twine(Number) + ": found '" + Line.take_front(80) +
          "', expected a sample of perf script or a frame");
    // Frames behind the first one are callers.
    if (std::exchange(IsOpen, false))
      Found(*Place);
  }
  return Error::success();
}

namespace {

void visitAddress(uint64_t Address, double Count, ArrayRef<Mapping> Maps,
                  SampleVisitor Visit) {
  SamplePlace Place;
  Place.Count = Count;
  for (const Mapping &M : Maps)
    if (Address >= M.Begin && Address < M.End) {
      Place.File = M.File;
      Place.FileOffset = Address - M.Begin + M.Offset;
    }
  Visit(Place);
}

Error tooShort() {
  return createStringError("the profile ends in the middle of a record");
}

} // namespace

// gperftools.

Error visitGperftools(StringRef Bytes, SampleVisitor Visit) {
  size_t Words = Bytes.size() / 8, Position = 2 + read64le(Bytes.data() + 8);
  auto Word = [&](size_t I) { return read64le(Bytes.data() + I * 8); };
  std::vector<std::pair<uint64_t, double>> Samples;
  for (;;) {
    if (Position + 3 > Words)
      return tooShort();
    uint64_t Count = Word(Position), Frames = Word(Position + 1);
    // Checked before it is added: it may be anything.
    if (Frames == 0 || Frames > Words - Position - 2)
      return tooShort();
    bool IsLast = Count == 0 && Frames == 1 && Word(Position + 2) == 0;
    if (!IsLast)
      Samples.push_back({Word(Position + 2), double(Count)});
    Position += 2 + Frames;
    if (IsLast)
      break;
  }
  std::vector<Mapping> Maps;
  SmallVector<StringRef> Lines;
  Bytes.drop_front(Position * 8).split(Lines, '\n', -1, false);
  for (StringRef Line : Lines) {
    // 55d0-55e0 r-xp 00001000 08:01 1234   /usr/bin/server
    SmallVector<StringRef, 6> Fields;
    Line.split(Fields, ' ', /*MaxSplit=*/5, /*KeepEmpty=*/false);
    if (Fields.size() < 6)
      continue;
    Mapping M;
    auto [Begin, End] = Fields[0].split('-');
    if (Begin.getAsInteger(16, M.Begin) || End.getAsInteger(16, M.End) ||
        Fields[2].getAsInteger(16, M.Offset))
      continue;
    M.File = Fields[5].trim();
    Maps.push_back(M);
  }
  for (auto [Address, Count] : Samples)
    visitAddress(Address, Count, Maps, Visit);
  return Error::success();
}

// pprof.

namespace {

/// A protocol buffer's fields.
class Fields {
public:
  explicit Fields(StringRef Bytes)
      : Cursor(Bytes.bytes_begin()), End(Bytes.bytes_end()) {}

  /// Whether there is another one; sets Number, and Value or Bytes.
  bool next() {
    if (Cursor == End || IsBad)
      return false;
    uint64_t Tag = varint();
    Number = Tag >> 3;
    switch (Tag & 7) {
    case 0:
      Value = varint();
      break;
    case 1:
      skip(8);
      break;
    case 2:
      skip(varint());
      break;
    case 5:
      skip(4);
      break;
    default:
      IsBad = true;
    }
    return !IsBad;
  }
  bool isBad() const { return IsBad; }

  uint64_t Number = 0, Value = 0;
  StringRef Bytes;

  /// Of a packed field; not packed, the value itself.
  SmallVector<uint64_t, 4> values() {
    if (Bytes.empty())
      return {Value};
    SmallVector<uint64_t, 4> Result;
    Fields Packed(Bytes);
    while (Packed.Cursor != Packed.End && !Packed.IsBad)
      Result.push_back(Packed.varint());
    IsBad |= Packed.IsBad;
    return Result;
  }

private:
  const uint8_t *Cursor, *End;
  bool IsBad = false;

  uint64_t varint() {
    unsigned Length = 0;
    const char *Problem = nullptr;
    uint64_t Result = decodeULEB128(Cursor, &Length, End, &Problem);
    IsBad |= Problem != nullptr;
    Cursor = Problem ? End : Cursor + Length;
    Bytes = {};
    return Result;
  }
  void skip(uint64_t Size) {
    if (Size > uint64_t(End - Cursor)) {
      IsBad = true;
      return;
    }
    Bytes = StringRef(reinterpret_cast<const char *>(Cursor), Size);
    Cursor += Size;
  }
};

} // namespace

Error visitPprof(StringRef Bytes, SampleVisitor Visit) {
  struct Sample {
    uint64_t Location = 0;
    double Count = 1;
  };
  struct File {
    Mapping Current;
    uint64_t Name = 0;
  };
  std::vector<Sample> Samples;
  std::vector<File> Files;
  DenseMap<uint64_t, uint64_t> Addresses;
  std::vector<StringRef> Strings;
  bool IsBad = false;
  Fields Profile(Bytes);
  while (Profile.next()) {
    Fields F(Profile.Bytes);
    if (Profile.Number == 2) { // sample: location_id = 1, value = 2
      Sample S;
      bool HasLocation = false, HasCount = false;
      while (F.next())
        if (SmallVector<uint64_t, 4> Values = F.values(); !Values.empty()) {
          // The innermost frame; the first value is the number of samples.
          if (F.Number == 1 && !std::exchange(HasLocation, true))
            S.Location = Values.front();
          if (F.Number == 2 && !std::exchange(HasCount, true))
            S.Count = double(Values.front());
        }
      if (HasLocation)
        Samples.push_back(S);
    } else if (Profile.Number == 3) { // mapping: start, limit, offset, file
      File M{{0, 0, 0, ""}, 0};
      while (F.next()) {
        if (F.Number == 2)
          M.Current.Begin = F.Value;
        if (F.Number == 3)
          M.Current.End = F.Value;
        if (F.Number == 4)
          M.Current.Offset = F.Value;
        if (F.Number == 5)
          M.Name = F.Value;
      }
      Files.push_back(M);
    } else if (Profile.Number == 4) { // location: id = 1, address = 3
      uint64_t Id = 0, Address = 0;
      while (F.next()) {
        if (F.Number == 1)
          Id = F.Value;
        if (F.Number == 3)
          Address = F.Value;
      }
      // Not a key that DenseMap keeps for itself.
      if (Id < UINT64_MAX - 1)
        Addresses[Id] = Address;
    } else if (Profile.Number == 6) {
      Strings.push_back(Profile.Bytes);
    }
    IsBad |= F.isBad();
  }
  if (IsBad || Profile.isBad())
    return tooShort();
  std::vector<Mapping> Maps;
  for (File &F : Files) {
    F.Current.File = F.Name < Strings.size() ? Strings[F.Name] : "";
    Maps.push_back(F.Current);
  }
  for (const Sample &S : Samples)
    if (S.Location < UINT64_MAX - 1)
      visitAddress(Addresses.lookup(S.Location), S.Count, Maps, Visit);
  return Error::success();
}

} // namespace linesman::input
