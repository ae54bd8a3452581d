// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Bisect/Statistics.h"
#include "gtest/gtest.h"
#include <cmath>
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

TEST(Statistics, ShiftIntervalHoldsTheShift) {
  std::mt19937_64 Random(3);
  std::normal_distribution<> Noise(0, 1);
  // 5 of 100 may miss; of skewed noise, too.
  for (bool Skewed : {false, true}) {
    unsigned Missed = 0;
    constexpr unsigned Samples = 2000;
    for (unsigned I = 0; I != Samples; ++I) {
      std::vector<double> A(10), B(10);
      auto Draw = [&] {
        double X = Noise(Random);
        return Skewed ? std::exp(X) : X;
      };
      for (double &X : A)
        X = Draw();
      for (double &X : B)
        X = Draw() + 0.7;
      Interval I95 = shiftInterval(A, B);
      Missed += I95.Low > 0.7 || I95.High < 0.7;
    }
    EXPECT_LE(Missed, Samples * 6 / 100) << Skewed;
    EXPECT_GE(Missed, Samples * 3 / 100) << Skewed;
  }
}

TEST(Statistics, ShiftIntervalByHand) {
  // Of 4 + 4 values only the most extreme order is below 2.5 %.
  Interval I = shiftInterval(std::vector<double>{1, 2, 3, 4},
                             std::vector<double>{11, 12, 13, 14});
  EXPECT_EQ(I.Low, 7);
  EXPECT_EQ(I.High, 13);
  EXPECT_TRUE(std::isinf(
      shiftInterval(std::vector<double>{1}, std::vector<double>{2}).Low));
}

TEST(Statistics, PartInterval) {
  std::vector<double> None(10, 0), Every(10, 1);
  Interval Same = partInterval(None, None);
  EXPECT_NEAR(Same.Low, -0.278, 0.001); // Wilson's bound of 0 in 10.
  EXPECT_NEAR(Same.High, 0.278, 0.001);
  Interval Apart = partInterval(None, Every);
  EXPECT_GT(Apart.Low, 0.5);
  EXPECT_LE(Apart.High, 1.0001);
}
