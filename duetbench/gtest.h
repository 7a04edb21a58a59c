#ifndef DUETBENCH_GTEST_H_
#define DUETBENCH_GTEST_H_

// Duets within GoogleTest: link duetbench::gtest, and write in any test
//
//   #include <duetbench/gtest.h>
//   #include <gmock/gmock.h>  // EXPECT_THAT
//
//   TEST(Parser, NewIsNotSlower) {
//     const std::string text = ReadFile("large.json");
//     EXPECT_THAT(duetbench::Compare([&] { return OldParse(text); }, [&] { return NewParse(text);
//     }),
//                 duetbench::NotSlowerThan(1.05));
//   }
//
//   DUET_TEST(Parser, Speed, ParseOldSample, ParseNewSample).MaxRatio(1.05);

#include "duetbench/gtest/compare.h"
#include "duetbench/platform/report_tool_path.h"
#include "duetbench/variant/google_benchmark_layout.h"

namespace duetbench::internal {
[[maybe_unused]] inline const bool knows_public_header = (public_header = __FILE__, true);
}  // namespace duetbench::internal

#endif  // DUETBENCH_GTEST_H_
