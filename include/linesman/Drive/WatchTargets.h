// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `linesman watch` is asked to watch, as lines of the process.

#ifndef LINESMAN_DRIVE_WATCHTARGETS_H
#define LINESMAN_DRIVE_WATCHTARGETS_H

#include "linesman/Process/Address.h"
#include "linesman/Process/Ids.h"
#include "linesman/Process/Modules.h"
#include "linesman/Report/Document.h"
#include "linesman/Watch/FindObject.h"
#include "linesman/Watch/Schedule.h"
#include <optional>
#include <string>
#include <vector>

namespace linesman::drive {

/// One thing to watch: some lines, and the finding that asked for them.
struct WatchTarget {
  std::string Subject;
  std::vector<watch::Line> Lines;
  /// Index in the report's findings.
  std::optional<size_t> Finding;
  /// An object that happened to be in use: that threads do not share it says
  /// nothing of the others of its type.
  bool IsOneOfMany = false;
  /// Of such an object: how many threads came to the code that uses it, if each
  /// of them had one that no other thread came with; else 0.
  size_t ThreadsApart = 0;
};

/// The lines that the \p Size bytes at \p Address touch. More than MaxLines are
/// refused: each gets too small a part of the time.
llvm::Expected<std::vector<watch::Line>>
linesOf(process::RunAddress Address, uint64_t Size, unsigned LineSize);

/// How the command line names an object: one of the first three, and Type with
/// one of the last two of them.
struct ObjectChoice {
  std::string Symbol, Address, Expression, Type;
};

/// Where the object is in \p Process. For an address and for an offset in a
/// symbol its size is 1: one place means one line.
llvm::Expected<watch::ProcessObject>
findObject(const ObjectChoice &Choice, process::ProcessId Process,
           const process::ModuleMap &Modules);

/// A report of another command, kept as it is except for what is added to it.
class FindingsReport {
public:
  static llvm::Expected<FindingsReport> read(llvm::StringRef File);

  /// The module that the report is about: the one of its binary's file or name,
  /// or else the program, unless the binary is a shared object.
  llvm::Expected<const process::Module *>
  moduleIn(const process::ModuleMap &Modules) const;

  /// Of the finding \p Id, if it is one of a type: "T::field", its field with
  /// the most writes. Fails when it is none of a type.
  llvm::Expected<std::string> fieldOfType(llvm::StringRef Id) const;

  llvm::ArrayRef<report::Finding> findings() const { return Read.Findings; }

  /// The index of the finding \p Id; fails when there is none.
  llvm::Expected<size_t> indexOf(llvm::StringRef Id) const;

  /// The finding \p Id. Ids are unique; fails when there is none.
  llvm::Expected<WatchTarget> find(llvm::StringRef Id,
                                   const process::Module &Loaded) const;

  /// The first \p Count findings that have an address, and how many were left
  /// out because they have none.
  std::vector<WatchTarget> top(size_t Count, const process::Module &Loaded,
                               size_t &WithoutAddress) const;

  /// Fails when the objects of a finding are not where the report has them in
  /// \p Symbols, those of \p Loaded.
  llvm::Error checkBuild(size_t Finding, const process::Module &Loaded,
                         const watch::SymbolTable &Symbols) const;

  /// Attaches what was seen to a finding, which thereby stands on the rung
  /// `observed`, unless nothing was seen.
  void attach(size_t Finding, report::FindingObservation Seen);

  /// Whether a finding stands on the rung above.
  bool isCosted(size_t Finding) const;

  /// With the keys that came, and what was attached.
  const llvm::json::Value &value() const { return Root; }
  unsigned lineSize() const;

private:
  FindingsReport(llvm::json::Value Root, report::Document Read)
      : Root(std::move(Root)), Read(std::move(Read)) {}
  llvm::Expected<WatchTarget> targetOf(size_t Index,
                                       const process::Module &Loaded) const;
  llvm::json::Value Root;
  /// What it says. Its findings are those of Root, in the same order.
  report::Document Read;
};

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_WATCHTARGETS_H
