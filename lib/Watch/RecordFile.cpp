// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The record file, read back.

#include "linesman/Watch/RecordFile.h"
#include "linesman/Process/Mappings.h"
#include "linesman/Process/Modules.h"
#include "linesman/Runtime/RecordFormat.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <array>
#include <tuple>

using namespace llvm;
using namespace linesman::process;

namespace linesman::watch {

namespace {

using record::LineSize, record::GranuleSize;

/// Of one thread on one line.
struct RawUse {
  uint64_t Thread, ReadBytes, WrittenBytes, Atomics, ReadSite, WriteSite;
};

struct RawLine {
  uint64_t Address = 0;
  uint64_t Freed = 0;
  std::optional<std::array<uint64_t, 3>> Block;
  std::vector<RawUse> Uses;
};

struct SiteUse {
  uint64_t Site, Count;
};

class RecordParser {
public:
  Expected<Record> parse(StringRef Text, StringRef Program);

private:
  Error parseLine(StringRef Line);
  RecordedLine build(const RawLine &Raw) const;
  std::optional<HeapBlock> blockOf(const RawLine &Raw) const;
  HeapBlock makeBlock(uint64_t Begin, uint64_t Size, uint64_t Stack) const;
  RunAddress site(uint64_t Number) const;

  std::map<uint64_t, ThreadId> Threads;
  std::map<uint64_t, uint64_t> Sites;
  std::map<uint64_t, std::vector<RunAddress>> Stacks;
  std::map<uint64_t, std::pair<uint64_t, uint64_t>> Blocks;
  /// By granule, thread and kind.
  std::map<std::tuple<uint64_t, uint64_t, bool>, std::vector<SiteUse>> Details;
  std::vector<RawLine> Lines;
  std::string Maps;
  Record Result;
  bool Ended = false;
};

/// Site numbers are return addresses of calls into the runtime; one byte back
/// is inside the call.
RunAddress RecordParser::site(uint64_t Number) const {
  auto Known = Sites.find(Number);
  return {Known == Sites.end() ? 0 : Known->second - 1};
}

Error RecordParser::parseLine(StringRef Line) {
  auto [Word, Rest] = Line.split(' ');
  auto Bad = [&] {
    return createStringError("unexpected line '" + Line + "'");
  };
  if (Word == "map") {
    Maps += (Rest + "\n").str();
    return Error::success();
  }
  if (Word == "end") {
    Ended = true;
    return Error::success();
  }
  SmallVector<StringRef, 10> Parts;
  Rest.split(Parts, ' ');
  if (Word == "lost") {
    uint64_t Count;
    if (Parts.size() != 2 || Parts[1].getAsInteger(16, Count))
      return Bad();
    Result.Lost.push_back({Parts[0].str(), Count});
    return Error::success();
  }
  SmallVector<uint64_t, 10> N;
  for (StringRef Part : Parts) {
    uint64_t Value;
    if (Part.getAsInteger(16, Value)) {
      // Only a thread's name is no number, and it may contain blanks.
      if (Word != "thread" || N.size() < 2)
        return Bad();
      break;
    }
    N.push_back(Value);
  }
  auto Has = [&](size_t Count) { return N.size() >= Count; };
  if (Word == "thread" && Has(2)) {
    ThreadId Thread = {static_cast<int>(N[1])};
    Threads[N[0]] = Thread;
    Result.ThreadNames[Thread] = Rest.split(' ').second.split(' ').second.str();
  } else if (Word == "site" && Has(2)) {
    Sites[N[0]] = N[1];
  } else if (Word == "stack" && Has(2)) {
    for (uint64_t Frame : ArrayRef(N).drop_front())
      Stacks[N[0]].push_back({Frame - 1});
  } else if (Word == "block" && Has(3)) {
    Blocks[N[0]] = {N[1], N[2]};
  } else if (Word == "line" && Has(2)) {
    Lines.push_back({N[0], 0, std::nullopt, {}});
  } else if (Word == "retired" && Has(5)) {
    Lines.push_back({N[0], N[1], {{N[2], N[3], N[4]}}, {}});
  } else if (Word == "use" && Has(6) && !Lines.empty()) {
    Lines.back().Uses.push_back({N[0], N[1], N[2], N[3], N[4], N[5]});
  } else if (Word == "detail" && Has(5)) {
    Details[{N[0], N[1], record::isWrite(N[2])}].push_back({N[3], N[4]});
  } else {
    return Bad();
  }
  return Error::success();
}

HeapBlock RecordParser::makeBlock(uint64_t Begin, uint64_t Size,
                                  uint64_t Stack) const {
  HeapBlock Block{{Begin}, Size, {}};
  if (auto Known = Stacks.find(Stack); Known != Stacks.end())
    Block.Stack = Known->second;
  return Block;
}

std::optional<HeapBlock> RecordParser::blockOf(const RawLine &Raw) const {
  if (Raw.Block)
    return makeBlock((*Raw.Block)[0], (*Raw.Block)[1], (*Raw.Block)[2]);
  // The last block that begins before the line's end, if it reaches it.
  auto After = Blocks.lower_bound(Raw.Address + LineSize);
  if (After == Blocks.begin())
    return std::nullopt;
  const auto &[Begin, SizeAndStack] = *std::prev(After);
  if (Begin + SizeAndStack.first <= Raw.Address)
    return std::nullopt;
  return makeBlock(Begin, SizeAndStack.first, SizeAndStack.second);
}

RecordedLine RecordParser::build(const RawLine &Raw) const {
  RecordedLine Line;
  Line.Line.Watched = {{Raw.Address}, LineSize};
  Line.Line.IsComplete = true;
  Line.Block = blockOf(Raw);
  Line.Freed = Raw.Freed;
  SharingMatrix &Matrix = Line.Line.Matrix;
  std::map<int, std::pair<uint64_t, uint64_t>> Counts;
  for (const RawUse &Use : Raw.Uses) {
    auto Known = Threads.find(Use.Thread);
    ThreadId Thread =
        Known == Threads.end() ? ThreadId{int(Use.Thread)} : Known->second;
    for (bool Writes : {false, true}) {
      uint64_t Bytes = Writes ? Use.WrittenBytes : Use.ReadBytes;
      uint64_t First = Writes ? Use.WriteSite : Use.ReadSite;
      AccessKind Kind = Writes ? AccessKind::Write : AccessKind::Read;
      for (unsigned Word = 0; Word != LineSize / GranuleSize; ++Word) {
        ByteSet Part;
        for (unsigned Byte = Word * GranuleSize;
             Byte != (Word + 1) * GranuleSize; ++Byte)
          Part[Byte] = Bytes >> Byte & 1;
        if (Part.none())
          continue;
        auto Sites = Details.find(
            {Raw.Address + Word * GranuleSize, Use.Thread, Writes});
        if (Sites == Details.end()) {
          Matrix.addExact(Thread, Kind, site(First), Part, 1);
          continue;
        }
        for (const SiteUse &S : Sites->second) {
          Matrix.addExact(Thread, Kind, site(S.Site), Part, S.Count);
          auto &[Reads, WriteCount] = Counts[Thread.Value];
          (Writes ? WriteCount : Reads) += S.Count;
        }
      }
    }
  }
  for (const auto &[A, OfA] : Counts)
    for (const auto &[B, OfB] : Counts)
      if (A != B)
        Line.Meetings += std::min(OfA.second, OfB.first + OfB.second);
  return Line;
}

/// \p Bytes moved down by \p Shift in the pair of lines, cut to one line.
ByteSet window(const ByteSet &Bytes, unsigned Shift) {
  return (Bytes >> Shift) & bytesOf({0, LineSize});
}

bool conflicts(ArrayRef<ThreadBytes> Threads) {
  return outcomeOf(judge(Threads)) == Outcome::Confirmed;
}

/// Neighbours that are quiet alone and not together.
std::vector<Prediction> predict(ArrayRef<RecordedLine> Lines) {
  std::map<uint64_t, size_t> ByAddress;
  for (size_t I = 0; I != Lines.size(); ++I)
    if (Lines[I].Freed == 0)
      ByAddress[Lines[I].Line.Watched.Address.Value] = I;
  std::vector<Prediction> Result;
  for (const auto &[Address, First] : ByAddress) {
    auto Next = ByAddress.find(Address + LineSize);
    if (Next == ByAddress.end())
      continue;
    size_t Second = Next->second;
    std::vector<ThreadBytes> A = Lines[First].Line.Matrix.threads();
    std::vector<ThreadBytes> B = Lines[Second].Line.Matrix.threads();
    if (conflicts(A) || conflicts(B))
      continue;
    std::map<int, ThreadBytes> Together;
    for (const ThreadBytes &T : A)
      Together[T.Thread.Value] = T;
    for (const ThreadBytes &T : B) {
      ThreadBytes &Sum = Together[T.Thread.Value];
      Sum.Thread = T.Thread;
      Sum.Read |= T.Read << LineSize;
      Sum.Written |= T.Written << LineSize;
    }
    std::vector<ThreadBytes> Pair;
    for (const auto &[Thread, Bytes] : Together)
      Pair.push_back(Bytes);
    if (!conflicts(Pair))
      continue;
    if (Address % (2 * LineSize) == 0)
      Result.push_back({Prediction::Cause::LongerLines, First, Second, 0});
    for (unsigned Shift = GranuleSize; Shift != LineSize;
         Shift += GranuleSize) {
      std::vector<ThreadBytes> Moved;
      for (const ThreadBytes &T : Pair)
        Moved.push_back(
            {T.Thread, window(T.Read, Shift), window(T.Written, Shift)});
      if (!conflicts(Moved))
        continue;
      Result.push_back({Prediction::Cause::Placement, First, Second, Shift});
      break;
    }
  }
  return Result;
}

Expected<Record> RecordParser::parse(StringRef Text, StringRef Program) {
  SmallVector<StringRef> Rows;
  Text.split(Rows, '\n', -1, false);
  if (Rows.empty() || Rows.front() != record::FirstLine)
    return createStringError("not a record of this version: expected '" +
                             Twine(record::FirstLine) + "' in its first line");
  for (StringRef Row : ArrayRef(Rows).drop_front())
    if (Error E = parseLine(Row))
      return std::move(E);
  if (!Ended)
    return createStringError("the record is cut off: it has no 'end'");
  Result.Modules = ModuleMap::build(parseMappings(Maps), Program,
                                    [](const Mapping &M) { return M.Path; });
  for (const RawLine &Raw : Lines)
    Result.Lines.push_back(build(Raw));
  llvm::sort(Result.Lines, [](const RecordedLine &A, const RecordedLine &B) {
    return std::tuple(B.Meetings, A.Line.Watched.Address) <
           std::tuple(A.Meetings, B.Line.Watched.Address);
  });
  Result.Predictions = predict(Result.Lines);
  return std::move(Result);
}

} // namespace

Expected<Record> parseRecord(StringRef Text, StringRef Program) {
  return RecordParser().parse(Text, Program);
}

} // namespace linesman::watch
