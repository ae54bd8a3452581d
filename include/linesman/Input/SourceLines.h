// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions to source lines, from a binary's DWARF. Facts of machine code
// have addresses only; of a million, a report prints some dozens.

#ifndef LINESMAN_INPUT_SOURCELINES_H
#define LINESMAN_INPUT_SOURCELINES_H

#include "linesman/Input/ReadBinary.h"
#include "linesman/Layout/Frame.h"

namespace llvm {
class DWARFContext;
class DWARFUnit;
namespace object {
class ObjectFile;
} // namespace object
} // namespace llvm

namespace linesman::input {

class UnitGuard;

class SourceLines {
public:
  /// \p File must outlive this. DWARF that is corrupt is as good as none.
  explicit SourceLines(const Binary &File);
  ~SourceLines();

  /// The frames of an instruction, the innermost inlined one first; empty
  /// without debug info.
  std::vector<layout::Frame> find(layout::LinkAddress Instruction);

  /// What is wrong with debug information, so that some instructions have no
  /// frames; empty if nothing was found.
  llvm::StringRef damage() const { return Damage; }

private:
  std::string Damage;
  /// The last unit that was looked at.
  const llvm::DWARFUnit *Checked = nullptr;
  bool CheckedIsReadable = false;
  std::unique_ptr<llvm::object::ObjectFile> Object;
  std::unique_ptr<llvm::DWARFContext> Dwarf;
  std::unique_ptr<UnitGuard> Guard;

  bool isReadable(llvm::DWARFUnit &Unit);
  std::vector<layout::Frame> readFrames(layout::LinkAddress Instruction);
  void giveUp();
};

} // namespace linesman::input

#endif // LINESMAN_INPUT_SOURCELINES_H
