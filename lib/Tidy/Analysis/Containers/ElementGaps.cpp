// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Containers/ElementGaps.h"
#include "clang/AST/ASTContext.h"

using namespace clang;

namespace linesman::tidy {

std::optional<uint64_t>
gapBetween(QualType Element, uint64_t Stride, uint64_t Line,
           const ASTContext &Unit,
           llvm::function_ref<bool(const FieldDecl &)> Counts) {
  const RecordDecl *Record = Element->getAsRecordDecl();
  std::optional<RecordLines> Lines =
      Record ? RecordLines::build(*Record, Unit, Line) : std::nullopt;
  if (!Lines)
    return std::nullopt;
  uint64_t First = Stride, End = 0;
  for (const FieldSpan &Span : Lines->fields())
    if (Counts(*Span.Field)) {
      First = std::min(First, Span.Offset);
      End = std::max(End, Span.Offset + Span.Size);
    }
  if (End <= First)
    return std::nullopt;
  return Stride - End + First;
}

bool keepsApart(uint64_t Gap, QualType Element, uint64_t Line,
                const ASTContext &Unit) {
  return Gap + Unit.getTypeAlignInChars(Element).getQuantity() >= Line;
}

} // namespace linesman::tidy
