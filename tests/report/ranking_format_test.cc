#include "duetbench/report/ranking_format.h"

#include "duetbench/decide/ranking.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

Ranking::Place PlaceOf(const char* name, double ratio, double lo, double hi) {
  Ranking::Place place;
  place.name = name;
  place.of_fastest.ratio = ratio;
  place.of_fastest.lo = lo;
  place.of_fastest.hi = hi;
  return place;
}

TEST(RankingSentence, SaysWhoIsFastestWhoTiesAndWhoIsSlower) {
  Ranking ranking;
  ranking.fastest = "flat_map";
  ranking.margin = 0.01;
  ranking.others = {PlaceOf("btree_map", 1.002, 0.9966, 1.0074),
                    PlaceOf("std::map", 1.8, 1.77, 1.83)};
  EXPECT_EQ(RankingSentence(ranking),
            "fastest: flat_map; btree_map ties within 0.74 %; std::map takes 1.8 x");
}

TEST(RankingSentence, AWideIntervalIsNoTie) {
  Ranking ranking;
  ranking.fastest = "a";
  ranking.margin = 0.01;
  ranking.others = {PlaceOf("b", 1.04, 0.97, 1.12), PlaceOf("c", 1.023, 1.011, 1.035)};
  EXPECT_EQ(RankingSentence(ranking), "fastest: a; b is between 0.97 and 1.12 x; c takes 1.023 x");
}

TEST(RankingSentence, SaysWhyTheFastestIsNotKnown) {
  Ranking ranking;
  ranking.unknown = "flat_map runs at two speeds";
  EXPECT_EQ(RankingSentence(ranking), "fastest: not known: flat_map runs at two speeds");
}

TEST(RankingSentence, ATieIsAsWideAsItsFartherEnd) {
  Ranking ranking;
  ranking.fastest = "a";
  ranking.margin = 0.01;
  ranking.others = {PlaceOf("b", 1.0001, 0.9911, 1.0012)};
  EXPECT_EQ(RankingSentence(ranking), "fastest: a; b ties within 0.9 %");
  ranking.others = {PlaceOf("b", 1.0002, 1.0001, 1.0004)};
  EXPECT_EQ(RankingSentence(ranking), "fastest: a; b ties within 0.04 %")
      << "surely slower, by nothing";
}

}  // namespace
}  // namespace duetbench
