// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects that no symbol names, because they are on the heap: an expression
// leads from a global to them. Types come from debug information, pointers from
// the process as it is at that moment.
//
//     server->clients      symbol server, its type struct Server *, what it
//                          points to now, the offset of clients in it

#ifndef LINESMAN_WATCH_FINDOBJECT_H
#define LINESMAN_WATCH_FINDOBJECT_H

#include "linesman/Process/Address.h"
#include "linesman/Process/Ids.h"
#include "linesman/Process/Modules.h"
#include "linesman/Watch/Expression.h"
#include "linesman/Watch/Symbols.h"
#include <memory>

namespace linesman::watch {

class ProcessTypes;

/// Reads \p Bytes (8 at most) bytes at \p Address of \p Process as a
/// little-endian number. Fails with a WatchError: BadAddress, NotPermitted or
/// Gone.
llvm::Expected<uint64_t> readNumber(process::ProcessId Process,
                                    process::RunAddress Address,
                                    unsigned Bytes);

class ObjectFinder {
public:
  ObjectFinder(process::ProcessId Process, const process::ModuleMap &Modules);
  ~ObjectFinder();

  /// The object that \p Text means. Fails for what is unknown, was optimised
  /// out or has no debug information, and with WatchError BadAddress where a
  /// pointer on the way is null or leads nowhere.
  llvm::Expected<ProcessObject> find(llvm::StringRef Text);

  /// The field that \p TypeAndField ("ns::T::field", "T::part.list[2]") means
  /// in the T at \p Object.
  llvm::Expected<ProcessObject> fieldOf(llvm::StringRef TypeAndField,
                                        process::RunAddress Object);

  /// The same in the object that \p Text means; a pointer means its object.
  llvm::Expected<ProcessObject> fieldOf(llvm::StringRef TypeAndField,
                                        llvm::StringRef Text);

private:
  struct Place;
  llvm::Expected<Place> locate(const Expression &Parsed);
  llvm::Expected<Place> walk(Place Source, llvm::ArrayRef<Step> Steps,
                             llvm::StringRef Text);
  llvm::Error take(const Step &S, llvm::StringRef Before, Place &Found);
  llvm::Error dereference(llvm::StringRef Before, Place &Found);
  ProcessObject objectOf(const Place &Found, llvm::StringRef Name);

  process::ProcessId Process;
  const process::ModuleMap &Modules;
  ProcessSymbols Symbols;
  std::unique_ptr<ProcessTypes> Types;
};

} // namespace linesman::watch

#endif // LINESMAN_WATCH_FINDOBJECT_H
