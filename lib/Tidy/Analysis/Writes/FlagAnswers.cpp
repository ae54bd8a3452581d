// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Writes/FlagAnswers.h"
#include "Analysis/Code/AtomicOperands.h"

using namespace clang;

namespace linesman::tidy {

/// Stores of constants alone: a position or a count is none.
static bool isFlag(const Role &Word, HotAccesses &Hot, const ASTContext &Unit) {
  if (!Word.Write || !Word.Updaters.empty())
    return false;
  const Place &Object = Word.Write->Object;
  const FieldDecl *Field = Object.field();
  const UnitAccesses &Accesses = Hot.accesses();
  llvm::ArrayRef<unsigned> Uses = Field         ? Accesses.of(*Field)
                                  : Object.Root ? Accesses.of(*Object.Root)
                                                : llvm::ArrayRef<unsigned>();
  return llvm::all_of(Uses, [&](unsigned Index) {
    const Access &Use = Accesses.all()[Index];
    if (!Use.writes() || Use.IsConstruction)
      return true;
    auto Operands = atomicOperands(*Use.Site);
    return Hot.kindOf(Use) == AccessKind::Write && !Operands.empty() &&
           constantOf(Operands[0], Unit).has_value();
  });
}

bool answerEachOther(const Role &Asking, const Role &Answer, HotAccesses &Hot,
                     const ASTContext &Unit) {
  // Who only puts a flag back is no party to it.
  auto LookAt = [](const FunctionSet &Writers, const Role &Other) {
    return llvm::any_of(Writers, [&](const FunctionDecl *Writer) {
      return Other.Readers.contains(Writer);
    });
  };
  if (!LookAt(Answer.HotWriters, Asking) || !isFlag(Asking, Hot, Unit) ||
      !isFlag(Answer, Hot, Unit))
    return false;
  return llvm::any_of(Answer.Reads, [&](const Access *Read) {
    return Read->Loop && Read->IsInCondition &&
           Asking.HotWriters.contains(Read->Function->getCanonicalDecl()) &&
           !Answer.Writers.contains(Read->Function->getCanonicalDecl());
  });
}

} // namespace linesman::tidy
