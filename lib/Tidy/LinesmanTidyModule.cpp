// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The module: the table of checks, and the one object that clang-tidy finds
// when it loads the plugin. To add a check, add its header and its line here.

#include "AdjacentHotFieldsCheck.h"
#include "AdjacentWritersCheck.h"
#include "BrokenIsolationCheck.h"
#include "Compat.h"
#include "ConstPathWriteCheck.h"
#include "GlobalWriteCheck.h"
#include "LinesmanCheck.h"
#include "LockNeighbourCheck.h"
#include "RedundantStoreCheck.h"
#include "SentinelWriteCheck.h"
#include "SharedRefcountCheck.h"
#include "ThreadObjectCheck.h"
#include "ThreadSlotCheck.h"
#include "WriteOnlyGlobalCheck.h"
#include "linesman/Layout/Checks.h"
#include "clang/Basic/Version.h"
#include "llvm/Support/raw_ostream.h"
#include <string_view>

using namespace clang::tidy;

namespace linesman::tidy {

namespace {

using SharedAnalyses = std::shared_ptr<UnitAnalyses>;

struct CheckEntry {
  llvm::StringLiteral Name;
  std::unique_ptr<ClangTidyCheck> (*Make)(llvm::StringRef, ClangTidyContext *,
                                          const SharedAnalyses &);
};

template <typename Check>
std::unique_ptr<ClangTidyCheck> make(llvm::StringRef Name,
                                     ClangTidyContext *Context,
                                     const SharedAnalyses &Analyses) {
  return std::make_unique<Check>(Name, Context, Analyses);
}

constexpr CheckEntry Checks[] = {
    {"linesman-adjacent-hot-fields", make<AdjacentHotFieldsCheck>},
    {"linesman-adjacent-writers", make<AdjacentWritersCheck>},
    {"linesman-broken-isolation", make<BrokenIsolationCheck>},
    {"linesman-const-path-write", make<ConstPathWriteCheck>},
    {"linesman-global-write", make<GlobalWriteCheck>},
    {"linesman-lock-neighbour", make<LockNeighbourCheck>},
    {"linesman-redundant-store", make<RedundantStoreCheck>},
    {"linesman-sentinel-write", make<SentinelWriteCheck>},
    {"linesman-shared-refcount", make<SharedRefcountCheck>},
    {"linesman-thread-object", make<ThreadObjectCheck>},
    {"linesman-thread-slot", make<ThreadSlotCheck>},
    {"linesman-write-only-global", make<WriteOnlyGlobalCheck>},
};

/// Who reads our results knows the same checks.
constexpr bool isWholeTable() {
  if (std::size(Checks) != std::size(layout::CheckTable))
    return false;
  for (size_t I = 0; I != std::size(Checks); ++I)
    if (std::string_view(Checks[I].Name.data(), Checks[I].Name.size()) !=
        std::string_view(layout::CheckTable[I].Name.data(),
                         layout::CheckTable[I].Name.size()))
      return false;
  return true;
}
static_assert(isWholeTable(),
              "include/linesman/Layout/Checks.h lists other checks");

class LinesmanModule : public ClangTidyModule {
public:
  void addCheckFactories(ClangTidyCheckFactories &Factories) override {
    auto Analyses = std::make_shared<UnitAnalyses>();
    for (const CheckEntry &Entry : Checks)
      Factories.registerCheckFactory(
          Entry.Name,
          [&Entry, Analyses](llvm::StringRef Name, ClangTidyContext *Context) {
            return Entry.Make(Name, Context, Analyses);
          });
  }
};

/// The major release of the clang-tidy that loads us; ours when it does not
/// say.
unsigned hostMajor() {
  const std::string Full = clang::getClangFullVersion();
  unsigned Major = CLANG_VERSION_MAJOR;
  llvm::StringRef(Full)
      .split("clang version ")
      .second.split('.')
      .first.getAsInteger(10, Major);
  return Major;
}

/// Another release loads the plugin without complaint, as symbols are bound
/// late, and crashes in the first check. So we ask before we register.
bool registerModule() {
  if (unsigned Host = hostMajor(); Host != CLANG_VERSION_MAJOR) {
    llvm::errs() << "error: this linesman-tidy.so is built for LLVM "
                 << CLANG_VERSION_MAJOR << ", but this clang-tidy is LLVM "
                 << Host << "; its checks are not available\n";
    return false;
  }
  static ClangTidyModuleRegistry::Add<LinesmanModule> Registration(
      "linesman-module", "Cache lines that several cores fight over.");
  return true;
}

[[maybe_unused]] const bool Registered = registerModule();

} // namespace

} // namespace linesman::tidy
