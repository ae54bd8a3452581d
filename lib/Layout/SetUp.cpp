// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By what a function always calls, and by its name:
//
//     getenv, fork                it sets a program up
//     mmap, socket, dlopen        it takes as long as many transfers of a line
//     codec_init, codec_destroy   it begins or ends what is used many times
//     fatal_error, debug_print    it is called where something is wrong
//
// What calls a function of the second kind each time takes as long, through any
// number of calls. The loop of a server is in none of them: what is around it
// is done once, and what is in it is an operation.

#include "SetUp.h"
#include "linesman/Facts/LifeCycle.h"
#include "linesman/Facts/NameWords.h"
#include "linesman/Guard/Text.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using linesman::facts::CallKind;

namespace linesman::layout {

namespace {

/// How often a call must be made for each entry of its caller to be one of
/// those that are made each time: more often than behind any one test; and
/// where what is asked for is known, behind one test at most. Rust's library
/// asks behind one more, of the name.
constexpr double AlmostAlways = 0.75, BehindTest = 0.5, BehindTwo = 0.25;

bool isOften(const GraphEdge &E, double LeastWeight) {
  return !E.InLoop && !E.OnceFlag && E.Weight >= LeastWeight;
}

/// Who asks for the environment each time, or starts a program, sets something
/// up, unless what it asks for is kept: a flag tells. What it calls may be all
/// of the work.
std::vector<NodeIndex> findSetUp(const CallGraph &Graph) {
  const double LeastWeight = Graph.StartsClosures ? BehindTwo : BehindTest;
  std::vector<NodeIndex> Found;
  for (auto [N, Node] : enumerate(Graph.Nodes))
    if (Node.Address.Value && any_of(Node.Edges, [&](const GraphEdge &E) {
          return E.Kind == CallKind::Direct && E.Callee != NoNode &&
                 Graph.Nodes[E.Callee].IsSetUp && isOften(E, LeastWeight);
        }))
      Found.push_back(N);
  return Found;
}

/// Calls from a function to what takes the time.
constexpr unsigned MostCallsToCostly = 4;

/// Threads start and end with it, too.
void spreadCostly(CallGraph &Graph, HasLoop WaitsInLoop) {
  auto IsCostly = [&](const GraphEdge &E) {
    if (E.Kind == CallKind::Start)
      return true;
    return E.Kind == CallKind::Direct && E.Callee != NoNode &&
           (Graph.Nodes[E.Callee].IsCostly || Graph.Nodes[E.Callee].EndsThread);
  };
  for (unsigned I = 0; I != MostCallsToCostly; ++I) {
    std::vector<NodeIndex> Found;
    for (auto [N, Node] : enumerate(Graph.Nodes))
      if (Node.Address.Value && !Node.IsCostly &&
          any_of(Node.Edges,
                 [&](const GraphEdge &E) {
                   return IsCostly(E) && isOften(E, AlmostAlways);
                 }) &&
          !WaitsInLoop(N))
        Found.push_back(N);
    if (Found.empty())
      return;
    for (NodeIndex N : Found)
      Graph.Nodes[N].IsCostly = true;
  }
}

bool isAny(StringRef Word, ArrayRef<StringLiteral> Words) {
  return is_contained(Words, Word);
}

/// What makes an object for other modules, or gives it back. What takes pieces
/// of memory says other words.
constexpr StringLiteral Making[] = {"close", "create", "delete", "destroy",
                                    "free",  "make",   "new",    "open"};
/// What settings are called. Whatever is done to them but to get them is rare.
constexpr StringLiteral Settings[] = {"config",  "configuration", "option",
                                      "options", "preference",    "preferences",
                                      "setting", "settings"};
constexpr StringLiteral Changing[] = {"add",  "clear",  "load", "parse",
                                      "read", "remove", "reset"};
/// What is added once, and removed at the end.
constexpr StringLiteral Listeners[] = {"callback", "handler",  "hook",
                                       "listener", "observer", "plugin"};
/// What is called where something is wrong, or for somebody who looks for that.
constexpr StringLiteral Troubles[] = {"abort", "assert", "backtrace", "crash",
                                      "debug", "fatal",  "panic"};
/// What is set for each operation.
constexpr StringLiteral Outcomes[] = {"errno", "error", "last", "status"};

/// In a mangled name, numbers are between words, too.
SmallVector<StringRef, 8> wordsOf(StringRef Name, SmallString<64> &Lower) {
  Lower = Name;
  for (char &C : Lower)
    C = toLower(C);
  SmallVector<StringRef, 8> Words;
  facts::visitWords(Name, isAlpha, [&](StringRef Word) {
    Words.push_back(
        StringRef(Lower).substr(Word.begin() - Name.begin(), Word.size()));
  });
  return Words;
}

/// create, but not find_or_create, which is asked each time.
bool soundsLikeMaking(ArrayRef<StringRef> Words) {
  return !is_contained(Words, "or") &&
         any_of(Words, [](StringRef Word) { return isAny(Word, Making); });
}

/// set_level and setLevel, but not cache_set: of what is static, that is a
/// setting. clearPathOptions, but not options_get, changes several.
bool soundsLikeSetting(ArrayRef<StringRef> Words) {
  const auto *Change =
      find_if(Words, [](StringRef Word) { return isAny(Word, Changing); });
  if (any_of(make_range(Change, Words.end()),
             [](StringRef Word) { return isAny(Word, Settings); }))
    return true;
  const auto *Verb = find_if(
      Words, [](StringRef Word) { return Word == "set" || Word == "unset"; });
  return Verb != Words.end() && Verb + 1 != Words.end() &&
         none_of(Words, [](StringRef Word) { return isAny(Word, Outcomes); });
}

bool soundsLikeListener(ArrayRef<StringRef> Words) {
  return (is_contained(Words, "add") || is_contained(Words, "remove")) &&
         any_of(Words, [](StringRef Word) { return isAny(Word, Listeners); });
}

bool soundsLikeLifeCycle(ArrayRef<StringRef> Words, bool IsForOthers) {
  if (any_of(Words, [&](StringRef Word) {
        return facts::isStartOrEnd(Word) || facts::isRegistration(Word) ||
               isAny(Word, Troubles);
      }))
    return true;
  return IsForOthers && (soundsLikeMaking(Words) || soundsLikeSetting(Words) ||
                         soundsLikeListener(Words));
}

/// a::b<c>::f of void a::b<c>::f(d) const.
StringRef withoutParameters(StringRef Demangled) {
  // "(anonymous namespace)::f()" begins with one, too, and parameters have some
  // of their own.
  unsigned Depth = 0;
  for (size_t I = Demangled.rfind(')'); I < Demangled.size(); --I) {
    Depth += Demangled[I] == ')';
    if (Demangled[I] == '(' && --Depth == 0)
      return Demangled.take_front(I);
  }
  return Demangled;
}

} // namespace

bool soundsLikeLifeCycle(StringRef LinkerName, bool IsForOthers) {
  SmallString<64> Lower;
  // Most names are done with here: to demangle one takes longer.
  if (!soundsLikeLifeCycle(wordsOf(LinkerName, Lower), IsForOthers))
    return false;
  if (!LinkerName.starts_with("_Z"))
    return true;
  std::string Demangled = guard::demangle(LinkerName);
  StringRef Path = withoutParameters(Demangled);
  StringRef Last = Path.substr(Path.rfind(':') + 1).take_until([](char C) {
    return C == '<' || C == '[';
  });
  return soundsLikeLifeCycle(wordsOf(Last, Lower), IsForOthers);
}

void markSetUp(CallGraph &Graph, HasLoop WaitsInLoop) {
  const std::vector<NodeIndex> Found = findSetUp(Graph);
  for (NodeIndex N : Found)
    Graph.Nodes[N].IsSetUp = true;
  spreadCostly(Graph, WaitsInLoop);
  std::vector<bool> IsEntry(Graph.Nodes.size());
  for (const GraphNode &Node : Graph.Nodes)
    for (const GraphEdge &E : Node.Edges)
      if (E.Kind == CallKind::Start && E.Callee != NoNode)
        IsEntry[E.Callee] = true;
  for (auto [N, Node] : enumerate(Graph.Nodes))
    Node.IsLifeCycle = Node.Address.Value && !IsEntry[N] &&
                       soundsLikeLifeCycle(Node.Name, Node.IsExported) &&
                       !WaitsInLoop(N);
}

} // namespace linesman::layout
