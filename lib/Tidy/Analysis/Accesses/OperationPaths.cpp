// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function's own nature first, then its callers'.

#include "Analysis/Accesses/OperationPaths.h"
#include "Analysis/Code/GivenFunctions.h"
#include "Analysis/Names/NameWords.h"
#include "Analysis/Names/WordSwitch.h"
#include "linesman/Facts/KnownThreads.h"
#include "linesman/Facts/LifeCycle.h"
#include "clang/AST/Attr.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// Whatever number a macro has put behind it: `_modInit93`.
bool isOnceWord(llvm::StringRef Word) {
  Word = Word.rtrim("0123456789");
  if (facts::isStartOrEnd(Word) || facts::isRegistration(Word))
    return true;
  return WordSwitch<bool>(Word)
      .Cases({"config", "conf", "cfg", "option", "options", "settings", "usage",
              "args", "argv"},
             true)
      .Cases({"destroy", "reload", "reconfigure", "reconfig", "reconf",
              "benchmark"},
             true)
      // After a failure, or now and then.
      .Cases({"reconnect", "reopen", "restart", "maintenance", "cron"}, true)
      // A command of an operator, or a test.
      .Cases({"debug", "dump", "test", "selftest", "reset", "cli", "admin",
              "enable", "disable", "toggle"},
             true)
      // The end, or what leads to it.
      .Cases({"stop", "stopping", "stopped", "abort", "panic", "crash", "fatal",
              "die", "sighandler", "atexit", "watchdog", "warning", "warn",
              "alert", "mortem"},
             true)
      .Default(false);
}

} // namespace

bool soundsLikeOnce(llvm::StringRef Name) {
  // handle_signal(), sig_term_handler(): by two words, each of which has other
  // uses.
  bool NamesSignal = false, NamesHandler = false;
  // main_init() is run once; main_loop() and thread_main() are what runs from
  // then on.
  bool NamesMain = false, NamesThread = false;
  for (llvm::StringRef Word : wordsOf(Name)) {
    NamesSignal |= Word == "sig" || Word == "signal" || Word == "signals";
    NamesHandler |= Word.starts_with("handle");
    NamesMain |= Word == "main";
    NamesThread |= WordSwitch<bool>(Word)
                       .Cases({"loop", "mainloop", "thread", "worker", "lcore",
                               "task", "fiber"},
                              true)
                       .Default(false);
    if (isOnceWord(Word) || (NamesSignal && NamesHandler))
      return true;
  }
  return NamesMain && !NamesThread;
}

/// Not a block, a clock, or what is lockless or lock-free.
static bool soundsLikeGuard(llvm::StringRef Name) {
  if (Name.contains_insensitive("guard"))
    return true;
  for (size_t Begin = Name.find_insensitive("lock");
       Begin != llvm::StringRef::npos;
       Begin = Name.find_insensitive("lock", Begin + 1)) {
    llvm::StringRef Rest = Name.drop_front(Begin + 4).ltrim('_');
    const bool IsInWord = Begin != 0 && Name[Begin] == 'l' &&
                          llvm::StringRef("BbCc").contains(Name[Begin - 1]);
    if (!IsInWord && !Rest.starts_with_insensitive("less") &&
        !Rest.starts_with_insensitive("free"))
      return true;
  }
  return false;
}

/// What holds a lock for a scope: making one is what an operation does.
static bool isGuard(const CXXRecordDecl &Class) {
  return Class.getIdentifier() && Class.hasDefinition() &&
         Class.hasUserDeclaredDestructor() &&
         soundsLikeGuard(Class.getName()) &&
         llvm::none_of(Class.methods(), [](const CXXMethodDecl *Method) {
           return Method->getIdentifier() &&
                  Method->getName().equals_insensitive("lock");
         });
}

static bool soundsLikeToken(llvm::StringRef Name) {
  return llvm::any_of(wordsOf(Name), [](llvm::StringRef Word) {
    return WordSwitch<bool>(Word)
        .Cases({"token", "scope", "scoped", "holder", "hold", "pin", "sentry",
                "tracker", "raii"},
               true)
        .Default(false);
  });
}

/// What is done for a scope to an object that is elsewhere: made with a
/// reference to it, and undone at the end.
static bool isToken(const CXXRecordDecl &Class) {
  constexpr size_t MostFields = 2;
  return Class.getIdentifier() && soundsLikeToken(Class.getName()) &&
         Class.hasDefinition() && Class.hasUserDeclaredDestructor() &&
         !Class.field_empty() &&
         size_t(std::distance(Class.field_begin(), Class.field_end())) <=
             MostFields &&
         llvm::any_of(Class.fields(),
                      [](const FieldDecl *Field) {
                        return Field->getType()->isReferenceType();
                      }) &&
         llvm::all_of(Class.fields(), [](const FieldDecl *Field) {
           QualType Type = Field->getType();
           return Type->isReferenceType() || Type->isScalarType();
         });
}

/// std::call_once(flag, f), pthread_once(&control, f), signal(number, f).
static bool isOnceCall(const FunctionDecl *Callee) {
  return Callee && Callee->getIdentifier() &&
         (facts::runRarelyBy(Callee->getName()) ||
          WordSwitch<bool>(Callee->getName())
              .Cases({"CallOnce", "callOnce", "InitOnceExecuteOnce"}, true)
              .Default(false));
}

bool OperationPaths::isHandedToOnce(const FunctionDecl &Function) {
  if (!HandedToOnce) {
    HandedToOnce.emplace();
    for (const UnitAccesses::CallSite &Site : Accesses.calls())
      if (const auto *Call = dyn_cast<CallExpr>(Site.Call);
          Call && isOnceCall(Call->getDirectCallee()))
        for (const Expr *Argument : Call->arguments())
          if (const FunctionDecl *Handed = entryOf(*Argument))
            HandedToOnce->insert(Handed->getCanonicalDecl());
  }
  // Who also calls it himself may do so at any time.
  return (HandedToOnce->contains(Function.getCanonicalDecl()) ||
          Accesses.isSignalHandler(Function)) &&
         llvm::all_of(Accesses.callersOf(Function), [](const CodePlace &Call) {
           return isOnceCall(Call.Function);
         });
}

/// What main() calls in a parallel region, or what runs once because main()
/// calls it, is the threads' work.
static bool isRunByThreads(const CodePlace &Call) {
  return Call.IsInRegion &&
         !isa<CXXConstructorDecl, CXXDestructorDecl>(Call.Function) &&
         (Call.Function->isMain() || !Call.Function->getIdentifier() ||
          !soundsLikeOnce(Call.Function->getName()));
}

bool OperationPaths::isOnce(const FunctionDecl &Function, unsigned Depth) {
  const FunctionDecl *Key = Function.getCanonicalDecl();
  auto [Place, IsNew] = Known.try_emplace(Key, false);
  if (!IsNew)
    return Place->second;
  auto Remember = [&](bool Answer) { return Known[Key] = Answer; };

  if (Function.isMain() || Function.isConsteval() ||
      (isa<CXXConstructorDecl, CXXDestructorDecl>(Function) &&
       !isGuard(*cast<CXXMethodDecl>(Function).getParent()) &&
       !isToken(*cast<CXXMethodDecl>(Function).getParent())) ||
      Function.hasAttr<ConstructorAttr>() ||
      Function.hasAttr<DestructorAttr>() || Function.hasAttr<ColdAttr>())
    return Remember(true);
  if (Function.getIdentifier() && soundsLikeOnce(Function.getName()))
    return Remember(true);
  if (isHandedToOnce(Function))
    return Remember(true);
  // A callback's callers are not visible, and neither are an exported
  // function's: those stay operations. A private step of a class whose only
  // visible callers make and destroy objects is taken for what it is here.
  constexpr unsigned MaxDepth = 6;
  if (Depth == MaxDepth || !Accesses.hasOnlyCallersHere(Function))
    return false;
  llvm::ArrayRef<CodePlace> Callers = Accesses.callersOf(Function);
  // Where the unit has errors, it may be any caller's: nothing is said of it.
  if (!Accesses.isWhole() &&
      (Callers.empty() || Accesses.isNamedInBrokenCode(Function)))
    return Remember(true);
  if (Callers.empty())
    return false;
  for (const CodePlace &Caller : Callers)
    if (Caller.Function && !Caller.IsRare &&
        (isRunByThreads(Caller) || !isOnce(*Caller.Function, Depth + 1)))
      return false;
  return Remember(true);
}

} // namespace linesman::tidy
