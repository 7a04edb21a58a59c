#include "duetbench/google_benchmark/name_filter.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

bool Selects(const std::string& filter, const std::string& name) {
  const absl::StatusOr<NameFilter> parsed = NameFilter::Parse(filter);
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  return parsed.ok() && parsed->Selects(name);
}

TEST(NameFilterTest, SearchesTheWholeName) {
  EXPECT_TRUE(Selects("Map/64", "BM_Map/64/real_time"));
  EXPECT_FALSE(Selects("^Map/64", "BM_Map/64/real_time"));
  EXPECT_TRUE(Selects("/(64|128)$", "BM_Map/128"));
  EXPECT_FALSE(Selects("/(64|128)$", "BM_Map/12"));
  EXPECT_TRUE(Selects("a\\.b", "a.b"));
  EXPECT_FALSE(Selects("a\\.b", "aXb"));
}

TEST(NameFilterTest, NothingAndAllSelectEverything) {
  for (const char* filter : {"", "all", "."}) EXPECT_TRUE(Selects(filter, "anything")) << filter;
  EXPECT_TRUE(Selects("all.", "allocate")) << "only the whole word is special";
  EXPECT_FALSE(Selects("all.", "anything"));
}

TEST(NameFilterTest, ALeadingMinusNegates) {
  EXPECT_FALSE(Selects("-Map", "BM_Map/64"));
  EXPECT_TRUE(Selects("-Map", "BM_Set/64"));
  EXPECT_FALSE(Selects("-", "anything")) << "the empty expression is found everywhere";
}

TEST(NameFilterTest, DisabledBenchmarksAreNeverSelected) {
  EXPECT_FALSE(Selects("", "DISABLED_Map"));
  EXPECT_FALSE(Selects("-Set", "DISABLED_Map"));
  EXPECT_TRUE(Selects("", "Map_DISABLED_"));
}

TEST(NameFilterTest, SaysWhatIsNoExpression) {
  const absl::Status status = NameFilter::Parse("a(b").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              ::testing::StartsWith("--benchmark_filter: 'a(b' is no regular expression: "));
  EXPECT_FALSE(NameFilter::Parse("-[").ok());
}

}  // namespace
}  // namespace duetbench
