// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why a process: LLVM's client needs libcurl, which its shared library is built
// without, and each distribution has one of the two programs beside its tools.

#include "linesman/Input/Debuginfod.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include <vector>

using namespace llvm;

extern char **environ;

namespace linesman::input {

namespace {

/// Seconds; a client of elfutils gives up by itself after 90 without progress.
constexpr unsigned MostSeconds = 600;

struct Client {
  StringLiteral Program;
  StringLiteral Verb;
};
constexpr Client Clients[] = {
    {"debuginfod-find", "debuginfo"},
    {"llvm-debuginfod-find-22", "--debuginfo"},
    {"llvm-debuginfod-find", "--debuginfo"},
    {"/usr/lib/llvm-22/bin/llvm-debuginfod-find", "--debuginfo"},
};

std::vector<std::string> environmentWith(StringRef Servers) {
  std::vector<std::string> Result;
  for (char **Variable = environ; *Variable; ++Variable)
    if (!StringRef(*Variable).starts_with("DEBUGINFOD_URLS="))
      Result.push_back(*Variable);
  Result.push_back(("DEBUGINFOD_URLS=" + Servers).str());
  return Result;
}

/// The file with the debug information, in the client's cache.
Expected<std::string> fetchDebugFile(StringRef BuildId, StringRef Servers) {
  std::string Program;
  StringRef Verb;
  for (const Client &C : Clients)
    if (ErrorOr<std::string> Found = sys::findProgramByName(C.Program)) {
      Program = *Found;
      Verb = C.Verb;
      break;
    }
  if (Program.empty())
    return createStringError(
        "debuginfod was not asked: neither debuginfod-find "
        "(elfutils) nor llvm-debuginfod-find is installed");
  SmallString<128> Output;
  if (std::error_code EC =
          sys::fs::createTemporaryFile("linesman-debuginfod", "", Output))
    return createStringError(EC, "debuginfod was not asked: no temporary file");
  FileRemover Remove(Output);
  std::vector<std::string> Variables = environmentWith(Servers);
  std::vector<StringRef> Environment(Variables.begin(), Variables.end());
  StringRef Arguments[] = {Program, Verb, BuildId};
  std::optional<StringRef> Redirects[] = {StringRef(""), StringRef(Output),
                                          StringRef("")};
  std::string Problem;
  int Status =
      sys::ExecuteAndWait(Program, Arguments, ArrayRef<StringRef>(Environment),
                          Redirects, MostSeconds, 0, &Problem);
  auto Missing = [&](const Twine &Reason) {
    return createStringError("no debug file from debuginfod (" + Servers +
                             "): " + Reason);
  };
  if (!Problem.empty())
    return Missing(Problem);
  if (Status != 0)
    return Missing("build ID " + BuildId + " was not found there");
  ErrorOr<std::unique_ptr<MemoryBuffer>> Text = MemoryBuffer::getFile(Output);
  if (!Text)
    return Missing(Text.getError().message());
  std::string Path = (*Text)->getBuffer().trim().str();
  if (!sys::fs::exists(Path))
    return Missing("'" + Path + "' is not there");
  return Path;
}

bool hasSymbols(MemoryBufferRef Binary) {
  Expected<std::unique_ptr<object::ObjectFile>> Object =
      object::ObjectFile::createELFObjectFile(Binary);
  if (!Object) {
    consumeError(Object.takeError()); // as reading it will say
    return true;
  }
  return !(*Object)->symbols().empty();
}

} // namespace

std::string askDebuginfod(const MemoryBuffer &Binary, StringRef Servers,
                          input::DebugSearch &Search) {
  if (Servers.trim().empty() || !Search.File.empty())
    return "";
  if (hasSymbols(Binary))
    return "";
  Expected<input::DebugFile> Local = input::findDebugFile(Binary, Search);
  if (!Local)
    return toString(Local.takeError());
  if (Local->Bytes)
    return "";
  if (Local->BuildId.empty())
    return "debuginfod was not asked: the binary has no build ID";
  Expected<std::string> Path = fetchDebugFile(Local->BuildId, Servers);
  if (!Path)
    return toString(Path.takeError());
  input::DebugSearch Fetched = Search;
  Fetched.File = *Path;
  if (Expected<input::DebugFile> Read = input::findDebugFile(Binary, Fetched);
      !Read)
    return toString(Read.takeError());
  Search = Fetched;
  return "";
}

} // namespace linesman::input
