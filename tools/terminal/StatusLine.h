// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LINESMAN_TOOLS_TERMINAL_STATUSLINE_H
#define LINESMAN_TOOLS_TERMINAL_STATUSLINE_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

namespace linesman::terminal {

/// One line on a terminal that changes, and is gone at the end: how far a
/// command is. Elsewhere it shows nothing.
class StatusLine {
public:
  /// On stderr.
  StatusLine();
  enum class Device : uint8_t { Terminal, Other };
  StatusLine(llvm::raw_ostream &OS, Device Shown)
      : OS(OS), IsTerminal(Shown == Device::Terminal) {}
  StatusLine(const StatusLine &) = delete;
  StatusLine &operator=(const StatusLine &) = delete;
  ~StatusLine() { clear(); }

  /// In the place of what it showed. A terminal does not obey what \p Text
  /// quotes.
  void show(const llvm::Twine &Text);
  /// Makes room for other output.
  void clear();

private:
  llvm::raw_ostream &OS;
  bool IsTerminal, HasText = false;
};

} // namespace linesman::terminal

#endif // LINESMAN_TOOLS_TERMINAL_STATUSLINE_H
