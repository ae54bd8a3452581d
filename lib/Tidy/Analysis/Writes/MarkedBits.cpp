// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Writes/MarkedBits.h"
#include "Analysis/Code/AtomicOperands.h"
#include "Analysis/Names/NameWords.h"
#include "Analysis/Names/WordSwitch.h"
#include "clang/AST/ASTContext.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// What happens to an object again and again.
bool saysUsed(llvm::StringRef Name) {
  return llvm::any_of(wordsOf(Name), [](llvm::StringRef Word) {
    return WordSwitch<bool>(Word)
        .Cases({"accessed", "referenced", "touched", "touch", "visited",
                "dirty", "modified", "used", "recent", "hot"},
               true)
        .Default(false);
  });
}

/// The constant's name in the source: an enumerator's or a macro's.
bool saysUsed(const Expr &Bits, const ASTContext &Unit) {
  const SourceLocation Place = Bits.getBeginLoc();
  if (Place.isMacroID() &&
      saysUsed(
          StringRef(Lexer::getImmediateMacroName(Place, Unit.getSourceManager(),
                                                 Unit.getLangOpts()))
              .lower()))
    return true;
  const auto *Ref = dyn_cast<DeclRefExpr>(Bits.IgnoreParenImpCasts());
  return Ref && Ref->getDecl()->getIdentifier() &&
         (saysUsed(Ref->getDecl()->getName()) ||
          saysUsed(Ref->getDecl()->getName().lower()));
}

} // namespace

bool marksBit(const Access &Use, HotAccesses &Hot, const ASTContext &Unit) {
  if (Hot.operationOf(Use) != AtomicOperation::FetchModify ||
      Use.IsResultUsed || Use.IsConditional || Use.Object.Index ||
      !Use.Object.field() || !Use.Function || !Use.Function->getIdentifier() ||
      !setsBits(*Use.Site) || Hot.isReadBefore(Use))
    return false;
  auto Operands = atomicOperands(*Use.Site);
  // One bit: "and" with all the others clears it.
  std::optional<uint64_t> Bits =
      Operands.empty() ? std::nullopt : constantOf(Operands[0], Unit);
  return Bits && llvm::popcount(*Bits) == 1 &&
         (saysUsed(Use.Function->getName()) || saysUsed(*Operands[0], Unit));
}

} // namespace linesman::tidy
