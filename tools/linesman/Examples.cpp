// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What people type. A test reads each line back: every option exists, and every
// command has three.

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
       "fails when a written object got company"},
      {"linesman diff --format=markdown server.old server.new",
       "before and after, for a pull request"}}},
    {"lock",
     {{"linesman lock server -o server.lock", "accept the layout as it is"},
      {"linesman lock --line-size=128 server -o server.lock",
       "for processors with lines of 128 bytes"},
      {"linesman lock --facts=code server -o server.lock",
       "of a build without the pass"}}},
    {"plan",
     {{"linesman plan server -o plan.json", "edits for all findings"},
      {"linesman plan --top=1 --emit=cpp server",
       "the first one, as lines for the source"},
      {"linesman plan --budget=4096 server -o plan.json",
       "the best that a page of room can do"}}},
    {"relink",
     {{"linesman relink --isolate=nil_root -o fast -- clang++ a.o -o app",
       "a symbol on lines of its own"},
      {"linesman relink --plan=plan.json --captured=app -o app.fast",
       "a plan, with the link that was captured"},
      {"linesman relink --pad=hits=64 -o padded -- clang++ a.o -o app",
       "free bytes before a symbol"}}},
    {"capture",
     {{"linesman capture -- make -j8", "any build"},
      {"linesman capture -- ninja server", "one program of it"},
      {"linesman capture --links=/tmp/links -- cmake --build build",
       "with the links in another folder"}}},
    {"findings",
     {{"linesman findings --from-tidy=fixes.yaml --objects=build --format=text",
       "checks and facts in one list"},
      {"linesman findings --from-tidy=fixes.yaml --binary=server",
       "where the linker put what the checks name"},
      {"linesman findings --report=a.json --fail-on=located "
       "--baseline=accepted.json",
       "a gate for what is new"}}},
    {"tidy",
     {{"linesman tidy -p build", "the checks over a build"},
      {"linesman tidy -p build --fail-on=suspected --baseline=accepted.json",
       "a gate for what is new"},
      {"linesman tidy --changed-since=origin/main --format=sarif -o tidy.sarif",
       "a pull request"}}},
    {"run",
     {{"linesman run --place=all=interleave -- server --port=80",
       "static pages over all nodes"},
      {"linesman run --prepare --hold -- server",
       "pages that stay where they are put"},
      {"linesman run --place=nil_root=1 -- server",
       "an object's page on another node"}}},
    {"place",
     {{"linesman place 4711 .bss=1", "move a section's pages"},
      {"linesman place 4711 nil_root=0 libfoo.so!all=1",
       "an object, and a library"},
      {"linesman place 4711 all=default", "as it was"}}},
    {"pages",
     {{"linesman pages 4711", "each static page and its node"},
      {"linesman pages --format=json 4711", "for a script"},
      {"linesman pages -o before 4711", "to compare it later"}}},
    {"dirty",
     {{"linesman dirty 4711", "live, until Ctrl-C"},
      {"linesman dirty --duration=5 4711", "five seconds, once"},
      {"linesman dirty --rate=100 --duration=1 4711",
       "pages that are written only now and then"}}},
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
       "by a number that they print"},
      {"linesman ab --place=nil_root=1 './server --bench'",
       "one program, without and with a placement"}}},
    {"scan",
     {{"linesman scan /usr/sbin", "all programs of a folder, ranked"},
      {"linesman scan --jobs=2 --memory=2048 /usr/lib",
       "on a machine with other work"},
      {"linesman scan --state=s.jsonl --format=html -o s.html squid unbound",
       "packages that are not installed, as a page; resumable"}}},
    {"doctor",
     {{"linesman doctor", "before anything else on a new machine"},
      {"linesman doctor --measure", "and what a contended write costs"},
      {"linesman doctor --pid=4711", "where a process and its memory are"}}},
    {"watch",
     {{"linesman watch --pid=4711 --symbol=nil_root",
       "who is on its lines now"},
      {"linesman watch --report=report.json -- ./server",
       "confirm or refute what layout said"},
      {"linesman watch --pid=4711 --at='server->clients[0]'",
       "an object on the heap"}}},
    {"record",
     {{"linesman record -- ./server.tsan", "every shared line of a run"},
      {"linesman record --symbol=nil_root -- ./server.tsan",
       "one object's lines"},
      {"linesman record --format=json -o run.json -- ./server.tsan",
       "for linesman findings"}}},
    {"hunt",
     {{"linesman hunt -- ./server --bench", "from a program to a story"},
      {"linesman hunt --captured=server --metric=output --match='([0-9]+) qps' "
       "-- ./server --bench",
       "and what each cure would bring"},
      {"linesman hunt --pid=4711 --probe='wrk -d1 http://localhost'",
       "in a running server"}}},
    {"help",
     {{"linesman help", "all commands"},
      {"linesman help relink", "the options of a command"},
      {"linesman help doctor", "where to begin on a new machine"}}},
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
