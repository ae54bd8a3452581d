// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Escapes what a terminal, or a tool that reads generated text, could obey.

#include "linesman/Guard/Text.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace linesman::guard {

/// Controls (C0, DEL, C1), what ends a line or a paragraph, and marks that turn
/// the direction of writing, so that a text would read as another.
static bool isObeyed(uint32_t Character) {
  auto Between = [=](uint32_t First, uint32_t Last) {
    return First <= Character && Character <= Last;
  };
  return Character < 0x20 || Between(0x7f, 0x9f) || Character == 0x61c ||
         Between(0x200e, 0x200f) || Between(0x2028, 0x202e) ||
         Between(0x2066, 0x2069);
}

static bool isPlain(char C) { return C >= 0x20 && C < 0x7f; }

/// Writes \p Text with \p Kept as it is and returns what is left of it: the
/// beginning of a character whose end is missing.
static StringRef escape(StringRef Text, StringRef Kept, raw_ostream &OS) {
  while (!Text.empty()) {
    StringRef Plain =
        Text.take_while([&](char C) { return isPlain(C) || Kept.contains(C); });
    OS << Plain;
    Text = Text.drop_front(Plain.size());
    if (Text.empty())
      break;
    const auto *Begin = reinterpret_cast<const UTF8 *>(Text.begin());
    const auto *End = reinterpret_cast<const UTF8 *>(Text.end());
    const UTF8 *Next = Begin;
    UTF32 Character = 0, *Output = &Character;
    ConversionResult Read =
        ConvertUTF8toUTF32(&Next, End, &Output, Output + 1, strictConversion);
    // With room for one character, the second fails for lack of it.
    bool IsRead = Output != &Character;
    if (!IsRead && Read == sourceExhausted)
      return Text;
    size_t Size = IsRead ? getNumBytesForUTF8(*Begin) : 1;
    if (!IsRead)
      OS << formatv("\\x{0:x-2}", uint8_t(Text.front()));
    else if (!isObeyed(Character))
      OS << Text.take_front(Size);
    else if (Character == '\n')
      OS << "\\n";
    else if (Character == '\t')
      OS << "\\t";
    else if (Character < 0x20)
      OS << formatv("\\x{0:x-2}", Character);
    else
      OS << "\\u" << utohexstr(Character, /*LowerCase=*/true, /*Width=*/4);
    Text = Text.drop_front(Size);
  }
  return Text;
}

/// What no more bytes will complete.
static void escapeBytes(StringRef Text, raw_ostream &OS) {
  for (char C : Text)
    OS << formatv("\\x{0:x-2}", uint8_t(C));
}

std::string printable(StringRef Text) {
  if (all_of(Text, isPlain))
    return Text.str();
  std::string Result;
  raw_string_ostream OS(Result);
  escapeBytes(escape(Text, "", OS), OS);
  return Result;
}

void PrintableStream::write_impl(const char *Bytes, size_t Size) {
  Written += Size;
  StringRef Text(Bytes, Size);
  if (Begun.empty()) {
    Begun = escape(Text, "\n\t", Stream);
    return;
  }
  std::string Whole = (Begun + Text).str();
  Begun = escape(Whole, "\n\t", Stream);
}

PrintableStream::~PrintableStream() {
  flush();
  escapeBytes(Begun, Stream);
}

} // namespace linesman::guard
