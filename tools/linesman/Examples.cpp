// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What people type. A test reads each line back: every option exists, and every
// command has some.

#include "Vocabulary.h"

using namespace llvm;

namespace linesman::tool {

using options::Example;

namespace {

struct CommandExamples {
  StringLiteral Command;
  std::initializer_list<Example> Examples;
};

const CommandExamples Table[] = {
    {"layout",
     {{"linesman layout server", "which lines several threads use"},
      {"linesman layout --types build/",
       "fields of heap objects, before anything is linked"},
      {"linesman layout --format=html -o report.html server",
       "a page for a browser"}}},
    {"diff",
     {{"linesman diff server.old server.new",
       "what a change did to the layout"},
      {"linesman diff --lock=server.lock server",
       "fails when a written object got company"}}},
    {"lock",
     {{"linesman lock server -o server.lock", "accept the layout as it is"}}},
    {"plan",
     {{"linesman plan server -o plan.json", "edits for all findings"},
      {"linesman plan --top=1 --emit=cpp server",
       "the first one, as lines for the source"}}},
    {"relink",
     {{"linesman relink --isolate=nil_root -o fast -- clang++ a.o -o app",
       "a symbol on lines of its own"},
      {"linesman relink --plan=plan.json --captured=app -o app.fast",
       "a plan, with the link that was captured"}}},
    {"capture", {{"linesman capture -- make -j8", "any build"}}},
    {"findings",
     {{"linesman findings --from-tidy=fixes.yaml --objects=build --format=text",
       "checks and facts in one list"},
      {"linesman findings --report=a.json --fail-on=located "
       "--baseline=accepted.json",
       "a gate for what is new"}}},
    {"tidy",
     {{"linesman tidy -p build", "the checks over a build"},
      {"linesman tidy --changed-since=origin/main --format=sarif -o tidy.sarif",
       "a pull request"}}},
    {"run",
     {{"linesman run --place=all=interleave -- server --port=80",
       "static pages over all nodes"},
      {"linesman run --prepare --hold -- server",
       "pages that stay where they are put"}}},
    {"place",
     {{"linesman place 4711 .bss=1", "move a section's pages"},
      {"linesman place 4711 nil_root=0 libfoo.so!all=1",
       "an object, and a library"}}},
    {"pages", {{"linesman pages 4711", "each static page and its node"}}},
    {"dirty",
     {{"linesman dirty 4711", "live, until Ctrl-C"},
      {"linesman dirty --duration=5 4711", "five seconds, once"}}},
    {"bisect",
     {{"linesman bisect --metric=time -- ./bench",
       "which page costs time when it is remote"},
      {"linesman bisect --pid=4711 --probe='wrk -d1 http://localhost'",
       "the same in a running server"},
      {"linesman bisect --starts=20 --live=3 --match='([0-9]+) qps' -- "
       "./server",
       "which pages were where in good and in bad starts"}}},
    {"ab",
     {{"linesman ab './server.old' './server.new'", "which one is faster"},
      {"linesman ab --metric=output --match='([0-9]+) qps' ./a ./b",
       "by a number that they print"}}},
    {"scan",
     {{"linesman scan /usr/sbin", "all programs of a folder, ranked"},
      {"linesman scan --state=s.jsonl --format=html -o s.html squid unbound",
       "packages that are not installed, as a page; resumable"}}},
    {"doctor",
     {{"linesman doctor", "before anything else on a new machine"},
      {"linesman doctor --measure", "and what a contended write costs"}}},
    {"watch",
     {{"linesman watch --pid=4711 --symbol=nil_root",
       "who is on its lines now"},
      {"linesman watch --report=report.json -- ./server",
       "confirm or refute what layout said"},
      {"linesman watch --pid=4711 --at='server->clients[0]'",
       "an object on the heap"}}},
    {"record",
     {{"linesman record -- ./server.tsan", "every shared line of a run"}}},
    {"hunt",
     {{"linesman hunt -- ./server --bench", "from a program to a story"},
      {"linesman hunt --captured=server --metric=output --match='([0-9]+) qps' "
       "-- ./server --bench",
       "and what each cure would bring"}}},
    {"help", {{"linesman help relink", "the options of a command"}}},
    {"explain",
     {{"linesman explain sentinel-write", "the page of a check"},
      {"linesman explain line-mates", "what a word means"},
      {"linesman explain", "all that can be explained"}}},
};

} // namespace

ArrayRef<Example> examplesOf(StringRef Command) {
  for (const CommandExamples &Row : Table)
    if (Row.Command == Command)
      return Row.Examples;
  return {};
}

} // namespace linesman::tool
