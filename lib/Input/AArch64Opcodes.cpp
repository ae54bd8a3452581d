// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of AArch64 opcodes. LLVM names them as the manual does, with what
// follows in a fixed order, so that a name can be taken apart:
//
//     LDR BB ui       LDP X post      LDAX R B       CAS AL W     ST1 Two v4s
//     operation, size, addressing     ordering       size         registers

#include "AArch64Opcodes.h"
#include "MachineStep.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace linesman::input {

/// How an opcode addresses memory; its name without that.
static AArch64Kind takeAddressing(StringRef &Name) {
  if (Name.consume_back("pre"))
    return AArch64Kind::MemoryPre;
  if (Name.consume_back("post"))
    return AArch64Kind::MemoryPost;
  if (Name.consume_back("roX") || Name.consume_back("roW"))
    return AArch64Kind::MemoryIndexed;
  if (Name.consume_back("ui") || Name.consume_back("i"))
    return AArch64Kind::Memory;
  if (Name.consume_back("l"))
    return AArch64Kind::Literal;
  return AArch64Kind::MemoryBase;
}

/// Bytes that the letters behind an operation stand for; 0 for others. Signed
/// loads name the size in memory first: SBW reads a byte.
static uint8_t sizeOfLetters(StringRef Letters) {
  return StringSwitch<uint8_t>(Letters)
      .Cases({"B", "BB", "SBW", "SBX", "b"}, 1)
      .Cases({"H", "HH", "SHW", "SHX", "h"}, 2)
      .Cases({"", "W", "S", "SW", "s"}, 4)
      .Cases({"X", "D", "d"}, 8)
      .Cases({"Q", "q"}, 16)
      .Default(0);
}

/// LDR, STUR, LDP, LDAR and their kin; false for others.
static bool readPlain(StringRef Name, AArch64Opcode &Info) {
  bool Loads = Name.starts_with("LD");
  if (!Name.consume_front("LD") && !Name.consume_front("ST"))
    return false;
  AArch64Kind Addressing = takeAddressing(Name);
  struct Family {
    StringLiteral Name;
    AArch64Kind Kind;
    uint8_t Registers;
    bool IsScaled;
  };
  // Longer names first. Without an offset there is nothing to scale.
  static constexpr Family Families[] = {
      {"AXP", AArch64Kind::LoadExclusive, 2, false},
      {"LXP", AArch64Kind::StoreExclusive, 2, false},
      {"XP", AArch64Kind::LoadExclusive, 2, false},
      {"AXR", AArch64Kind::LoadExclusive, 1, false},
      {"LXR", AArch64Kind::StoreExclusive, 1, false},
      {"XR", AArch64Kind::LoadExclusive, 1, false},
      {"APUR", AArch64Kind::Memory, 1, false},
      {"APR", AArch64Kind::MemoryBase, 1, false},
      {"LAR", AArch64Kind::MemoryBase, 1, false},
      {"LLR", AArch64Kind::MemoryBase, 1, false},
      {"LUR", AArch64Kind::Memory, 1, false},
      {"AR", AArch64Kind::MemoryBase, 1, false},
      {"LR", AArch64Kind::MemoryBase, 1, false},
      {"UR", AArch64Kind::Memory, 1, false},
      {"TR", AArch64Kind::Memory, 1, false},
      {"TP", AArch64Kind::Memory, 2, true},
      {"NP", AArch64Kind::Memory, 2, true},
      {"P", AArch64Kind::Memory, 2, true},
      {"R", AArch64Kind::Memory, 1, true},
  };
  const Family *Found = find_if(Families, [&](const Family &F) {
    return Name.starts_with(F.Name) &&
           sizeOfLetters(Name.substr(F.Name.size()));
  });
  if (Found == std::end(Families))
    return false;
  StringRef Letters = Name.substr(Found->Name.size());
  uint8_t Size = sizeOfLetters(Letters);
  Info.IsSingle = Found->Registers == 1;
  Info.Kind = Found->Kind == AArch64Kind::Memory ? Addressing : Found->Kind;
  if (Info.Kind == AArch64Kind::LoadExclusive && !Loads)
    Info.Kind = AArch64Kind::StoreExclusive;
  Info.Size = Size * Found->Registers;
  // Before and after a step of one register, the offset counts bytes.
  bool CountsBytes = Found->Registers == 1 &&
                     Addressing != AArch64Kind::Memory &&
                     Addressing != AArch64Kind::MemoryIndexed;
  Info.Scale = Found->IsScaled && !CountsBytes ? Size : 1;
  (Loads ? Info.Reads : Info.Writes) = true;
  bool IsPlain = Info.Kind != AArch64Kind::LoadExclusive &&
                 Info.Kind != AArch64Kind::StoreExclusive;
  Info.Pointers = Letters == "X" && IsPlain ? Found->Registers : 0;
  Info.LoadsPointer = Loads && Found->Registers == 1 && Letters == "X";
  return true;
}

/// LDADD, SWP, CAS and their kin: what stands behind the operation is the
/// ordering, then the size.
static bool readAtomic(StringRef Name, AArch64Opcode &Info) {
  uint8_t Registers = 1;
  if (Name.consume_front("CASP"))
    Registers = 2;
  else if (!Name.consume_front("CAS") && !Name.consume_front("SWP") &&
           !Name.consume_front("LDADD") && !Name.consume_front("LDCLR") &&
           !Name.consume_front("LDEOR") && !Name.consume_front("LDSET") &&
           !Name.consume_front("LDSMAX") && !Name.consume_front("LDSMIN") &&
           !Name.consume_front("LDUMAX") && !Name.consume_front("LDUMIN"))
    return false;
  if (Name.consume_front("P")) // of 128 bits
    Registers = 2;
  Name.consume_front("A");
  Name.consume_front("L");
  uint8_t Size = Name.empty() && Registers == 2 ? 8 : sizeOfLetters(Name);
  if (!Size || Name.size() > 1)
    return false;
  Info.Kind = AArch64Kind::Atomic;
  Info.Size = Size * Registers;
  return true;
}

/// LD1Twov4s, LD3Rv8b, ST1i32: structures of vectors.
static bool readVector(StringRef Name, AArch64Opcode &Info) {
  bool Loads = Name.starts_with("LD");
  if ((!Name.consume_front("LD") && !Name.consume_front("ST")) ||
      Name.empty() || !isDigit(Name[0]))
    return false;
  uint8_t Elements = Name[0] - '0';
  Name = Name.drop_front();
  bool Moves = Name.consume_back("_POST");
  auto [Count, Shape] = Name.split('v');
  uint8_t Vectors = StringSwitch<uint8_t>(Count)
                        .Case("One", 1)
                        .Case("Two", 2)
                        .Case("Three", 3)
                        .Case("Four", 4)
                        .Default(0);
  uint8_t ElementBytes = StringSwitch<uint8_t>(Shape.take_back(1))
                             .Case("b", 1)
                             .Case("h", 2)
                             .Case("s", 4)
                             .Default(8);
  unsigned Number = 0;
  if (Vectors) {
    if (Shape.drop_back().getAsInteger(10, Number))
      return false;
    Info.Size = Vectors * Number * ElementBytes;
  } else if (Count == "R") {
    Info.Size = Elements * ElementBytes;
  } else if (Name.consume_front("i") && !Name.getAsInteger(10, Number)) {
    Info.Size = Elements * Number / 8;
  } else {
    return false; // scalable vectors
  }
  Info.Kind = Moves ? AArch64Kind::VectorPost : AArch64Kind::MemoryBase;
  (Loads ? Info.Reads : Info.Writes) = true;
  return true;
}

static AArch64Kind aarch64KindOf(StringRef Name, const MCInstrDesc &D) {
  AArch64Kind Kind =
      StringSwitch<AArch64Kind>(Name)
          .Case("ADRP", AArch64Kind::Adrp)
          .Case("ADR", AArch64Kind::Adr)
          .Cases({"ADDXri", "ADDWri", "ADDSXri", "ADDSWri"},
                 AArch64Kind::AddImmediate)
          .Cases({"SUBXri", "SUBWri", "SUBSXri", "SUBSWri"},
                 AArch64Kind::SubImmediate)
          .Cases({"ADDXrs", "ADDSXrs"}, AArch64Kind::AddShifted)
          .Case("SUBXrs", AArch64Kind::SubShifted)
          .Cases({"ADDXrx", "ADDXrx64"}, AArch64Kind::AddExtended)
          .Cases({"MADDXrrr", "UMADDLrrr", "SMADDLrrr"},
                 AArch64Kind::AddProduct)
          .Cases({"UBFMXri", "SBFMXri"}, AArch64Kind::BitField)
          .Case("SUBSXrs", AArch64Kind::Compare)
          .Cases({"ORRXrs", "ORRWrs"}, AArch64Kind::Or)
          .Cases({"MOVZXi", "MOVZWi"}, AArch64Kind::MoveWide)
          .Cases({"MOVNXi", "MOVNWi"}, AArch64Kind::MoveWideNot)
          .Cases({"MOVKXi", "MOVKWi"}, AArch64Kind::MoveKeep)
          .Cases({"CSELXr", "CSELWr"}, AArch64Kind::Select)
          .Cases({"CBZX", "CBZW"}, AArch64Kind::BranchZero)
          .Cases({"CBNZX", "CBNZW"}, AArch64Kind::BranchNotZero)
          .Case("TBZW", AArch64Kind::BranchBitZero)
          .Case("TBNZW", AArch64Kind::BranchBitNotZero)
          .Case("SYSxt", AArch64Kind::System)
          .Case("HINT", AArch64Kind::Hint)
          .Case("ISB", AArch64Kind::Barrier)
          .Cases({"BRK", "UDF", "HLT"}, AArch64Kind::End)
          .Default(AArch64Kind::Other);
  if (Kind != AArch64Kind::Other)
    return Kind;
  if (D.isReturn())
    return AArch64Kind::Return;
  if (D.isCall())
    return Name == "BL"              ? AArch64Kind::Call
           : Name.starts_with("BLR") ? AArch64Kind::CallRegister
                                     : AArch64Kind::Other;
  if (D.isIndirectBranch())
    return AArch64Kind::JumpRegister;
  if (D.isConditionalBranch())
    return AArch64Kind::Branch;
  if (D.isUnconditionalBranch())
    return AArch64Kind::Jump;
  return AArch64Kind::Other;
}

AArch64Tables::AArch64Tables(const MCInstrInfo &Instructions,
                             const MCRegisterInfo &Names)
    : Opcodes(Instructions.getNumOpcodes()),
      Registers(Names.getNumRegs(), NoRegister), Masks(Names.getNumRegs()) {
  for (unsigned R = 1; R != Names.getNumRegs(); ++R) {
    StringRef Name = Names.getName(R);
    unsigned Number = 0;
    if (Name == "WZR" || Name == "XZR")
      Zeros.push_back(R);
    bool IsGeneral = (Name.consume_front("X") &&
                      !Name.getAsInteger(10, Number) && Number < 31) ||
                     Name == "FP" || Name == "LR" || Name == "SP";
    if (IsGeneral)
      for (MCPhysReg Part : Names.subregs_inclusive(R))
        Registers[Part] = Names.getEncodingValue(R);
  }
  for (unsigned R = 1; R != Names.getNumRegs(); ++R)
    for (MCPhysReg Part : Names.subregs_inclusive(R))
      if (Registers[Part] < MostRegisters)
        Masks[R] |= 1u << Registers[Part];
  for (unsigned Opcode = 0; Opcode != Opcodes.size(); ++Opcode) {
    const MCInstrDesc &D = Instructions.get(Opcode);
    StringRef Name = Instructions.getName(Opcode);
    AArch64Opcode &Info = Opcodes[Opcode];
    Info.SetsFlags = any_of(D.implicit_defs(), [&](MCPhysReg R) {
      return StringRef(Names.getName(R)) == "NZCV";
    });
    Info.Defs = D.getNumDefs();
    if (!D.isPseudo() && (readAtomic(Name, Info) || readVector(Name, Info) ||
                          readPlain(Name, Info)))
      continue;
    Info.Kind = aarch64KindOf(Name, D);
  }
}

} // namespace linesman::input
