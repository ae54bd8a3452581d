// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From counts and addresses to names and a picture.

#include "linesman/Watch/Observation.h"
#include "linesman/Process/Modules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace linesman::process;

namespace linesman::watch {

/// Rows of the picture; a process may have a thousand threads that all read.
static constexpr size_t MaxRows = 32;
/// Sites of one field and kind in the text; JSON has all.
static constexpr size_t MaxSites = 6;

/// Seconds that would be enough at the rate of this session: evidence grows
/// with time, and double of what it takes on average is safe.
static double enoughSeconds(const LineResult &Line,
                            const SessionResult &Session) {
  double Got = -std::log(std::max(Line.Absent.Missed, 1e-300));
  double Factor = -2 * std::log(Evidence::Significance) / std::max(Got, 0.1);
  return std::ceil(Session.Elapsed * std::clamp(Factor, 2.0, 60.0));
}

static std::string adviceFor(const LineResult &Line,
                             const SessionResult &Session) {
  Verdict Says = Line.says();
  if (Line.IsShared && outcomeOf(Says) != Outcome::Confirmed)
    return "other processes may have the memory as well, and nobody watches "
           "those";
  bool IsEnough = Line.Absent.suffices();
  if (Says == Verdict::NotSeen && IsEnough)
    return "is the program at work? Watch it under load, or another line";
  if (Line.means() == Outcome::Confirmed && Says != Verdict::Sharing)
    return "";
  if (Line.means() == Outcome::Refuted)
    return "";
  if (Line.Absent.HasStrangers)
    return "watch a program whose threads live longer";
  if (Says == Verdict::NotSeen && !Line.Absent.Weakest)
    return "is the program at work? Watch it under load";
  return formatv("watch longer: --duration={0:F0}",
                 enoughSeconds(Line, Session));
}

/// Who called the library that \p Site is in: met of this thread, or else of
/// others.
static std::map<RunAddress, uint64_t>
callersOf(const SessionResult &Session, ThreadId Thread, RunAddress Site) {
  if (auto Own = Session.Callers.find({Thread, Site});
      Own != Session.Callers.end())
    return Own->second;
  std::map<RunAddress, uint64_t> Others;
  for (const auto &[Place, Callers] : Session.Callers)
    if (Place.second == Site)
      for (auto [Caller, Count] : Callers)
        Others[Caller] += Count;
  return Others;
}

Observation describe(StringRef Subject, const LineResult &Line,
                     const SessionResult &Session, ProcessSymbols &Symbols,
                     SiteNames &Sites) {
  Observation O;
  O.Subject = Subject.str();
  O.LineSize = Line.Watched.Size;
  O.Address = Line.Watched.Address.Value;
  if (const Module *M =
          Session.Modules.find(Line.Watched.Address, Line.Watched.Size)) {
    O.Address = M->Bias.toLink(Line.Watched.Address).Value;
    O.Binary = M->Path;
  }
  O.Says = Line.says();
  O.Means = Line.means();
  O.IsShared = Line.IsShared;
  if (!Line.IsComplete) {
    O.Absent = Line.Absent;
    O.ThreadNames = Session.ThreadNames;
    O.Advice = adviceFor(Line, Session);
  }
  for (const Field &F : Line.Matrix.fields()) {
    NamedField Named;
    Named.Bytes = F.Bytes;
    Named.IsExact = F.IsExact;
    Named.Label = Symbols.label(Line.Watched.Address + F.Bytes.Offset);
    for (const FieldAccess &A : F.Accesses) {
      NamedAccess Access;
      Access.Thread = A.Thread;
      if (auto Name = Session.ThreadNames.find(A.Thread);
          Name != Session.ThreadNames.end())
        Access.ThreadName = Name->second;
      Access.Reads = A.Reads;
      Access.Writes = A.Writes;
      Access.Ceiling = A.Ceiling;
      for (const SiteCount &S : A.Sites) {
        Access.Sites.push_back(
            {Sites.nameOf(S.Site, callersOf(Session, A.Thread, S.Site)), S.Kind,
             S.Count});
      }
      llvm::sort(Access.Sites, [](const NamedSite &A, const NamedSite &B) {
        return std::tuple(B.Count, A.Kind, A.Name.brief()) <
               std::tuple(A.Count, B.Kind, B.Name.brief());
      });
      Named.Accesses.push_back(std::move(Access));
    }
    O.Fields.push_back(std::move(Named));
  }
  return O;
}

static std::string verdictText(const Observation &O) {
  bool Refuted = O.Means == Outcome::Refuted;
  switch (O.Says) {
  case Verdict::NotSeen:
    return "not seen: nobody touched this line while it was watched";
  case Verdict::Private:
    return Refuted ? "private: one thread has the line for itself (refuted)"
                   : "one thread seen (cannot tell)";
  case Verdict::ReadOnly:
    return Refuted ? "read-only: nobody writes (refuted)"
                   : "only reads seen (cannot tell)";
  case Verdict::TrueSharing:
    return "true sharing (confirmed)";
  case Verdict::FalseSharing:
    return "false sharing (confirmed)";
  case Verdict::Mixed:
    return "true and false sharing (confirmed)";
  case Verdict::Sharing:
    return "sharing (confirmed), but watched too briefly to tell whether of "
           "the same bytes";
  case Verdict::HandedOver:
    return "used by one thread after the other (cannot tell)";
  }
  return "";
}

static std::string threadLabel(StringRef Name, ThreadId Thread) {
  return (Name.empty() ? "thread" : Name.str()) + "/" + itostr(Thread.Value);
}

static std::string milliseconds(uint64_t Nanoseconds) {
  double Value = double(Nanoseconds) * 1e-6;
  return formatv(Value < 10 ? "{0:F1} ms" : "{0:F0} ms", Value);
}

static std::string nameOf(const Observation &O, ThreadId Thread) {
  auto Found = O.ThreadNames.find(Thread);
  return threadLabel(Found == O.ThreadNames.end() ? "" : Found->second, Thread);
}

/// What was not seen, and how sure it is that it was not done.
static std::string evidenceText(const Observation &O) {
  const Certainty &C = *O.Absent;
  StringRef Subject = C.Claimed == Absence::Stores ? "a store" : "an access";
  if (C.HasStrangers)
    return "threads that nobody met ran for " + milliseconds(C.Unmet) +
           ": they began and ended between two looks";
  if (!C.Weakest && C.Missed < Evidence::Significance)
    return (Subject + " by a thread that ran would have been seen").str();
  if (C.suffices())
    return (Subject + " every " + milliseconds(C.RarestGap) +
            " would have been missed with p < 0.001")
        .str();
  if (!C.Weakest)
    return "no thread ran while it was watched";
  auto T = find_if(C.Threads, [&](const ThreadEvidence &T) {
    return T.Thread == *C.Weakest;
  });
  return formatv("{0} by {1} every {2} would have been missed with p = {3}: it "
                 "ran for {4} while each word was watched",
                 Subject, nameOf(O, *C.Weakest),
                 milliseconds(Evidence::StatedGap),
                 C.Missed < 0.01 ? formatv("{0:F4}", C.Missed).str()
                                 : formatv("{0:F2}", C.Missed).str(),
                 milliseconds(T->Armed))
      .str();
}

static unsigned countLight(const Certainty &C) {
  return count_if(C.Threads, [](const ThreadEvidence &T) {
    return T.Part == ThreadEvidence::Part::HardlyRan;
  });
}

static void writeEvidence(const Observation &O, raw_ostream &OS) {
  if (!O.Absent || O.Means == Outcome::Confirmed)
    return;
  if (O.Says != Verdict::HandedOver)
    OS << "  " << evidenceText(O) << '\n';
  if (unsigned Light = countLight(*O.Absent); Light && O.Absent->suffices())
    OS << formatv("  but for {0} that hardly ran (at most {1} a second)\n",
                  Light == 1 ? "one thread" : utostr(Light) + " threads",
                  milliseconds(uint64_t(Evidence::LightShare * 1e9)));
  if (!O.Advice.empty())
    OS << "  " << O.Advice << '\n';
}

/// "R≥12 W3": what a thread did to a field.
static std::string mark(const NamedAccess &A) {
  std::string Result;
  auto Add = [&](char Letter, uint64_t Count) {
    if (Count == 0)
      return;
    if (!Result.empty())
      Result += ' ';
    Result += Letter;
    Result += (A.Ceiling ? "≥" : "") + utostr(Count);
  };
  Add('R', A.Reads);
  Add('W', A.Writes);
  return Result;
}

/// Pads by characters as a terminal shows them, not by bytes.
static std::string cell(StringRef Text, size_t Width) {
  size_t Columns =
      llvm::count_if(Text, [](unsigned char C) { return (C & 0xC0) != 0x80; });
  return Text.str() + std::string(Width > Columns ? Width - Columns : 1, ' ');
}

static std::string threadLabel(const NamedAccess &A) {
  return threadLabel(A.ThreadName, A.Thread);
}

/// "0-7", or "0-7?": some of these.
static std::string rangeLabel(const NamedField &F) {
  ByteRange R = F.Bytes;
  std::string Range = utostr(R.Offset);
  if (R.Size != 1)
    Range += "-" + utostr(R.Offset + R.Size - 1);
  return Range + (F.IsExact ? "" : "?");
}

/// Function names that templates have blown up say less than their first words.
static std::string shorten(StringRef Function) {
  constexpr size_t MaxColumns = 60;
  return Function.size() <= MaxColumns
             ? Function.str()
             : (Function.take_front(MaxColumns - 3) + "...").str();
}

/// The instruction's function, and those that it was inlined into. A long chain
/// is a library's plumbing: its ends are what somebody wrote.
static std::string siteText(const SiteName &Name) {
  constexpr size_t MaxFrames = 4;
  std::string Result;
  size_t Count = Name.Frames.size();
  // What a library inlined into its function is its own plumbing, too.
  for (size_t I = Name.FirstCaller ? Name.FirstCaller - 1 : 0; I != Count;
       ++I) {
    if (Count > MaxFrames && I == MaxFrames - 2)
      Result += " < ...";
    if (Count > MaxFrames && I >= MaxFrames - 2 && I + 2 < Count)
      continue;
    const Frame &F = Name.Frames[I];
    if (!Result.empty())
      Result += " < ";
    Result += shorten(F.Function);
    if (!F.Source.empty())
      Result += (F.Function.empty() ? "" : " ") + F.Source;
  }
  if (Name.OtherCallers)
    Result += formatv(" (and {0} other caller{1})", Name.OtherCallers,
                      Name.OtherCallers == 1 ? "" : "s");
  return Result;
}

static void writeMatrix(const Observation &O, raw_ostream &OS) {
  std::map<ThreadId, std::map<size_t, const NamedAccess *>> Rows;
  size_t LabelWidth = 8;
  std::vector<size_t> Widths;
  for (size_t I = 0; I != O.Fields.size(); ++I) {
    const NamedField &F = O.Fields[I];
    size_t Width = std::max<size_t>(F.Label.size(), 6);
    for (const NamedAccess &A : F.Accesses) {
      Rows[A.Thread][I] = &A;
      Width = std::max(Width, mark(A).size());
      LabelWidth = std::max(LabelWidth, threadLabel(A).size());
    }
    Widths.push_back(Width + 2);
  }
  auto WriteRow = [&](StringRef Head,
                      function_ref<std::string(size_t)> CellText) {
    std::string Row = "  " + cell(Head, LabelWidth + 2);
    for (size_t I = 0; I != O.Fields.size(); ++I)
      Row += cell(CellText(I), Widths[I]);
    OS << StringRef(Row).rtrim() << '\n';
  };
  WriteRow("bytes", [&](size_t I) { return rangeLabel(O.Fields[I]); });
  WriteRow("", [&](size_t I) {
    return O.Fields[I].Label.empty() ? "-" : O.Fields[I].Label;
  });
  size_t Written = 0;
  for (const auto &[Thread, Row] : Rows) {
    if (++Written > MaxRows) {
      OS << "  ... and " << Rows.size() - MaxRows << " more threads\n";
      break;
    }
    WriteRow(threadLabel(*Row.begin()->second), [&](size_t I) {
      auto Found = Row.find(I);
      return Found == Row.end() ? std::string(".") : mark(*Found->second);
    });
  }
}

/// The sites of each field, all threads together, the most frequent first.
static void writeSites(const Observation &O, raw_ostream &OS) {
  for (const NamedField &F : O.Fields) {
    std::map<std::pair<AccessKind, std::string>, uint64_t> Counts;
    for (const NamedAccess &A : F.Accesses)
      for (const NamedSite &S : A.Sites)
        Counts[{S.Kind, siteText(S.Name)}] += S.Count;
    std::vector<std::pair<std::pair<AccessKind, std::string>, uint64_t>> Sites(
        Counts.begin(), Counts.end());
    llvm::sort(Sites, [](const auto &A, const auto &B) {
      return std::tuple(A.first.first, B.second, A.first.second) <
             std::tuple(B.first.first, A.second, B.first.second);
    });
    for (size_t I = 0; I != Sites.size() && I != MaxSites; ++I)
      OS << "  " << cell(rangeLabel(F), 7)
         << (Sites[I].first.first == AccessKind::Write ? "W  " : "R  ")
         << Sites[I].first.second << '\n';
    if (Sites.size() > MaxSites)
      OS << "  ... and " << Sites.size() - MaxSites << " more sites\n";
  }
}

void writeText(const Observation &O, raw_ostream &OS) {
  OS << O.Subject << ": " << verdictText(O) << '\n';
  writeEvidence(O, OS);
  OS << formatv("line {0:x}", O.Address);
  if (!O.Binary.empty())
    OS << " of " << O.Binary;
  OS << ", " << O.LineSize << " bytes\n";
  if (O.Fields.empty())
    return;
  OS << '\n';
  writeMatrix(O, OS);
  OS << '\n';
  writeSites(O, OS);
}

} // namespace linesman::watch
