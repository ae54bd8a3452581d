// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes to model: an ELF executable or shared object becomes an image and a
// table of accesses.

#ifndef LINESMAN_INPUT_READBINARY_H
#define LINESMAN_INPUT_READBINARY_H

#include "linesman/Facts/Facts.h"
#include "linesman/Input/DebugFile.h"
#include "linesman/Layout/Accesses.h"
#include "linesman/Layout/CallGraph.h"
#include "linesman/Layout/Types.h"
#include "llvm/Support/MemoryBuffer.h"
#include <deque>
#include <memory>

namespace linesman::input {

/// Where the symbols come from.
enum class SymbolSource : uint8_t {
  Symtab,
  /// Only what the dynamic linker needs is named.
  Dynsym,
  None,
};

/// Who tells what functions do.
enum class FactsFrom : uint8_t {
  /// The facts section.
  Compiler,
  /// The instructions of all functions.
  Code,
  /// The facts section for the functions that it knows, instructions for the
  /// others.
  Auto,
};

/// What reading machine code met.
struct CodeCounts {
  /// Whether code was read at all: there is code of a known machine.
  bool IsRead = false;
  /// A program that uses no function by whose name threads are known to start.
  bool StartsNoThread = false;
  /// Go made it: its threads are not started as others are, and its functions
  /// are in tables of its own.
  bool IsGo = false;
  /// It has Rust's runtime, which has the words of threads in every program.
  bool IsRust = false;
  /// A program whose main is Rust's, too: others have libraries in Rust.
  bool StartsInRust = false;
  /// A program whose processes have locks in common: it forks what others start
  /// as threads, and each process has its own variables.
  bool IsOfProcesses = false;
  /// Functions that compiler facts speak for.
  uint64_t Skipped = 0;
  /// Functions that nothing in the binary leads to; they are not read.
  uint64_t Unreached = 0;
  /// Functions that were looked at, and their bytes.
  uint64_t Functions = 0, Bytes = 0;
  /// Functions that had to be decoded: the others name no data.
  uint64_t Decoded = 0;
  /// Bytes that are no instruction.
  uint64_t Undecodable = 0;
  /// Functions that another one begins in; they end there.
  uint64_t Overlapping = 0;
  /// Functions outside of any section of code.
  uint64_t Stray = 0;
  /// Bytes of code, and those of them that are in no function which a symbol or
  /// unwinding information names: they are not read.
  uint64_t CodeBytes = 0, NobodysBytes = 0;
  /// Functions that use variables, and not at start-up only.
  uint64_t DataUsers = 0;
  /// Functions of which debug information says what their parameters point to,
  /// where facts about types come from machine code.
  uint64_t TypedFunctions = 0;
};

/// Of relocatable objects that were read together, how many there were.
struct UnlinkedCounts {
  /// Objects that were read, and those of them that have code but no facts.
  uint64_t Objects = 0, WithoutFacts = 0;
  /// Left out: second builds of a unit (libtool's, a static library's), and
  /// objects of link-time optimisation, which have facts at the link only.
  uint64_t Copies = 0, Bitcode = 0;
  /// Names that a second object defines as well: the objects are not of one
  /// program, and who calls whom between them is a guess.
  uint64_t Conflicts = 0;
  /// Variables that the objects use and do not define.
  uint64_t Elsewhere = 0;
  /// So much debug information that it was left out; 0 where it was not.
  uint64_t DebugBytesLeftOut = 0;
};

/// The section of variables that unlinked objects use and do not define.
inline constexpr llvm::StringLiteral ElsewhereSection = "elsewhere";

/// What the reader met and could not use; reports say it.
struct ReadCounts {
  /// Data symbols that lie outside the section that they claim.
  uint64_t StraySymbols = 0;
  facts::DecodeCounts Facts;
  CodeCounts Code;
  /// Functions that name variables and have no facts of a compiler, if it was
  /// asked for and their code was not read.
  uint64_t Unspoken = 0;
  /// Functions of a program with facts of a compiler that nothing leads to:
  /// what facts say of them is left out.
  uint64_t UnreachedFunctions = 0;
  layout::PointerCounts Pointers;
};

/// Which file has a part of a binary: the binary itself or its debug file; null
/// for what neither has.
struct PartFiles {
  const llvm::MemoryBuffer *Symbols = nullptr;
  const llvm::MemoryBuffer *Facts = nullptr;
  const llvm::MemoryBuffer *Dwarf = nullptr;
};

/// A binary, read. Everything points into the files' bytes.
struct Binary {
  std::unique_ptr<llvm::MemoryBuffer> File;
  /// Looked for where the file was stripped, or as ReadOptions say.
  DebugFile Debug;
  /// What .gnu_debugdata holds, an ELF file with symbols of functions; null
  /// where there is none, or symbols are elsewhere.
  std::unique_ptr<llvm::MemoryBuffer> Mini;
  PartFiles Files;
  /// Decompressed sections, where a section was compressed. A deque: bytes
  /// that are pointed into must not move when another section comes.
  std::deque<llvm::SmallVector<uint8_t, 0>> Decompressed;
  /// Names of objects without a symbol.
  llvm::BumpPtrAllocator Names;
  layout::Image Image;
  layout::AccessTable Accesses;
  /// Who calls whom; empty without facts.
  layout::CallGraph Calls;
  /// What is done to objects by type; only if it was asked for.
  layout::TypeTable Types;
  SymbolSource Symbols = SymbolSource::None;
  /// Whether the file has a facts section at all. One that was compiled with
  /// the pass has, also where no function has anything to say.
  bool HasFacts = false;
  /// Set where this is no binary, but objects before the link: addresses are
  /// ours, and only variables of one object have an order.
  std::optional<UnlinkedCounts> Unlinked;
  ReadCounts Counts;
};

/// Whether facts about types are read: they are ten times as many as those
/// about variables.
enum class TypeFacts : uint8_t { Skip, Read };

/// Whether objects, archives and folders of objects are read. Who needs
/// addresses refuses them.
enum class Objects : uint8_t { Refuse, Read };

/// Whether machine code is read that nothing in the binary leads to.
enum class Unreached : uint8_t { Skip, Read };

struct ReadOptions {
  FactsFrom Facts = FactsFrom::Compiler;
  TypeFacts Types = TypeFacts::Skip;
  /// Read: for who knows that some of it runs.
  Unreached DeadCode = Unreached::Skip;
  /// With FactsFrom::Compiler: counts the functions that it leaves out.
  bool CountsUnspoken = false;
  Objects Unlinked = Objects::Refuse;
  DebugSearch Debug;
};

/// Reads \p Path, an ELF64 little-endian executable or shared object or, if
/// \p Options ask for it, relocatable objects: one, an archive's, or all below
/// a folder, of which compiler facts are read. Fails
/// with a message that names the file: it can not be read, is no such file,
/// has headers out of bounds, or facts that are corrupt; or a debug file that
/// was asked for is not there or another binary's.
llvm::Expected<Binary> readBinary(llvm::StringRef Path,
                                  const ReadOptions &Options = {});

/// The same of a file that is open.
llvm::Expected<Binary> readBinary(std::unique_ptr<llvm::MemoryBuffer> File,
                                  const ReadOptions &Options = {});

/// The functions that \p File defines, the local ones last. Not kept in it:
/// a large binary has a million, and only samples are joined to all of them.
llvm::Expected<std::vector<layout::FunctionSymbol>>
readFunctions(const Binary &File);

/// Where \p File has code.
llvm::Expected<std::vector<layout::AddressRange>> readCode(const Binary &File);

/// Only the image of \p File, of those of its symbols whose bytes \p Keep
/// wants: where others are, nothing is known.
llvm::Expected<Binary>
readImage(std::unique_ptr<llvm::MemoryBuffer> File,
          llvm::function_ref<bool(layout::AddressRange)> Keep);

} // namespace linesman::input

#endif // LINESMAN_INPUT_READBINARY_H
