// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file appears whole: under another name first, which then takes its place.

#include "linesman/Guard/Output.h"
#include "linesman/Guard/Text.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include <climits>
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;

namespace linesman::guard {

namespace {

struct Target {
  /// Behind all links: a new file takes the place of the old one, not of a
  /// link to it.
  SmallString<256> Path;
  sys::fs::file_status Status;
  /// A name in /proc or /dev stands for a device or for what somebody has open,
  /// which a new file of that name would not be.
  bool IsOpen = false;

  bool isReplaced() const {
    return !IsOpen && (Status.type() == sys::fs::file_type::file_not_found ||
                       Status.type() == sys::fs::file_type::regular_file);
  }
};

/// Follows links one by one: where they end does not tell what they lead
/// through.
Expected<Target> findTarget(StringRef Path) {
  Target Result;
  Result.Path = Path;
  constexpr unsigned MostLinks = 40; // The kernel's own bound.
  for (unsigned I = 0; I != MostLinks; ++I) {
    SmallString<256> Folder, Name = sys::path::filename(Result.Path);
    StringRef Parent = sys::path::parent_path(Result.Path);
    if (std::error_code EC =
            sys::fs::real_path(Parent.empty() ? "." : Parent, Folder))
      return createFileError(Path, EC);
    Result.Path = Folder;
    sys::path::append(Result.Path, Name);
    Result.IsOpen = StringRef(Result.Path).starts_with("/proc/") ||
                    StringRef(Result.Path).starts_with("/dev/");
    char Link[PATH_MAX];
    ssize_t Size = ::readlink(Result.Path.c_str(), Link, sizeof(Link));
    if (Result.IsOpen || Size < 0)
      break;
    StringRef Next(Link, Size);
    Result.Path = sys::path::is_absolute(Next) ? "" : StringRef(Folder);
    sys::path::append(Result.Path, Next);
  }
  // What is not there has a status too.
  sys::fs::status(Result.Path, Result.Status);
  return Result;
}

/// Nobody wants a report in the place of what a compiler made: such a file was
/// named by mistake, or was read as one of a folder.
Error checkReplaced(const Target &Destination, StringRef Path) {
  file_magic Magic = file_magic::unknown;
  if (Destination.Status.type() != sys::fs::file_type::regular_file ||
      identify_magic(Destination.Path, Magic))
    return Error::success();
  switch (Magic) {
  case file_magic::archive:
  case file_magic::bitcode:
  case file_magic::elf:
  case file_magic::elf_relocatable:
  case file_magic::elf_executable:
  case file_magic::elf_shared_object:
    return createFileError(
        Path, createStringError("this is a program, an object or an archive, "
                                "which a report would replace"));
  default:
    return Error::success();
  }
}

/// Whatever a report quotes: no terminal and no other tool obeys it.
void writePrintable(function_ref<void(raw_ostream &)> Write, raw_ostream &OS) {
  PrintableStream Printable(OS);
  Write(Printable);
}

Error writeInto(StringRef Path, function_ref<void(raw_ostream &)> Write) {
  std::error_code EC;
  // Of /dev/stdout what is in the file already belongs to others.
  raw_fd_ostream OS(Path, EC, sys::fs::OF_Append);
  if (!EC) {
    writePrintable(Write, OS);
    OS.close();
    EC = OS.error();
    OS.clear_error();
  }
  return EC ? createFileError(Path, EC) : Error::success();
}

} // namespace

Error checkOutput(StringRef Path) {
  if (Path.empty() || Path == "-") {
    int Flags = ::fcntl(STDOUT_FILENO, F_GETFL);
    // main has seen to it that a closed one can not be written to.
    if (Flags >= 0 && (Flags & O_ACCMODE) != O_RDONLY)
      return Error::success();
    return createFileError(
        "stdout", std::make_error_code(std::errc::bad_file_descriptor));
  }
  Expected<Target> Destination = findTarget(Path);
  if (!Destination)
    return Destination.takeError();
  if (Error E = checkReplaced(*Destination, Path))
    return E;
  std::error_code EC;
  if (sys::fs::is_directory(Destination->Status))
    EC = std::make_error_code(std::errc::is_a_directory);
  else
    EC = sys::fs::access(Destination->isReplaced()
                             ? sys::path::parent_path(Destination->Path)
                             : Path,
                         sys::fs::AccessMode::Write);
  return EC ? createFileError(Path, EC) : Error::success();
}

Error flushStdout() {
  outs().flush();
  std::error_code EC = outs().error();
  if (!EC)
    return Error::success();
  outs().clear_error();
  return createFileError("stdout", EC);
}

Error writeSequences(StringRef Text) {
  outs() << Text;
  return flushStdout();
}

Error writeOutput(StringRef Path, function_ref<void(raw_ostream &)> Write) {
  if (Path.empty() || Path == "-") {
    writePrintable(Write, outs());
    return flushStdout();
  }
  Expected<Target> Destination = findTarget(Path);
  if (!Destination)
    return Destination.takeError();
  if (!Destination->isReplaced())
    return writeInto(Path, Write);
  if (Error E = checkReplaced(*Destination, Path))
    return E;
  // LLVM's own temporary files take every percent sign of a path for theirs.
  SmallString<16> Unique;
  sys::fs::createUniquePath("%%%%%%", Unique, /*MakeAbsolute=*/false);
  std::string Temporary = (Destination->Path + "." + Unique + ".tmp").str();
  int File = -1;
  std::error_code EC =
      sys::fs::openFileForWrite(Temporary, File, sys::fs::CD_CreateNew);
  if (EC)
    return createFileError(Path, EC);
  FileRemover Remover(Temporary);
  sys::RemoveFileOnSignal(Temporary);
  raw_fd_ostream OS(File, /*shouldClose=*/true);
  writePrintable(Write, OS);
  OS.flush();
  EC = OS.error();
  if (!EC && sys::fs::exists(Destination->Status))
    EC = sys::fs::setPermissions(File, Destination->Status.permissions());
  OS.close();
  if (!EC)
    EC = OS.error();
  OS.clear_error();
  if (!EC)
    EC = sys::fs::rename(Temporary, Destination->Path);
  sys::DontRemoveFileOnSignal(Temporary);
  if (EC)
    return createFileError(Path, EC);
  Remover.releaseFile();
  return Error::success();
}

} // namespace linesman::guard
