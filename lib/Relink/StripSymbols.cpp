// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options that strip, and doing it afterwards.

#include "StripSymbols.h"
#include "Scratch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ObjCopy/ConfigManager.h"
#include "llvm/ObjCopy/ObjCopy.h"
#include "llvm/Object/Binary.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace linesman::relink {

Stripping takeStripping(std::vector<std::string> &Command) {
  bool IsDriver = kindOfProgram(Command.front()) == ProgramKind::Driver;
  // mold 1.10 drops all symbols with debug information; and its output does not
  // tell which symbols were local in the objects, so it drops those itself.
  bool IsMold =
      any_of(Command, [](StringRef Word) { return Word.ends_with("mold"); });
  constexpr StringLiteral ToLinker = "-Wl,";
  Stripping Found;
  // A word is left for each, so that one before it (-Xlinker) has what it
  // takes.
  auto Replace = [&](StringRef Word) -> std::string {
    // Assemblers' labels (-X) are no data.
    if (is_contained({"-s", "-strip-all", "--strip-all"}, Word)) {
      Found.All = true;
      return IsMold ? "-X" : "-S";
    }
    if (!IsMold &&
        is_contained({"-x", "-discard-all", "--discard-all"}, Word)) {
      Found.Locals = true;
      return "-X";
    }
    if (IsMold && is_contained({"-S", "-strip-debug", "--strip-debug"}, Word)) {
      Found.Debug = true;
      return "-X";
    }
    return Word.str();
  };
  for (size_t I = 1; I < Command.size(); ++I) {
    std::string &Word = Command[I];
    if (!IsDriver || Command[I - 1] == "-Xlinker") {
      Word = Replace(Word);
    } else if (Word == "-s") {
      Word = ToLinker.str() + Replace(Word);
    } else if (StringRef Rest = Word; Rest.consume_front(ToLinker)) {
      SmallVector<StringRef> Pieces;
      Rest.split(Pieces, ',');
      Word = ToLinker.str() + join(map_range(Pieces, Replace), ",");
    }
  }
  return Found;
}

Error stripSymbols(StringRef Path, Stripping Wanted) {
  if (Wanted.isNone())
    return Error::success();
  // Volatile: it is read, not mapped, because it is written over.
  auto File = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false,
                                    /*IsVolatile=*/true);
  if (!File)
    return createFileError(Path, File.getError());
  auto Linked = object::createBinary((*File)->getMemBufferRef());
  if (!Linked)
    return createFileError(Path, Linked.takeError());
  objcopy::ConfigManager Config;
  Config.Common.InputFilename = Config.Common.OutputFilename = Path;
  // As linkers: .comment and what else is not for symbols stays.
  Config.Common.StripAllGNU = Wanted.All;
  Config.Common.StripDebug = Wanted.Debug;
  if (Wanted.Locals)
    Config.Common.DiscardMode = objcopy::DiscardType::All;
  SmallVector<char, 0> Stripped;
  raw_svector_ostream OS(Stripped);
  if (Error E = objcopy::executeObjcopyOnBinary(Config, **Linked, OS))
    return createFileError(Path, std::move(E));
  return writeFile(Path, Stripped);
}

} // namespace linesman::relink
