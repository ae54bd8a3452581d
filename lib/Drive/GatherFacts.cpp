// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects with facts, then those that are compiled for them.

#include "linesman/Drive/GatherFacts.h"
#include "linesman/Drive/UnitFindings.h"
#include "linesman/Facts/Facts.h"
#include "linesman/Process/Subprocess.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"
#include <mutex>

using namespace llvm;
using namespace linesman::process;

namespace linesman::drive {

namespace {

enum class Found : uint8_t { None, Old, Usable };

/// Whether the build's object of a unit can be asked.
Found look(const CompiledUnit &Unit) {
  sys::fs::file_status Object, Source;
  if (Unit.Object.empty() || sys::fs::status(Unit.Object, Object) ||
      sys::fs::status(Unit.File, Source))
    return Found::None;
  if (Object.getLastModificationTime() < Source.getLastModificationTime())
    return Found::Old;
  Expected<object::OwningBinary<object::ObjectFile>> File =
      object::ObjectFile::createObjectFile(Unit.Object);
  if (!File) {
    consumeError(File.takeError());
    return Found::None;
  }
  for (const object::SectionRef &Section : File->getBinary()->sections()) {
    Expected<StringRef> Name = Section.getName();
    if (!Name)
      consumeError(Name.takeError());
    else if (*Name == facts::SectionName)
      return Found::Usable;
  }
  return Found::None;
}

void add(StringRef Path, StringRef Name, GatheredFacts &Gathered) {
  Expected<FactFindings> Facts = readFactFindings(Path, Name);
  if (!Facts) {
    Gathered.Notes.push_back(toString(Facts.takeError()));
    return;
  }
  Gathered.IsOneProgram &= Facts->IsOneProgram;
  for (report::FindingsList &List : Facts->Lists)
    Gathered.Lists.push_back(std::move(List));
  for (const auto &Entry : Facts->Contradicted)
    Gathered.Contradicted.try_emplace(Entry.first(), Entry.second);
}

/// Compiles side by side, and reads all objects as one program.
void addCompiled(ArrayRef<const CompiledUnit *> Units,
                 const FactsRequest &Request, const FactsTools &Tools,
                 function_ref<void(size_t, size_t, StringRef)> Done,
                 GatheredFacts &Gathered) {
  Expected<TemporaryFolder> Folder = TemporaryFolder::make();
  if (!Folder) {
    Gathered.Notes.push_back(toString(Folder.takeError()));
    return;
  }
  std::mutex Counting;
  size_t Count = 0;
  std::vector<std::string> Problems;
  DefaultThreadPool Pool(hardware_concurrency(Request.Jobs));
  for (auto [I, Unit] : enumerate(Units))
    Pool.async([&, I = I, Unit = Unit] {
      Error E = compileFacts(Tools, *Unit,
                             formatv("{0}/{1}.o", Folder->path(), I).str());
      std::lock_guard<std::mutex> Lock(Counting);
      if (E)
        Problems.push_back(toString(std::move(E)));
      Done(++Count, Units.size(), Unit->File);
    });
  Pool.wait();
  if (!Problems.empty()) {
    // Deterministic, whoever was first.
    llvm::sort(Problems);
    Gathered.Notes.push_back(formatv(
        "units that clang could not compile for their facts: {0}; the first: "
        "{1}",
        Problems.size(), Problems.front()));
  }
  if (Problems.size() == Units.size())
    return;
  GatheredFacts Compiled;
  add(Folder->path(), "the units", Compiled);
  // Units that touch nothing static have no facts, which is nobody's fault.
  Gathered.IsOneProgram &= Compiled.IsOneProgram;
  append_range(Gathered.Lists, std::move(Compiled.Lists));
  for (const auto &Entry : Compiled.Contradicted)
    Gathered.Contradicted.try_emplace(Entry.first(), Entry.second);
}

/// A compiler names sources as it was given them, from the folder that it ran
/// in, and checks by their whole paths: one base for both.
void makePathsWhole(ArrayRef<CompiledUnit> Units,
                    std::vector<report::FindingsList> &Lists) {
  SetVector<StringRef> Folders;
  for (const CompiledUnit &Unit : Units)
    Folders.insert(Unit.Folder);
  StringMap<std::string> Known;
  auto makeWhole = [&](StringRef File) {
    for (StringRef Folder : Folders) {
      SmallString<256> Path(Folder);
      sys::path::append(Path, File);
      sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
      if (sys::fs::exists(Path))
        return Path.str().str();
    }
    return File.str(); // of a build that maps its paths
  };
  for (report::FindingsList &List : Lists)
    for (report::Finding &Found : List.Findings)
      report::eachPlace(Found, [&](report::SourcePlace &Place) {
        if (!Place || sys::path::is_absolute(Place.File))
          return;
        auto [It, IsNew] = Known.try_emplace(Place.File);
        if (IsNew)
          It->second = makeWhole(Place.File);
        Place.File = It->second;
      });
}

} // namespace

GatheredFacts gatherFacts(ArrayRef<CompiledUnit> Units,
                          const FactsRequest &Request,
                          function_ref<Expected<FactsTools>()> FindTools,
                          function_ref<void(size_t, size_t, StringRef)> Done) {
  GatheredFacts Result;
  if (Request.Source == UnitFacts::None)
    return Result;
  std::vector<std::string> Objects;
  std::vector<const CompiledUnit *> Rest;
  size_t Old = 0;
  for (const CompiledUnit &Unit : Units) {
    Found Is = look(Unit);
    Old += Is == Found::Old;
    if (Is == Found::Usable)
      Objects.push_back(Unit.Object);
    else if (!Unit.Command.empty())
      Rest.push_back(&Unit);
  }
  if (Request.Source == UnitFacts::Compiled && !Rest.empty()) {
    if (Expected<FactsTools> Tools = FindTools())
      addCompiled(Rest, Request, *Tools, Done, Result);
    else
      Result.Notes.push_back("no unit was compiled for its facts: " +
                             toString(Tools.takeError()));
  } else if (Old) {
    Result.Notes.push_back(formatv(
        "objects older than their source, whose facts are left out: {0}", Old));
  }
  if (Objects.size() == Units.size() && Objects.size() > 1 &&
      !Request.WholeBuild.empty())
    Objects = {Request.WholeBuild};
  for (const std::string &Path : Objects)
    add(Path, Path, Result);
  makePathsWhole(Units, Result.Lists);
  return Result;
}

} // namespace linesman::drive
