// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions, step by step.

#include "linesman/Watch/FindObject.h"
#include "ProcessTypes.h"
#include "linesman/Process/Modules.h"
#include "linesman/Process/State.h"
#include "linesman/Watch/WatchError.h"
#include "linesman/Watch/Watchable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/DebugInfo/DWARF/DWARFUnit.h"
#include <cerrno>
#include <cstring>
#include <sys/uio.h>

using namespace llvm;
using namespace linesman::process;

namespace linesman::watch {

Expected<uint64_t> readNumber(ProcessId Process, RunAddress Address,
                              unsigned Bytes) {
  uint64_t Value = 0;
  iovec Local = {&Value, std::min<size_t>(Bytes, sizeof(Value))};
  iovec Remote = {reinterpret_cast<void *>(Address.Value), Local.iov_len};
  ssize_t Read = ::process_vm_readv(runningThread(Process).Value, &Local, 1,
                                    &Remote, 1, 0);
  if (Read == ssize_t(Local.iov_len))
    return Value;
  int Code = Read < 0 ? errno : EFAULT;
  std::string Name = "process " + std::to_string(Process.Value);
  switch (Code) {
  case ESRCH:
    return make_error<WatchError>(Refusal::Gone,
                                  Name + " does not exist or has exited");
  case EFAULT:
    return make_error<WatchError>(
        Refusal::BadAddress, "address 0x" + utohexstr(Address.Value, true) +
                                 " cannot be read in " + Name);
  case EPERM:
    // Yama allows watching but not reading.
    return make_error<WatchError>(
        Refusal::NotPermitted,
        "the memory of " + Name +
            " may not be read (kernel.yama.ptrace_scope, or a container's "
            "seccomp profile): run linesman as root, start the program with "
            "'--', or give the object's --address");
  }
  return make_error<WatchError>(Refusal::Other,
                                "the memory of " + Name +
                                    " cannot be read: " + std::strerror(Code));
}

struct ObjectFinder::Place {
  RunAddress Address;
  ObjectType Type;
  /// What the symbol table says, for globals without debug information.
  uint64_t SymbolSize = 0;
};

ObjectFinder::ObjectFinder(ProcessId Process, const ModuleMap &Modules)
    : Process(Process), Modules(Modules), Symbols(Modules),
      Types(std::make_unique<ProcessTypes>(Modules)) {}

ObjectFinder::~ObjectFinder() = default;

Expected<ObjectFinder::Place> ObjectFinder::locate(const Expression &Parsed) {
  Expected<ProcessObject> Global = Symbols.find(Parsed.Root);
  if (!Global) {
    if (!Types->isOptimisedOut(Parsed.Root))
      return Global.takeError();
    consumeError(Global.takeError());
    return createStringError("'" + Parsed.Root +
                             "' has no place in memory: the compiler has "
                             "optimised it out");
  }
  Place Found{Global->Address, {}, Global->Size};
  const Module *M = Modules.find(Global->Address);
  if (M)
    Found.Type = Types->typeOfVariable(*M, M->Bias.toLink(Global->Address));
  if (!Found.Type && !Parsed.Steps.empty())
    return createStringError(
        "no debug information about '" + Parsed.Root + "' in " +
        (M ? StringRef(M->Path) : StringRef("the process")) +
        ": compile it with -g, or give the object's --address");
  return walk(Found, Parsed.Steps, Parsed.Root);
}

Expected<ObjectFinder::Place>
ObjectFinder::walk(Place Source, ArrayRef<Step> Steps, StringRef Text) {
  for (const Step &S : Steps) {
    if (Error E = take(S, Text, Source))
      return std::move(E);
    Source.SymbolSize = 0;
    Text = S.Text;
  }
  return Source;
}

Error ObjectFinder::dereference(StringRef Before, Place &Found) {
  ObjectType Pointer = Found.Type;
  std::optional<ObjectType> Target = input::pointee(Pointer);
  if (!Target) {
    Pointer = Types->wrappedPointer(Found.Type);
    Target = input::pointee(Pointer);
  }
  if (!Target)
    return createStringError("'" + Before + "' is no pointer but '" +
                             input::nameOf(Found.Type) + "'");
  Expected<uint64_t> Value = readNumber(
      Process, Found.Address, Pointer.Die.getDwarfUnit()->getAddressByteSize());
  if (!Value)
    return Value.takeError();
  if (*Value == 0)
    return make_error<WatchError>(Refusal::BadAddress,
                                  "'" + Before + "' is null in process " +
                                      Twine(Process.Value) +
                                      ", so it leads to no object");
  if (Error E = checkAddress(Process, {*Value}, 1))
    return createStringError("'" + Before +
                             "' leads nowhere: " + toString(std::move(E)));
  Found = {{*Value}, *Target};
  return Error::success();
}

Error ObjectFinder::take(const Step &S, StringRef Before, Place &Found) {
  // C++ follows references by itself.
  if (input::isReference(Found.Type))
    if (Error E = dereference(Before, Found))
      return E;
  switch (S.Kind) {
  case StepKind::Dereference:
    return dereference(Before, Found);
  case StepKind::Field: {
    Expected<FieldPlace> Field = Types->field(Found.Type, S.Name);
    if (!Field)
      return createStringError("'" + Before + "' " +
                               toString(Field.takeError()));
    Found = {Found.Address + Field->Offset, Field->Type};
    return Error::success();
  }
  case StepKind::Element: {
    ObjectType Element;
    if (input::isArray(Found.Type)) {
      std::optional<uint64_t> Count = input::elementsOf(Found.Type);
      // 0 is how C declares an array that goes on behind its structure.
      if (Count && *Count != 0 && S.Index >= *Count)
        return createStringError("'" + Before + "' has " + Twine(*Count) +
                                 " elements, so there is no [" +
                                 Twine(S.Index) + "]");
      Element = input::elementOf(Found.Type);
    } else {
      if (Error E = dereference(Before, Found))
        return E;
      Element = Found.Type;
    }
    uint64_t Size = input::sizeOf(Element);
    if (Size == 0)
      return createStringError("the elements of '" + Before +
                               "' have no known size ('" +
                               input::nameOf(Element) + "')");
    Found = {Found.Address + S.Index * Size, Element};
    return Error::success();
  }
  }
  return Error::success();
}

ProcessObject ObjectFinder::objectOf(const Place &Found, StringRef Name) {
  uint64_t Size =
      Found.SymbolSize ? Found.SymbolSize : input::sizeOf(Found.Type);
  return {Found.Address, std::max<uint64_t>(Size, 1), Name.str()};
}

Expected<ProcessObject> ObjectFinder::find(StringRef Text) {
  Expected<Expression> Parsed = parseExpression(Text);
  if (!Parsed)
    return Parsed.takeError();
  Expected<Place> Found = locate(*Parsed);
  if (!Found)
    return Found.takeError();
  return objectOf(*Found, Parsed->text());
}

Expected<ProcessObject> ObjectFinder::fieldOf(StringRef TypeAndField,
                                              RunAddress Object) {
  // As C writes the name of a type.
  for (StringRef Keyword : {"struct ", "class ", "union "})
    TypeAndField.consume_front(Keyword);
  Expected<Expression> Parsed = parseExpression(TypeAndField);
  if (!Parsed)
    return Parsed.takeError();
  auto [Name, First] = splitScope(Parsed->Root);
  if (Name.empty())
    return createStringError("'" + TypeAndField +
                             "': expected a type and a field, such as T::next");
  ObjectType Type = Types->find(Name);
  if (!Type)
    return createStringError("no debug information defines a type '" + Name +
                             "'");
  std::vector<Step> Steps = {{StepKind::Field, First, 0, Parsed->Root}};
  llvm::append_range(Steps, Parsed->Steps);
  Expected<Place> Found = walk({Object, Type}, Steps, Name);
  if (!Found)
    return Found.takeError();
  return objectOf(*Found, Parsed->text());
}

Expected<ProcessObject> ObjectFinder::fieldOf(StringRef TypeAndField,
                                              StringRef Text) {
  Expected<Expression> Parsed = parseExpression(Text);
  if (!Parsed)
    return Parsed.takeError();
  Expected<Place> Found = locate(*Parsed);
  if (!Found)
    return Found.takeError();
  if (input::pointee(Found->Type) || Types->wrappedPointer(Found->Type))
    if (Error E = dereference(Parsed->text(), *Found))
      return std::move(E);
  return fieldOf(TypeAndField, Found->Address);
}

} // namespace linesman::watch
