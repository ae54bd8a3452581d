// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts the verifications of edits, of all symbols and of sections together.

#include "VerifyFile.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace linesman::relink {

/// What follows new sections has its place on a line.
static Error verifyFollowers(const EditedFile &File) {
  Expected<Followers> Behind =
      readFollowers(File.Contents.Binary.File->getBuffer(), File.Chosen.Line);
  if (!Behind)
    return Behind.takeError();
  if (!Behind->Stray)
    return Error::success();
  return createStringError(
      formatv("after the link section {0}, behind those of the edits, is {1} "
              "bytes away from its place on a line: {2}, which makes up for "
              "them, is not right before it; a linker script can place it "
              "there, or try another linker",
              Behind->StrayName, Behind->Stray, Behind->StrayTail));
}

/// The object that a larger thread block moved to another place on its line;
/// empty where there is none.
static Expected<std::string> findMovedBehind(const LinkedFile &Plain,
                                             const EditedFile &File) {
  auto Before = MemoryBuffer::getFile(Plain.Path);
  if (!Before)
    return createFileError(Plain.Path, Before.getError());
  Expected<StringRef> Moved =
      findMoved((*Before)->getBuffer(), File.Contents.Binary.File->getBuffer(),
                File.Chosen.Line);
  if (!Moved)
    return Moved.takeError();
  return Moved->str();
}

static Error verifyByName(MemoryBufferRef File, LinkInputs &Inputs) {
  Expected<Linked> All = readBack(
      MemoryBuffer::getMemBuffer(File, /*RequiresNullTerminator=*/false));
  if (!All)
    return All.takeError();
  if (Error E = readAllDefinitions(Inputs))
    return E;
  return verifySymbols(All->images(), Inputs);
}

Expected<VerifiedEdits> verifyFile(const EditedFile &File, LinkInputs &Inputs,
                                   const LinkedFile *Plain) {
  if (Error E = verifyFollowers(File))
    return std::move(E);
  VerifiedEdits Result;
  if (Plain) {
    Expected<std::string> Moved = findMovedBehind(*Plain, File);
    if (!Moved)
      return Moved.takeError();
    if (!Moved->empty())
      Result.Warnings.push_back(
          formatv("the lines of thread-local objects move {0} to another place "
                  "on its line: the line-mates of others change",
                  *Moved));
  }
  for (const ResolvedEdit &Edit : File.Chosen.Edits) {
    Expected<AppliedEdit> One =
        verifyEdit(File.Contents.images(), Inputs, Edit);
    if (!One)
      return One.takeError();
    Result.Edits.push_back(std::move(*One));
  }
  if (File.Symbols == LinkedScan::Verdict::Doubtful)
    if (Error E =
            verifyByName(File.Contents.Binary.File->getMemBufferRef(), Inputs))
      return std::move(E);
  return Result;
}

} // namespace linesman::relink
