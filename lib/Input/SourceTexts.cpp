// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SourceTexts.h"
#include "linesman/Guard/Document.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Path.h"
#include <tuple>

using namespace llvm;
using linesman::layout::SourceEdit;

namespace linesman::input {

static std::string wholePath(StringRef Given, StringRef Folder) {
  SmallString<256> Path(Given);
  if (!Folder.empty() && sys::path::is_relative(Given)) {
    sys::path::make_absolute(Folder, Path);
    sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  }
  return Path.str().str();
}

/// "/src/a.cpp:12"
static std::string placeAt(StringRef Path, StringRef Before) {
  return (Path + ":" + Twine(Before.count('\n') + 1)).str();
}

std::optional<StringRef> SourceTexts::read(StringRef Path) {
  auto [It, IsNew] = Files.try_emplace(Path);
  if (IsNew) {
    if (auto File = guard::readDocument(Path))
      It->second = std::move(*File);
    else
      consumeError(File.takeError()); // then offsets have no lines
  }
  if (!It->second)
    return std::nullopt;
  return It->second->getBuffer();
}

std::string SourceTexts::place(StringRef Given, StringRef Folder,
                               uint64_t Offset) {
  if (Given.empty())
    return "";
  std::string Path = wholePath(Given, Folder);
  std::optional<StringRef> Text = read(Path);
  if (!Text || Offset > Text->size())
    return Path;
  return placeAt(Path, Text->take_front(Offset));
}

/// The lines of the first change of \p Rest, with all that changes them, which
/// it takes out of \p Rest. \p Text is the file's.
static std::optional<SourceEdit> takeLines(StringRef Text,
                                           ArrayRef<Replacement> &Rest) {
  const std::string &Path = Rest.front().File;
  StringRef Before = Text.take_front(Rest.front().Offset);
  const size_t Begin = Before.rfind('\n') + 1;
  size_t End = Begin, Next = Begin;
  std::string After;
  do {
    const Replacement &R = Rest.front();
    if (R.Offset < Next || R.Length > Text.size() ||
        R.Offset > Text.size() - R.Length)
      return std::nullopt;
    After += Text.slice(Next, R.Offset);
    After += R.Text;
    Next = R.Offset + R.Length;
    End = std::min(Text.find('\n', Next), Text.size());
    Rest = Rest.drop_front();
  } while (!Rest.empty() && Rest.front().File == Path &&
           Rest.front().Offset <= End);
  After += Text.slice(Next, End);
  return SourceEdit{placeAt(Path, Before), Text.slice(Begin, End).str(),
                    std::move(After)};
}

std::vector<SourceEdit> SourceTexts::edits(ArrayRef<Replacement> Changes,
                                           StringRef Folder) {
  std::vector<Replacement> Sorted = Changes.vec();
  for (Replacement &R : Sorted)
    R.File = wholePath(R.File, Folder);
  llvm::stable_sort(Sorted, [](const Replacement &A, const Replacement &B) {
    return std::tie(A.File, A.Offset) < std::tie(B.File, B.Offset);
  });
  std::vector<SourceEdit> Result;
  for (ArrayRef<Replacement> Rest = Sorted; !Rest.empty();) {
    std::optional<StringRef> Text = read(Rest.front().File);
    std::optional<SourceEdit> Edit =
        Text ? takeLines(*Text, Rest) : std::nullopt;
    if (!Edit)
      return {};
    Result.push_back(std::move(*Edit));
  }
  return Result;
}

} // namespace linesman::input
