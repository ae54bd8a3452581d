// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of a relink.

#include "linesman/Relink/Relink.h"
#include "FindDefinitions.h"
#include "LinkCommand.h"
#include "PatchObject.h"
#include "Verify.h"
#include "linesman/Input/ReadBinary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace llvm;

namespace linesman::relink {

namespace {

/// A folder that goes when the relink is over.
class ScratchFolder {
public:
  static Expected<ScratchFolder> create() {
    SmallString<128> Path;
    if (std::error_code EC =
            sys::fs::createUniqueDirectory("linesman-relink", Path))
      return createFileError("temporary folder", EC);
    return ScratchFolder(Path.str());
  }
  ScratchFolder(ScratchFolder &&Other) : Path(std::move(Other.Path)) {
    Other.Path.clear();
  }
  ~ScratchFolder() {
    if (!Path.empty())
      sys::fs::remove_directories(Path);
  }
  std::string file(const Twine &Name) const {
    return (Path + "/" + Name).str();
  }

private:
  explicit ScratchFolder(StringRef Path) : Path(Path) {}
  std::string Path;
};

Error writeFile(StringRef Path, ArrayRef<char> Bytes) {
  std::error_code EC;
  raw_fd_ostream OS(Path, EC);
  if (!EC) {
    OS.write(Bytes.data(), Bytes.size());
    OS.close();
    EC = OS.error();
    OS.clear_error();
  }
  return EC ? createFileError(Path, EC) : Error::success();
}

/// What one edit comes to.
struct Resolved {
  const plan::Edit *Edit;
  std::vector<DefinitionRef> Definitions;
};

class Relinker {
public:
  explicit Relinker(const RelinkConfig &Config) : Config(Config) {}

  Expected<std::vector<Placed>> run() {
    if (Error E = resolve())
      return std::move(E);
    Expected<ScratchFolder> Scratch = ScratchFolder::create();
    if (!Scratch)
      return Scratch.takeError();
    std::vector<std::string> Command = Config.Command;
    if (Error E = writeCopies(*Scratch, Command))
      return std::move(E);

    // Beside the output, so that the last step is a rename.
    if (sys::fs::exists(Config.Output) &&
        !sys::fs::is_regular_file(Config.Output))
      return createFileError(Config.Output,
                             createStringError("is not a regular file, which a "
                                               "relink could replace"));
    SmallString<128> Result;
    if (std::error_code EC = sys::fs::createUniqueFile(
            Config.Output + ".%%%%%%.linesman", Result))
      return createFileError(Config.Output, EC);
    FileRemover Remover(Result);
    if (Error E = runCommand(withOutput(std::move(Command), Result)))
      return std::move(E);
    Expected<std::vector<Placed>> Where = verify(Result);
    if (!Where)
      return Where;
    if (std::error_code EC = sys::fs::rename(Result, Config.Output))
      return createFileError(Config.Output, EC);
    Remover.releaseFile();
    return Where;
  }

private:
  const RelinkConfig &Config;
  LinkInputs Inputs;
  std::vector<Resolved> Edits;

  const Definition &definition(DefinitionRef Ref) const {
    return Inputs.Objects[Ref.Object].Definitions[Ref.Definition];
  }

  Error resolve() {
    Expected<LinkInputs> Read = readInputs(Config.Command);
    if (!Read)
      return Read.takeError();
    Inputs = std::move(*Read);
    Error Problems = Error::success();
    for (const plan::Edit &Edit : Config.Edits) {
      Expected<std::vector<DefinitionRef>> Found =
          findDefinitions(Inputs, Edit.Symbol);
      if (!Found) {
        Problems = joinErrors(std::move(Problems), Found.takeError());
        continue;
      }
      for (DefinitionRef Ref : *Found)
        if (Error E =
                checkIsolation(Inputs.Objects[Ref.Object], definition(Ref))) {
          Problems = joinErrors(std::move(Problems), std::move(E));
          break;
        }
      Edits.push_back({&Edit, std::move(*Found)});
    }
    return Problems;
  }

  Error writeCopies(const ScratchFolder &Scratch,
                    std::vector<std::string> &Command) const {
    std::map<size_t, std::vector<const Definition *>> ByObject;
    for (const Resolved &Edit : Edits)
      for (DefinitionRef Ref : Edit.Definitions)
        ByObject[Ref.Object].push_back(&definition(Ref));
    for (const auto &[Index, Isolated] : ByObject) {
      const InputObject &Object = Inputs.Objects[Index];
      std::string Copy =
          Scratch.file(Twine(Index) + "-" + sys::path::filename(Object.Path));
      if (Error E = writeFile(Copy, patchObject(Object, Isolated, Config.Line)))
        return E;
      Command[Object.Argument] = Copy;
    }
    return Error::success();
  }

  Expected<std::vector<Placed>> verify(StringRef Path) const {
    Expected<input::Binary> Linked = input::readBinary(Path);
    if (!Linked)
      return Linked.takeError();
    std::vector<Placed> Result;
    std::vector<DefinitionRef> Edited;
    for (const Resolved &Edit : Edits) {
      Expected<Placed> Where = verifyIsolation(
          Linked->Image, definition(Edit.Definitions.front()), Config.Line);
      if (!Where)
        return Where.takeError();
      Where->Symbol = Edit.Edit->Symbol;
      Result.push_back(*Where);
      append_range(Edited, Edit.Definitions);
    }
    if (Error E = verifyOthers(Linked->Image, Inputs, Edited))
      return std::move(E);
    return Result;
  }
};

} // namespace

Expected<std::vector<Placed>> relink(const RelinkConfig &Config) {
  return Relinker(Config).run();
}

} // namespace linesman::relink
