// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SELECTOR=NODE, parsed, done and told.

#include "linesman/Drive/Placements.h"
#include "linesman/Guard/Suggest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace linesman::control;
using namespace linesman::process;

namespace linesman::drive {

static Expected<PlaceRequest> parsePlaceRequest(StringRef Text) {
  // The last one: operator== is a name too.
  auto [Selector, Node] = Text.rsplit('=');
  PlaceRequest Request;
  Request.Selector = Selector.str();
  if (Selector.empty() || Node.empty())
    return createStringError("'" + Text +
                             "': expected SELECTOR=NODE, such as all=0");
  if (Node == "interleave")
    Request.Target.Target = Placement::Kind::Interleave;
  else if (Node == "default")
    Request.Target.Target = Placement::Kind::Default;
  else if (Node.getAsInteger(10, Request.Target.Node) ||
           Request.Target.Node < 0) {
    guard::Suggestion Meant(Node);
    for (StringRef Word : {"interleave", "default"})
      Meant.consider(Word);
    return createStringError(
        "'" + Text +
        "': expected the number of a node, 'interleave' or 'default'" +
        Meant.text());
  }
  return Request;
}

Expected<std::vector<PlaceRequest>>
parsePlaceRequests(ArrayRef<std::string> Texts) {
  std::vector<PlaceRequest> Requests;
  for (const std::string &Text : Texts) {
    Expected<PlaceRequest> Request = parsePlaceRequest(Text);
    if (!Request)
      return Request.takeError();
    Requests.push_back(std::move(*Request));
  }
  return Requests;
}

Expected<std::string> checkNodes(std::vector<PlaceRequest> &Requests) {
  Expected<std::vector<int>> Nodes = readNodes();
  if (!Nodes)
    return Nodes.takeError();
  auto IsMissing = [&](const PlaceRequest &R) {
    return R.Target.Target == Placement::Kind::Node &&
           !is_contained(*Nodes, R.Target.Node);
  };
  auto Missing = find_if(Requests, IsMissing);
  if (Missing == Requests.end())
    return "";
  if (Nodes->size() > 1)
    return createStringError(formatv(
        "there is no node {0}; this process may use {1}", Missing->Target.Node,
        join(map_range(*Nodes, [](int N) { return std::to_string(N); }),
             ", ")));
  erase_if(Requests, IsMissing);
  return formatv("this machine has one NUMA node ({0}): there is no other "
                 "place for a page, and nothing was moved",
                 Nodes->front())
      .str();
}

static std::string target(Placement Target) {
  switch (Target.Target) {
  case Placement::Kind::Node:
    return formatv("node {0}", Target.Node);
  case Placement::Kind::Interleave:
    return "all nodes in turn";
  case Placement::Kind::Default:
    return "the kernel's choice";
  case Placement::Kind::Held:
    return "the nodes where they are";
  }
  llvm_unreachable("unknown placement");
}

static Expected<PlaceResult> placeOne(Actuator &Mover, StaticPages &Pages,
                                      const PlaceRequest &Request,
                                      control::Preparation Preparing) {
  Expected<std::vector<RunRange>> Ranges = Pages.select(Request.Selector);
  if (!Ranges)
    return Ranges.takeError();
  PlaceResult Result;
  Result.Selector = Request.Selector;
  Result.Target = Request.Target;
  if (!Mover.isInside())
    Result.Later = PlaceResult::Policy::Kernels;
  for (RunRange Range : *Ranges) {
    Expected<std::vector<PagePlace>> Places =
        Mover.place(Range, Request.Target, Preparing);
    if (!Places)
      return Places.takeError();
    for (const PagePlace &Page : *Places) {
      if (!Page.Node)
        ++Result.Absent;
      else if (Page.Reason)
        ++Result.Stayed[describeReason(Page)];
      else
        ++Result.There;
    }
  }
  return Result;
}

Error placePages(Actuator &Mover, StaticPages &Pages,
                 ArrayRef<PlaceRequest> Requests,
                 control::Preparation Preparing,
                 std::vector<PlaceResult> &Results) {
  for (const PlaceRequest &Request : Requests) {
    Expected<PlaceResult> Result = placeOne(Mover, Pages, Request, Preparing);
    if (!Result)
      return Result.takeError();
    Results.push_back(std::move(*Result));
  }
  return Error::success();
}

void writeStayed(const PlaceResult &Result, StringRef Prefix, raw_ostream &OS) {
  for (const auto &[Reason, Count] : Result.Stayed)
    OS << formatv("{0}{1}: {2} page{3} did not move: {4}\n", Prefix,
                  Result.Selector, Count, Count == 1 ? "" : "s", Reason);
}

void writeText(ArrayRef<PlaceResult> Results, raw_ostream &OS) {
  for (const PlaceResult &Result : Results) {
    OS << formatv("{0}: {1} page{2} on {3}", Result.Selector, Result.There,
                  Result.There == 1 ? "" : "s", target(Result.Target));
    if (Result.Absent)
      OS << formatv(", {0} not there yet ({1})", Result.Absent,
                    Result.Later == PlaceResult::Policy::Own
                        ? "will go there"
                        : "will go where they are first written");
    OS << '\n';
    writeStayed(Result, "", OS);
  }
}

std::string findShim(StringRef Option) {
  if (!Option.empty())
    return Option.str();
  // The address of any function of this program finds its file.
  std::string Tool =
      sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&findShim));
  SmallString<256> Path(sys::path::parent_path(sys::path::parent_path(Tool)));
  sys::path::append(Path, "lib", "liblinesman-shim.so");
  return std::string(Path);
}

} // namespace linesman::drive
