// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's symbolizer, module by module.

#include "linesman/Watch/SiteNames.h"
#include "ModuleFile.h"
#include "linesman/Guard/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/DebugInfo/DIContext.h"
#include "llvm/DebugInfo/Symbolize/Symbolize.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace linesman::process;

namespace linesman::watch {

std::string SiteName::brief() const {
  if (Frames.empty())
    return "?";
  const Frame &Shown = Frames[FirstCaller];
  return Shown.Source.empty() ? Shown.Function : Shown.Source;
}

SiteNames::SiteNames(const ModuleMap &Modules)
    : Modules(Modules),
      Symbolizer(std::make_unique<symbolize::LLVMSymbolizer>()) {}

SiteNames::~SiteNames() = default;

const object::ObjectFile *SiteNames::fileOf(const Module &M) {
  auto [Entry, IsNew] = Files.try_emplace(M.File);
  if (!IsNew)
    return Entry->second.getBinary();
  for (HasPart Has : {HasPart(hasDebugInfo), HasPart(hasSymbolTable)}) {
    Expected<ModuleFile> File = openModule(M, Has);
    if (!File) {
      // Without the file there are no names, but still the place.
      consumeError(File.takeError());
      return nullptr;
    }
    Entry->second = std::move(*File);
    if (Has(*cast<object::ELFObjectFileBase>(Entry->second.getBinary())))
      break;
  }
  return Entry->second.getBinary();
}

SiteName SiteNames::nameOf(RunAddress Site,
                           const std::map<RunAddress, uint64_t> &Callers) {
  SiteName Name = nameOf(Site);
  if (Callers.empty())
    return Name;
  auto Most = llvm::max_element(Callers, [](const auto &A, const auto &B) {
    return A.second < B.second;
  });
  const SiteName &Caller = nameOf(Most->first);
  Name.FirstCaller = Name.Frames.size();
  Name.OtherCallers = Callers.size() - 1;
  // A guard's constructor, inlined into who wrote it, is the library's as well.
  auto Written = llvm::find_if(Caller.Frames, [](const Frame &F) {
    return !StringRef(F.Function).starts_with("std::") &&
           !StringRef(F.Function).starts_with("__");
  });
  if (Written == Caller.Frames.end())
    --Written;
  Name.Frames.insert(Name.Frames.end(), Written, Caller.Frames.end());
  return Name;
}

static std::vector<Frame> readFrames(symbolize::LLVMSymbolizer &Symbolizer,
                                     const object::ObjectFile &File,
                                     uint64_t Address) {
  Expected<DIInliningInfo> Found = Symbolizer.symbolizeInlinedCode(
      File, {Address, object::SectionedAddress::UndefSection});
  if (!Found) {
    consumeError(Found.takeError());
    return {};
  }
  std::vector<Frame> Frames;
  for (uint32_t I = 0; I != Found->getNumberOfFrames(); ++I) {
    const DILineInfo &Info = Found->getFrame(I);
    Frame F;
    if (Info.FunctionName != DILineInfo::BadString)
      F.Function = guard::demangle(Info.FunctionName);
    if (Info.FileName != DILineInfo::BadString && Info.Line != 0)
      F.Source =
          sys::path::filename(Info.FileName).str() + ":" + utostr(Info.Line);
    if (!F.Function.empty() || !F.Source.empty())
      Frames.push_back(std::move(F));
  }
  return Frames;
}

const SiteName &SiteNames::nameOf(RunAddress Site) {
  auto [Entry, IsNew] = Known.try_emplace(Site);
  SiteName &Name = Entry->second;
  if (!IsNew)
    return Name;
  const Module *M = Modules.find(Site);
  if (!M) {
    Name.Frames.push_back({"0x" + utohexstr(Site.Value, true), ""});
    return Name;
  }
  uint64_t Link = M->Bias.toLink(Site).Value;
  if (const object::ObjectFile *File = fileOf(*M))
    Name.Frames = readFrames(*Symbolizer, *File, Link);
  if (Name.Frames.empty())
    Name.Frames.push_back(
        {sys::path::filename(M->Path).str() + "+0x" + utohexstr(Link, true),
         ""});
  return Name;
}

} // namespace linesman::watch
