// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From findings to a plan:
//
//  1. For each finding the cheapest separation of its line (Separate.cpp). What
//     lies below MinorShare of the score is no conflict.
//  2. Cheapest finding first, for as long as the budget lasts. What an earlier
//     finding moves costs nothing again.
//  3. Edits of one object join: an object that two findings move with different
//     neighbours is isolated, which separates it from all of them.

#include "linesman/Layout/Names.h"
#include "linesman/Plan/Plan.h"
#include "linesman/Plan/Separate.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <map>
#include <set>

using namespace llvm;
using namespace linesman::layout;

namespace linesman::plan {

namespace {

/// Below this part of a finding's score between objects a pair is no reason to
/// move anything: within what block frequencies can tell.
constexpr double MinorShare = 0.05;

uint64_t alignmentOf(const Symbol &S, uint64_t Line) {
  return std::min(Line, uint64_t(1) << countr_zero(S.Address.Value | Line));
}

/// Of a finding that is not between objects. What is within one the source can
/// take apart.
std::string whyNoEdit(const Remedy &Cure) {
  StringRef Text = Cure.Text;
  StringRef Says = Text.consume_front(PaddingIsVain)
                       ? "no layout helps: "
                       : "only the source can change this: ";
  return (Says + Text).str();
}

/// A finding and how it would be fixed.
struct Candidate {
  const LineFinding *Finding;
  /// Parties of the problem, as indices into Image::symbols().
  std::vector<uint32_t> Symbols;
  Separation Separating;
};

class Planner {
public:
  Planner(const Image &Linked, const PlanRequest &Request)
      : Linked(Linked), Request(Request) {}

  Plan run() {
    Result.Line = Request.Line;
    Result.Page = Request.Page;
    for (const LineFinding &Finding : Request.Findings)
      addCandidate(Finding);
    // The ranked order decides between equals.
    llvm::stable_sort(Candidates, [](const Candidate &A, const Candidate &B) {
      return A.Separating.Bytes < B.Separating.Bytes;
    });
    for (const Candidate &C : Candidates)
      choose(C);
    buildEdits();
    return std::move(Result);
  }

private:
  const Image &Linked;
  const PlanRequest &Request;
  std::optional<Identities> Names;
  std::vector<Candidate> Candidates;
  std::vector<const Candidate *> Chosen;
  /// What the chosen ones move.
  std::set<std::vector<std::vector<uint32_t>>> Separated;
  uint64_t Spent = 0;
  Plan Result;

  struct Block {
    std::vector<uint32_t> Symbols;
    std::vector<const LineFinding *> Findings;
    EditKind Kind = EditKind::Isolate;
  };

  void leave(const LineFinding &Finding, std::string Reason) {
    Result.Left.push_back({Finding.Id, std::move(Reason)});
  }

  void addCandidate(const LineFinding &Finding) {
    if (Finding.Points.Between <= MinorShare * Finding.Points.total())
      return leave(Finding, whyNoEdit(Finding.Cure));
    LineProblem Problem;
    Problem.Line = Request.Line.Bytes;
    Candidate C{&Finding, {}, {}};
    DenseMap<uint32_t, unsigned> Index;
    double Least = MinorShare * Finding.Points.Between;
    std::vector<ObjectPair> Pairs;
    for (const ObjectPair &Pair : Finding.Pairs)
      if (Pair.Transfers > Least &&
          Pair.WrittenBy == ObjectPair::Writers::Apart) {
        Pairs.push_back(Pair);
        C.Symbols.push_back(Pair.A);
        C.Symbols.push_back(Pair.B);
      }
    if (Pairs.empty())
      return leave(Finding, "the objects of the line are written together, by "
                            "one role: apart they would take more lines");
    llvm::sort(C.Symbols); // symbols are in address order
    C.Symbols.erase(llvm::unique(C.Symbols), C.Symbols.end());
    for (auto [Position, Symbol] : enumerate(C.Symbols)) {
      Index[Symbol] = Position;
      Problem.Parties.push_back(party(Linked.symbols()[Symbol]));
      if (any_of(Finding.Occupants,
                 [&, Symbol = Symbol](const LineOccupant &P) {
                   return P.Object && P.Object->Symbol == Symbol &&
                          P.Writes + P.Atomics > 0;
                 }))
        Problem.Parties.back().Usage = LineParty::Use::Written;
    }
    for (const ObjectPair &Pair : Pairs)
      Problem.Conflicts.push_back({Index[Pair.A], Index[Pair.B]});
    std::optional<Separation> Separating = findSeparation(Problem);
    if (!Separating)
      return leave(Finding, "its objects stay where they are: they belong to "
                            "the tool chain's start-up files or to a shared "
                            "object, have no symbol, or are in a section that "
                            "a program may walk");
    C.Separating = std::move(*Separating);
    Candidates.push_back(std::move(C));
  }

  LineParty party(const Symbol &S) const {
    return {S.Size, alignmentOf(S, Request.Line.Bytes),
            isMovable(Linked, S) ? LineParty::Place::Movable
                                 : LineParty::Place::Fixed,
            LineParty::Use::Read};
  }

  void choose(const Candidate &C) {
    bool Again = !C.Separating.PadBefore && Separated.count(blocksOf(C));
    uint64_t Bytes = Again ? 0 : C.Separating.Bytes;
    if (Request.Budget && Spent + Bytes > *Request.Budget)
      return leave(*C.Finding,
                   formatv("it costs {0} bytes, and {1} of the budget are left",
                           Bytes, *Request.Budget - Spent));
    Spent += Bytes;
    Chosen.push_back(&C);
    Separated.insert(blocksOf(C));
  }

  static std::vector<std::vector<uint32_t>> blocksOf(const Candidate &C) {
    std::vector<std::vector<uint32_t>> Blocks;
    for (const std::vector<unsigned> &Block : C.Separating.Blocks) {
      std::vector<uint32_t> &Symbols = Blocks.emplace_back();
      for (unsigned Member : Block)
        Symbols.push_back(C.Symbols[Member]);
      llvm::sort(Symbols);
    }
    return Blocks;
  }
  void buildEdits() {
    std::vector<Block> Blocks;
    std::map<std::vector<uint32_t>, size_t> Known;
    for (const Candidate *C : Chosen)
      for (const std::vector<uint32_t> &Symbols : blocksOf(*C)) {
        auto [Same, IsNew] = Known.try_emplace(Symbols, Blocks.size());
        if (IsNew)
          Blocks.push_back({Symbols, {}, EditKind::Isolate});
        Blocks[Same->second].Findings.push_back(C->Finding);
      }
    splitCommon(Blocks);
    for (const Candidate *C : Chosen)
      if (C->Separating.PadBefore)
        Blocks.push_back({{C->Symbols[*C->Separating.PadBefore]},
                          {C->Finding},
                          EditKind::Pad});
    for (const Block &B : Blocks)
      if (!B.Symbols.empty())
        Result.Edits.push_back(edit(B));
    attribute(Blocks);
    foresee(Blocks);
  }

  /// A symbol in two blocks gets one of its own.
  static void splitCommon(std::vector<Block> &Blocks) {
    DenseMap<uint32_t, SmallVector<size_t, 2>> Places;
    for (auto [I, B] : enumerate(Blocks))
      for (uint32_t Symbol : B.Symbols)
        Places[Symbol].push_back(I);
    std::vector<Block> Alone;
    for (size_t I = 0, E = Blocks.size(); I != E; ++I)
      for (uint32_t Symbol : std::vector<uint32_t>(Blocks[I].Symbols)) {
        const SmallVector<size_t, 2> &Indices = Places[Symbol];
        if (Indices.size() < 2 || Indices.front() != I)
          continue;
        Block One{{Symbol}, {}, EditKind::Isolate};
        for (size_t Begin : Indices) {
          append_range(One.Findings, Blocks[Begin].Findings);
          llvm::erase(Blocks[Begin].Symbols, Symbol);
        }
        Alone.push_back(std::move(One));
      }
    append_range(Blocks, std::move(Alone));
  }

  PlannedEdit edit(const Block &B) {
    PlannedEdit Planned;
    Planned.Change.Kind = B.Kind;
    if (B.Kind == EditKind::Isolate && B.Symbols.size() > 1)
      Planned.Change.Kind = EditKind::Group;
    Planned.Change.Bytes = Request.Line.Bytes;
    std::vector<LineParty> Parties;
    std::vector<unsigned> Members;
    for (uint32_t Symbol : B.Symbols) {
      Planned.Change.Symbols.push_back(refer(Symbol));
      Members.push_back(Parties.size());
      Parties.push_back(party(Linked.symbols()[Symbol]));
    }
    Planned.Cost.Bytes =
        B.Kind == EditKind::Pad
            ? Request.Line.Bytes
            : costOfBlock(Parties, Members, Request.Line.Bytes);
    AddressRange Range =
        Linked.sections()[Linked.symbols()[B.Symbols.front()].Section].Range;
    auto PagesOf = [&](uint64_t Last) { return Last / Request.Page.Bytes; };
    Planned.Cost.Pages = PagesOf(Range.End.Value - 1 + Planned.Cost.Bytes) -
                         PagesOf(Range.End.Value - 1);
    for (const LineFinding *Finding : B.Findings)
      if (!is_contained(Planned.Findings, Finding->Id))
        Planned.Findings.push_back(Finding->Id);
    return Planned;
  }

  SymbolRef refer(uint32_t Symbol) {
    if (!Names)
      Names.emplace(Linked);
    Identity Is = Names->of(Symbol);
    return {Is.Symbol, Is.File, Is.Ordinal};
  }

  /// The pairs that no edit cuts stay, wherever the edit comes from: a block
  /// takes its objects off every line that they were on, a pad is one cut of
  /// one line.
  void foresee(ArrayRef<Block> Blocks) {
    DenseMap<uint32_t, size_t> BlockOf; // 0 is where it was
    DenseMap<const LineFinding *, uint32_t> PadBefore;
    for (auto [I, B] : enumerate(Blocks))
      for (uint32_t Symbol : B.Symbols)
        if (B.Kind != EditKind::Pad)
          BlockOf[Symbol] = I + 1;
        else
          PadBefore[B.Findings.front()] = Symbol;
    for (const LineFinding &Finding : Request.Findings) {
      auto Pad = PadBefore.find(&Finding);
      Result.Before += Finding.Points.Between * Finding.Lines;
      for (const ObjectPair &Pair : Finding.Pairs) {
        bool Padded = Pad != PadBefore.end() && Pair.A < Pad->second &&
                      Pair.B >= Pad->second;
        if (!Padded && BlockOf.lookup(Pair.A) == BlockOf.lookup(Pair.B))
          Result.After += Pair.Transfers * Finding.Lines;
      }
    }
  }

  /// Each pair that is cut counts for the first edit that cuts it.
  void attribute(ArrayRef<Block> Blocks) {
    size_t Edit = 0;
    DenseMap<std::pair<const LineFinding *, size_t>, bool> Cut;
    for (const Block &B : Blocks) {
      if (B.Symbols.empty())
        continue;
      PlannedEdit &Planned = Result.Edits[Edit++];
      SmallVector<const LineFinding *, 2> Seen;
      for (const LineFinding *Finding : B.Findings) {
        if (is_contained(Seen, Finding))
          continue;
        Seen.push_back(Finding);
        for (auto [I, Pair] : enumerate(Finding->Pairs)) {
          bool HasA = is_contained(B.Symbols, Pair.A);
          bool HasB = is_contained(B.Symbols, Pair.B);
          if (B.Kind == EditKind::Pad) {
            HasA = Pair.A >= B.Symbols.front();
            HasB = Pair.B >= B.Symbols.front();
          }
          if (HasA != HasB && Cut.try_emplace({Finding, I}, true).second)
            Planned.Removes += Pair.Transfers;
        }
      }
    }
  }
};

} // namespace

bool isMovable(const Image &Linked, const Symbol &S) {
  return S.Origin == SymbolOrigin::Program &&
         !isWalkable(Linked.sections()[S.Section].Name);
}

Plan makePlan(const Image &Linked, const PlanRequest &Request) {
  return Planner(Linked, Request).run();
}

Plan joinPlans(Plan Old, Plan New) {
  auto KeyOf = [](const SymbolRef &S) {
    return std::make_tuple(stemOf(S.Symbol).str(), S.File,
                           S.Ordinal.value_or(0));
  };
  std::set<decltype(KeyOf(SymbolRef()))> Placed;
  for (const PlannedEdit &Edit : Old.Edits)
    for (const SymbolRef &Symbol : Edit.Change.Symbols)
      Placed.insert(KeyOf(Symbol));
  for (PlannedEdit &Edit : New.Edits) {
    erase_if(Edit.Change.Symbols,
             [&](const SymbolRef &S) { return Placed.count(KeyOf(S)); });
    if (Edit.Change.Symbols.empty())
      continue;
    if (Edit.Change.Kind == EditKind::Group && Edit.Change.Symbols.size() == 1)
      Edit.Change.Kind = EditKind::Isolate;
    Old.Edits.push_back(std::move(Edit));
  }
  Old.Left = std::move(New.Left);
  Old.Before = New.Before;
  Old.After = New.After;
  Old.Binary = New.Binary;
  return Old;
}

Expected<PlannedEdit> explodePage(const Image &Linked, const PageMap &Pages,
                                  PageIndex Page) {
  PlannedEdit Planned;
  Planned.Change.Kind = EditKind::Explode;
  Planned.Change.Bytes = Pages.blockSize();
  Identities Names(Linked);
  for (OccupantIndex Index : Pages.occupants(Page)) {
    const Occupant &O = Linked.occupants()[Index];
    if (O.Kind != OccupantKind::Object ||
        !isMovable(Linked, Linked.symbols()[O.Symbol]))
      continue;
    Identity Is = Names.of(O.Symbol);
    Planned.Change.Symbols.push_back({Is.Symbol, Is.File, Is.Ordinal});
    Planned.Cost.Bytes +=
        alignTo(Linked.symbols()[O.Symbol].Size, Pages.blockSize());
  }
  if (Planned.Change.Symbols.empty())
    return createStringError(
        formatv("page {0:x} has no object that could be moved",
                Pages.range(Page).Begin.Value));
  Planned.Cost.Pages = Planned.Cost.Bytes / Pages.blockSize();
  return Planned;
}

} // namespace linesman::plan
