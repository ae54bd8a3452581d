// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A record in columns, and its places (format::TypeAccessColumns).

#ifndef LINESMAN_LIB_FACTSPASS_PACKCOLUMNS_H
#define LINESMAN_LIB_FACTSPASS_PACKCOLUMNS_H

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <string>

namespace linesman::facts {

/// The bytes of \p Count columns, as they grow.
template <unsigned Count> class ColumnWriter {
public:
  void writeByte(unsigned Column, uint8_t Value) {
    Bytes[Column].push_back(static_cast<char>(Value));
  }
  void writeULEB(unsigned Column, uint64_t Value) {
    llvm::raw_svector_ostream OS(Bytes[Column]);
    llvm::encodeULEB128(Value, OS);
  }
  void writeSLEB(unsigned Column, int64_t Value) {
    llvm::raw_svector_ostream OS(Bytes[Column]);
    llvm::encodeSLEB128(Value, OS);
  }

  /// The payload; empty if nothing was written.
  std::string join() const {
    std::string Payload;
    llvm::raw_string_ostream OS(Payload);
    if (Bytes[0].empty())
      return Payload;
    for (unsigned I = 0; I + 1 != Count; ++I)
      llvm::encodeULEB128(Bytes[I].size(), OS);
    for (const auto &Column : Bytes)
      OS << Column;
    return Payload;
  }

private:
  std::array<llvm::SmallString<0>, Count> Bytes;
};

/// Writes the places of one record, each relative to the one before:
///     ULEB zigzag(line - last line) * 2 + another file, [ULEB file]
class PlaceWriter {
public:
  template <unsigned Count>
  void write(uint32_t FileNumber, uint32_t LineNumber,
             ColumnWriter<Count> &Columns, unsigned Column) {
    // What has no place leaves the line as it is.
    int64_t Step = FileNumber ? int64_t(LineNumber) - Line : 0;
    uint64_t Zigzag = Step < 0 ? -2 * Step - 1 : 2 * Step;
    Columns.writeULEB(Column, Zigzag * 2 + (FileNumber != File));
    if (FileNumber != File)
      Columns.writeULEB(Column, FileNumber);
    File = FileNumber;
    Line += Step;
  }

private:
  uint32_t File = 0;
  int64_t Line = 0;
};

} // namespace linesman::facts

#endif // LINESMAN_LIB_FACTSPASS_PACKCOLUMNS_H
