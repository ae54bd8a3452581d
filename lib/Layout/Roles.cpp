// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who runs what.
//
//  1. Resolve starts of functions that are not known: what a caller hands to
//     one who starts what it is given, a closure (ClosureStarts.cpp) or a
//     function.
//  2. Start-up: what initialisers reach, and what main reaches before the first
//     thread starts. main's path to that start runs on both sides of it.
//  3. Roles: the started functions, and main from there on. One instance
//     where a single place starts it, outside loops, in a function that runs
//     once.
//  4. A function whose address is taken runs for the roles that take it. What
//     start-up code or a role of one instance takes may be meant for another
//     thread: it also runs for the roles that make indirect calls of its type
//     (in machine code, through where it may be kept); and if a library was
//     given it, for those in which libraries run callbacks.
//  5. What is left has an unknown caller, and runs callbacks as roles do. So
//     have, of a library, all functions that it exports.
//  6. Weights (Propagate.cpp). What a thread does in each turn of the loop in
//     which it waits for work is one operation; what it does when it starts and
//     ends is a part of one.

#include "linesman/Layout/Roles.h"
#include "ClosureStarts.h"
#include "GivenStarts.h"
#include "RoleDraft.h"
#include "RunsOnce.h"
#include "SetUp.h"
#include "ThreadStarts.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace llvm;
using linesman::facts::CallKind;

namespace linesman::layout {

namespace {

class RoleFinder {
public:
  RoleFinder(CallGraph Taken, ArrayRef<NodeIndex> Entries)
      : Graph(std::move(Taken)), Named(Entries.begin(), Entries.end()) {}

  std::optional<RoleAssignment> find();

private:
  void resolveStarts();
  void findIncoming();
  void findStartUp();
  void walkToFirstStart(NodeIndex N, double Weight,
                        SmallVectorImpl<NodeIndex> &Path);
  void addStartUp(NodeIndex Root);
  /// What \p Caller takes the address of.
  void take(NodeIndex Caller, std::optional<uint32_t> After);
  void take(const GraphEdge &Edge, bool IsLibrarys);
  void addThreads();
  void findWaiters();
  bool waitsInLoop(NodeIndex N, std::optional<uint32_t> After,
                   unsigned Depth = 0) const;
  bool runsChosen(NodeIndex N) const;
  bool addLoop(Draft &D, NodeIndex N, double Weight, unsigned Depth = 0) const;
  void limitStarts();
  void attachCallbacks(const Propagator &P);
  bool attachCallbacks(const Propagator &P, Draft &D);
  uint8_t declaredOf(const GraphEdge &Call) const;
  void addUnknown(const Propagator &P);

  /// Any thread of any program may call what a library exports.
  bool isLibrary() const {
    return Main == NoNode &&
           any_of(Graph.Nodes, [](const GraphNode &N) { return N.IsExported; });
  }

  /// Entries in an operation of what a function does itself.
  double mostEntries(NodeIndex N) const {
    return Graph.Nodes[N].IsSetUp || Graph.Nodes[N].IsCostly ? SetUpWeight
                                                             : MaxWeight;
  }

  bool startsAny() const { return !Named.empty() || Starts.any(); }

  /// Whether code that no role reaches is apart from what the program does.
  bool isApart() const {
    return !Graph.HasSlots && !Graph.IsKernel && startsAny() && !isLibrary();
  }
  CallGraph Graph;
  SmallVector<NodeIndex, 4> Named;
  NodeIndex Main = NoNode;
  IncomingEdges Incoming;
  /// Functions in which threads begin that run a closure, or a function that
  /// they are given.
  std::vector<bool> RunsGiven;
  ThreadStarts Starts;
  std::vector<bool> StartUp;
  /// Functions that wait for work, or call one that does.
  std::vector<bool> Waits;
  /// Functions of which Callbacks has all that they take.
  std::vector<bool> HasTaken;
  std::set<Callback> Callbacks;
  /// As what addresses are kept, anywhere: signature and declaration.
  std::set<std::pair<uint8_t, uint8_t>> KeptAs;
  std::vector<Draft> Drafts;
  std::vector<Seed> MainSeeds;
};

/// Threads begin in what others hand over, and in what the user names.
void RoleFinder::resolveStarts() {
  RunsGiven = startClosures(Graph);
  for (auto [N, IsTrampoline] : enumerate(startGiven(Graph)))
    RunsGiven[N] = RunsGiven[N] || IsTrampoline;
  for (GraphNode &Node : Graph.Nodes)
    for (GraphEdge &E : Node.Edges)
      if (E.Kind == CallKind::Address && is_contained(Named, E.Callee)) {
        E.Kind = CallKind::Start;
        // Where the user knows better, how many it starts is not known.
        E.InLoop = true;
      }
}

void RoleFinder::findIncoming() {
  Incoming.resize(Graph.Nodes.size());
  for (auto [N, Node] : enumerate(Graph.Nodes)) {
    if (Node.Name == "main")
      Main = N;
    for (const GraphEdge &E : Node.Edges) {
      if (E.Callee != NoNode)
        Incoming[E.Callee].push_back({NodeIndex(N), &E});
      if (E.Kind == CallKind::Address)
        KeptAs.insert({E.Signature, E.Declared});
    }
  }
}

void RoleFinder::take(const GraphEdge &Edge, bool IsLibrarys) {
  const GraphNode &Target = Graph.Nodes[Edge.Callee];
  // What is known to run at start only, is: whoever has its address.
  if (Target.IsStartUp && Target.Address.Value)
    return;
  if (!Callbacks
           .insert({Edge.Callee, Edge.Signature, Edge.Declared, IsLibrarys})
           .second)
    return;
  // A table stands for what it holds.
  if (Target.Address.Value == 0)
    for (const GraphEdge &E : Target.Edges)
      if (E.Kind == CallKind::Address && E.Callee != NoNode)
        take(E, IsLibrarys);
}

void RoleFinder::take(NodeIndex Caller, std::optional<uint32_t> After) {
  // Many roles reach the same functions, and what each takes stays taken.
  if (HasTaken[Caller])
    return;
  HasTaken[Caller] = !After;
  const auto &Edges = Graph.Nodes[Caller].Edges;
  // Edges of one call are of one stage; a library has no address here.
  SmallDenseSet<uint32_t> LibraryStages;
  for (const GraphEdge &E : Edges)
    if (E.Kind == CallKind::Direct && E.Callee != NoNode &&
        Graph.Nodes[E.Callee].Address.Value == 0)
      LibraryStages.insert(E.Stage);
  for (const GraphEdge &E : Edges) {
    if (E.Kind != CallKind::Address || E.Callee == NoNode || !isAfter(E, After))
      continue;
    bool IsLibrarys = LibraryStages.contains(E.Stage);
    // In a loop others may be of the same stage.
    if (!IsLibrarys || E.InLoop)
      take(E, false);
    if (IsLibrarys)
      take(E, true);
  }
}

void RoleFinder::addStartUp(NodeIndex Root) {
  if (StartUp[Root])
    return;
  SmallVector<NodeIndex, 32> Worklist{Root};
  StartUp[Root] = true;
  while (!Worklist.empty()) {
    NodeIndex N = Worklist.pop_back_val();
    take(N, std::nullopt);
    for (const GraphEdge &E : Graph.Nodes[N].Edges)
      if (E.Kind == CallKind::Direct && E.Callee != NoNode &&
          !StartUp[E.Callee]) {
        StartUp[E.Callee] = true;
        Worklist.push_back(E.Callee);
      }
  }
}

/// \p N runs once, and threads start in it.
void RoleFinder::walkToFirstStart(NodeIndex N, double Weight,
                                  SmallVectorImpl<NodeIndex> &Path) {
  Path.push_back(N);
  const auto &Edges = Graph.Nodes[N].Edges;
  auto First = find_if(Edges, [&](const GraphEdge &E) { return Starts.at(E); });
  for (const GraphEdge &E : Edges) {
    if (E.Stage < First->Stage && E.Kind == CallKind::Direct &&
        E.Callee != NoNode)
      addStartUp(E.Callee);
  }
  take(N, std::nullopt);
  MainSeeds.push_back({N, Weight, First->Stage});
  if (First->Kind == CallKind::Direct && !First->InLoop &&
      !is_contained(Path, First->Callee))
    walkToFirstStart(First->Callee, Weight * First->Weight, Path);
}

void RoleFinder::findStartUp() {
  StartUp.resize(Graph.Nodes.size());
  HasTaken.resize(Graph.Nodes.size());
  bool ThreadsBeforeMain = false;
  for (auto [N, Node] : enumerate(Graph.Nodes))
    if (Node.IsStartUp) {
      addStartUp(N);
      ThreadsBeforeMain |= Starts[N];
    }
  if (Main == NoNode)
    return;
  Starts.leaveOutJoined(Main);
  if (!Starts[Main])
    Starts.followPointers(Graph, Incoming);
  SmallVector<NodeIndex, 8> Path;
  if (Starts[Main] && !ThreadsBeforeMain)
    walkToFirstStart(Main, 1, Path);
  else
    // Where a library starts the threads, main reads its options, asks for
    // them, and waits; where that is, nobody knows.
    MainSeeds.push_back({Main, startsAny() ? 1 : OnceShare, std::nullopt});
}

/// Calls from a loop to where its thread waits, and from an entry to the loop.
static constexpr unsigned MostCallsToWait = 3;
/// Turns of a loop, as both producers of facts guess them (docs/limits.md).
static constexpr double Turns = 32;

void RoleFinder::findWaiters() {
  Waits.resize(Graph.Nodes.size());
  for (auto [N, Node] : enumerate(Graph.Nodes))
    Waits[N] = Node.WaitsForWork;
  for (unsigned I = 0; I != MostCallsToWait; ++I) {
    std::vector<bool> More = Waits;
    for (auto [N, Node] : enumerate(Graph.Nodes))
      More[N] = More[N] || any_of(Node.Edges, [&](const GraphEdge &E) {
                  return E.Kind == CallKind::Direct && E.Callee != NoNode &&
                         E.Weight >= EachTime && Waits[E.Callee];
                });
    Waits = std::move(More);
  }
}

/// Whether \p N, or what it calls once, has the loop in which a thread waits
/// for work; a library may have it, too. An endless loop counts one turn
/// already.
bool RoleFinder::waitsInLoop(NodeIndex N, std::optional<uint32_t> After,
                             unsigned Depth) const {
  return any_of(Graph.Nodes[N].Edges, [&](const GraphEdge &E) {
    if (!isAfter(E, After) || E.Weight < EachTime)
      return false;
    if (E.Kind == CallKind::Indirect)
      return E.Signature == LibraryCallback && !E.InLoop;
    if (E.Kind != CallKind::Direct || E.Callee == NoNode)
      return false;
    return E.InLoop ? E.Weight > 1 && Waits[E.Callee]
                    : Depth != MostCallsToWait &&
                          waitsInLoop(E.Callee, std::nullopt, Depth + 1);
  });
}

/// Whether a thread that starts at \p N does what whoever started it has
/// chosen: that is an operation of its own, and what is around it a thread's
/// start and end.
bool RoleFinder::runsChosen(NodeIndex N) const {
  return any_of(Graph.Nodes[N].Edges, [](const GraphEdge &E) {
    return E.Kind == CallKind::Indirect && E.Signature != LibraryCallback &&
           !E.InLoop && E.Weight >= EachTime;
  });
}

/// What a thread does before it gets to its loop is done once. Adds the rest of
/// \p N, in which a thread begins, or of a callee that has the loop and that
/// nobody else calls; false where there is none.
bool RoleFinder::addLoop(Draft &D, NodeIndex N, double Weight,
                         unsigned Depth) const {
  if (std::optional<uint32_t> Loop = stageOfLoop(Graph.Nodes[N])) {
    D.Seeds.push_back({N, Weight, Loop});
    return true;
  }
  if (Depth == MostCallsToWait)
    return false;
  for (const GraphEdge &E : Graph.Nodes[N].Edges)
    if (E.Kind == CallKind::Direct && E.Callee != NoNode && !E.OnceFlag &&
        E.Weight >= EachTime && Incoming[E.Callee].size() == 1 &&
        addLoop(D, E.Callee, Weight * E.Weight, Depth + 1)) {
      D.Seeds.push_back({N, Weight, E.Stage});
      return true;
    }
  return false;
}

/// To start a thread costs more than what a thread does in one turn: who always
/// starts one, or several in a loop, or waits for one's end, is called less
/// often. Not who does so behind a test.
void RoleFinder::limitStarts() {
  constexpr double Always = 0.75;
  std::vector<bool> Starters(Graph.Nodes.size());
  for (unsigned I = 0; I <= MostCallsToWait; ++I) {
    std::vector<bool> More = Starters;
    for (auto [N, Node] : enumerate(Graph.Nodes))
      More[N] =
          More[N] || any_of(Node.Edges, [&](const GraphEdge &E) {
            double Share = E.InLoop ? E.Weight / Turns : E.Weight;
            bool IsStart =
                E.Kind == CallKind::Start ||
                (E.Kind == CallKind::Direct && E.Callee != NoNode &&
                 (Starters[E.Callee] || Graph.Nodes[E.Callee].EndsThread));
            return IsStart && Share >= Always;
          });
    Starters = std::move(More);
  }
  for (GraphNode &Node : Graph.Nodes)
    for (GraphEdge &E : Node.Edges)
      if (E.Kind == CallKind::Direct && E.Callee != NoNode &&
          Starters[E.Callee])
        E.Weight = std::min(E.Weight, 1 / Turns);
}

/// if (!running) { running = 1; start(...); }: whether all of \p Starts are
/// behind one flag. Who clears it says that the thread has ended, or will.
static bool areOneAtATime(ArrayRef<const GraphEdge *> Starts) {
  const uint64_t Flag = Starts.front()->OnceFlag;
  return Flag && !OwnFlag::isOne(Flag) &&
         all_of(Starts, [&](const GraphEdge *E) {
           return E->OnceFlag == Flag && !E->InLoop;
         });
}

void RoleFinder::addThreads() {
  // By entry, in the graph's order.
  std::map<NodeIndex, Role> Found;
  const RunsOnce IsOnce(Graph);
  for (NodeIndex N = 0; N != Graph.Nodes.size(); ++N) {
    SmallVector<const GraphEdge *, 4> Starting;
    bool IsOnePlace = true;
    for (const IncomingEdge &Calling : Incoming[N])
      if (Calling.Edge->Kind == CallKind::Start) {
        IsOnePlace =
            Starting.empty() && !Calling.Edge->InLoop && IsOnce(Calling.Caller);
        Starting.push_back(Calling.Edge);
      }
    if (!Starting.empty())
      Found[N] = {RoleKind::Thread,
                  IsOnePlace || areOneAtATime(Starting) ? Instances::One
                                                        : Instances::Many,
                  Graph.Nodes[N].Name, uint32_t(Starting.size())};
  }
  for (NodeIndex N : Named)
    Found.try_emplace(
        N, Role{RoleKind::Thread, Instances::Many, Graph.Nodes[N].Name, 0});
  for (const auto &[N, Drafted] : Found) {
    bool IsPart = RunsGiven[N] || waitsInLoop(N, std::nullopt) || runsChosen(N);
    Draft &D = Drafts.emplace_back(Draft{Drafted, {}});
    const bool HasLoop = !IsPart && addLoop(D, N, 1 - 1 / Turns);
    D.Seeds.push_back({N, IsPart || HasLoop ? 1 / Turns : 1, std::nullopt});
  }
}

/// A role that runs a callback may call more of them from there, and take more.
void RoleFinder::attachCallbacks(const Propagator &P) {
  for (size_t Known = SIZE_MAX; Known != Callbacks.size();) {
    Known = Callbacks.size();
    for (Draft &D : Drafts)
      while (attachCallbacks(P, D)) {
      }
  }
}

/// How the pointer that is called is declared. If nothing is put into such a
/// one, somebody has cast what it holds, and it may be anything.
uint8_t RoleFinder::declaredOf(const GraphEdge &Call) const {
  return KeptAs.count({Call.Signature, Call.Declared}) ||
                 KeptAs.count({Call.Signature, uint8_t(0)})
             ? Call.Declared
             : 0;
}

/// Whether \p D runs more than before.
bool RoleFinder::attachCallbacks(const Propagator &P, Draft &D) {
  D.Reached.resize(Graph.Nodes.size());
  auto Look = [&](NodeIndex N, std::optional<uint32_t> After) {
    for (const GraphEdge &E : Graph.Nodes[N].Edges)
      if (E.Kind == CallKind::Indirect && isAfter(E, After))
        D.Calls.add(E.Signature, declaredOf(E));
    if (D.Drafted.Count == Instances::One && Graph.Nodes[N].Address.Value)
      take(N, After);
  };
  auto More = ArrayRef(D.Seeds).drop_front(D.Followed);
  for (NodeIndex N : P.extend(D.Reached, More))
    Look(N, std::nullopt);
  for (const Seed &S : More)
    if (S.After)
      Look(S.Node, S.After);
  D.Followed = D.Seeds.size();
  for (const Callback &C : Callbacks) {
    uint8_t Slot = C.IsLibrarys ? LibraryCallback : C.Signature;
    // Those of one function come one after the other.
    bool IsNew =
        D.Seeds.size() != D.Followed && D.Seeds.back().Node == C.Function;
    if (!D.Reached[C.Function] && !IsNew &&
        D.canMean(Slot, C.Declared, Graph.HasSlots)) {
      D.Attached[Slot].push_back(D.Seeds.size());
      D.Seeds.push_back({C.Function, 1, std::nullopt});
    }
  }
  return D.Seeds.size() != D.Followed;
}

/// Callbacks that nobody is known to call, what a library exports, and what no
/// role reaches: first functions without a caller, then what is left, which
/// calls itself in circles. In a program whose threads are known, what no role
/// reaches has callers outside.
void RoleFinder::addUnknown(const Propagator &P) {
  Draft Unknown{{RoleKind::Unknown, Instances::Many, "", 0}, {}};
  Draft Outside{{RoleKind::Outside, Instances::Many, "", 0}, {}};
  Draft &Rest = isApart() ? Outside : Unknown;
  std::vector<bool> Reached(Graph.Nodes.size());
  auto Reach = [&](ArrayRef<Seed> Seeds) {
    for (auto [N, Is] : enumerate(P.reach(Seeds)))
      Reached[N] = Reached[N] || Is;
    for (const Seed &S : Seeds)
      Reached[S.Node] = true;
  };
  for (const Draft &D : Drafts)
    Reach(D.Seeds);
  for (const Callback &C : Callbacks)
    if (!Reached[C.Function])
      Unknown.Seeds.push_back({C.Function, 1, std::nullopt});
  // Who starts no thread, and has them all the same, has them from a library.
  if (!startsAny())
    for (const Callback &C : Callbacks)
      if (C.IsLibrarys)
        Unknown.Seeds.push_back({C.Function, 1, std::nullopt});
  Reach(Unknown.Seeds);

  if (isLibrary()) {
    for (NodeIndex N = 0; N != Graph.Nodes.size(); ++N)
      if (Graph.Nodes[N].IsExported && !StartUp[N])
        Unknown.Seeds.push_back({N, 1, std::nullopt});
    Reach(Unknown.Seeds);
  }

  auto IsOpen = [&](NodeIndex N) { return !Reached[N] && !StartUp[N]; };
  size_t First = Rest.Seeds.size();
  for (NodeIndex N = 0; N != Graph.Nodes.size(); ++N)
    if (IsOpen(N) && Graph.Nodes[N].Address.Value &&
        none_of(Incoming[N], [&](const IncomingEdge &Calling) {
          return Calling.Caller != N && IsOpen(Calling.Caller);
        }))
      Rest.Seeds.push_back({N, 1, std::nullopt});
  Reach(ArrayRef(Rest.Seeds).drop_front(First));
  for (NodeIndex N = 0; N != Graph.Nodes.size(); ++N)
    if (IsOpen(N) && Graph.Nodes[N].Address.Value) {
      Rest.Seeds.push_back({N, 1, std::nullopt});
      Reach(Rest.Seeds.back());
    }
  for (Draft *D : {&Unknown, &Outside}) {
    // Its functions call through pointers as well.
    while (attachCallbacks(P, *D)) {
    }
    if (!D->Seeds.empty())
      Drafts.push_back(std::move(*D));
  }
}

std::optional<RoleAssignment> RoleFinder::find() {
  resolveStarts();
  findIncoming();
  Starts.find(Graph, Incoming);
  bool HasThreads = startsAny();
  // A program whose threads a library starts: main's code is main's, and what
  // libraries were given has an unknown caller. Only of machine code are all
  // functions known.
  bool HasMainAlone = Main != NoNode && Graph.HasSlots;
  if (!Graph.HasCalls ||
      (!HasThreads && !isLibrary() && !HasMainAlone && !Graph.IsKernel))
    return std::nullopt;
  findStartUp();
  findWaiters();
  limitStarts();
  markSetUp(Graph, [&](NodeIndex N) { return waitsInLoop(N, std::nullopt); });
  addThreads();
  if (Graph.StartsClosures || any_of(MainSeeds, [&](const Seed &S) {
        return waitsInLoop(S.Node, S.After);
      }))
    for (Seed &S : MainSeeds)
      S.Weight /= Turns;
  if (!MainSeeds.empty())
    Drafts.push_back({{RoleKind::Main, Instances::One, "main", 0}, MainSeeds});
  for (Draft &D : Drafts)
    D.Certain = D.Seeds.size();
  Propagator P(Graph);
  attachCallbacks(P);
  addUnknown(P);
  if (Graph.HasSlots)
    for (Draft &D : Drafts)
      splitAttached(D, Graph.StartsClosures && D.Drafted.Kind == RoleKind::Main
                           ? 1 / Turns
                           : 1);

  RoleAssignment Result;
  Result.StartsClosures = Graph.StartsClosures;
  Result.IsLibrary = isLibrary();
  Result.Roles = {{RoleKind::StartUp, Instances::One, "", 0},
                  {RoleKind::Concurrent, Instances::Many, "", 0}};
  Result.OfNode.resize(Graph.Nodes.size());
  for (const Draft &D : Drafts) {
    RoleIndex Index = Result.Roles.size();
    Result.Roles.push_back(D.Drafted);
    std::vector<bool> Certain =
        P.reach(ArrayRef(D.Seeds).take_front(D.Certain), Ways::Calls);
    std::vector<double> Ways(Graph.Nodes.size());
    if (D.Drafted.Kind == RoleKind::Unknown && isLibrary() && Graph.HasSlots) {
      Ways = P.countReaching(D.Seeds);
      Result.Roles.back().EnoughWays = enoughWays(D.Seeds.size());
    }
    // Where tables lead to most of the program, a panic that leads to a
    // function for certain must not stand for them.
    std::vector<double> Known;
    if (Graph.StartsClosures)
      Known = P.weigh(ArrayRef(D.Seeds).take_front(D.Certain));
    for (auto [N, Weight] : enumerate(P.weigh(D.Seeds))) {
      auto AddShare = [&, N = N](double Part, bool IsGuess) {
        Part = std::min(Part, mostEntries(N));
        if (Part > 0)
          Result.OfNode[N].push_back(
              {Index, Part, std::nullopt, IsGuess, Ways[N]});
      };
      if (!Known.empty() && Certain[N]) {
        AddShare(std::min(Known[N], Weight), false);
        AddShare(Weight - Known[N], true);
      } else {
        AddShare(Weight, Graph.HasSlots && !Certain[N]);
      }
    }
    const bool IsMain = D.Drafted.Kind == RoleKind::Main;
    for (const Seed &S : D.Seeds)
      if (S.After)
        Result.OfNode[S.Node].push_back(
            {Index, IsMain ? S.Weight : std::min(S.Weight, mostEntries(S.Node)),
             S.After});
  }
  return Result;
}

} // namespace

std::optional<RoleAssignment> assignRoles(CallGraph Graph,
                                          ArrayRef<NodeIndex> Entries) {
  return RoleFinder(std::move(Graph), Entries).find();
}

} // namespace linesman::layout
