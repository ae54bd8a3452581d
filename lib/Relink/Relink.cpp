// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of a relink.

#include "linesman/Relink/Relink.h"
#include "LinkCommand.h"
#include "LinkedSections.h"
#include "LtoObjects.h"
#include "ReadBack.h"
#include "Scratch.h"
#include "SideOutputs.h"
#include "StripSymbols.h"
#include "Verify.h"
#include "WriteCopies.h"
#include "linesman/Relink/CaptureLink.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BuryPointer.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <thread>

using namespace llvm;
using linesman::plan::EditKind;

namespace linesman::relink {

namespace {

class Relinker {
public:
  Relinker(const RelinkConfig &Config, const ScratchFolder &Scratch)
      : Config(Config), Scratch(Scratch), From(Config.From) {}

  Expected<Relinked> run() {
    if (sys::fs::exists(Config.Output) &&
        !sys::fs::is_regular_file(Config.Output))
      return createFileError(Config.Output,
                             createStringError("is not a regular file, which a "
                                               "relink could replace"));
    Expected<std::vector<plan::Edit>> Edits = readEdited();
    if (!Edits)
      return Edits.takeError();
    Expected<std::vector<ResolvedEdit>> Resolved =
        resolveEdits(Inputs, *Edits, Config.Units);
    if (!Resolved)
      return Resolved.takeError();

    if (growsThreadBlock(*Resolved))
      if (Error E = linkPlain())
        return std::move(E);

    // Beside the output, so that the last step is a rename.
    Expected<ScratchFolder> Beside = ScratchFolder::createBeside(Config.Output);
    if (!Beside)
      return Beside.takeError();
    std::string Result = Beside->file(sys::path::filename(Config.Output));
    Line = lineOf(*Resolved);
    After = guessedTails();
    // What verification needs is made while the linker runs.
    std::thread Join([&] { Index.join(); });
    Error LinkProblem = tryLink(*Resolved, Result);
    Join.join();
    if (LinkProblem)
      return std::move(LinkProblem);
    Expected<std::vector<AppliedEdit>> Applied = verified(*Resolved, Result);
    if (!Applied)
      return Applied.takeError();
    if (Error E = stripSymbols(Result, Dropped))
      return std::move(E);
    if (Error E = Sides.write([&](StringRef Text) { return renamed(Text); }))
      return std::move(E);
    if (Error E = expectUnchanged())
      return std::move(E);
    if (wasInterrupted())
      return createStringError("interrupted");
    if (Error E = replaceFile(Config.Output, Result))
      return std::move(E);
    return Relinked{std::move(*Applied), OptimizerSaid + LinkerSaid};
  }

  Expected<std::vector<std::string>> problems() {
    Expected<std::vector<plan::Edit>> Edits = readEdited();
    if (!Edits)
      return Edits.takeError();
    std::vector<std::string> Result;
    for (const plan::Edit &Edit : *Edits) {
      Error E = resolveEdits(Inputs, Edit, Config.Units).takeError();
      Result.push_back(E ? toString(std::move(E)) : "");
    }
    return Result;
  }

private:
  const RelinkConfig &Config;
  const ScratchFolder &Scratch;
  Link From;
  LinkInputs Inputs;
  /// Those of the link-time optimizer's link too.
  std::vector<ReadFile> Read;
  DefinitionIndex Index;
  /// The longest that an edit asks for: what follows new sections keeps its
  /// place on it.
  uint64_t Line = 64;
  /// Of the next link.
  Tails After;
  /// The output of a link without edits, where one was needed.
  std::string Plain;
  SideOutputs Sides;
  /// What the output is to be without.
  Stripping Dropped;
  /// What links speak of, and what they should: of inputs and the output, not
  /// of copies and temporary files.
  std::vector<std::pair<std::string, std::string>> Names;
  /// Of links that did not fail.
  std::string OptimizerSaid, LinkerSaid;

  /// Reads the link, and what it says of the symbols of the edits.
  Expected<std::vector<plan::Edit>> readEdited() {
    if (Error E = readLink())
      return std::move(E);
    Index = DefinitionIndex::build(Inputs);
    Expected<std::vector<plan::Edit>> Edits = nameShifted();
    if (!Edits)
      return Edits.takeError();
    std::vector<plan::SymbolRef> Names;
    for (const plan::Edit &Edit : *Edits)
      append_range(Names, Edit.Symbols);
    if (Error E = readDefinitionsFor(Inputs, Index, Names))
      return std::move(E);
    return Edits;
  }

  /// The old output may be replaced, what the link reads may not.
  Error expectNoInput() const {
    sys::fs::UniqueID Output, Input;
    if (sys::fs::getUniqueID(Config.Output, Output))
      return Error::success();
    for (const std::string &Path : Inputs.Paths)
      if (!sys::fs::getUniqueID(Path, Input) && Input == Output)
        return createFileError(
            Config.Output, createStringError("is an input of the link, which "
                                             "the output would replace"));
    return Error::success();
  }

  /// What was checked is what was linked.
  Error expectUnchanged() const {
    for (const ReadFile &File : Read) {
      sys::fs::file_status Now;
      sys::fs::status(File.Path, Now);
      if (Now.getUniqueID() != File.Status.getUniqueID() ||
          Now.getSize() != File.Status.getSize() ||
          Now.getLastModificationTime() !=
              File.Status.getLastModificationTime())
        return createFileError(
            File.Path, createStringError("changed while it was being linked; "
                                         "link again when it is complete"));
    }
    return Error::success();
  }

  /// From here on From is a linker's command of native objects, if at all
  /// possible.
  Error readLink() {
    bool IsLearned = true;
    if (kindOfProgram(From.Command.front()) == ProgramKind::Driver) {
      Expected<std::optional<Link>> Learned =
          learnLink(From, Scratch.file("driver"), Config.Self);
      if (!Learned)
        return Learned.takeError();
      IsLearned = Learned->has_value();
      if (IsLearned)
        From = std::move(**Learned);
    }
    Expected<std::vector<std::string>> Words =
        expandResponseFiles(From.Command, From.Folder);
    if (!Words)
      return Words.takeError();
    From.Command = std::move(*Words);
    Dropped = takeStripping(From.Command);
    Sides = SideOutputs(From, Scratch);
    if (Error E = readObjects())
      return E;
    if (!IsLearned && Inputs.Paths.empty() && !Inputs.Sources)
      return createStringError(
          formatv("{0} ran no linker, and names no object to link",
                  From.Command.front()));
    if (Error E = expectNoInput())
      return E;
    bool IsIntermediate =
        Inputs.LtoObjects || any_of(Inputs.Objects, [](const InputObject &O) {
          return O.Code == CodeKind::Intermediate;
        });
    if (!IsIntermediate)
      return Error::success();
    Expected<NativeLink> Native = linkNativeObjects(From, Inputs, Scratch);
    if (!Native)
      return Native.takeError();
    From = std::move(Native->What);
    Sides.keepDependencies(From);
    OptimizerSaid = std::move(Native->Said);
    return readObjects();
  }

  Error readObjects() {
    Expected<LinkInputs> Found = readInputs(From);
    if (!Found)
      return Found.takeError();
    Inputs = std::move(*Found);
    append_range(Read, Inputs.Read);
    return Error::success();
  }

  Error runTo(std::vector<std::string> Command, StringRef Path) {
    SmallString<128> Absolute = Path;
    if (!From.Folder.empty())
      if (std::error_code EC = sys::fs::make_absolute(Absolute))
        return createFileError(Path, EC);
    Names = {{Absolute.str().str(), Config.Output},
             {Scratch.file("lto.out"), Config.Output}};
    // Where it is escaped, as in a dependency file.
    if (StringRef Suffix = Path; Suffix.consume_front(Config.Output))
      Names.push_back({Suffix.str(), ""});
    for (auto [Copy, Original] : zip(Command, From.Command))
      if (Copy != Original)
        Names.push_back({Copy, Original});
    Link What = From;
    What.Command = withOutput(std::move(Command), Absolute);
    Expected<std::string> Said = runLink(What, Scratch.path());
    if (!Said)
      return createStringError(renamed(toString(Said.takeError())));
    LinkerSaid = renamed(*Said);
    if (!sys::fs::exists(Path))
      return createStringError(From.Command.front() +
                               " ended without an error, and made no file");
    return Error::success();
  }

  std::string renamed(StringRef Text) const {
    std::string Result = Text.str();
    for (const auto &[Name, Meant] : Names)
      if (StringRef(Result).contains(Name))
        Result = replaceAll(Result, Name, Meant);
    return Result;
  }

  static std::string replaceAll(StringRef Text, StringRef What, StringRef By) {
    SmallVector<StringRef> Pieces;
    Text.split(Pieces, What);
    return join(Pieces, By);
  }

  static uint64_t lineOf(ArrayRef<ResolvedEdit> Edits) {
    uint64_t Line = 64;
    for (const ResolvedEdit &Edit : Edits)
      if (!isRoom(Edit.What.Kind))
        Line = std::max(Line, Edit.What.Bytes);
    return Line;
  }

  /// From the output that there is, because it is nearly always right; without
  /// one, or where it is wrong, the first link tells, and a second is needed.
  Tails guessedTails() const {
    std::string Old[] = {Config.From.path(outputOf(Config.From.Command)),
                         Config.Output};
    for (const std::string &Path : Old)
      if (auto File = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false)) {
        Expected<Tails> Guess = guessTails((*File)->getBuffer(), Line);
        if (Guess)
          return *Guess;
        consumeError(Guess.takeError()); // not a linked file: then unknown
      }
    return {};
  }

  Error linkPlain() {
    Plain = Scratch.file("plain");
    return runTo(From.Command, Plain);
  }

  /// Thread-local objects are isolated where they are, and .data comes behind
  /// them: where that was without edits, only a link without edits tells.
  bool growsThreadBlock(ArrayRef<ResolvedEdit> Edits) const {
    auto IsRoom = [](const ResolvedEdit &E) { return isRoom(E.What.Kind); };
    return none_of(Edits, IsRoom) &&
           any_of(Edits, [&](const ResolvedEdit &Edit) {
             return any_of(Edit.Symbols, [&](const Definitions &Symbol) {
               return Inputs.definition(Symbol.front()).Kind ==
                      DefinitionKind::ThreadLocal;
             });
           });
  }

  /// Everybody else has the place on a line that an output without edits has.
  Error verifyOthers(ArrayRef<ResolvedEdit> Edits, StringRef Linked) {
    Expected<Followers> Behind = readFollowers(Linked, Line);
    if (!Behind)
      return Behind.takeError();
    if (Behind->Stray)
      return createStringError(
          formatv("after the link section {0}, behind those of the edits, is "
                  "{1} bytes away from its place on a line: {2}, which makes "
                  "up for them, is not right before it; a linker script can "
                  "place it there, or try another linker",
                  Behind->StrayName, Behind->Stray, Behind->StrayTail));
    if (!growsThreadBlock(Edits))
      return Error::success();
    auto Before = MemoryBuffer::getFile(Plain);
    if (!Before)
      return createFileError(Plain, Before.getError());
    Expected<StringRef> Moved = findMoved((*Before)->getBuffer(), Linked, Line);
    if (!Moved)
      return Moved.takeError();
    if (!Moved->empty())
      LinkerSaid += formatv("linesman: warning: the lines of thread-local "
                            "objects move {0} to another place on its line: "
                            "the line-mates of others change\n",
                            *Moved);
    return Error::success();
  }

  /// A shift of a section is one before its first object. Which that is only a
  /// link can tell.
  Expected<std::vector<plan::Edit>> nameShifted() {
    std::vector<plan::Edit> Edits = Config.Edits;
    auto IsUnnamed = [](const plan::Edit &Edit) {
      return Edit.Kind == EditKind::Shift && Edit.Symbols.empty();
    };
    if (none_of(Edits, IsUnnamed))
      return Edits;
    if (Error E = linkPlain())
      return std::move(E);
    Expected<Linked> Result = readBack(Plain);
    if (!Result)
      return Result.takeError();
    if (Error E = readAllDefinitions(Inputs))
      return std::move(E);
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

  Error tryLink(ArrayRef<ResolvedEdit> Edits, StringRef Path) {
    Expected<std::vector<std::string>> Command = writeCopies(
        Inputs, makeChanges(Inputs, Edits, After), Scratch, From.Command);
    if (!Command)
      return Command.takeError();
    return runTo(std::move(*Command), Path);
  }

  /// What only a link can tell is known now: which members of archives the
  /// linker took, and in which order, and where it put what follows the new
  /// sections. A link for each is enough.
  Expected<std::vector<AppliedEdit>> verified(std::vector<ResolvedEdit> &Edits,
                                              StringRef Path) {
    constexpr unsigned MostLinks = 3;
    auto Verdict = LinkedScan::Verdict::Agrees;
    Expected<Linked> Result =
        readBackEdited(Path, Inputs, Index, Edits, Verdict);
    for (unsigned Links = 1; Result && Links != MostLinks; ++Links) {
      Expected<Followers> Behind =
          readFollowers(Result->Binary.File->getBuffer(), Line);
      if (!Behind)
        return createFileError(Path, Behind.takeError());
      bool Changed = dropUntaken(Edits, Result->images());
      Changed |= reorder(Edits, Result->images());
      if (!Changed && !Behind->Stray)
        break;
      After = Behind->Needed;
      if (Error E = tryLink(Edits, Path))
        return std::move(E);
      Result = readBackEdited(Path, Inputs, Index, Edits, Verdict);
    }
    if (!Result)
      return Result.takeError();
    if (Error E = verifyOthers(Edits, Result->Binary.File->getBuffer()))
      return std::move(E);
    std::vector<AppliedEdit> Applied;
    for (const ResolvedEdit &Edit : Edits) {
      Expected<AppliedEdit> One = verifyEdit(Result->images(), Inputs, Edit);
      if (!One)
        return One.takeError();
      Applied.push_back(std::move(*One));
    }
    if (Verdict == LinkedScan::Verdict::Doubtful)
      if (Error E = verifyByName(Path))
        return std::move(E);
    return Applied;
  }

  Error verifyByName(StringRef Path) {
    Expected<Linked> All = readBack(Path);
    if (!All)
      return All.takeError();
    if (Error E = readAllDefinitions(Inputs))
      return E;
    return verifySymbols(All->images(), Inputs);
  }

  /// Some linkers (ld.lld, gold) leave a member of an archive where it is
  /// though it defines a common symbol: that one is the object then. Whether
  /// there was such a symbol.
  bool dropUntaken(std::vector<ResolvedEdit> &Edits,
                   const LinkedImages &Images) const {
    auto IsInSection = [&](DefinitionRef Ref) {
      return Inputs.definition(Ref).Section.has_value();
    };
    auto IsInArchive = [&](DefinitionRef Ref) {
      return Inputs.Objects[Ref.Object].Archive.has_value();
    };
    auto IsMoved = [&](const layout::Symbol *S, const Definition &D) {
      return Images.of(D).sections()[S->Section].Name.starts_with(NewSections);
    };
    bool Changed = false;
    for (ResolvedEdit &Edit : Edits) {
      if (isRoom(Edit.What.Kind))
        continue;
      for (Definitions &Symbol : Edit.Symbols) {
        const Definition &D = Inputs.definition(Symbol.front());
        bool MayBeEither = any_of(Symbol, IsInSection) &&
                           !all_of(Symbol, IsInSection) &&
                           none_of(Symbol, [&](DefinitionRef Ref) {
                             return IsInSection(Ref) && !IsInArchive(Ref);
                           });
        if (!MayBeEither || D.Kind == DefinitionKind::ThreadLocal)
          continue;
        auto Found = findSymbols(Images, Inputs, Symbol);
        if (Found.empty() || IsMoved(Found.front(), D))
          continue;
        erase_if(Symbol, IsInSection);
        Changed = true;
      }
    }
    return Changed;
  }

  /// Whether an order of a group was another than expected.
  bool reorder(std::vector<ResolvedEdit> &Edits,
               const LinkedImages &Images) const {
    bool Changed = false;
    for (ResolvedEdit &Edit : Edits) {
      auto AddressOf = [&](size_t I) {
        auto Found = findSymbols(Images, Inputs, Edit.Symbols[I]);
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

/// All symbols of the link are much memory: the end of the process is faster
/// than a destructor.
template <typename Step>
static auto work(const RelinkConfig &Config, Step Do)
    -> decltype(Do(std::declval<Relinker &>())) {
  EndsLinksOnSignal Ends;
  Expected<ScratchFolder> Scratch = ScratchFolder::create();
  if (!Scratch)
    return Scratch.takeError();
  auto Work = std::make_unique<Relinker>(Config, *Scratch);
  auto Result = Do(*Work);
  BuryPointer(std::move(Work));
  return Result;
}

Expected<Relinked> relink(const RelinkConfig &Config) {
  return work(Config, [](Relinker &Work) { return Work.run(); });
}

Expected<std::vector<std::string>> findProblems(const RelinkConfig &Config) {
  return work(Config, [](Relinker &Work) { return Work.problems(); });
}

} // namespace linesman::relink
