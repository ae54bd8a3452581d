// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads documents, with bounds.

#include "linesman/Guard/Document.h"
#include "linesman/Guard/Text.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace linesman::guard {

static Error tooLong(uint64_t Most) {
  return createStringError(formatv("more than {0} MiB", Most >> 20));
}

/// To the end of a stream, or to \p Most bytes.
static Expected<std::unique_ptr<MemoryBuffer>> readAll(int File, StringRef Name,
                                                       uint64_t Most) {
  SmallString<0> Text;
  constexpr size_t Piece = 1 << 16;
  for (;;) {
    size_t Old = Text.size();
    Text.resize_for_overwrite(Old + Piece);
    ssize_t Read = ::read(File, Text.data() + Old, Piece);
    if (Read < 0 && errno != EINTR)
      return errorCodeToError(std::error_code(errno, std::generic_category()));
    Text.truncate(Old + std::max<ssize_t>(Read, 0));
    if (Read == 0)
      return MemoryBuffer::getMemBufferCopy(Text, Name);
    if (Text.size() > Most)
      return tooLong(Most);
  }
}

bool isStream(StringRef Path) {
  sys::fs::file_status Status;
  return !sys::fs::status(Path, Status) &&
         Status.type() != sys::fs::file_type::regular_file &&
         Status.type() != sys::fs::file_type::directory_file;
}

/// Opens \p Path and hands it to \p Read, if it is a regular file.
static Expected<std::unique_ptr<MemoryBuffer>> openRegular(
    StringRef Path,
    function_ref<Expected<std::unique_ptr<MemoryBuffer>>(int, uint64_t)> Read) {
  if (isStream(Path))
    return createStringError("is not a regular file");
  // What has become a pipe meanwhile, which nobody writes to, would be waited
  // for.
  int File = ::open(Path.str().c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (File < 0)
    return errorCodeToError(std::error_code(errno, std::generic_category()));
  scope_exit Close([File] { ::close(File); });
  struct stat Status;
  if (::fstat(File, &Status))
    return errorCodeToError(std::error_code(errno, std::generic_category()));
  if (S_ISDIR(Status.st_mode))
    return errorCodeToError(std::make_error_code(std::errc::is_a_directory));
  if (!S_ISREG(Status.st_mode))
    return createStringError("is not a regular file");
  return Read(File, Status.st_size);
}

Expected<std::unique_ptr<MemoryBuffer>> mapFile(StringRef Path) {
  auto Map = [&](int File,
                 uint64_t Size) -> Expected<std::unique_ptr<MemoryBuffer>> {
    auto Mapped = MemoryBuffer::getOpenFile(File, Path, Size,
                                            /*RequiresNullTerminator=*/false);
    if (!Mapped)
      return errorCodeToError(Mapped.getError());
    return std::move(*Mapped);
  };
  auto Mapped = openRegular(Path, Map);
  if (!Mapped)
    return createFileError(Path, Mapped.takeError());
  return Mapped;
}

Expected<std::unique_ptr<MemoryBuffer>>
readDocument(StringRef Path, Source Origin, uint64_t Most) {
  bool IsStandardInput = Origin == Source::FileOrStandardInput && Path == "-";
  auto Read = IsStandardInput ? readAll(STDIN_FILENO, "<stdin>", Most)
                              // Files of /proc say that they are empty.
                              : openRegular(Path, [&](int File, uint64_t) {
                                  return readAll(File, Path, Most);
                                });
  if (!Read)
    return createFileError(IsStandardInput ? "stdin" : Path, Read.takeError());
  return Read;
}

Expected<json::Value> parseJson(StringRef Text) {
  unsigned Depth = 0;
  for (size_t I = 0; I < Text.size(); ++I)
    switch (Text[I]) {
    case '"': // A string, to its end.
      for (++I; I < Text.size() && Text[I] != '"'; ++I)
        I += Text[I] == '\\';
      break;
    case '[':
    case '{':
      if (++Depth > MostDepth)
        return createStringError(
            formatv("nested more than {0} deep", MostDepth));
      break;
    case ']':
    case '}':
      // What follows a superfluous one is not parsed.
      Depth -= Depth != 0;
      break;
    }
  Expected<json::Value> Parsed = json::parse(Text);
  // Of another kind of file, the place of the first wrong byte says nothing.
  if (StringRef Begin = Text.ltrim();
      !Parsed && !Begin.starts_with("{") && !Begin.starts_with("[")) {
    consumeError(Parsed.takeError());
    return createStringError("not JSON");
  }
  return Parsed;
}

Expected<json::Value> readJson(StringRef Path, Source Origin) {
  auto File = readDocument(Path, Origin);
  if (!File)
    return File.takeError();
  Expected<json::Value> Parsed = parseJson((*File)->getBuffer());
  if (!Parsed)
    return createFileError(Path, Parsed.takeError());
  return Parsed;
}

/// LLVM's parser makes nodes when they are asked for, so that nobody but this
/// function recurses. Whether there are no more than \p Left levels.
static bool isShallow(yaml::Node *Found, unsigned Left) {
  if (!Left)
    return false;
  if (auto *Map = dyn_cast_or_null<yaml::MappingNode>(Found)) {
    for (yaml::KeyValueNode &Entry : *Map)
      if (!isShallow(Entry.getKey(), Left - 1) ||
          !isShallow(Entry.getValue(), Left - 1))
        return false;
  } else if (auto *List = dyn_cast_or_null<yaml::SequenceNode>(Found)) {
    for (yaml::Node &Entry : *List)
      if (!isShallow(&Entry, Left - 1))
        return false;
  }
  return true;
}

Error checkYaml(StringRef Text) {
  std::string Problem;
  SourceMgr Places;
  Places.setDiagHandler(
      [](const SMDiagnostic &D, void *Target) {
        auto &First = *static_cast<std::string *>(Target);
        if (First.empty())
          First =
              ("line " + Twine(D.getLineNo()) + ": " + D.getMessage()).str();
      },
      &Problem);
  yaml::Stream Documents(Text, Places, /*ShowColors=*/false);
  for (yaml::Document &One : Documents) {
    if (Documents.failed())
      break;
    if (!isShallow(One.getRoot(), MostDepth))
      return createStringError(formatv("nested more than {0} deep", MostDepth));
  }
  if (Documents.failed())
    return createStringError(Problem.empty() ? "is no YAML" : Problem);
  return Error::success();
}

} // namespace linesman::guard
