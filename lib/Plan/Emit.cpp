// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The three forms. What a form can not say stands in it as a comment: a plan is
// never shortened in silence.

#include "linesman/Plan/Emit.h"
#include "linesman/Guard/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace llvm;

namespace linesman::plan {

/// \p Text on one line of a comment: of those that end with the line, and of
/// those that end with a star and a slash.
static std::string comment(const Twine &Text) {
  std::string Result = guard::printable(Text.str());
  for (size_t Index; (Index = Result.find("*/")) != std::string::npos;)
    Result.insert(Index + 1, " ");
  // It would take the next line along.
  if (StringRef(Result).ends_with("\\"))
    Result += '.';
  return Result;
}

static std::string names(const Edit &Change) {
  auto Demangled = [](const SymbolRef &S) { return guard::demangle(S.Symbol); };
  return comment(join(map_range(Change.Symbols, Demangled), ", "));
}

static std::string describe(const SymbolRef &Symbol) {
  std::string Text = Symbol.File.empty() ? "any file" : Symbol.File;
  if (Symbol.Ordinal)
    Text += ", number " + std::to_string(*Symbol.Ordinal) + " by address";
  return comment("'" + guard::demangle(Symbol.Symbol) +
                 "', not only the one of " + Text);
}

/// Whether a form that knows names only takes other objects too.
static bool hasNamesakes(const SymbolRef &Symbol) {
  return !Symbol.File.empty() || Symbol.Ordinal.value_or(0);
}

/// A linker script takes any other name for its own language, unless it is
/// quoted; and a pattern for what it matches, also then.
static bool isPlain(StringRef Name) {
  return all_of(Name, [](char C) {
    return isAlnum(C) || C == '_' || C == '.' || C == '$';
  });
}
static bool hasScriptName(StringRef Name) {
  return guard::printable(Name) == Name &&
         Name.find_first_of("\"*?[]\\") == StringRef::npos;
}
static std::string quoted(const std::string &Name) {
  return isPlain(Name) ? Name : '"' + Name + '"';
}

/// A line of an ordering file: linkers drop the blanks at both ends, and what
/// follows a "#".
static bool hasOrderName(StringRef Name) {
  return guard::printable(Name) == Name && !Name.contains('#') &&
         Name.trim() == Name;
}

/// What a name or a type in C or C++ consists of. Debug information and symbol
/// tables may say anything.
static bool isSource(StringRef Text) {
  return all_of(Text,
                [](char C) {
                  return isAlnum(C) ||
                         StringRef("_:<>,&*()[]~-. ").contains(C) || C < 0;
                }) &&
         !Text.contains("*/") && !Text.contains("//");
}

void emitLinkerScript(const Plan &Planning, raw_ostream &OS) {
  OS << "/* Made by linesman plan --emit=ld. For ld.lld and GNU ld: -T this "
        "file, and objects\n   compiled with -fdata-sections. What moves "
        "leaves no gap, as it does with "
        "linesman relink:\n   others may come together on a line. */\n"
        "SECTIONS\n{\n";
  unsigned Number = 0;
  for (const PlannedEdit &Planned : Planning.Edits) {
    const Edit &Edit = Planned.Change;
    OS << "  /* " << word(Edit.Kind) << ' ' << names(Edit);
    if (isRoom(Edit.Kind)) {
      OS << ": an overlay can not say this; use linesman relink */\n";
      continue;
    }
    OS << " */\n  .linesman_" << word(Edit.Kind) << Number++ << " : ALIGN("
       << Edit.Bytes << ")\n  {\n";
    for (const SymbolRef &Symbol : Edit.Symbols) {
      if (hasScriptName(Symbol.Symbol))
        OS << "    *(" << quoted(".data." + Symbol.Symbol) << ' '
           << quoted(".bss." + Symbol.Symbol) << ")\n";
      else
        OS << "    /* a linker script can not name '" << comment(Symbol.Symbol)
           << "'; use linesman relink */\n";
      if (hasNamesakes(Symbol))
        OS << "    /* takes every " << describe(Symbol) << " */\n";
      if (Edit.Kind == EditKind::Explode)
        OS << "    . = ALIGN(" << Edit.Bytes << ");\n";
    }
    OS << "    . = ALIGN(" << Edit.Bytes << ");\n  }\n";
  }
  OS << "}\nINSERT AFTER .data;\n";
}

void emitOrder(const Plan &Planning, raw_ostream &OS) {
  OS << "# Made by linesman plan --emit=order. Fences keep others off the "
        "lines:\n"
        "#   sed -n 's/^#s //p' THIS > fences.s\n"
        "#   c++ ... fences.s -fuse-ld=lld -Wl,--symbol-ordering-file=THIS\n"
        "# What moves leaves no gap, as it does with linesman relink: others "
        "may come\n# together on a line.\n";
  unsigned Number = 0;
  auto Fence = [&](uint64_t Bytes) {
    // In both sections: which one a symbol is in, the plan does not say. R
    // keeps them under --gc-sections; they are empty and take no room.
    for (StringRef Section : {".data", ".bss"}) {
      std::string Name =
          ("linesman_fence" + Twine(Number) + Section.substr(1, 1)).str();
      OS << "#s .section " << Section << "." << Name << ",\"awR\","
         << (Section == ".bss" ? "@nobits" : "@progbits") << "\n#s .p2align "
         << Log2_64(Bytes) << "\n#s " << Name << ":\n"
         << Name << '\n';
    }
    ++Number;
  };
  for (const PlannedEdit &Planned : Planning.Edits) {
    const Edit &Edit = Planned.Change;
    OS << "# " << word(Edit.Kind) << ' ' << names(Edit);
    if (isRoom(Edit.Kind)) {
      OS << ": an order can not say this; use linesman relink\n";
      continue;
    }
    OS << '\n';
    Fence(Edit.Bytes);
    for (const SymbolRef &Symbol : Edit.Symbols) {
      if (hasOrderName(Symbol.Symbol))
        OS << Symbol.Symbol << '\n';
      else
        OS << "# an order can not name '" << comment(Symbol.Symbol)
           << "'; use linesman relink\n";
      if (hasNamesakes(Symbol))
        OS << "# takes every " << describe(Symbol) << '\n';
      if (Edit.Kind == EditKind::Explode && &Symbol != &Edit.Symbols.back())
        Fence(Edit.Bytes);
    }
    Fence(Edit.Bytes);
  }
}

namespace {

/// Who is in the namespace does not name it.
std::string withoutAnonymous(std::string Name) {
  constexpr StringRef Anonymous = "(anonymous namespace)::";
  for (size_t Index; (Index = Name.find(Anonymous)) != std::string::npos;)
    Name.erase(Index, Anonymous.size());
  return Name;
}

/// Nor who is in the function: "_ZZ4workvE5count", "work.count" of clang,
/// "count.0" of GCC.
std::string sourceName(StringRef Symbol, StringRef OwnName) {
  StringRef Stem = layout::stemOf(Symbol);
  bool IsOfFunction = Stem.starts_with("_ZZ") || Stem.contains('.');
  if (IsOfFunction && !OwnName.empty())
    return OwnName.str();
  if (!Stem.starts_with("_Z") && !Stem.ends_with('.'))
    Stem = Stem.drop_front(Stem.rfind('.') + 1);
  return withoutAnonymous(guard::demangle(Stem));
}

/// A symbol of a plan as the source has it.
struct SourceObject {
  std::string Name, Type, Comment;
  bool IsC, IsLocal, HasType, HasLine;

  SourceObject(const SymbolRef &Symbol,
               const layout::ObjectTypes::Object *Found)
      : Name(sourceName(Symbol.Symbol, Found ? StringRef(Found->Name) : "")),
        IsLocal(Found ? Found->Source.IsLocal : !Symbol.File.empty()),
        HasType(Found && !Found->Source.Type.empty()),
        HasLine(Found && !Found->Source.File.empty()) {
    StringRef File = Symbol.File;
    if (HasLine) {
      File = Found->Source.File;
      Comment = " // " + comment(File + ":" + Twine(Found->Source.Line));
    } else if (!File.empty()) {
      Comment = " // in " + comment(File);
    }
    Type = HasType ? withoutAnonymous(Found->Source.Type) : "TYPE";
    IsC = File.ends_with(".c");
  }

  std::string onOwnLines(uint64_t Bytes) const {
    return formatv("{0}{1}{2}, {3}{4} {5};", IsLocal ? "static " : "",
                   IsC ? "OWN_LINE(" : "OwnLine<", Type, Bytes, IsC ? ")" : ">",
                   Name);
  }
};

} // namespace

void emitSource(const Plan &Planning, FindObject Find, raw_ostream &OS) {
  bool HasC = false, HasOthers = false, LacksType = false;
  std::string Lines;
  raw_string_ostream Body(Lines);
  // The symbol of each place in the source.
  std::map<std::string, std::string> Known;
  for (const PlannedEdit &Planned : Planning.Edits) {
    const Edit &Edit = Planned.Change;
    std::string Text;
    raw_string_ostream Line(Text);
    for (const SymbolRef &Symbol : Edit.Symbols) {
      SourceObject Object(Symbol, Find(Symbol));
      // The optimizer made several symbols of one variable.
      if (Object.HasLine &&
          Known.try_emplace(Object.Name + Object.Comment, Symbol.Symbol)
                  .first->second != Symbol.Symbol)
        continue;
      if (!isSource(Object.Name) || !isSource(Object.Type)) {
        Line << "// not a name or a type of a source: '" << comment(Object.Name)
             << "', '" << comment(Object.Type) << "'\n";
        continue;
      }
      LacksType |= !Object.HasType && !isRoom(Edit.Kind);
      switch (Edit.Kind) {
      case EditKind::Isolate:
      case EditKind::Explode:
        (Object.IsC ? HasC : HasOthers) = true;
        Line << Object.onOwnLines(Edit.Bytes);
        break;
      case EditKind::Group:
        Line << "// a member of one alignas(" << Edit.Bytes
             << ") struct: " << Object.Name << ", of type " << Object.Type;
        break;
      case EditKind::Pad:
      case EditKind::Shift:
        Line << "alignas(" << Planning.Line.Bytes << ") /* " << Object.Name
             << " */";
        break;
      }
      Line << Object.Comment << '\n';
    }
    if (!Text.empty() || Edit.Symbols.empty())
      Body << "\n// " << word(Edit.Kind) << ' ' << names(Edit) << '\n' << Text;
  }
  OS << "// Made by linesman plan --emit=cpp. Each line replaces the object's "
        "definition:\n// an initialiser goes in braces, and uses say .Value. "
        "The wrapped type fills its\n// last line too, which alignas on a "
        "variable does not.\n";
  if (LacksType)
    OS << "// TYPE is the type that it has there, which debug information does "
          "not tell.\n";
  if (HasOthers)
    OS << "template <typename T, unsigned Bytes = " << Planning.Line.Bytes
       << "> struct alignas(Bytes) OwnLine { T Value; };\n";
  if (HasC)
    OS << "#define OWN_LINE(T, Bytes) "
          "struct { _Alignas(Bytes) __typeof__(T) Value; }\n";
  OS << Lines;
}

} // namespace linesman::plan
