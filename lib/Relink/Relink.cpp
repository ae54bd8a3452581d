// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of a relink.

#include "linesman/Relink/Relink.h"
#include "LinkCommand.h"
#include "LtoObjects.h"
#include "ThreadBlock.h"
#include "Verify.h"
#include "WriteCopies.h"
#include "linesman/Input/ReadBinary.h"
#include "linesman/Relink/CaptureLink.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using linesman::plan::EditKind;

namespace linesman::relink {

namespace {

/// A linked file, read back.
struct Linked {
  input::Binary Binary;
  layout::Image ThreadBlock;

  LinkedImages images() const { return {Binary.Image, ThreadBlock}; }
};

Expected<Linked> readBack(StringRef Path) {
  Expected<input::Binary> Binary = input::readBinary(Path);
  if (!Binary)
    return Binary.takeError();
  Expected<layout::Image> ThreadBlock =
      readThreadBlock(Binary->File->getBuffer());
  if (!ThreadBlock)
    return createFileError(Path, ThreadBlock.takeError());
  return Linked{std::move(*Binary), std::move(*ThreadBlock)};
}

class Relinker {
public:
  Relinker(const RelinkConfig &Config, const ScratchFolder &Scratch)
      : Config(Config), Scratch(Scratch), From(Config.From) {}

  Expected<std::vector<AppliedEdit>> run() {
    if (sys::fs::exists(Config.Output) &&
        !sys::fs::is_regular_file(Config.Output))
      return createFileError(Config.Output,
                             createStringError("is not a regular file, which a "
                                               "relink could replace"));
    if (Error E = readLink())
      return std::move(E);
    Expected<std::vector<plan::Edit>> Edits = nameShifted();
    if (!Edits)
      return Edits.takeError();
    Expected<std::vector<ResolvedEdit>> Resolved =
        resolveEdits(Inputs, *Edits, Config.Units);
    if (!Resolved)
      return Resolved.takeError();

    // Beside the output, so that the last step is a rename.
    SmallString<128> Result;
    if (std::error_code EC = sys::fs::createUniqueFile(
            Config.Output + ".%%%%%%.linesman", Result))
      return createFileError(Config.Output, EC);
    FileRemover Remover(Result);
    Expected<std::vector<AppliedEdit>> Applied = link(*Resolved, Result);
    if (!Applied)
      return Applied;
    if (std::error_code EC = sys::fs::rename(Result, Config.Output))
      return createFileError(Config.Output, EC);
    Remover.releaseFile();
    return Applied;
  }

private:
  const RelinkConfig &Config;
  const ScratchFolder &Scratch;
  Link From;
  LinkInputs Inputs;

  /// From here on From is a linker's command of native objects, if at all
  /// possible.
  Error readLink() {
    if (kindOfProgram(From.Command.front()) == ProgramKind::Driver) {
      Expected<std::optional<Link>> Learned =
          learnLink(From, Scratch.file("driver"), Config.Self);
      if (!Learned)
        return Learned.takeError();
      if (*Learned)
        From = std::move(**Learned);
    }
    Expected<std::vector<std::string>> Words =
        expandResponseFiles(From.Command, From.Folder);
    if (!Words)
      return Words.takeError();
    From.Command = std::move(*Words);
    if (Error E = readObjects())
      return E;
    bool IsIntermediate =
        Inputs.LtoObjects || any_of(Inputs.Objects, [](const InputObject &O) {
          return O.Code == CodeKind::Intermediate;
        });
    if (!IsIntermediate)
      return Error::success();
    Expected<Link> Native = linkNativeObjects(From, Inputs, Scratch);
    if (!Native)
      return Native.takeError();
    From = std::move(*Native);
    return readObjects();
  }

  Error readObjects() {
    Expected<LinkInputs> Read = readInputs(From);
    if (!Read)
      return Read.takeError();
    Inputs = std::move(*Read);
    return Error::success();
  }

  Error runTo(std::vector<std::string> Command, StringRef Path) const {
    SmallString<128> Absolute = Path;
    if (!From.Folder.empty())
      if (std::error_code EC = sys::fs::make_absolute(Absolute))
        return createFileError(Path, EC);
    Link What = From;
    What.Command = withOutput(std::move(Command), Absolute);
    return runLink(What);
  }

  /// A shift of a section is one before its first object. Which that is only a
  /// link can tell.
  Expected<std::vector<plan::Edit>> nameShifted() const {
    std::vector<plan::Edit> Edits = Config.Edits;
    auto IsUnnamed = [](const plan::Edit &Edit) {
      return Edit.Kind == EditKind::Shift && Edit.Symbols.empty();
    };
    if (none_of(Edits, IsUnnamed))
      return Edits;
    std::string Plain = Scratch.file("plain");
    if (Error E = runTo(From.Command, Plain))
      return std::move(E);
    Expected<Linked> Result = readBack(Plain);
    if (!Result)
      return Result.takeError();
    for (plan::Edit &Edit : make_filter_range(Edits, IsUnnamed)) {
      Expected<plan::SymbolRef> First = findFirst(*Result, Edit.Section);
      if (!First)
        return First.takeError();
      Edit.Symbols = {*First};
    }
    return Edits;
  }

  Expected<plan::SymbolRef> findFirst(const Linked &In,
                                      StringRef Section) const {
    const layout::Image *Images[] = {&In.Binary.Image, &In.ThreadBlock};
    for (const layout::Image *Of : Images)
      for (const layout::Symbol &S : Of->symbols()) {
        if (Of->sections()[S.Section].Name != Section ||
            S.Origin != layout::SymbolOrigin::Program)
          continue;
        plan::SymbolRef Ref;
        Ref.Symbol = S.name();
        if (S.Binding == layout::SymbolBinding::Local)
          Ref.File = Of->files()[S.File];
        if (Expected<Definitions> Found = findDefinitions(Inputs, Ref))
          return Ref;
        else
          consumeError(Found.takeError());
      }
    return createStringError(formatv(
        "cannot shift '{0}': no object of the link has data in it", Section));
  }

  Expected<std::vector<AppliedEdit>> link(std::vector<ResolvedEdit> &Edits,
                                          StringRef Path) const {
    if (Error E = tryLink(Edits, Path))
      return std::move(E);
    return verified(Edits, Path);
  }

  Error tryLink(ArrayRef<ResolvedEdit> Edits, StringRef Path) const {
    Expected<std::vector<std::string>> Command =
        writeCopies(Inputs, makeChanges(Inputs, Edits), Scratch, From.Command);
    if (!Command)
      return Command.takeError();
    return runTo(std::move(*Command), Path);
  }

  /// Where the linker took a group's members in another order than that of the
  /// command (archives), the order that it took is known now.
  Expected<std::vector<AppliedEdit>> verified(std::vector<ResolvedEdit> &Edits,
                                              StringRef Path) const {
    Expected<Linked> Result = readBack(Path);
    if (!Result)
      return Result.takeError();
    if (reorder(Edits, Result->images())) {
      if (Error E = tryLink(Edits, Path))
        return std::move(E);
      Result = readBack(Path);
      if (!Result)
        return Result.takeError();
    }
    std::vector<AppliedEdit> Applied;
    for (const ResolvedEdit &Edit : Edits) {
      Expected<AppliedEdit> One = verifyEdit(Result->images(), Inputs, Edit);
      if (!One)
        return One.takeError();
      Applied.push_back(std::move(*One));
    }
    if (Error E = verifySymbols(Result->images(), Inputs))
      return std::move(E);
    return Applied;
  }

  /// Whether an order of a group was another than expected.
  bool reorder(std::vector<ResolvedEdit> &Edits,
               const LinkedImages &Images) const {
    bool Changed = false;
    for (ResolvedEdit &Edit : Edits) {
      auto AddressOf = [&](size_t I) {
        DefinitionRef Ref = Edit.Symbols[I].front();
        const Definition &D =
            Inputs.Objects[Ref.Object].Definitions[Ref.Definition];
        auto Found = findSymbols(Images.of(D), D);
        return Found.empty() ? layout::LinkAddress() : Found.front()->Address;
      };
      std::vector<size_t> Order = Edit.Order;
      llvm::stable_sort(Order, [&](size_t A, size_t B) {
        return AddressOf(A) < AddressOf(B);
      });
      Changed |= Order != Edit.Order;
      Edit.Order = std::move(Order);
    }
    return Changed;
  }
};

} // namespace

Expected<std::vector<AppliedEdit>> relink(const RelinkConfig &Config) {
  Expected<ScratchFolder> Scratch = ScratchFolder::create();
  if (!Scratch)
    return Scratch.takeError();
  return Relinker(Config, *Scratch).run();
}

} // namespace linesman::relink
