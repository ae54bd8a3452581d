// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Bisect/Statistics.h"
#include "gtest/gtest.h"
#include <random>

using namespace linesman::bisect;

TEST(Statistics, Median) {
  EXPECT_EQ(median({3}), 3);
  EXPECT_EQ(median({5, 1, 3}), 3);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
}

TEST(Statistics, SpreadSurvivesTwoOutliersInTen) {
  std::vector<double> A = {10, 10.1, 9.9, 10.05, 400};
  std::vector<double> B = {20, 20.1, 19.9, 19.95, -300};
  EXPECT_LT(pooledSpread(A, B), 0.4);
  EXPECT_GT(pooledSpread(A, B), 0.05);
}

TEST(Statistics, SpreadIsAStandardDeviation) {
  std::mt19937_64 Random(1);
  std::normal_distribution<> Noise(0, 2);
  double Sum = 0;
  for (int I = 0; I != 2000; ++I) {
    std::vector<double> A(5), B(5);
    for (double &X : A)
      X = Noise(Random);
    for (double &X : B)
      X = 7 + Noise(Random);
    Sum += pooledSpread(A, B);
  }
  EXPECT_NEAR(Sum / 2000, 2, 0.4);
}

TEST(Statistics, StudentDensityIntegratesToOne) {
  double Sum = 0;
  for (double X = -400; X < 400; X += 0.01)
    Sum += studentDensity(X, 1, 2) * 0.01;
  EXPECT_NEAR(Sum, 1, 1e-3);
}

TEST(Statistics, PermutationPIsExact) {
  std::vector<double> A = {6, 7, 8, 9, 10}, B = {1, 2, 3, 4, 5};
  EXPECT_DOUBLE_EQ(permutationP(A, B, 1), 1.0 / 252);
  EXPECT_DOUBLE_EQ(permutationP(B, A, -1), 1.0 / 252);
  EXPECT_DOUBLE_EQ(permutationP(B, A, 1), 1);
  // One of the five looks like the others: C(6, 1) of 252 splits.
  std::vector<double> Bits = {1, 1, 1, 1, 0}, Zeros = {0, 0, 0, 0, 0};
  EXPECT_DOUBLE_EQ(permutationP(Bits, Zeros, 1), 6.0 / 252);
  EXPECT_DOUBLE_EQ(permutationP(Zeros, Zeros, 1), 1);
}

TEST(Statistics, PermutationPIsUniformUnderChance) {
  std::mt19937_64 Random(2);
  std::normal_distribution<> Noise;
  int Below = 0;
  for (int I = 0; I != 4000; ++I) {
    std::vector<double> A(5), B(5);
    for (double &X : A)
      X = Noise(Random);
    for (double &X : B)
      X = Noise(Random);
    Below += permutationP(A, B, 1) <= 0.05;
  }
  EXPECT_NEAR(Below / 4000.0, 0.05, 0.012);
}
