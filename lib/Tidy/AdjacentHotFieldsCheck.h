// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LINESMAN_TIDY_ADJACENTHOTFIELDSCHECK_H
#define LINESMAN_TIDY_ADJACENTHOTFIELDSCHECK_H

#include "Analysis/Accesses/FieldRoles.h"
#include "LinesmanCheck.h"

namespace linesman::tidy {

/// Finds records in which a field that is updated on every operation shares a
/// cache line with a field that is only read.
///
/// docs/checks/adjacent-hot-fields.md has the details.
class AdjacentHotFieldsCheck : public LinesmanCheck {
public:
  using LinesmanCheck::LinesmanCheck;
  void checkUnit(clang::ASTContext &Unit) override;

private:
  /// \p Others ends the message: what else is hot there.
  void report(const HotPair &Pair, const Access &Writer, llvm::StringRef Others,
              const clang::ASTContext &Unit);
  /// Words of a record that are written under a lock, or count references.
  void checkSharedWords(const clang::RecordDecl &Record, HotAccesses &Hot,
                        FieldRoles &Roles, const TypeKinds &Kinds,
                        const clang::ASTContext &Unit);
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ADJACENTHOTFIELDSCHECK_H
