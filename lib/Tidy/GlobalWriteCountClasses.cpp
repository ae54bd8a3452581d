// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A class that is nothing but one atomic count, and is named after that:
//
//     class Gauge { std::atomic<double> value; void add(double n); ... };
//
// All threads that use one object write one line, and neighbouring objects
// share a line. A count of references, or one that numbers something, is no
// statistic. The author of a class that is aligned to lines has thought of
// this.

#include "Analysis/Accesses/HotAccesses.h"
#include "Analysis/Code/AtomicOperands.h"
#include "Analysis/Code/ParallelRegions.h"
#include "Analysis/Names/NameWords.h"
#include "Analysis/Names/PlainName.h"
#include "Analysis/Names/RecordLines.h"
#include "Analysis/Names/WordSwitch.h"
#include "GlobalWriteCheck.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// CacheHitCounter, gauge_t. Words such as "ref" and "id" name counts that
/// something is decided by, and "thread" and "padded" counts that are apart.
bool soundsLikeStatistic(StringRef Name) {
  bool IsOne = false;
  for (const std::string &Word : wordsOf(Name)) {
    if (WordSwitch<bool>(Word)
            .Cases({"ref",      "reference", "use",   "owner",  "instance",
                    "pending",  "thread",    "local", "shard",  "sharded",
                    "striped",  "cpu",       "core",  "padded", "aligned",
                    "sequence", "id",        "down",  "latch",  "barrier",
                    "loop",     "program",   "error", "failure"},
                   true)
            .Default(false))
      return false;
    IsOne |= WordSwitch<bool>(Word)
                 .Cases({"counter", "gauge", "meter", "metric", "statistic",
                         "statistics", "stat", "stats", "tally"},
                        true)
                 .Default(false);
  }
  return IsOne;
}

/// `compare_exchange_weak(seen, seen + n)`.
bool installsSum(const Access &Use) {
  auto Operands = atomicOperands(*Use.Site);
  if (Use.Atomic != AtomicOperation::CompareExchange || !Use.Loop ||
      Operands.size() < 2)
    return false;
  const auto *Sum =
      dyn_cast<BinaryOperator>(Operands[1]->IgnoreParenImpCasts());
  return Sum && Sum->isAdditiveOp();
}

/// A number that is returned may be a ticket. An operator has to return one.
bool handsOutNumber(const Access &Use) {
  return Use.IsResultUsed && !Use.Function->isOverloadedOperator();
}

bool isCounting(const Access &Use, HotAccesses &Hot) {
  return Use.Object.IsThis && !Use.Object.Index && Use.Function &&
         (installsSum(Use) ||
          (Hot.operationOf(Use) == AtomicOperation::FetchModify &&
           !setsBits(*Use.Site) && !handsOutNumber(Use))) &&
         Hot.isHotWrite(Use) && Hot.accesses().isUsedHere(*Use.Function);
}

/// The count and nothing else, not on lines of its own.
bool isNothingBut(const RecordDecl &Class, const FieldDecl &Count,
                  const ASTContext &Unit, uint64_t Line) {
  std::optional<RecordLines> Lines = RecordLines::build(Class, Unit, Line);
  return Lines && Lines->fields().size() == 1 &&
         Lines->fields().front().Field == &Count && Lines->alignment() < Line &&
         Lines->size() < Line;
}

/// The class goes on by the count, or the unit has an object for each thread.
bool isMoreThanStatistic(const RecordDecl &Class, const FieldDecl &Count,
                         const UnitAccesses &All) {
  auto Decides = [&](unsigned Index) {
    const Access &Use = All.all()[Index];
    return Use.IsInCondition && !installsSum(Use);
  };
  auto IsEachThreads = [&](const VarDecl *Var) {
    return isPerThread(*Var) && Var->getType()->getAsRecordDecl() == &Class;
  };
  return llvm::any_of(All.of(Count), Decides) ||
         llvm::any_of(All.statics(), IsEachThreads);
}

} // namespace

void GlobalWriteCheck::checkCountClasses(
    const UnitAccesses &All, const TypeKinds &Kinds,
    const llvm::SmallPtrSetImpl<const RecordDecl *> &Named) {
  HotAccesses Hot(All, Kinds);
  for (const Access &Use : All.all()) {
    const FieldDecl *Count = Use.Object.field();
    const RecordDecl *Class = Count ? Count->getParent() : nullptr;
    if (!Class || !Class->getIdentifier() || Class->isLambda() ||
        !Kinds.isAtomic(Count->getType()) ||
        !soundsLikeStatistic(Class->getName()) || !isCounting(Use, Hot) ||
        !isNothingBut(*Class, *Count, All.unit(), common().CacheLineSize) ||
        common().isAccepted(*Count) || common().isAccepted(*Class) ||
        Named.contains(Class) || isMoreThanStatistic(*Class, *Count, All) ||
        !analyses().ReportedWords.insert(Count).second)
      continue;
    warn(place(Use), {.Subject = *Count, .Function = Use.Function},
         "'%0' is one count for all threads that use the same '%1', and '%2' "
         "updates it: its cache line, with the objects beside it, moves to the "
         "core that runs the call and away from all others; keep one count per "
         "thread, on lines of their own, and add them where they are read")
        << fieldName(*Count) << plainName(*Class) << plainName(*Use.Function);
    diag(Count->getLocation(), "'%0' is declared here", DiagnosticIDs::Note)
        << fieldName(*Count);
  }
}

} // namespace linesman::tidy
