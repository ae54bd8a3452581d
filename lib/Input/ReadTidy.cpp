// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads clang-tidy's results in its two forms:
//
//     --export-fixes   YAML, places as offsets into files
//     stdout           file:line:column: warning: message [check,check]
//
// clang has a reader of the YAML, but in a library that needs all of clang; the
// few keys that matter are mapped here.

#include "linesman/Input/ReadTidy.h"
#include "SourceTexts.h"
#include "TidySubject.h"
#include "linesman/Guard/Document.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/YAMLTraits.h"

using namespace llvm;
using linesman::input::Replacement;
using linesman::layout::SuspectedFinding;

namespace {

struct ExportedMessage {
  std::string Message, FilePath;
  uint64_t FileOffset = 0;
  std::vector<Replacement> Replacements;
};
struct ExportedDiagnostic {
  /// Where the compiler ran, which relative paths are of.
  std::string Folder;
  std::string Name;
  ExportedMessage Message;
  std::vector<ExportedMessage> Notes;
};
struct ExportedFixes {
  std::vector<ExportedDiagnostic> Diagnostics;
};

} // namespace

LLVM_YAML_IS_SEQUENCE_VECTOR(Replacement)
LLVM_YAML_IS_SEQUENCE_VECTOR(ExportedMessage)
LLVM_YAML_IS_SEQUENCE_VECTOR(ExportedDiagnostic)

namespace llvm::yaml {

template <> struct MappingTraits<Replacement> {
  static void mapping(IO &Io, Replacement &R) {
    Io.mapRequired("FilePath", R.File);
    Io.mapRequired("Offset", R.Offset);
    Io.mapRequired("Length", R.Length);
    Io.mapRequired("ReplacementText", R.Text);
  }
};
template <> struct MappingTraits<ExportedMessage> {
  static void mapping(IO &Io, ExportedMessage &M) {
    Io.mapRequired("Message", M.Message);
    Io.mapRequired("FilePath", M.FilePath);
    Io.mapRequired("FileOffset", M.FileOffset);
    Io.mapOptional("Replacements", M.Replacements);
  }
};
template <> struct MappingTraits<ExportedDiagnostic> {
  static void mapping(IO &Io, ExportedDiagnostic &D) {
    Io.mapRequired("DiagnosticName", D.Name);
    Io.mapRequired("DiagnosticMessage", D.Message);
    Io.mapOptional("Notes", D.Notes);
    Io.mapOptional("BuildDirectory", D.Folder);
  }
};
template <> struct MappingTraits<ExportedFixes> {
  static void mapping(IO &Io, ExportedFixes &F) {
    Io.mapOptional("Diagnostics", F.Diagnostics);
  }
};

} // namespace llvm::yaml

namespace linesman::input {

namespace {

/// The name that clang-tidy gives them.
constexpr StringLiteral CompileError = "clang-diagnostic-error";

/// Of the message, or of the first note that has one: other notes tell of other
/// ways.
ArrayRef<Replacement> firstFix(const ExportedDiagnostic &D) {
  if (!D.Message.Replacements.empty())
    return D.Message.Replacements;
  for (const ExportedMessage &Note : D.Notes)
    if (!Note.Replacements.empty())
      return Note.Replacements;
  return {};
}

class Collector {
public:
  void add(SuspectedFinding Finding) {
    if (Finding.Check == CompileError) {
      ++Results.CompileErrors;
      return;
    }
    if (!describeSuspected(Finding)) {
      ++Results.OtherChecks;
      return;
    }
    std::string Key =
        (Finding.Check + "\n" + Finding.Source + "\n" + Finding.Message);
    if (Seen.insert(Key).second)
      Results.Findings.push_back(std::move(Finding));
  }

  TidyResults Results;

private:
  StringSet<> Seen;
};

Expected<TidyResults> readExported(MemoryBufferRef File) {
  if (Error E = guard::checkYaml(File.getBuffer()))
    return createFileError(File.getBufferIdentifier(), std::move(E));
  std::string Problem;
  yaml::Input Reader(
      File.getBuffer(), nullptr,
      [](const SMDiagnostic &D, void *Target) {
        *static_cast<std::string *>(Target) =
            ("line " + Twine(D.getLineNo()) + ": " + D.getMessage()).str();
      },
      &Problem);
  // clang-tidy writes keys that do not matter here (Level, Ranges, ...).
  Reader.setAllowUnknownKeys(true);
  SourceTexts Sources;
  Collector Found;
  auto Failure = [&] {
    return createFileError(File.getBufferIdentifier(),
                           createStringError(Problem));
  };
  // run-clang-tidy concatenates documents. An empty one at the end is none, and
  // LLVM's reader may not be asked for one behind it.
  while (Reader.setCurrentDocument()) {
    ExportedFixes Fixes;
    yaml::EmptyContext Context;
    yaml::yamlize(Reader, Fixes, /*Required=*/true, Context);
    if (Reader.error())
      return Failure();
    for (const ExportedDiagnostic &D : Fixes.Diagnostics) {
      SuspectedFinding Finding;
      Finding.Check = D.Name;
      Finding.Message = D.Message.Message;
      Finding.Source =
          Sources.place(D.Message.FilePath, D.Folder, D.Message.FileOffset);
      for (const ExportedMessage &Note : D.Notes)
        Finding.Notes.push_back(
            {Note.Message,
             Sources.place(Note.FilePath, D.Folder, Note.FileOffset)});
      Finding.Fix = Sources.edits(firstFix(D), D.Folder);
      Found.add(std::move(Finding));
    }
    if (!Reader.nextDocument())
      break;
  }
  if (Reader.error())
    return Failure();
  return std::move(Found.Results);
}

/// What clang-tidy and run-clang-tidy say of units beside diagnostics; with
/// run-clang-tidy each unit's command.
bool isChatter(StringRef Row) {
  static const Regex Command("clang-tidy[-.0-9a-z]* -");
  return Command.match(Row) || Row.contains("warnings generated") ||
         Row.contains("warning generated") || Row.starts_with("Suppressed ") ||
         Row.starts_with("Enabled checks:");
}

/// Why no check of ours ran, where \p Row says so.
constexpr StringLiteral NotLoaded =
    "clang-tidy did not load the checks (-load request ignored)";
StringRef whyNotRun(StringRef Row) {
  if (Row.contains("-load request ignored"))
    return NotLoaded;
  if (Row.contains_insensitive("no checks enabled"))
    return "clang-tidy had no check to run";
  if (Row.contains("Unable to run clang-tidy"))
    return "clang-tidy did not run";
  return "";
}

constexpr StringLiteral Silent =
    "nothing says that the checks ran (what run-clang-tidy prints would)";

/// What the rows of a log say of the run that printed them.
class RunEvidence {
public:
  void add(StringRef Row, bool IsDiagnostic) {
    const bool IsOfUnits = IsDiagnostic || isChatter(Row);
    HasRun |= IsOfUnits;
    if (Refusal.empty() && !IsDiagnostic)
      Refusal = whyNotRun(Row);
    IsOfTidy |= IsOfUnits || !Refusal.empty() || Row.starts_with("error: ") ||
                Row.starts_with("Running clang-tidy in ");
    // run-clang-tidy lists them, a row each.
    IsListed = Row.starts_with("Enabled checks:") ||
               (IsListed && Row.starts_with("    "));
    HasList |= IsListed;
    ListsOurs |= IsListed && Row.trim().starts_with("linesman-");
    HasOurs |= ListsOurs || (IsDiagnostic && Row.contains("[linesman-"));
  }

  /// Whether it is clang-tidy's log at all.
  bool isOfTidy() const { return IsOfTidy; }

  std::string whyBlind() const {
    // It may be another plugin that was not loaded.
    if (!Refusal.empty() && !(Refusal == NotLoaded && HasOurs))
      return Refusal.str();
    if (HasList && !ListsOurs)
      return "no check of linesman was enabled";
    return HasRun ? "" : Silent.str();
  }

private:
  StringRef Refusal;
  bool IsOfTidy = false, HasRun = false;
  bool IsListed = false, HasList = false, ListsOurs = false, HasOurs = false;
};

/// Nothing where \p Text is something else.
std::optional<TidyResults> readPrinted(StringRef Text) {
  Regex Line("^(.+):([0-9]+):[0-9]+: (warning|error|note): (.*)$");
  Collector Found;
  RunEvidence Evidence;
  std::optional<SuspectedFinding> Open;
  auto Close = [&] {
    if (Open)
      Found.add(std::move(*Open));
    Open.reset();
  };
  while (!Text.empty()) {
    StringRef Row;
    std::tie(Row, Text) = Text.split('\n');
    SmallVector<StringRef> Groups;
    const bool IsDiagnostic = Line.match(Row.rtrim('\r'), &Groups);
    Evidence.add(Row, IsDiagnostic);
    if (!IsDiagnostic) {
      // Of a command line, an error has no place.
      Found.Results.CompileErrors +=
          Row.starts_with("error: ") && Row.contains(CompileError);
      continue;
    }
    std::string Source = (Groups[1] + ":" + Groups[2]).str();
    StringRef Message = Groups[4];
    if (Groups[3] == "note") {
      if (Open)
        Open->Notes.push_back({Message.str(), Source});
      continue;
    }
    Close();
    auto [Body, Checks] = Message.rsplit(" [");
    if (!Checks.consume_back("]"))
      continue;
    Open.emplace();
    // Others may follow: -warnings-as-errors, aliases.
    Open->Check = Checks.split(',').first.str();
    Open->Message = Body.str();
    Open->Source = Source;
  }
  Close();
  if (!Evidence.isOfTidy())
    return std::nullopt;
  if (!Found.Results.CompileErrors)
    Found.Results.Blind = Evidence.whyBlind();
  return std::move(Found.Results);
}

} // namespace

Expected<TidyResults> readTidy(MemoryBufferRef File) {
  StringRef Text = File.getBuffer();
  if (Text.contains('\0'))
    return createFileError(
        File.getBufferIdentifier(),
        createStringError("not a text, as clang-tidy prints and exports it"));
  if (StringRef Bare = Text.trim(); Bare.empty() || Bare == "---") {
    // run-clang-tidy exports that when no check has reported anything, also
    // where no check ran.
    TidyResults Nothing;
    Nothing.Blind = ("an empty file: " + Silent).str();
    return Nothing;
  }
  // run-clang-tidy writes no "---", and keys by the alphabet.
  if (Text.ltrim().starts_with("---") || Text.starts_with("MainSourceFile:") ||
      Text.starts_with("Diagnostics:"))
    return readExported(File);
  if (std::optional<TidyResults> Results = readPrinted(Text))
    return std::move(*Results);
  return createFileError(
      File.getBufferIdentifier(),
      createStringError("neither what clang-tidy prints nor what it exports "
                        "(YAML)%s",
                        Text.ltrim().starts_with("{")
                            ? "; --report reads JSON of linesman"
                            : ""));
}

} // namespace linesman::input
