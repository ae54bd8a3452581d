// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman-thread-slot where the elements are pointers: small objects that one
// loop takes from the allocator, for threads that pick theirs by number or are
// started with them.

#include "Analysis/Containers/ElementGaps.h"
#include "Analysis/Containers/LoopAllocations.h"
#include "Analysis/Names/PlainName.h"
#include "Analysis/Threads/EntryPairs.h"
#include "Analysis/Threads/HandedPointers.h"
#include "Analysis/Threads/IndexOrigin.h"
#include "LineReader.h"
#include "ThreadSlotCheck.h"
#include "clang/AST/ASTContext.h"

using namespace clang;
using namespace clang::tidy;

namespace linesman::tidy {

class ThreadSlotCheck::AllocationReader : LineReader {
public:
  AllocationReader(ThreadSlotCheck &Check, ASTContext &Unit)
      : LineReader(Check, Unit), Check(Check), Starts(Accesses),
        Origin(Accesses, Kinds, Starts) {}

  void read() {
    for (const LoopAllocation &Allocated : loopAllocations(Accesses))
      checkAllocated(Allocated);
  }

private:
  /// workers[i] = new Worker, in a loop; workers[thread]->done++.
  void checkAllocated(const LoopAllocation &Allocated) {
    // Chunks with a word before them, sixteen bytes a step.
    const uint64_t Stride = llvm::alignTo(Allocated.Size + 8, 16);
    if (Allocated.Size > 2 * Line ||
        Check.common().isAccepted(*Allocated.Array) ||
        uint64_t(Unit.getTypeAlignInChars(Allocated.Type).getQuantity()) >=
            Line)
      return;
    const Access *Use = ownUseOf(Allocated);
    const UnitAccesses::CallSite *Start =
        Use ? nullptr : startWith(*Allocated.Array, *Allocated.Site, Accesses);
    if (Start)
      Use = writeByThreads(Allocated);
    if (!Use)
      return;
    if (Allocated.Type->isRecordType()) {
      std::optional<uint64_t> Gap =
          gapBetween(Allocated.Type, Stride, Line, Unit,
                     [&](const FieldDecl &F) { return isWritten(F); });
      if (!Gap || keepsApart(*Gap, Allocated.Type, Line, Unit))
        return;
    }
    if (!Check.Reported.insert(Allocated.Array->getLocation()).second)
      return;
    Check.warn(Allocated.Site->getBeginLoc(),
               {.Subject = *Allocated.Array, .Function = Use->Function},
               "each thread %select{writes|is started with and writes}5 what "
               "its own element of '%0' points to, in '%1', but this loop "
               "takes %2 bytes for each from the allocator, which puts "
               "neighbours on one cache line of %3; %select{take whole lines "
               "that are aligned to one|give the type alignas(%3)}4")
        << plainName(*Allocated.Array) << plainName(*Use->Function)
        << unsigned(Allocated.Size) << unsigned(Line)
        << (Allocated.IsNew && Unit.getLangOpts().AlignedAllocation &&
            isOwnRecord(Allocated.Type, Unit))
        << (Start != nullptr);
    if (Start)
      Check.diag(Check.place(*Start->Call), "threads are started with it here",
                 DiagnosticIDs::Note);
  }

  /// What a thread that was started with such an object writes in it again and
  /// again.
  const Access *writeByThreads(const LoopAllocation &Made) {
    const RecordDecl *Record = Made.Type->getAsRecordDecl();
    Record = Record ? Record->getDefinition() : nullptr;
    if (!Record)
      return nullptr;
    // Others prepare the objects, or clear them.
    EntryPairs Threads(Hot);
    for (const FieldDecl *Field : Record->fields())
      for (unsigned Index : Accesses.of(*Field))
        if (const Access &Use = Accesses.all()[Index];
            Use.Function && Use.Object.field() == Field &&
            isWrittenAgain(Use) && Threads.isRunByThreads(*Use.Function))
          return &Use;
    return nullptr;
  }

  /// Where a thread picks its own of the allocated objects, and writes it again
  /// and again there or, for a record, anywhere.
  const Access *ownUseOf(const LoopAllocation &Made) {
    const RecordDecl *Record = Made.Type->getAsRecordDecl();
    for (const Access &Use : Accesses.all()) {
      if (!Use.Function || !llvm::any_of(Use.Object.elements(), [&](auto &P) {
            return P.Array == Made.Array && Use.writes() == false &&
                   Origin.isThreadNumber(*P.Index, Use.Function);
          }))
        continue;
      if (Record) {
        for (const FieldDecl *Field : Record->getDefinition()->fields())
          for (unsigned Index : Accesses.of(*Field))
            if (isWrittenAgain(Accesses.all()[Index]))
              return &Use;
        continue;
      }
      for (unsigned Index : Accesses.in(*Use.Function)) {
        const Access &Other = Accesses.all()[Index];
        if (Other.Object.Array == Made.Array && Other.Object.Index &&
            Unit.hasSameUnqualifiedType(Other.Object.ElementType, Made.Type) &&
            isWrittenAgain(Other))
          return &Use;
      }
    }
    return nullptr;
  }

  bool isWrittenAgain(const Access &Use) const {
    return Hot.isHotWrite(Use) && !Use.Object.Root && !Use.isOnceAThread() &&
           (Use.Loop || Hot.kindOf(Use) == AccessKind::Update);
  }

  bool isWritten(const FieldDecl &Field) const {
    return llvm::any_of(Accesses.of(Field), [&](unsigned Index) {
      return Hot.isHotWrite(Accesses.all()[Index]);
    });
  }

  ThreadSlotCheck &Check;
  ThreadStarts Starts;
  IndexOrigin Origin;
};

void ThreadSlotCheck::checkAllocations(ASTContext &Unit) {
  AllocationReader(*this, Unit).read();
}

} // namespace linesman::tidy
