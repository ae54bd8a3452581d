// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local before global, as clang-tidy's own checks do it.

#include "CommonOptions.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace clang;
using namespace clang::tidy;

namespace linesman::tidy {

namespace {

bool isPossibleLineSize(unsigned Bytes) {
  return llvm::isPowerOf2_32(Bytes) && Bytes >= layout::LineSize::Least &&
         Bytes <= layout::LineSize::Most;
}

NameListOption readNames(ClangTidyCheck &Check,
                         const ClangTidyCheck::OptionsView &Options,
                         StringRef Key) {
  NameListOption Option;
  Option.Text = Options.getLocalOrGlobal(Key, "").str();
  llvm::Expected<NameList> Names = NameList::parse(Option.Text);
  if (Names)
    Option.Names = std::move(*Names);
  else
    Check.configurationDiag("invalid value for option '%0': %1")
        << Key << llvm::toString(Names.takeError());
  return Option;
}

bool isAnnotated(const Decl &Declaration) {
  return llvm::any_of(Declaration.specific_attrs<AnnotateAttr>(),
                      [](const AnnotateAttr *Attribute) {
                        return Attribute->getAnnotation() ==
                               "linesman:shared-ok";
                      });
}

} // namespace

bool CommonOptions::isAccepted(const NamedDecl &Declaration) const {
  for (const Decl *Declared : Declaration.redecls())
    if (isAnnotated(*Declared))
      return true;
  if (isa<TagDecl>(Declaration) && IgnoredTypes.Names.matches(Declaration))
    return true;
  const auto *Value = dyn_cast<ValueDecl>(&Declaration);
  if (!Value)
    return false;
  if (IgnoredVariables.Names.matches(Declaration) ||
      IgnoredTypes.Names.matches(Value->getType().getNonReferenceType()))
    return true;
  if (const auto *Field = dyn_cast<FieldDecl>(Value))
    return isAccepted(*Field->getParent());
  const auto *Type = Value->getType()->getAsTagDecl();
  return Type && isAccepted(*Type);
}

CommonOptions readCommonOptions(ClangTidyCheck &Check,
                                const ClangTidyCheck::OptionsView &Options) {
  CommonOptions Common;
  unsigned LineSize =
      Options.getLocalOrGlobal("CacheLineSize", Common.CacheLineSize);
  if (isPossibleLineSize(LineSize))
    Common.CacheLineSize = LineSize;
  else
    Check.configurationDiag("invalid value '%0' for option 'CacheLineSize': "
                            "expected a power of two from %1 to %2")
        << LineSize << unsigned(layout::LineSize::Least)
        << unsigned(layout::LineSize::Most);
  Common.AtomicTypes = readNames(Check, Options, "AtomicTypes");
  Common.LockTypes = readNames(Check, Options, "LockTypes");
  Common.ThreadIdFunctions = readNames(Check, Options, "ThreadIdFunctions");
  Common.IgnoredTypes = readNames(Check, Options, "IgnoredTypes");
  Common.IgnoredVariables = readNames(Check, Options, "IgnoredVariables");
  Common.Strict = Options.getLocalOrGlobal("Strict", Common.Strict);
  Common.Likeliest = Options.getLocalOrGlobal("Likeliest", Common.Likeliest);
  return Common;
}

void storeCommonOptions(const CommonOptions &Common,
                        const ClangTidyCheck::OptionsView &Options,
                        ClangTidyOptions::OptionMap &Map) {
  Options.store(Map, "CacheLineSize", Common.CacheLineSize);
  Options.store(Map, "AtomicTypes", Common.AtomicTypes.Text);
  Options.store(Map, "LockTypes", Common.LockTypes.Text);
  Options.store(Map, "ThreadIdFunctions", Common.ThreadIdFunctions.Text);
  Options.store(Map, "IgnoredTypes", Common.IgnoredTypes.Text);
  Options.store(Map, "IgnoredVariables", Common.IgnoredVariables.Text);
  Options.store(Map, "Strict", Common.Strict);
  Options.store(Map, "Likeliest", Common.Likeliest);
}

} // namespace linesman::tidy
