// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts to module assembly. What has to hold, and how:
//
// - The linker joins: every function and object is a relocation to its symbol.
// - Nothing that is loaded changes. The section is not allocated, and a
//   reference must not even change the order of the symbol table, from which a
//   linker orders .dynsym. So references go through .weakref aliases: the
//   symbol takes its place when the code first uses it.
// - Nothing becomes undefined. A target of .weakref that nobody else refers to
//   is a weak undefined symbol, so a variable that the code generator lost
//   after us is address 0 instead of a failed link. appendToCompilerUsed, the
//   usual way, would keep it alive and keep GlobalMerge from merging it: a
//   change of the code.
// - A function that the linker drops takes its facts along. One that was
//   discarded as a COMDAT's duplicate would otherwise resolve to the copy that
//   stays, and count twice: its facts are in its COMDAT group.
//
// An alias of something defined here becomes section + offset. For a weak
// function this is what we want (these facts are about this body), for a
// variable that may be defined elsewhere too it is not (a discarded copy's
// address is 0): those are referred to by name, and take their place in the
// symbol table here (docs/limits.md).
//
// LLVM before 20 puts a symbol into the table at its .weakref, and relocates
// with the symbol, for which mold gives the PLT entry. There an alias of
// something defined here is .lto_set_conditional, which waits for the
// definition and which GNU as does not know.

#include "CallRecord.h"
#include "Pointers.h"
#include "linesman/Facts/Format.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/bit.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Mangler.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace linesman::facts;

namespace {

/// The assembly of one module: constant bytes run together into .ascii, which
/// the assembler reads fastest, until a reference interrupts them.
class AssemblyWriter {
public:
  explicit AssemblyWriter(raw_ostream &OS) : OS(OS) {}

  void beginSection(StringRef Comdat);
  void endSection();
  void writeStringSection();

  void write8(uint8_t Value) { Bytes.push_back(Value); }
  void write16(uint16_t Value) { writeInteger(Value); }
  void write32(uint32_t Value) { writeInteger(Value); }
  void writeBytes(StringRef Data) { Bytes += Data; }
  void writeAddress(const GlobalValue &GV);
  void writeStringOffset(StringRef String);

  /// The linker's name; empty when assembly cannot express it.
  StringRef getSymbol(const GlobalValue &GV);

private:
  template <typename T> void writeInteger(T Value) {
    char Buffer[sizeof(T)];
    support::endian::write<T, llvm::endianness::little>(Buffer, Value);
    Bytes.append(Buffer, Buffer + sizeof(T));
  }
  void flush();
  void writeAlias(unsigned Number, StringRef Symbol, bool IsDeclaration);
  void writeQuoted(StringRef Data);

  raw_ostream &OS;
  SmallString<256> Bytes;
  Mangler Mang;
  BumpPtrAllocator Memory;
  /// Strings keeps references to these names, so the map, which moves its
  /// values when it grows, must not own them.
  DenseMap<const GlobalValue *, StringRef> SymbolOf;
  DenseMap<const GlobalValue *, unsigned> AliasOf;
  MapVector<StringRef, unsigned, StringMap<unsigned>> Strings;
};

void AssemblyWriter::beginSection(StringRef Comdat) {
  OS << ".pushsection " << SectionName;
  if (Comdat.empty())
    OS << ",\"\",@progbits\n";
  else
    OS << ",\"G\",@progbits,\"" << Comdat << "\",comdat\n";
}

void AssemblyWriter::endSection() {
  flush();
  OS << ".popsection\n";
}

void AssemblyWriter::writeStringSection() {
  if (Strings.empty())
    return;
  OS << ".pushsection " << StringSectionName << ",\"MS\",@progbits,1\n";
  for (const auto &[String, Number] : Strings) {
    OS << ".Llinesman_s" << Number << ":\n.asciz ";
    writeQuoted(String);
  }
  OS << ".popsection\n";
}

void AssemblyWriter::flush() {
  if (Bytes.empty())
    return;
  OS << ".ascii ";
  writeQuoted(Bytes);
  Bytes.clear();
}

void AssemblyWriter::writeQuoted(StringRef Data) {
  OS << '"';
  for (unsigned char C : Data) {
    if (isPrint(C) && C != '"' && C != '\\')
      OS << C;
    else
      OS << '\\' << char('0' + (C >> 6)) << char('0' + ((C >> 3) & 7))
         << char('0' + (C & 7));
  }
  OS << "\"\n";
}

StringRef AssemblyWriter::getSymbol(const GlobalValue &GV) {
  auto [It, IsNew] = SymbolOf.try_emplace(&GV);
  // The Mangler numbers nameless globals by itself, and the code generator's
  // Mangler may number them otherwise.
  if (!IsNew || !GV.hasName())
    return It->second;
  SmallString<64> Name;
  Mang.getNameWithPrefix(Name, &GV, /*CannotUsePrivateLabel=*/false);
  // Releases disagree on how a quoted name escapes these.
  if (Name.str().find_first_of(StringRef("\"\\\n\0", 4)) == StringRef::npos)
    It->second = Name.str().copy(Memory);
  return It->second;
}

/// Whether the linker may choose another definition than this module's. An
/// alias of a common symbol has no section to be an offset into: it stays a
/// name.
static bool mayBeReplaced(const GlobalValue &GV) {
  return !GV.isDeclaration() && GV.isWeakForLinker() &&
         (LLVM_VERSION_MAJOR < 20 || !GV.hasCommonLinkage());
}

void AssemblyWriter::writeAddress(const GlobalValue &GV) {
  StringRef Symbol = getSymbol(GV);
  if (Symbol.empty()) {
    Bytes.append(8, '\0');
    return;
  }
  flush();
  if (!isa<Function>(GV) && mayBeReplaced(GV)) {
    OS << ".8byte \"" << Symbol << "\"\n";
    return;
  }
  auto [It, IsNew] = AliasOf.try_emplace(&GV, AliasOf.size());
  if (IsNew)
    writeAlias(It->second, Symbol, GV.isDeclaration());
  OS << ".8byte .Llinesman_r" << It->second << '\n';
}

void AssemblyWriter::writeAlias(unsigned Number, StringRef Symbol,
                                [[maybe_unused]] bool IsDeclaration) {
#if LLVM_VERSION_MAJOR < 20
  if (!IsDeclaration) {
    OS << ".ifdef .gasversion.\n.set .Llinesman_r" << Number << ",\"" << Symbol
       << "\"\n.else\n.lto_set_conditional .Llinesman_r" << Number << ",\""
       << Symbol << "\"\n.endif\n";
    return;
  }
#endif
  OS << ".weakref .Llinesman_r" << Number << ",\"" << Symbol << "\"\n";
}

void AssemblyWriter::writeStringOffset(StringRef String) {
  flush();
  unsigned Number =
      Strings.try_emplace(String, static_cast<unsigned>(Strings.size()))
          .first->second;
  OS << ".4byte .Llinesman_s" << Number << '\n';
}

/// One contribution: collects its tables and records first, for the sizes that
/// stand before them.
class Contribution {
public:
  void add(const FunctionFacts &FF);
  /// \p Calls is the payload of a record, and what that refers to.
  void add(const CallRecord &Record) { Calls = &Record; }
  /// Accesses by type of all functions of the module.
  void addTypes(const ModuleFacts &Facts, CallRecord::SymbolNames Name) {
    Types = Facts.Types;
    Unlocked = packUnlocked(Facts, *Calls, Name);
    TypeAccesses = packTypeAccesses(Facts, *Calls, Name, [&](StringRef File) {
      return getFileNumber(File);
    });
  }
  /// Uses of pointers of all functions of the module.
  void addPointers(const ModuleFacts &Facts, CallRecord::SymbolNames Name) {
    Pointers = packPointers(
        Facts, *Calls, Name,
        [&](const GlobalValue &Object) { return getObjectIndex(Object); },
        [&](StringRef File) { return getFileNumber(File); });
    Steps = packSteps(Facts, *Calls, Name);
  }
  void addCallLocks(const ModuleFacts &Facts, CallRecord::SymbolNames Name) {
    CallLocks =
        packCallLocks(Facts, *Calls, Name, [&](const GlobalValue &Object) {
          return getObjectIndex(Object);
        });
  }
  void addCallFlags(const ModuleFacts &Facts, CallRecord::SymbolNames Name) {
    CallFlags =
        packCallFlags(Facts, *Calls, Name, [&](const GlobalValue &Object) {
          return getObjectIndex(Object);
        });
  }
  void write(AssemblyWriter &W, uint16_t Flags) const;

private:
  uint32_t getFileNumber(StringRef File);
  uint32_t getObjectIndex(const GlobalValue &Object);

  std::vector<const FunctionFacts *> Functions;
  MapVector<const GlobalValue *, uint32_t> Objects;
  MapVector<StringRef, uint32_t, StringMap<unsigned>> Files;
  /// Access records with their headers.
  std::string Records;
  const CallRecord *Calls = nullptr;
  ArrayRef<RecordType> Types;
  std::string TypeAccesses, Unlocked;
  std::string Pointers, Steps;
  std::string CallLocks;
  std::string CallFlags;
};

void appendRecord(std::string &Records, format::RecordKind Kind,
                  StringRef Payload) {
  char Header[format::RecordHeaderSize];
  support::endian::write16le(Header, static_cast<uint16_t>(Kind));
  support::endian::write32le(Header + 2, static_cast<uint32_t>(Payload.size()));
  Records.append(Header, sizeof(Header));
  Records += Payload;
}

/// One record in place of \p Records, if that is shorter.
std::string compressRecords(std::string Records) {
  if (!compression::zlib::isAvailable())
    return Records;
  SmallVector<uint8_t, 0> Stream;
  compression::zlib::compress(arrayRefFromStringRef(Records), Stream,
                              compression::zlib::DefaultCompression);
  std::string Payload, Result;
  raw_string_ostream OS(Payload);
  encodeULEB128(Records.size(), OS);
  OS << toStringRef(Stream);
  appendRecord(Result, format::RecordKind::Compressed, Payload);
  bool IsShorter = Result.size() < Records.size() &&
                   Records.size() / format::MostExpansion < Payload.size();
  return IsShorter ? Result : Records;
}

uint32_t Contribution::getFileNumber(StringRef File) {
  if (File.empty())
    return 0;
  return Files.try_emplace(File, static_cast<uint32_t>(Files.size() + 1))
      .first->second;
}

uint32_t Contribution::getObjectIndex(const GlobalValue &Object) {
  auto [It, IsNew] =
      Objects.try_emplace(&Object, static_cast<uint32_t>(Objects.size()));
  if (IsNew)
    if (const DIGlobalVariable *Decl = getDeclaration(Object))
      getFileNumber(Decl->getFilename());
  return It->second;
}

void Contribution::add(const FunctionFacts &FF) {
  for (const ObjectAccesses &O : FF.Objects) {
    std::string Payload, Order, Strides, Locks, Flags, Constants;
    raw_string_ostream OS(Payload), OrderOS(Order), StridesOS(Strides),
        LocksOS(Locks), FlagsOS(Flags), ConstantsOS(Constants);
    bool HasLocks =
        any_of(O.Accesses, [](const ObjectAccess &A) { return bool(A.Held); });
    bool HasStrides = any_of(O.Accesses, [](const Access &A) {
      return A.Stride > 1 || A.IsByThread;
    });
    bool HasFlags =
        any_of(O.Accesses, [](const ObjectAccess &A) { return bool(A.Flag); });
    bool HasConstants = any_of(
        O.Accesses, [](const Access &A) { return A.Stored.has_value(); });
    encodeULEB128(Functions.size(), OS);
    encodeULEB128(getObjectIndex(*O.Object), OS);
    for (const ObjectAccess &A : O.Accesses) {
      if (HasLocks)
        writeLock(
            A.Held,
            [&](const GlobalValue &Lock) { return getObjectIndex(Lock); },
            LocksOS);
      if (HasFlags) {
        encodeULEB128(A.Flag ? 1 + getObjectIndex(*A.Flag.Object) : 0, FlagsOS);
        if (A.Flag)
          encodeULEB128(A.Flag.Offset, FlagsOS);
      }
      if (HasConstants) {
        encodeULEB128(A.Stored.has_value(), ConstantsOS);
        if (A.Stored)
          encodeULEB128(*A.Stored, ConstantsOS);
      }
      OS << static_cast<char>(static_cast<uint8_t>(A.Kind) |
                              (A.Offset ? format::HasOffset : 0));
      writeFloat(A.Weight, OS);
      if (A.Offset)
        encodeULEB128(*A.Offset, OS);
      encodeULEB128(A.Size, OS);
      encodeULEB128(getFileNumber(A.File), OS);
      encodeULEB128(A.Line, OS);
      if (A.StagesBefore)
        encodeULEB128(*A.StagesBefore, OrderOS);
      if (HasStrides) {
        encodeULEB128(A.Stride * 2 + A.IsByThread, StridesOS);
        if (A.Stride || A.IsByThread)
          encodeULEB128(A.First, StridesOS);
      }
    }
    if (!Order.empty())
      appendRecord(Records, format::RecordKind::Order, Order);
    if (HasStrides)
      appendRecord(Records, format::RecordKind::Strides, Strides);
    if (HasLocks)
      appendRecord(Records, format::RecordKind::HeldLocks, Locks);
    if (HasFlags)
      appendRecord(Records, format::RecordKind::OnceFlags, Flags);
    if (HasConstants)
      appendRecord(Records, format::RecordKind::StoredConstants, Constants);
    appendRecord(Records, format::RecordKind::Access, Payload);
  }
  Functions.push_back(&FF);
}

void Contribution::write(AssemblyWriter &W, uint16_t Flags) const {
  uint32_t FilesSize = Files.size() * format::FileEntrySize;
  uint32_t FunctionsSize = Functions.size() * format::FunctionEntrySize;
  uint32_t ObjectsSize = Objects.size() * format::ObjectEntrySize;
  uint32_t LocalsSize =
      Calls ? Calls->Locals.size() * format::LocalFunctionEntrySize : 0;
  std::string Tail = Records;
  if (Calls) {
    if (!CallLocks.empty())
      appendRecord(Tail, format::RecordKind::CallLocks, CallLocks);
    if (!CallFlags.empty())
      appendRecord(Tail, format::RecordKind::CallFlags, CallFlags);
    if (!Calls->Declared.empty())
      appendRecord(Tail, format::RecordKind::DeclaredTypes, Calls->Declared);
    if (!Calls->Payload.empty())
      appendRecord(Tail, format::RecordKind::Calls, Calls->Payload);
  }
  if (!Unlocked.empty())
    appendRecord(Tail, format::RecordKind::Unlocked, Unlocked);
  if (!TypeAccesses.empty())
    appendRecord(Tail, format::RecordKind::TypeAccess, TypeAccesses);
  if (!Steps.empty())
    appendRecord(Tail, format::RecordKind::UseSteps, Steps);
  if (!Pointers.empty())
    appendRecord(Tail, format::RecordKind::Pointers, Pointers);
  Tail = compressRecords(std::move(Tail));
  // Some readers want the names only.
  if (Calls && !Calls->Names.empty()) {
    std::string Names;
    appendRecord(Names, format::RecordKind::Names, Calls->packNames());
    Tail = Names + Tail;
  }
  uint32_t Size = format::HeaderSize + Tail.size();
  uint32_t TypesSize = Types.size() * format::TypeEntrySize;
  for (uint32_t TableSize :
       {FilesSize, FunctionsSize, ObjectsSize, LocalsSize, TypesSize})
    if (TableSize)
      Size += format::RecordHeaderSize + TableSize;

  W.write32(format::Magic);
  W.write16(FormatVersion);
  W.write16(Flags);
  W.write32(Size);

  auto BeginTable = [&W](format::RecordKind Kind, uint32_t Size) {
    if (!Size)
      return;
    W.write16(static_cast<uint16_t>(Kind));
    W.write32(Size);
  };
  BeginTable(format::RecordKind::Files, FilesSize);
  for (const auto &[File, Number] : Files)
    W.writeStringOffset(File);
  BeginTable(format::RecordKind::Functions, FunctionsSize);
  for (const FunctionFacts *FF : Functions) {
    W.writeAddress(*FF->F);
    W.writeStringOffset(W.getSymbol(*FF->F));
    W.write8((FF->IsInitializer ? format::IsInitializer : 0) |
             (FF->HasProfile ? format::HasProfile : 0));
  }
  BeginTable(format::RecordKind::Objects, ObjectsSize);
  for (const auto &[Object, Index] : Objects) {
    W.writeAddress(*Object);
    StringRef Name = W.getSymbol(*Object);
    W.writeStringOffset(Name.empty() ? Object->getName() : Name);
    const DIGlobalVariable *Decl = getDeclaration(*Object);
    W.write32(Decl ? Files.lookup(Decl->getFilename()) : 0);
    W.write32(Decl ? Decl->getLine() : 0);
  }
  BeginTable(format::RecordKind::LocalFunctions, LocalsSize);
  if (Calls)
    for (const auto &[Local, Index] : Calls->Locals)
      W.writeAddress(*Local);
  BeginTable(format::RecordKind::Types, TypesSize);
  for (const RecordType &T : Types) {
    W.writeStringOffset(T.Name);
    W.write32(T.Size <= UINT32_MAX ? T.Size : 0);
    W.write8(Log2_64(T.Alignment));
    W.write16(T.Fingerprint);
  }
  W.writeBytes(Tail);
}

/// The targets whose assembly and relocations this is known to fit.
bool isSupported(const Module &M) {
  Triple Target(M.getTargetTriple());
  if (!Target.isOSBinFormatELF() || !M.getDataLayout().isLittleEndian() ||
      M.getDataLayout().getPointerSize() != 8)
    return false;
  switch (Target.getArch()) {
  case Triple::x86_64:
  case Triple::aarch64:
  case Triple::riscv64:
  case Triple::loongarch64:
  case Triple::ppc64le:
    return true;
  default:
    return false;
  }
}

} // namespace

const DIGlobalVariable *
linesman::facts::getDeclaration(const GlobalValue &Object) {
  const GlobalVariable *GV = getVariable(Object);
  if (!GV)
    return nullptr;
  SmallVector<DIGlobalVariableExpression *, 1> Expressions;
  GV->getDebugInfo(Expressions);
  return Expressions.empty() ? nullptr : Expressions.front()->getVariable();
}

void linesman::facts::emitFacts(Module &M, const ModuleFacts &Facts,
                                Deduplication Dedup, Optimisation Done) {
  // Of a unit without code nobody asks who compiled it.
  bool HasNothing =
      Facts.Functions.empty() && Facts.Tables.empty() && Facts.Initial.empty();
  if ((HasNothing &&
       all_of(M,
              [](const Function &F) { return F.isDeclarationForLinker(); })) ||
      // A module that was compiled to IR with facts and comes back has them.
      !isSupported(M) ||
      StringRef(M.getModuleInlineAsm()).contains(SectionName))
    return;

  std::string Text;
  raw_string_ostream OS(Text);
  AssemblyWriter W(OS);

  // By the name of the COMDAT group; "" for what is in none.
  MapVector<StringRef, Contribution, StringMap<unsigned>> Contributions;
  for (const FunctionFacts &FF : Facts.Functions) {
    if (FF.Objects.empty() || W.getSymbol(*FF.F).empty())
      continue;
    const Comdat *C = FF.F->getComdat();
    bool IsGrouped = C && Dedup == Deduplication::Linker &&
                     C->getSelectionKind() != Comdat::NoDeduplicate;
    Contributions[IsGrouped ? C->getName() : StringRef()].add(FF);
  }
  auto Symbol = [&](const GlobalValue &GV) { return W.getSymbol(GV); };
  CallRecord Calls(Facts, Symbol);
  bool HasPointers = any_of(Facts.Functions, [](const FunctionFacts &FF) {
    return !FF.Pointers.empty();
  });
  if (!Calls.Payload.empty() || !Facts.Types.empty() || HasPointers ||
      !Facts.Initial.empty()) {
    Contribution &Ungrouped = Contributions[StringRef()];
    Ungrouped.add(Calls);
    Ungrouped.addTypes(Facts, Symbol);
    Ungrouped.addPointers(Facts, Symbol);
    Ungrouped.addCallLocks(Facts, Symbol);
    Ungrouped.addCallFlags(Facts, Symbol);
  }
  // One without records tells this unit from those that nobody asked.
  if (Contributions.empty())
    Contributions[StringRef()];
  for (const auto &[Group, C] : Contributions) {
    W.beginSection(Group);
    C.write(W, Done == Optimisation::Little ? format::IsLittleOptimised : 0);
    W.endSection();
  }
  W.writeStringSection();
  M.appendModuleInlineAsm(Text);
}

void linesman::facts::removeFacts(Module &M) {
  // They were appended last.
  StringRef Text = M.getModuleInlineAsm();
  size_t Begin = Text.find((".pushsection " + SectionName).str());
  if (Begin != StringRef::npos)
    M.setModuleInlineAsm(Text.take_front(Begin));
}
