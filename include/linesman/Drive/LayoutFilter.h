// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings about what a user names by a regular expression.

#ifndef LINESMAN_DRIVE_LAYOUTFILTER_H
#define LINESMAN_DRIVE_LAYOUTFILTER_H

#include "linesman/Layout/Finding.h"
#include "linesman/Layout/Types.h"
#include "llvm/Support/Regex.h"

namespace linesman::drive {

class LayoutFilter {
public:
  /// \p Text is a valid expression.
  explicit LayoutFilter(llvm::StringRef Text);

  /// Leaves those with an occupant that matches.
  void keep(const layout::Image &Image, const layout::LineMap &Lines,
            std::vector<layout::RankedLine> &Ranked) const;
  void keep(const layout::TypeScene &Scene,
            std::vector<layout::LineFinding> &Found) const;

  /// Why a gate has nothing to judge, or "": what a filter is about may be
  /// cured, but it has to be there. \p Subject as in "variable".
  std::string whyBlind(const layout::Image &Image,
                       llvm::StringRef Subject) const;

private:
  std::string Text;
  llvm::Regex Pattern;
};

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_LAYOUTFILTER_H
