// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Code/AtomicNames.h"
#include "Analysis/Names/NameWords.h"
#include "Analysis/Names/WordSwitch.h"
#include "clang/AST/ASTContext.h"

using namespace clang;
using llvm::StringRef;

namespace linesman::tidy {

AtomicOperation operationOfName(StringRef Name) {
  for (StringRef Prefix : {"__c11_", "__atomic_", "__sync_", "atomic_"})
    Name.consume_front(Prefix);
  Name.consume_front("atomic_");
  if (Name.starts_with("flag_test_and_set"))
    return AtomicOperation::TestAndSet;
  if (Name.starts_with("flag_clear"))
    return AtomicOperation::Clear;
  return WordSwitch<AtomicOperation>(Name)
      .Cases({"load", "load_n", "load_explicit", "test"}, AtomicOperation::Load)
      .Cases({"store", "store_n", "store_explicit"}, AtomicOperation::Store)
      .Cases({"exchange", "exchange_n", "exchange_explicit",
              "lock_test_and_set", "swap"},
             AtomicOperation::Exchange)
      .Cases({"test_and_set"}, AtomicOperation::TestAndSet)
      .Cases({"clear", "lock_release"}, AtomicOperation::Clear)
      .StartsWith("compare_exchange", AtomicOperation::CompareExchange)
      .StartsWith("bool_compare_and_swap", AtomicOperation::CompareExchange)
      .StartsWith("val_compare_and_swap", AtomicOperation::CompareExchange)
      .StartsWith("lock_test_and_set", AtomicOperation::Exchange)
      .StartsWith("lock_release", AtomicOperation::Clear)
      .StartsWith("fetch_", AtomicOperation::FetchModify)
      .StartsWith("add_", AtomicOperation::FetchModify)
      .StartsWith("sub_", AtomicOperation::FetchModify)
      .StartsWith("and_", AtomicOperation::FetchModify)
      .StartsWith("or_", AtomicOperation::FetchModify)
      .StartsWith("xor_", AtomicOperation::FetchModify)
      .StartsWith("nand_", AtomicOperation::FetchModify)
      .Cases({"increment", "decrement"}, AtomicOperation::FetchModify)
      .Default(AtomicOperation::None);
}

namespace {

/// atomic_store_release() is a store: whose functions have the order in their
/// names need not have one of <stdatomic.h>'s.
StringRef withoutOrder(StringRef Name) {
  if (!Name.starts_with("__sync_"))
    for (StringRef Order : {"_relaxed", "_acquire", "_release", "_acq_rel",
                            "_seq_cst", "_consume"})
      if (Name.consume_back(Order))
        break;
  return Name;
}

/// __atomic_add_fetch_8, as the compiler calls its library.
StringRef withoutWidth(StringRef Name) {
  for (StringRef Width : {"_1", "_2", "_4", "_8", "_16"})
    if (Name.consume_back(Width))
      break;
  return Name;
}

AtomicOperation operationOfInterlocked(StringRef Name) {
  return WordSwitch<AtomicOperation>(Name)
      .StartsWith("Increment", AtomicOperation::FetchModify)
      .StartsWith("Decrement", AtomicOperation::FetchModify)
      .StartsWith("Add", AtomicOperation::FetchModify)
      .StartsWith("And", AtomicOperation::FetchModify)
      .StartsWith("Or", AtomicOperation::FetchModify)
      .StartsWith("Xor", AtomicOperation::FetchModify)
      .StartsWith("BitTestAnd", AtomicOperation::FetchModify)
      .StartsWith("ExchangeAdd", AtomicOperation::FetchModify)
      .StartsWith("ExchangeSubtract", AtomicOperation::FetchModify)
      .StartsWith("Exchange", AtomicOperation::Exchange)
      .StartsWith("CompareExchange", AtomicOperation::CompareExchange)
      .Default(AtomicOperation::None);
}

/// A number, a pointer, or a small struct around one; no text and no object
/// that a name with "atomic" in it may do anything to.
bool isWord(QualType Type) {
  if (Type.isNull() || Type->isIncompleteType() || Type->isDependentType() ||
      Type->isFunctionType())
    return false;
  if (Type->isRecordType()) {
    const RecordDecl *Record = Type->getAsRecordDecl()->getDefinition();
    constexpr int64_t MostBytes = 16;
    return Record->getASTContext().getTypeSizeInChars(Type).getQuantity() <=
           MostBytes;
  }
  return (Type->isIntegerType() && !Type->isCharType()) ||
         Type->isPointerType() || Type->isAtomicType();
}

/// What the words of a name that says "atomic" mean together: "dec" and "test",
/// "fetch" and "add", "cmpxchg".
AtomicOperation operationOfWords(StringRef Name) {
  bool Compares = false, Swaps = false, Counts = false, Masks = false,
       Tests = false, Sets = false, Reads = false, Clears = false;
  for (const std::string &Spelled : wordsOf(Name)) {
    const StringRef Word =
        StringRef(Spelled).rtrim("0123456789"); // inc32, add64
    bool *Meaning =
        WordSwitch<bool *>(Word)
            .Cases({"cas", "cmpxchg", "cmpset", "cswap", "compare", "cmp"},
                   &Compares)
            .Cases({"xchg", "swap", "exchange", "swp", "tas"}, &Swaps)
            .Cases({"inc", "incr", "increment", "dec", "decr", "decrement",
                    "add", "sub", "fetchadd", "faa", "xadd", "subtract",
                    "addfetch"},
                   &Counts)
            .Cases({"or", "xor", "nand", "bits"}, &Masks)
            .Cases({"test"}, &Tests)
            .Cases({"set", "store", "write"}, &Sets)
            .Cases({"clear"}, &Clears)
            .Cases({"read", "load", "get"}, &Reads)
            .Default(nullptr);
    if (Meaning)
      *Meaning = true;
  }
  if (Compares)
    return AtomicOperation::CompareExchange;
  if (Counts || Masks)
    return AtomicOperation::FetchModify;
  if (Swaps || (Reads && (Sets || Clears)))
    return AtomicOperation::Exchange;
  if (Tests && Sets)
    return AtomicOperation::TestAndSet;
  if (Sets)
    return AtomicOperation::Store;
  if (Clears)
    return AtomicOperation::Clear;
  return Reads ? AtomicOperation::Load : AtomicOperation::None;
}

} // namespace

AtomicOperation operationOfMethod(StringRef Name) {
  const AtomicOperation Named = operationOfName(Name);
  return Named != AtomicOperation::None ? Named : operationOfWords(Name);
}

AtomicOperation operationOfFunction(const FunctionDecl &Callee) {
  if (!Callee.getIdentifier())
    return AtomicOperation::None;
  StringRef Name = Callee.getName();
  if (Name.starts_with("__sync_") || Name.starts_with("atomic_") ||
      Name.starts_with("__atomic_") || Name.starts_with("__c11_atomic_"))
    if (AtomicOperation Named =
            operationOfName(withoutWidth(withoutOrder(Name)));
        Named != AtomicOperation::None)
      return Named;
  if (Callee.getNumParams() == 0)
    return AtomicOperation::None;
  QualType First = Callee.getParamDecl(0)->getType();
  if (!(First->isPointerType() || First->isReferenceType()) ||
      !isWord(First->getPointeeType()))
    return AtomicOperation::None;
  StringRef Interlocked = Name;
  Interlocked.consume_front("_");
  if (Interlocked.consume_front("Interlocked"))
    return operationOfInterlocked(Interlocked);
  if (!Name.contains_insensitive("atomic"))
    return AtomicOperation::None;
  const AtomicOperation Named = operationOfWords(Name);
  return Named != AtomicOperation::Load && Named != AtomicOperation::None &&
                 First->getPointeeType().isConstQualified()
             ? AtomicOperation::None
             : Named;
}

} // namespace linesman::tidy
