// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kinds of options that commands have, so that a command declares each in a
// line or two: its name, what stands behind it, what it does, what it is when
// it is not given.

#ifndef LINESMAN_TOOLS_OPTIONS_KINDS_H
#define LINESMAN_TOOLS_OPTIONS_KINDS_H

#include "llvm/Support/CommandLine.h"
#include <initializer_list>
#include <string>

namespace linesman::options {

using llvm::StringRef;
using llvm::cl::SubCommand;

/// Given or not.
struct Flag : llvm::cl::opt<bool> {
  Flag(SubCommand &Command, StringRef Name, StringRef Does)
      : opt(Name, llvm::cl::desc(Does), llvm::cl::sub(Command)) {}
};

/// Any text: a file, a symbol, a regular expression.
struct Text : llvm::cl::opt<std::string> {
  Text(SubCommand &Command, StringRef Name, StringRef Value, StringRef Does,
       const std::string &Default = "")
      : opt(Name, llvm::cl::desc(Does), llvm::cl::value_desc(Value),
            llvm::cl::init(Default), llvm::cl::sub(Command)) {}
};

/// Texts, in the order in which they are given.
struct Texts : llvm::cl::list<std::string> {
  Texts(SubCommand &Command, StringRef Name, StringRef Value, StringRef Does)
      : list(Name, llvm::cl::desc(Does), llvm::cl::value_desc(Value),
             llvm::cl::sub(Command)) {}
};

/// The one word that a command must have.
struct Wanted : llvm::cl::opt<std::string> {
  Wanted(SubCommand &Command, StringRef Subject)
      : opt(llvm::cl::Positional, llvm::cl::Required, llvm::cl::desc(Subject),
            llvm::cl::sub(Command)) {}
};

/// The words behind the options.
struct Rest : llvm::cl::list<std::string> {
  Rest(SubCommand &Command, StringRef Subject,
       llvm::cl::NumOccurrencesFlag HowMany = llvm::cl::ZeroOrMore)
      : list(llvm::cl::Positional, HowMany, llvm::cl::desc(Subject),
             llvm::cl::sub(Command)) {}
};

/// A number that says nothing when it is none: its caller does.
template <class T> struct Number : llvm::cl::opt<T> {
  Number(SubCommand &Command, StringRef Name, StringRef Value, StringRef Does,
         T Default = 0)
      : llvm::cl::opt<T>(Name, llvm::cl::desc(Does),
                         llvm::cl::value_desc(Value), llvm::cl::init(Default),
                         llvm::cl::sub(Command)) {}
  /// The one that a command must have.
  Number(SubCommand &Command, StringRef Subject)
      : llvm::cl::opt<T>(llvm::cl::Positional, llvm::cl::Required,
                         llvm::cl::desc(Subject), llvm::cl::sub(Command)) {}
  using llvm::cl::opt<T>::operator=;

  bool addOccurrence(unsigned Position, StringRef Name, StringRef Text,
                     bool IsMulti = false) override {
    T Value;
    bool IsBad;
    if constexpr (std::is_floating_point_v<T>)
      IsBad = Text.getAsDouble(Value, /*AllowInexact=*/true);
    else
      IsBad = Text.getAsInteger(0, Value);
    return IsBad ||
           llvm::cl::opt<T>::addOccurrence(Position, Name, Text, IsMulti);
  }
};

/// One word of a few.
template <class T> struct Choice : llvm::cl::opt<T> {
  struct Word {
    StringRef Name;
    T Value;
    StringRef Means;
  };
  Choice(SubCommand &Command, StringRef Name, StringRef Does,
         std::initializer_list<Word> Words, T Default = T())
      : llvm::cl::opt<T>(Name, llvm::cl::desc(Does), llvm::cl::init(Default),
                         llvm::cl::sub(Command)) {
    for (const Word &W : Words)
      this->getParser().addLiteralOption(W.Name, W.Value, W.Means);
  }
};

} // namespace linesman::options

#endif // LINESMAN_TOOLS_OPTIONS_KINDS_H
