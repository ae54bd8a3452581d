// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What debug information says of pointers to records: where functions have them
// when they begin, what they return, what variables and members hold.
//
//     DW_TAG_subprogram      push            at 0x1130
//       DW_TAG_formal_parameter  queue       in rdi there, Queue *
//       DW_TAG_formal_parameter  item        in rsi there, Item *
//
// Of parameters only a location that is a register counts, at the function's
// first instruction: what a compiler has cut out of a function, or given other
// parameters, has such locations as well, and no rule of an ABI has to be
// known.

#ifndef LINESMAN_LIB_INPUT_POINTEDRECORDS_H
#define LINESMAN_LIB_INPUT_POINTEDRECORDS_H

#include "linesman/Input/ReadBinary.h"
#include "llvm/ADT/DenseMap.h"

namespace linesman::input {

/// A position among PointedRecords::Records.
using RecordIndex = uint32_t;
inline constexpr RecordIndex NoRecord = UINT32_MAX;

struct PointedRecord {
  /// "ns::S"; of C also the name of a typedef.
  std::string Name;
  /// Bytes.
  uint64_t Size = 0;
  /// Of the offsets of its members, see facts::RecordType.
  uint16_t Fingerprint = 0;
  /// Another record has it by value.
  bool IsPart = false;
  /// Its members that point to records, and those of what it has by value, by
  /// their offsets.
  llvm::SmallVector<std::pair<uint64_t, RecordIndex>, 0> Pointers;

  /// What the pointer at \p Offset points to.
  RecordIndex pointedFrom(uint64_t Offset) const;
};

/// What a function is given, by the numbers of registers among those that pass
/// arguments, and what it returns.
struct PointedFunction {
  uint64_t Unit = 0;
  llvm::SmallVector<std::pair<uint8_t, RecordIndex>, 2> Parameters;
  RecordIndex Result = NoRecord;
};

/// A static variable: a pointer, or a record that has some.
struct PointedVariable {
  RecordIndex Record = NoRecord;
  bool IsPointer = false;
};

struct PointedRecords {
  std::vector<PointedRecord> Records;
  /// By address.
  llvm::DenseMap<uint64_t, PointedFunction> Functions;
  llvm::DenseMap<uint64_t, PointedVariable> Variables;
};

/// Reads the debug information of \p File. What is damaged, or only declared,
/// is left out.
PointedRecords readPointedRecords(const Binary &File);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_POINTEDRECORDS_H
