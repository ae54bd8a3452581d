// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members that only mark a place.
//
//     __u8 __cacheline_group_begin__read_tx[0];   24
//     u32 mtu;                                    24     read_tx: 24 to 32
//     u32 flags;                                  28
//     __u8 __cacheline_group_end__read_tx[0];     32

#include "linesman/Facts/KernelNames.h"
#include "linesman/Layout/Types.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace linesman::layout {

void takeMarks(TypeLayout &Layout) {
  std::vector<TypeMember> &Members = Layout.Members;
  // Of records in the record, with their member's name before it.
  auto NameBehind = [](StringRef Path, StringRef Mark) {
    size_t Dot = Path.rfind('.');
    StringRef Own = Dot == StringRef::npos ? Path : Path.drop_front(Dot + 1);
    return Own.starts_with(Mark) ? Own.drop_front(Mark.size()) : StringRef();
  };
  for (auto [I, M] : enumerate(Members)) {
    StringRef Name = NameBehind(M.Name, facts::GroupBegin);
    auto End = find_if(ArrayRef(Members).drop_front(I + 1),
                       [&](const TypeMember &Other) {
                         return NameBehind(Other.Name, facts::GroupEnd) == Name;
                       });
    if (!Name.empty() && End != ArrayRef(Members).end())
      Layout.Groups.push_back({M.Offset, End->Offset, Name.str()});
  }
  // The last may be an array of any length.
  size_t Kept = 0;
  for (size_t I = 0; I != Members.size(); ++I) {
    StringRef Path = Members[I].Name;
    bool IsMark = !NameBehind(Path, facts::GroupBegin).empty() ||
                  !NameBehind(Path, facts::GroupEnd).empty() ||
                  !NameBehind(Path, facts::GroupPad).empty();
    bool IsEmpty = !Members[I].Size && I + 1 != Members.size();
    if (IsMark || IsEmpty)
      continue;
    if (Kept != I)
      Members[Kept] = std::move(Members[I]);
    ++Kept;
  }
  Members.resize(Kept);
}

} // namespace linesman::layout
