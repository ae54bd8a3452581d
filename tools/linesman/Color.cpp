// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Color.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace linesman::tool {

ColorOption::ColorOption(cl::SubCommand &Command)
    : opt("color", cl::desc("Colour in text on stdout"),
          cl::values(clEnumValN(ColorWhen::Auto, "auto",
                                "on a terminal, without NO_COLOR (default)"),
                     clEnumValN(ColorWhen::Always, "always", ""),
                     clEnumValN(ColorWhen::Never, "never", "")),
          cl::init(ColorWhen::Auto), cl::sub(Command)) {}

bool ColorOption::isWanted() const {
  switch (getValue()) {
  case ColorWhen::Always:
    return true;
  case ColorWhen::Never:
    return false;
  case ColorWhen::Auto:
    return sys::Process::StandardOutHasColors() &&
           sys::Process::GetEnv("NO_COLOR").value_or("").empty();
  }
  llvm_unreachable("unknown choice");
}

} // namespace linesman::tool
