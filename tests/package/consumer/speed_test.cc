// A GoogleTest test that compares two functions, with the installed library.
#include <duetbench/gtest.h>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

static double Sum(int terms) {
  double sum = 0;
  for (int i = 0; i < terms; ++i) benchmark::DoNotOptimize(sum += i);
  return sum;
}

TEST(Sum, OfAFewTermsIsNotSlowerThanOfMany) {
  const int many = 1000;
  EXPECT_THAT(duetbench::Compare([&] { return Sum(many); }, [&] { return Sum(many / 10); }),
              duetbench::NotSlowerThan(1.05));
}
