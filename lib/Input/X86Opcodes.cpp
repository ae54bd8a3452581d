// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What LLVM's names of x86-64 opcodes say.

#include "X86Opcodes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <iterator>

using namespace llvm;

namespace linesman::input {

/// Bytes that an opcode moves to or from memory, from LLVM's way of naming:
/// MOV32mr, MOVZX32rm8, ADD64mi8, MOVAPSmr, VMOVDQUYmr, CVTSI2SD64rm.
static uint8_t sizeOfSuffix(StringRef Name) {
  // What stands behind "rm" is the size in memory: MOVSX64rm32, PINSRDrm not.
  size_t Rm = Name.rfind("rm");
  if (Rm != StringRef::npos && Rm + 2 < Name.size() && isDigit(Name[Rm + 2])) {
    unsigned Bits = 0;
    if (!Name.drop_front(Rm + 2).consumeInteger(10, Bits) && Bits % 8 == 0)
      return Bits / 8;
  }
  bool IsVex = Name.consume_front("V");
  uint8_t Vector = 16;
  if (IsVex)
    Vector = Name.contains("Z256")                          ? 32
             : Name.contains("Z128")                        ? 16
             : Name.contains('Z') && !Name.contains("ZX")   ? 64
             : Name.contains("Yrm") || Name.contains("Ymr") ? 32
                                                            : 16;
  uint8_t Known = StringSwitch<uint8_t>(Name)
                      .StartsWith("CMPXCHG16B", 16)
                      .StartsWith("CMPXCHG8B", 8)
                      .StartsWith("SET", 1)
                      .StartsWith("MOVLPS", 8)
                      .StartsWith("MOVHPS", 8)
                      .StartsWith("MOVLPD", 8)
                      .StartsWith("MOVHPD", 8)
                      .StartsWith("MOVPQI2QI", 8)
                      .StartsWith("MOVQI2PQI", 8)
                      .StartsWith("MOVDI2PDI", 4)
                      .StartsWith("MOVPDI2DI", 4)
                      .StartsWith("MOVNTI_64", 8)
                      .StartsWith("MOVNTI", 4)
                      .StartsWith("CVTSI2SS64", 8)
                      .StartsWith("CVTSI642S", 8)
                      .StartsWith("CVTSI2S", 4)
                      .StartsWith("CVTSS2S", 4)
                      .StartsWith("CVTSD2S", 8)
                      .StartsWith("CVTTSS2", 4)
                      .StartsWith("CVTTSD2", 8)
                      .StartsWith("UCOMISS", 4)
                      .StartsWith("UCOMISD", 8)
                      .StartsWith("COMISS", 4)
                      .StartsWith("COMISD", 8)
                      .StartsWith("CALL64", 8)
                      .StartsWith("JMP64", 8)
                      .Default(0);
  if (Known)
    return Known;
  // Scalars before vectors: MOVSSmr, ADDSDrm_Int, but not MOVAPSmr.
  for (auto [Word, Bytes] : {std::pair("SSrm", 4),
                             {"SDrm", 8},
                             {"SSmr", 4},
                             {"SDmr", 8},
                             {"SSZrm", 4},
                             {"SDZrm", 8},
                             {"SSZmr", 4},
                             {"SDZmr", 8}})
    if (Name.contains(Word))
      return Bytes;
  for (StringRef Word : {"PS", "PD", "DQ", "DQA", "DQU"})
    if (Name.contains(Word) && (Name.contains("rm") || Name.contains("mr")))
      return Vector;
  if (Name.starts_with("P") && Name.ends_with("rm"))
    return Vector; // integer operations on vectors: PADDDrm
  if (Name.contains("_F32m"))
    return 4;
  if (Name.contains("_F64m"))
    return 8;
  if (Name.contains("_F80m"))
    return 10;
  for (size_t I = 0; I != Name.size(); ++I) {
    if (!isDigit(Name[I]))
      continue;
    unsigned Bits = 0;
    StringRef Rest = Name.drop_front(I);
    if (Rest.consumeInteger(10, Bits))
      return 0;
    return Bits == 8 || Bits == 16 || Bits == 32 || Bits == 64 ? Bits / 8 : 0;
  }
  return 0;
}

static X86Kind x86KindOf(StringRef Name, const MCInstrDesc &D) {
  X86Kind Kind =
      StringSwitch<X86Kind>(Name)
          .Cases({"LEA64r", "LEA32r", "LEA64_32r"}, X86Kind::Lea)
          .Cases({"MOV64rr", "MOV32rr", "MOV64rr_REV", "MOV32rr_REV",
                  "MOVSX64rr32"},
                 X86Kind::Move)
          .Cases({"MOVZX32rr8", "MOVZX32rr16", "MOVSX64rr8", "MOVSX64rr16",
                  "MOVSX32rr8", "MOVSX32rr16"},
                 X86Kind::MoveLowPart)
          .Cases({"MOV64ri", "MOV64ri32", "MOV32ri", "MOV32ri_alt"},
                 X86Kind::MoveImmediate)
          .Case("MOV64rm", X86Kind::Load)
          .Case("ADD64rm", X86Kind::AddMemory)
          .Case("CMOV64rr", X86Kind::ConditionalMove)
          .Case("CMOV32rr", X86Kind::ConditionalMove)
          .Cases({"ADD64ri8", "ADD64ri32", "ADD64i32", "ADD32ri8", "ADD32ri",
                  "ADD32i32"},
                 X86Kind::AddImmediate)
          .Cases({"SUB64ri8", "SUB64ri32", "SUB64i32", "SUB32ri8", "SUB32ri",
                  "SUB32i32"},
                 X86Kind::SubImmediate)
          .Cases({"ADD64rr", "ADD64rr_REV"}, X86Kind::AddRegister)
          .Cases({"SUB64rr", "SUB64rr_REV", "SUB32rr", "SUB32rr_REV"},
                 X86Kind::SubRegister)
          .Cases({"SHL64ri", "SHL32ri", "SHL64r1", "SHL32r1"},
                 X86Kind::ShiftLeft)
          .Cases({"IMUL64rri8", "IMUL64rri32", "IMUL32rri8", "IMUL32rri"},
                 X86Kind::Multiply)
          .Cases({"PUSH64r", "PUSH64rmr", "PUSH64i8", "PUSH64i32", "PUSH64rmm"},
                 X86Kind::Push)
          .Case("POP64r", X86Kind::Pop)
          .Case("LEAVE64", X86Kind::Leave)
          .Cases({"XOR32rr", "XOR64rr", "XOR32rr_REV"}, X86Kind::Zero)
          .Cases({"INC64r", "INC32r"}, X86Kind::Increment)
          .Cases({"DEC64r", "DEC32r"}, X86Kind::Decrement)
          .Case("PAUSE", X86Kind::Pause)
          .Cases({"MOVSB", "MOVSW", "MOVSL", "MOVSQ"}, X86Kind::StringMove)
          .Cases({"STOSB", "STOSW", "STOSL", "STOSQ"}, X86Kind::StringStore)
          .Cases({"LODSB", "LODSW", "LODSL", "LODSQ"}, X86Kind::StringLoad)
          .Cases({"CMPSB", "CMPSW", "CMPSL", "CMPSQ"}, X86Kind::StringCompare)
          .Cases({"SCASB", "SCASW", "SCASL", "SCASQ"}, X86Kind::StringScan)
          .Case("LOCK_PREFIX", X86Kind::LockPrefix)
          .Cases({"REP_PREFIX", "REPNE_PREFIX"}, X86Kind::RepeatPrefix)
          .Cases({"NOTRACK_PREFIX", "DATA16_PREFIX", "REX64_PREFIX",
                  "CS_PREFIX", "DS_PREFIX", "ES_PREFIX", "SS_PREFIX",
                  "FS_PREFIX"},
                 X86Kind::OtherPrefix)
          .Cases({"TRAP", "HLT", "UD1Lr", "UD1Wr", "UD1Qr"}, X86Kind::End)
          .Default(X86Kind::Other);
  if (Kind != X86Kind::Other)
    return Kind;
  if (D.isReturn())
    return X86Kind::Return;
  if (Name.starts_with("CALL"))
    return Name.contains("pcrel") ? X86Kind::Call
           : Name.contains("64m") ? X86Kind::CallThrough
                                  : X86Kind::CallRegister;
  if (D.isIndirectBranch())
    return Name.contains("64m") ? X86Kind::JumpThrough : X86Kind::JumpRegister;
  if (D.isConditionalBranch())
    return X86Kind::Branch;
  if (D.isUnconditionalBranch())
    return X86Kind::Jump;
  return X86Kind::Other;
}

/// LLVM says that these load and store: it also counts the stack, and what the
/// processor keeps to itself.
static bool onlyReads(StringRef Name) {
  return (Name.starts_with("PUSH") && Name.ends_with("rmm")) ||
         Name.contains("LDMXCSR") || Name.contains("XRSTOR") ||
         Name.starts_with("MOVDIR64B");
}
static bool onlyWrites(StringRef Name) {
  return (Name.starts_with("POP") && Name.ends_with("rmm")) ||
         Name.contains("XSAVE") ||
         (Name.contains("MASKMOV") && Name.ends_with("mr"));
}

X86Tables::X86Tables(const MCInstrInfo &Instructions,
                     const MCRegisterInfo &Names)
    : Registers(Names.getNumRegs(), NoRegister), Instructions(Instructions),
      Names(Names), Opcodes(Instructions.getNumOpcodes()) {
  const char *InEncodingOrder[] = {"RAX", "RCX", "RDX", "RBX", "RSP", "RBP",
                                   "RSI", "RDI", "R8",  "R9",  "R10", "R11",
                                   "R12", "R13", "R14", "R15"};
  for (unsigned R = 1; R != Names.getNumRegs(); ++R) {
    StringRef Name = Names.getName(R);
    if (Name == "RIP")
      Rip = R;
    if (Name == "FS")
      Fs = R;
    const auto *Found = llvm::find(InEncodingOrder, Name);
    if (Found == std::end(InEncodingOrder))
      continue;
    for (MCPhysReg Part : Names.subregs_inclusive(R))
      Registers[Part] = Found - InEncodingOrder;
  }
}

X86Opcode X86Tables::describe(unsigned Opcode) const {
  auto IsFlags = [&](MCPhysReg R) {
    return StringRef(Names.getName(R)) == "EFLAGS";
  };
  const MCInstrDesc &D = Instructions.get(Opcode);
  StringRef Name = Instructions.getName(Opcode);
  X86Opcode Info;
  Info.SetsFlags = any_of(D.implicit_defs(), IsFlags);
  Info.MayTestZero = Name.starts_with("TEST") || Name.starts_with("CMP");
  // Not cmpxchg or cmpps.
  Info.IsCompare =
      Name.starts_with("CMP") && Name.size() > 3 && isDigit(Name[3]);
  Info.ComparesPointer = StringSwitch<bool>(Name)
                             .Cases({"CMP64rr", "CMP64rr_REV"}, true)
                             .Cases({"CMP64ri8", "CMP64ri32", "CMP64i32"}, true)
                             .Default(false);
  Info.IsStore = StringSwitch<bool>(Name)
                     .Cases({"MOV8mi", "MOV16mi", "MOV32mi", "MOV64mi32"}, true)
                     .Cases({"MOV8mr", "MOV16mr", "MOV32mr", "MOV64mr"}, true)
                     .Default(false);
  Info.IsLoad = StringSwitch<bool>(Name)
                    .Cases({"MOV8rm", "MOV16rm", "MOV32rm", "MOV64rm"}, true)
                    .Cases({"MOVZX32rm8", "MOVZX32rm16", "MOVSX32rm8",
                            "MOVSX32rm16", "MOVSX64rm32"},
                           true)
                    .Default(false);
  Info.Kind = x86KindOf(Name, D);
  Info.Defs = D.getNumDefs();
  for (auto [I, Operand] : enumerate(D.operands()))
    if (Operand.OperandType == MCOI::OPERAND_MEMORY) {
      if (I + 5 <= D.getNumOperands())
        Info.Memory = I;
      break;
    }
  // LLVM does not call what lea takes memory.
  if (Info.Kind == X86Kind::Lea)
    Info.Memory = 1;
  for (MCPhysReg R : D.implicit_defs())
    if (Registers[R] != NoRegister)
      Info.ImplicitDefs |= 1u << Registers[R];
  bool IsHint = Name.starts_with("LEA") || Name.starts_with("NOOP") ||
                Name.starts_with("PREFETCH") || Name.starts_with("CLFLUSH") ||
                Name.starts_with("CLWB") || Name.starts_with("CLDEMOTE");
  if (IsHint)
    return Info;
  Info.Reads = D.mayLoad() && !onlyWrites(Name);
  Info.Writes = D.mayStore() && !onlyReads(Name);
  if (Info.Memory >= 0 ||
      (Info.Kind >= X86Kind::StringMove && Info.Kind <= X86Kind::StringScan))
    Info.Size = sizeOfSuffix(Name);
  if (Info.Kind >= X86Kind::StringMove && Info.Kind <= X86Kind::StringScan)
    Info.Size = StringSwitch<uint8_t>(Name.take_back(1))
                    .Case("B", 1)
                    .Case("W", 2)
                    .Case("L", 4)
                    .Default(8);
  Info.Swaps = Name.starts_with("CMPXCHG");
  Info.Locks = Name.starts_with("XCHG") && Info.Memory >= 0;
  return Info;
}

Condition x86Condition(int64_t Code) {
  constexpr int64_t Equal = 4, NotEqual = 5;
  return Code == Equal      ? Condition::Zero
         : Code == NotEqual ? Condition::NotZero
                            : Condition::Other;
}

SignCondition x86SignCondition(int64_t Code) {
  constexpr int64_t Negative = 8, NotNegative = 9, Less = 12, NotLess = 13;
  return Code == Negative || Code == Less         ? SignCondition::Below
         : Code == NotNegative || Code == NotLess ? SignCondition::NotBelow
                                                  : SignCondition::Other;
}

} // namespace linesman::input
