// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words, numbers and lines of a report, as people read them; scores also as
// programs do.

#ifndef LINESMAN_REPORT_TEXTLINES_H
#define LINESMAN_REPORT_TEXTLINES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace linesman::report {

// Numbers, with one form for each kind of them, wherever they are printed.

/// A score, a weight or a rate, for people. Three digits: "0.125", "12.5",
/// "3.2k", "45M".
std::string number(double Value);

/// A score for programs, in JSON of all kinds. Six digits: "0.333333". More
/// would be the order in which estimates were added.
std::string scoreText(double Score);

/// What was measured: a metric, a time. Four digits, and no exponent where
/// people have none: "0.0125", "16.43", "17000".
std::string measurementText(double Value);

/// A probability. Two digits: "0.0042", "1e-06".
std::string probabilityText(double Probability);

/// A share of 1 in percent, without the sign. As many digits as matter for a
/// small one: "0.25", "2.5", "25".
std::string percentText(double Share);

/// A weight of which a part is perhaps another object's: "6 to 22.8", "up to
/// 16.8"; "6" where none is.
std::string weightText(double Weight, double Perhaps);

/// "1 line", "2 lines"
std::string plural(uint64_t Count, llvm::StringRef Noun);

/// "40 seconds", "3 minutes", "2 hours", "5 days": for an estimate.
std::string durationText(double Seconds);

/// "a, b, c and 4 more"
std::string listed(llvm::ArrayRef<std::string> Names, size_t Most);

/// "file.cpp:30" of "folder/file.cpp:30", with the end of a long name only;
/// empty for nothing.
std::string baseName(llvm::StringRef Source);
/// A function's name; where it is longer than \p Width without its template
/// arguments, and then without its parameters: "Map<...>::insert(...)".
std::string briefName(llvm::StringRef Name, size_t Width = 60);

/// Words at the ends of one line of \p Columns.
void writeEnds(const std::string &Left, const std::string &Right,
               size_t Columns, llvm::raw_ostream &OS);

/// The same, with the name of a symbol or a finding behind \p Left: in brief if
/// there is no room for it, and then without its middle, since the end of
/// "f(int)::Count" says what it is.
void writeNamed(const std::string &Left, llvm::StringRef Name,
                const std::string &Right, size_t Columns,
                llvm::raw_ostream &OS);

/// Lines of at most \p Columns that are all indented by \p Indent.
void writeWrapped(llvm::StringRef Text, size_t Indent, size_t Columns,
                  llvm::raw_ostream &OS);

} // namespace linesman::report

#endif // LINESMAN_REPORT_TEXTLINES_H
