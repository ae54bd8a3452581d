// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OwnCode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"

using namespace llvm;

namespace linesman::layout {

/// What calls main comes first of a C library. Of libstdc++'s functions, those
/// that nobody else can have a copy of, as templates: its own classes. Cold
/// parts are elsewhere.
static bool isLibraryFunction(StringRef Name) {
  static constexpr StringLiteral Begins[] = {"__libc_start_", "_ZN10__cxxabiv1",
                                             "_ZNSt6locale5_Impl",
                                             "_ZNSt8ios_base4Init"};
  return any_of(Begins,
                [&](StringRef Begin) { return Name.starts_with(Begin); }) &&
         !Name.ends_with(".cold");
}

/// Rust's name of a static, as both of its manglings demangle; empty for
/// others.
static std::string nameOfRust(StringRef Symbol) {
  constexpr size_t Hash = 16; // `17h0123456789abcdefE`
  const bool IsRusts =
      Symbol.starts_with("_R") ||
      (Symbol.starts_with("_ZN") && Symbol.split('.').first.size() > Hash &&
       Symbol.split('.').first.drop_back(Hash + 1).ends_with("17h"));
  return IsRusts ? demangle(Symbol) : std::string();
}

/// What the program has of Rust's standard library, by the crate, which comes
/// first (`std::io::stdio::STDOUT`), and what is in other languages: the C
/// library, and libraries that crates have inside. Of a static in a function of
/// an implementation it is the crate of the type, as
/// `<std::process::Command>::spawn::LOCK`, or as older compilers have it,
/// `_$LT$std..process..Command$GT$::spawn::LOCK`.
static bool isForeignToRust(StringRef Symbol) {
  const std::string Name = nameOfRust(Symbol);
  StringRef Path = Name;
  if (!Path.consume_front("_$LT$"))
    Path = Path.ltrim('<');
  StringRef Crate =
      Path.take_while([](char C) { return isAlnum(C) || C == '_'; });
  return Name.empty() ||
         is_contained({"std", "core", "alloc", "std_detail"}, Crate);
}

/// By the first folder of the package: `runtime.sched`, `net/http.Default`.
/// That of another package has a dot in it, as a host's name has
/// (`example.org/server.hits`), and a program's own package is `main`.
static bool isOfGo(StringRef Symbol) {
  // The folders of `go list std` that have variables.
  static constexpr StringLiteral Folders[] = {
      "archive", "bufio",   "bytes",    "cmp",     "compress", "container",
      "context", "crypto",  "database", "debug",   "encoding", "errors",
      "expvar",  "flag",    "fmt",      "go",      "hash",     "html",
      "image",   "index",   "internal", "io",      "log",      "math",
      "mime",    "net",     "os",       "path",    "plugin",   "reflect",
      "regexp",  "runtime", "sort",     "strconv", "strings",  "sync",
      "syscall", "testing", "text",     "time",    "unicode",  "unique",
      "vendor",  "weak"};
  StringRef Package = Symbol.take_until([](char C) { return C == '.'; });
  return Package.size() != Symbol.size() &&
         is_contained(Folders, Package.split('/').first);
}

OwnCode::OwnCode(const Image &Program, const AccessTable &Table)
    : Program(Program), Table(Table) {
  for (const Function &F : Table.functions())
    if (isLibraryFunction(F.Name))
      Libraries = std::min(Libraries, F.Address);
}

size_t OwnCode::countFunctions() const {
  return count_if(Table.functions(),
                  [&](const Function &F) { return F.Address < Libraries; });
}

bool OwnCode::uses(const AccessedObject &Object) const {
  return any_of(Object.Accesses, [&](const ObjectAccess &A) {
    const Function &User = Table.functions()[A.Function];
    return User.Address < Libraries && !User.Name.ends_with(".cold") &&
           !Table.isDoubtful(A) && Table.isConcurrent(A);
  });
}

bool OwnCode::isPrograms(uint32_t Head,
                         ArrayRef<LineOccupant> Occupants) const {
  const Symbol &Hottest = Program.symbols()[Head];
  if (Hottest.Origin != SymbolOrigin::Anonymous &&
      ((Table.isRust() && isForeignToRust(Hottest.name())) ||
       (Table.isGo() && isOfGo(Hottest.name()))))
    return false;
  return any_of(Occupants, [&](const LineOccupant &Place) {
    return Place.Object && uses(*Place.Object);
  });
}

} // namespace linesman::layout
