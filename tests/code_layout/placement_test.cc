#include "duetbench/code_layout/placement.h"

#include <algorithm>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using testing::Contains;
using testing::ElementsAre;

// Functions of these sizes.
MovableCode CodeOf(const std::vector<uint64_t>& sizes) {
  MovableCode code;
  code.end_address = 0x10000;
  uint64_t begin = 0x1000;
  for (const uint64_t size : sizes) {
    MovableCode::Function& function = code.functions.emplace_back();
    function.begin = begin;
    function.end = begin + size;
    begin += 0x100;
  }
  return code;
}

std::vector<uint64_t> PlacesOf(const MovableCode& code, const Slots& slots, uint64_t seed,
                               uint32_t turn) {
  const MovableCode* const programs[] = {&code};
  return PlaceFunctions(programs, slots, seed, turn)[0].function_at;
}

TEST(PlaceFunctions, LeavesThemApart) {
  MovableCode code = CodeOf({5, 200, 33, 64, 1});
  code.functions[2].alignment = 64;
  code.functions[4].stays_because = "of a test";
  const Slots slots = SlotsOfVariants(code, {});
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const std::vector<uint64_t> places = PlacesOf(code, slots, seed, 0);
    EXPECT_EQ(places, PlacesOf(code, slots, seed, 0));
    EXPECT_NE(places, PlacesOf(code, slots, seed + 1, 0));
    EXPECT_EQ(places[2] % 64, 0u);
    EXPECT_EQ(places[4], 0u);
    std::vector<std::pair<uint64_t, uint64_t>> ranges;
    for (size_t i = 0; i < 4; ++i) {
      ranges.emplace_back(places[i], places[i] + code.functions[i].size());
    }
    std::sort(ranges.begin(), ranges.end());
    EXPECT_GE(ranges[0].first, code.end_address);
    for (size_t i = 1; i < ranges.size(); ++i) EXPECT_GE(ranges[i].first, ranges[i - 1].second);
  }
}

TEST(PlaceFunctions, VariantsTakeEachOthersPlaces) {
  const MovableCode code = CodeOf({50, 60, 70, 80, 90});
  // 0 and 1 belong to old, 2 and 3 to new; 4 to both.
  const Slots slots = SlotsOfVariants(code, {{0, 1}, {2, 3}});
  ASSERT_EQ(slots.turns, 2u);
  const std::vector<uint64_t> even = PlacesOf(code, slots, 7, 0), odd = PlacesOf(code, slots, 7, 1);
  EXPECT_THAT(odd, ElementsAre(even[2], even[3], even[0], even[1], even[4]));
}

TEST(PlaceFunctions, EachOfThreeVariantsIsAtEachPlaceOnce) {
  const MovableCode code = CodeOf({50, 60, 70, 80});
  const Slots slots = SlotsOfVariants(code, {{0, 3}, {1}, {2}});
  ASSERT_EQ(slots.turns, 3u);
  const std::vector<uint64_t> first = PlacesOf(code, slots, 7, 0);
  for (size_t variant = 0; variant < 3; ++variant) {
    std::vector<uint64_t> places;
    for (uint32_t turn = 0; turn < 3; ++turn) {
      places.push_back(PlacesOf(code, slots, 7, turn)[variant]);
    }
    for (size_t place = 0; place < 3; ++place) EXPECT_THAT(places, Contains(first[place]));
  }
}

TEST(PlaceFunctions, HasOneTurnWhereNothingBelongsToOneVariant) {
  EXPECT_EQ(SlotsOfVariants(CodeOf({50, 60}), {{}, {}}).turns, 1u);
  EXPECT_EQ(SlotsOfVariants(CodeOf({50, 60}), {{1}, {}}).turns, 1u);
}

TEST(PlaceFunctions, ProgramsHaveFunctionsWithTheSameKeyAtTheSamePlace) {
  const MovableCode before = CodeOf({50, 60, 70}), after = CodeOf({40, 55, 300, 70});
  const MovableCode* const programs[] = {&before, &after};
  const Slots slots = SlotsOfPrograms(
      programs, {{"main", "sort", "gone"}, {"added", "main", "sort", "added, too"}});
  const std::vector<Placement> places = PlaceFunctions(programs, slots, 3, 0);
  EXPECT_EQ(places[0].function_at[0], places[1].function_at[1]);
  EXPECT_EQ(places[0].function_at[1], places[1].function_at[2]);
  EXPECT_EQ(places[0].begin, places[1].begin);
  EXPECT_EQ(places[0].end, places[1].end);
}

}  // namespace
}  // namespace duetbench
