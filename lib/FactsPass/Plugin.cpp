// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the pass runs. It has to be the last to see the IR, where nothing is
// removed or added any more:
//
//     a compile               the end of the optimizer (also at -O0)
//     ThinLTO                 the end of each backend, inside the linker
//     full LTO                the end of the link-time optimizer
//     a compile for LTO       nothing: the code is not final

#include "ModuleFacts.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#if __has_include("llvm/Plugins/PassPlugin.h")
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif
#include <memory>

using namespace llvm;
using namespace linesman::facts;

namespace {

FunctionAnalysisManager &getFunctionAnalyses(Module &M,
                                             ModuleAnalysisManager &MAM) {
  return MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
}

#if LLVM_VERSION_MAJOR < 20
/// Before LLVM 20 the callback is not told the phase. A compile for LTO leaves
/// its marks in the module: Clang adds these flags before the passes run.
bool isPreLink(const Module &M) {
  return M.getModuleFlag("ThinLTO") || M.getModuleFlag("EnableSplitLTOUnit");
}

/// Emits unless the module is compiled for LTO, which shows when it runs only.
class EmitFactsOfCompilePass : public PassInfoMixin<EmitFactsOfCompilePass> {
public:
  explicit EmitFactsOfCompilePass(Optimisation Done) : Done(Done) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    if (!isPreLink(M))
      emitFacts(M, collectFacts(M, getFunctionAnalyses(M, MAM)),
                Deduplication::Linker, Done);
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }

private:
  Optimisation Done;
};
#endif

class EmitFactsPass : public PassInfoMixin<EmitFactsPass> {
public:
  EmitFactsPass(Deduplication Dedup, Optimisation Done)
      : Dedup(Dedup), Done(Done) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    emitFacts(M, collectFacts(M, getFunctionAnalyses(M, MAM)), Dedup, Done);
    // Functions and variables are as they were.
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }

private:
  Deduplication Dedup;
  Optimisation Done;
};

class PrintFactsPass : public PassInfoMixin<PrintFactsPass> {
public:
  explicit PrintFactsPass(raw_ostream &OS) : OS(OS) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    printFacts(collectFacts(M, getFunctionAnalyses(M, MAM)), OS);
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }

private:
  raw_ostream &OS;
};

/// -Og is -O1.
Optimisation optimisationOf(OptimizationLevel Level) {
  return Level.getSpeedupLevel() < 2 ? Optimisation::Little
                                     : Optimisation::Usual;
}

/// The pipeline removes unused functions after its last extension point. Facts
/// about them would be lost references, and worse: a COMDAT group of facts
/// alone could win over the group that has the function. The second run finds
/// nothing. At -O0 nothing is removed.
void addPasses(ModulePassManager &MPM, OptimizationLevel Level,
               Deduplication Dedup) {
  if (Level != OptimizationLevel::O0)
    MPM.addPass(GlobalDCEPass());
  MPM.addPass(EmitFactsPass(Dedup, optimisationOf(Level)));
}

void registerLastInOptimizer(PassBuilder &PB) {
#if LLVM_VERSION_MAJOR >= 20
  PB.registerOptimizerLastEPCallback([](ModulePassManager &MPM,
                                        OptimizationLevel Level,
                                        ThinOrFullLTOPhase Phase) {
    switch (Phase) {
    case ThinOrFullLTOPhase::ThinLTOPreLink:
    case ThinOrFullLTOPhase::FullLTOPreLink:
      return;
    case ThinOrFullLTOPhase::None:
      addPasses(MPM, Level, Deduplication::Linker);
      return;
    case ThinOrFullLTOPhase::ThinLTOPostLink:
    case ThinOrFullLTOPhase::FullLTOPostLink:
      addPasses(MPM, Level, Deduplication::Done);
      return;
    }
  });
#else
  // Only a ThinLTO backend comes here without a start of the pipeline.
  auto IsCompile = std::make_shared<bool>(false);
  PB.registerPipelineStartEPCallback(
      [IsCompile](ModulePassManager &, OptimizationLevel) {
        *IsCompile = true;
      });
  PB.registerOptimizerLastEPCallback(
      [IsCompile](ModulePassManager &MPM, OptimizationLevel Level) {
        if (!*IsCompile) {
          addPasses(MPM, Level, Deduplication::Done);
          return;
        }
        if (Level != OptimizationLevel::O0)
          MPM.addPass(GlobalDCEPass());
        MPM.addPass(EmitFactsOfCompilePass(optimisationOf(Level)));
      });
#endif
}

/// -fmerge-functions replaces functions behind the last extension point, and
/// what is said above of removed ones holds for those: better no facts.
void removeBeforeMergingFunctions(PassBuilder &PB) {
  if (PassInstrumentationCallbacks *PIC = PB.getPassInstrumentationCallbacks())
    PIC->registerBeforeNonSkippedPassCallback([](StringRef Pass, Any IR) {
      if (Pass == "MergeFunctionsPass")
        if (const auto *M = any_cast<const Module *>(&IR))
          removeFacts(const_cast<Module &>(**M));
    });
}

bool parsePass(StringRef Name, ModulePassManager &MPM,
               ArrayRef<PassBuilder::PipelineElement>) {
  if (Name == "linesman-facts")
    MPM.addPass(EmitFactsPass(Deduplication::Linker, Optimisation::Usual));
  else if (Name == "print<linesman-facts>")
    MPM.addPass(PrintFactsPass(errs()));
  else
    return false;
  return true;
}

void registerPasses(PassBuilder &PB) {
  registerLastInOptimizer(PB);
  PB.registerFullLinkTimeOptimizationLastEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level) {
        addPasses(MPM, Level, Deduplication::Done);
      });
  removeBeforeMergingFunctions(PB);
  PB.registerPipelineParsingCallback(parsePass);
}

} // namespace

/// Weak, for a host that exports less of LLVM than its C++ API.
extern "C" LLVM_ATTRIBUTE_WEAK void
LLVMGetVersion(unsigned *Major, unsigned *Minor, unsigned *Patch);

/// The API's number changes rarely, the layout of LLVM's classes with each
/// release. A host of another release gets a number that it refuses, with its
/// own message.
static uint32_t getAPIVersion() {
  unsigned Major = LLVM_VERSION_MAJOR;
  if (LLVMGetVersion)
    LLVMGetVersion(&Major, nullptr, nullptr);
  return Major == LLVM_VERSION_MAJOR ? LLVM_PLUGIN_API_VERSION
                                     : LLVM_VERSION_MAJOR;
}

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  PassPluginLibraryInfo Info = {};
  Info.APIVersion = getAPIVersion();
  Info.PluginName = "linesman-facts";
  Info.PluginVersion = LLVM_VERSION_STRING;
  Info.RegisterPassBuilderCallbacks = registerPasses;
  return Info;
}
