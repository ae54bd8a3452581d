// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a layout report asks about its binary: members of objects, sources of
// instructions, and what code without names says.

#ifndef LINESMAN_DRIVE_REPORTDETAILS_H
#define LINESMAN_DRIVE_REPORTDETAILS_H

#include "linesman/Input/ReadBinary.h"
#include "linesman/Report/Report.h"
#include <functional>
#include <memory>

namespace linesman::drive {

/// Lives as long as the reports that it answers.
class ReportDetails {
public:
  using Warning = std::function<void(llvm::StringRef)>;

  /// Reads the members of the objects of \p Findings; what is missing goes to
  /// \p Notes. \p Warn is called at the end, if debug information is damaged.
  ReportDetails(const input::Binary &Program,
                llvm::ArrayRef<layout::LineFinding> Findings,
                std::vector<std::string> &Notes, Warning Warn);
  ~ReportDetails();
  ReportDetails(const ReportDetails &) = delete;
  ReportDetails &operator=(const ReportDetails &) = delete;

  void answer(report::LayoutReport &Report);

private:
  struct Lazy;
  layout::ObjectTypes Members;
  std::unique_ptr<Lazy> Opened;
  Warning Warn;
};

/// Findings of a binary, highest score first.
struct RankedBinary {
  llvm::StringRef Path;
  const input::Binary &Binary;
  layout::LineSize Line;
  llvm::ArrayRef<layout::LineFinding> Findings;
};

/// Makes the report of the first \p Most findings, and hands it to \p Write.
llvm::Error
reportLines(const RankedBinary &Ranked, size_t Most,
            llvm::function_ref<llvm::Error(const report::LayoutReport &)> Write,
            ReportDetails::Warning Warn);

/// Findings as a report of linesman layout has them, in this order.
std::vector<report::Finding> documentLines(const RankedBinary &Ranked,
                                           ReportDetails::Warning Warn);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_REPORTDETAILS_H
