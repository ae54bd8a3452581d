// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What planning costs: 300,000 symbols, 10,000 findings of two to five objects.
// Prints milliseconds; not a test, because machines differ.

#include "linesman/Plan/Plan.h"
#include <chrono>
#include <cstdio>
#include <random>

using namespace linesman::layout;
using namespace linesman::plan;

int main() {
  constexpr uint32_t Symbols = 300000, Findings = 10000;
  std::vector<std::string> Names;
  for (uint32_t I = 0; I != Symbols; ++I)
    Names.push_back("_ZN5store8SubsystemILi" + std::to_string(I) + "EE4dataE");
  ImageDescription Description;
  Section Bss;
  Bss.Name = ".bss";
  Bss.Range = {{0x10000}, {0x10000 + Symbols * 12}};
  Description.Sections.push_back(Bss);
  for (uint32_t I = 0; I != Symbols; ++I) {
    Symbol S;
    S.NameData = Names[I].c_str();
    S.Address = {0x10000 + I * 12};
    S.Size = 8;
    Description.Symbols.push_back(S);
  }
  Image Of = buildImage(std::move(Description));
  std::mt19937 Random(1);
  std::vector<LineFinding> All(Findings);
  for (uint32_t I = 0; I != Findings; ++I) {
    LineFinding &F = All[I];
    uint32_t First = I * 29, Count = 2 + Random() % 4;
    F.Head = First;
    F.Id = "finding" + std::to_string(I);
    for (uint32_t A = 0; A != Count; ++A)
      for (uint32_t B = A + 1; B != Count; ++B)
        if (Random() % 2 || (A == 0 && B == 1)) {
          F.Pairs.push_back({First + A, First + B, double(1 + Random() % 9),
                             ObjectPair::Writers::Apart});
          F.Points.Between += F.Pairs.back().Transfers;
        }
  }
  auto Begin = std::chrono::steady_clock::now();
  Plan Made = makePlan(Of, {All, {64}, {4096}, std::nullopt});
  auto Took = std::chrono::steady_clock::now() - Begin;
  std::printf(
      "%zu edits in %ld ms\n", Made.Edits.size(),
      long(
          std::chrono::duration_cast<std::chrono::milliseconds>(Took).count()));
}
