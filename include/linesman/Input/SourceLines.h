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
namespace object {
class ObjectFile;
} // namespace object
} // namespace llvm

namespace linesman::input {

class SourceLines {
public:
  /// \p File must outlive this. DWARF that is corrupt is as good as none.
  explicit SourceLines(const Binary &File);
  ~SourceLines();

  /// The frames of an instruction, the innermost inlined one first; empty
  /// without debug info.
  std::vector<layout::Frame> find(layout::LinkAddress Instruction);

  /// Debug information was so damaged that LLVM's reader crashed: from then on
  /// there are no frames.
  bool hasCrashed() const { return HasCrashed; }
  /// What to do about it.
  static const llvm::StringLiteral CrashReport;

private:
  bool HasCrashed = false;
  std::unique_ptr<llvm::object::ObjectFile> Object;
  std::unique_ptr<llvm::DWARFContext> Dwarf;
};

} // namespace linesman::input

#endif // LINESMAN_INPUT_SOURCELINES_H
