#include "duetbench/suite_report/ranking_range.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace duetbench {
namespace {

Ranking::Place PlaceOf(const char* name, double ratio, double width = 0.02) {
  Ranking::Place place;
  place.name = name;
  place.of_fastest.ratio = ratio;
  place.of_fastest.lo = ratio * (1 - width);
  place.of_fastest.hi = ratio * (1 + width);
  place.of_fastest.level = 0.99;
  return place;
}

SuiteEntry EntryOf(const std::string& name, const char* fastest,
                   std::vector<Ranking::Place> others) {
  SuiteEntry entry;
  entry.name = name;
  Ranking ranking;
  ranking.fastest = fastest;
  ranking.others = std::move(others);
  entry.comparison.ranking = std::move(ranking);
  return entry;
}

TEST(RangesOf, TellsWhoIsFastestFromWhereToWhere) {
  const std::vector<SuiteEntry> suite = {
      EntryOf("find/map_vs_flat/8", "sorted", {PlaceOf("flat", 2), PlaceOf("map", 3)}),
      EntryOf("find/map_vs_flat/512", "flat", {PlaceOf("sorted", 2), PlaceOf("map", 9)}),
      EntryOf("find/map_vs_flat/4096", "flat", {PlaceOf("sorted", 4), PlaceOf("map", 12)}),
  };
  const std::vector<stats::FastestRange> ranges = RangesOf(suite);
  ASSERT_EQ(ranges.size(), 1u);
  ASSERT_EQ(ranges[0].stretches.size(), 2u);
  ASSERT_TRUE(ranges[0].stretches[1].crossing.has_value());
  EXPECT_NEAR(ranges[0].stretches[1].crossing->x, 64, 0.5) << "ln 2 : ln 1/2, in the middle";
  const std::string sentence = RangeSentence(ranges[0]);
  EXPECT_EQ(sentence.substr(0, sentence.find('[')),
            "find/map_vs_… over n: fastest is sorted at 8; then flat from 512 to 4096, crossing at "
            "64, ");
}

TEST(RangesOf, ATieGoesOnWithTheStretch) {
  const std::vector<SuiteEntry> suite = {
      EntryOf("map_vs_flat/n:8", "sorted", {PlaceOf("flat", 2), PlaceOf("map", 3)}),
      EntryOf("map_vs_flat/n:64", "flat", {PlaceOf("sorted", 1.01), PlaceOf("map", 3)}),
  };
  const std::vector<stats::FastestRange> ranges = RangesOf(suite);
  ASSERT_EQ(ranges.size(), 1u);
  EXPECT_EQ(RangeSentence(ranges[0]), "map_vs_… over n: fastest is sorted or a tie from 8 to 64");
}

TEST(RangesOf, WithoutARatioOfBothThereIsNoCrossing) {
  const std::vector<SuiteEntry> suite = {
      EntryOf("map_vs_flat/8", "sorted", {PlaceOf("flat", 2), PlaceOf("map", 3)}),
      EntryOf("map_vs_flat/64", "map", {PlaceOf("sorted", 1.01), PlaceOf("flat", 3)}),
      EntryOf("map_vs_flat/512", "flat", {PlaceOf("map", 2), PlaceOf("sorted", 3)}),
  };
  const std::vector<stats::FastestRange> ranges = RangesOf(suite);
  ASSERT_EQ(ranges.size(), 1u);
  ASSERT_EQ(ranges[0].stretches.size(), 2u);
  EXPECT_EQ(ranges[0].stretches[0].to, 64);
  EXPECT_TRUE(ranges[0].stretches[1].crossing.has_value()) << "8 and 512 have both";
}

TEST(RangesOf, EachArgumentThatVariesMakesOne) {
  const auto entry = [](const char* name) { return EntryOf(name, "a", {PlaceOf("b", 2)}); };
  const std::vector<SuiteEntry> suite = {
      entry("a_vs_b/8/1"), entry("a_vs_b/8/2"), entry("a_vs_b/64/1"), entry("c_vs_d/5"), {}};
  const std::vector<stats::FastestRange> ranges = RangesOf(suite);
  ASSERT_EQ(ranges.size(), 2u);
  EXPECT_EQ(RangeSentence(ranges[0]), "a_vs_…/1 over n: fastest is a from 8 to 64");
  EXPECT_EQ(RangeSentence(ranges[1]), "a_vs_…/8 over n: fastest is a from 1 to 2");
}

TEST(RangesOf, AnUnknownRankingIsLeftOut) {
  std::vector<SuiteEntry> suite = {EntryOf("a_vs_b/8", "a", {PlaceOf("b", 2)}),
                                   EntryOf("a_vs_b/64", "a", {PlaceOf("b", 2)})};
  suite[1].comparison.ranking->unknown = "b runs at two speeds";
  EXPECT_TRUE(RangesOf(suite).empty());
}

}  // namespace
}  // namespace duetbench
