// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What makes facts short: the compressed record and columns.

#include "Decoder.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include <algorithm>
#include <functional>

using namespace llvm;
using namespace linesman;
using namespace linesman::facts;

/// The bytes stay until the contribution ends: tables may be among them.
Error Decoder::decodeCompressed(StringRef Payload) {
  if (ExpandedFrom)
    return error(Payload.begin(),
                 "second compressed record in one contribution");
  Cursor C(Payload);
  uint64_t Size;
  if (!C.readULEB(Size) || Size / format::MostExpansion > Payload.size())
    return error(Payload.begin(), "found no size of a compressed record, or "
                                  "more than " +
                                      Twine(format::MostExpansion) +
                                      " times its bytes");
  if (!compression::zlib::isAvailable())
    return error(Payload.begin(), "found a compressed record, and this LLVM "
                                  "has no zlib");
  ExpandedFrom = Payload.begin();
  StringRef Stream = Payload.take_back(C.left());
  if (Error E = compression::zlib::decompress(arrayRefFromStringRef(Stream),
                                              Expanded, Size))
    return error(Payload.begin(), toString(std::move(E)));
  if (Expanded.size() != Size)
    return error(Payload.begin(), "found " + Twine(Expanded.size()) +
                                      " bytes compressed, expected " +
                                      Twine(Size));
  return decodeRecords(toStringRef(Expanded));
}

Error Decoder::splitColumns(StringRef Payload,
                            MutableArrayRef<Cursor> Columns) const {
  Cursor Sizes(Payload);
  SmallVector<uint64_t, 8> Size(Columns.size());
  bool Fits = true;
  for (size_t I = 0; Fits && I + 1 != Columns.size(); ++I)
    Fits = Sizes.readULEB(Size[I]);
  StringRef Rest = Payload.take_back(Sizes.left());
  for (size_t I = 0; Fits && I + 1 != Columns.size(); ++I) {
    Fits = Size[I] <= Rest.size();
    Columns[I] = Cursor(Rest.take_front(Size[I]));
    Rest = Rest.drop_front(std::min<uint64_t>(Size[I], Rest.size()));
  }
  Columns.back() = Cursor(Rest);
  return Fits ? Error::success()
              : error(Payload.begin(), "found columns beyond their record");
}

Error Decoder::expectEnds(ArrayRef<Cursor> Columns) const {
  for (const Cursor &Column : Columns)
    if (!Column.atEnd())
      return error(Column.position(), "found a column with " +
                                          Twine(Column.left()) +
                                          " bytes more than its entries have");
  return Error::success();
}

Error Decoder::error(const char *Place, const Twine &Message) const {
  const char *Begin = reinterpret_cast<const char *>(Expanded.begin());
  if (std::less_equal<>()(Begin, Place) &&
      std::less_equal<>()(Place, Begin + Expanded.size()) && ExpandedFrom)
    return createStringError("facts section at offset 0x" +
                             Twine::utohexstr(ExpandedFrom - Section.begin()) +
                             ", byte 0x" + Twine::utohexstr(Place - Begin) +
                             " of what is compressed there: " + Message);
  return createStringError("facts section at offset 0x" +
                           Twine::utohexstr(Place - Section.begin()) + ": " +
                           Message);
}
