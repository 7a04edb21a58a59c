#include <string>
#include <vector>

#include "duetbench/api/duet_spec.h"
#include "duetbench/api/macros.h"
#include "duetbench/google_benchmark/registry.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;

void GroupMap(State& state) {
  for (auto _ : state) {
  }
}
template <class T>
void GroupOf(State& state) {
  for (auto _ : state) {
  }
}
int GroupLooped() { return 1; }

DuetBenchmark* RegisterGroup() {
  return RegisterDuet("find", {{"map", GroupMap}, {"btree", GroupOf<int>}, {"flat", GroupLooped}});
}

std::vector<std::string> NamesOf(const std::vector<DuetSpec>& duets) {
  std::vector<std::string> names;
  for (const DuetSpec& duet : duets) names.push_back(duet.name);
  return names;
}

TEST(DuetsOf, AreThoseOfTheOthersWithTheBase) {
  const std::vector<DuetSpec> duets = DuetsOf(RegisterGroup()->Arg(64)->MaxRatio(1.05)->spec());
  EXPECT_THAT(NamesOf(duets), ElementsAre("find/map_vs_btree", "find/map_vs_flat"));
  EXPECT_EQ(duets[1].variant_names.old_name, "map");
  EXPECT_EQ(duets[1].variant_names.new_name, "flat");
  EXPECT_TRUE((duets[1].pair == VariantPair{0, 2}));
  const DuetFunctions pair = FunctionsOf(duets[1], 2);
  const DuetFunctions all = FunctionsOf(duets[1], 3);
  EXPECT_THAT(pair.variants, ElementsAre(all.variants[0], all.variants[2]));
  for (const DuetSpec& duet : duets) {
    EXPECT_THAT(duet.options.gates, ElementsAre(GateSpec::MaxRatio(1.05)));
    EXPECT_EQ(duet.arguments.size(), 1u);
  }
  EXPECT_THAT(NamesOf(DuetsOf(RegisterGroup()->Name("seek")->spec())),
              ElementsAre("seek/map_vs_btree", "seek/map_vs_flat"));
}

TEST(DuetsOf, TheFastestIsComparedWithEachOther) {
  const std::vector<DuetSpec> duets = DuetsOf(RegisterGroup()->Fastest("flat", 0.02)->spec());
  EXPECT_THAT(NamesOf(duets),
              ElementsAre("find/map_vs_btree", "find/map_vs_flat", "find/btree_vs_flat"));
  EXPECT_TRUE(duets[0].options.gates.empty());
  EXPECT_THAT(duets[1].options.gates, ElementsAre(GateSpec::MaxRatio(1.02)));
  EXPECT_THAT(duets[2].options.gates, ElementsAre(GateSpec::MaxRatio(1.02)));
}

TEST(DuetsOf, TheBaseMayBeTheFastest) {
  const std::vector<DuetSpec> duets = DuetsOf(RegisterGroup()->Fastest("map")->spec());
  ASSERT_EQ(duets.size(), 2u);
  for (const DuetSpec& duet : duets)
    EXPECT_THAT(duet.options.gates, ElementsAre(GateSpec::MinRatio(1)));
}

TEST(DuetsOf, TheStricterOfTwoLimitsHolds) {
  const std::vector<DuetSpec> strict =
      DuetsOf(RegisterGroup()->MaxRatio(0.9)->Fastest("flat", 0.02)->spec());
  EXPECT_THAT(strict[0].options.gates, ElementsAre(GateSpec::MaxRatio(0.9)));
  EXPECT_THAT(strict[1].options.gates, ElementsAre(GateSpec::MaxRatio(0.9)));
  EXPECT_THAT(strict[2].options.gates, ElementsAre(GateSpec::MaxRatio(1.02)))
      << "MaxRatio is for the base";
  EXPECT_THAT(DuetsOf(RegisterGroup()->MaxRatio(3)->Fastest("flat")->spec())[1].options.gates,
              ElementsAre(GateSpec::MaxRatio(1)));
}

TEST(DuetBenchmarkTest, MoreThanTwoVariantsAreChecked) {
  EXPECT_DEATH(RegisterGroup()->Fastest("tree"), "needs the name of one of .*: map, btree, flat");
  EXPECT_DEATH(RegisterGroup()->Fastest("flat", -1), "a margin from 0 to 1");
  EXPECT_DEATH(RegisterGroup()->Fastest("map")->Equivalent(0.1), "exclude each other");
  EXPECT_DEATH(RegisterGroup()->VariantNames("a", "b"), "names of their list");
  EXPECT_DEATH(RegisterDuet("two", GroupMap, GroupMap)->Fastest("old"), "three or more variants");
  EXPECT_DEATH(RegisterDuet("one", {{"a", GroupMap}}), "a list has 2 to 8");
}

TEST(DuetsOf, AListOfTwoIsAPair) {
  const DuetSpec& pair = RegisterDuet("two", {{"a", GroupMap}, {"b", GroupLooped}})->spec();
  EXPECT_EQ(pair.name, "two/a_vs_b");
  EXPECT_EQ(pair.group, nullptr);
  EXPECT_EQ(pair.variant_names.new_name, "b");
}

TEST(DuetsOf, VariantsOfOneNameAreNumbered) {
  const auto duets =
      DuetsOf(RegisterDuet("", {{"a", GroupMap}, {"a", GroupMap}, {"a", GroupMap}})->spec());
  EXPECT_EQ(duets[0].name, "/a_vs_a#2");
  EXPECT_EQ(duets[1].name, "/a_vs_a#3");
}

TEST(DuetsOf, CheckEqualComparesWithTheBase) {
  int calling = -1;
  const auto duets = DuetsOf(
      RegisterDuet("same", {{"a", GroupLooped}, {"b", [] { return 1; }}, {"c", [] { return 2; }}})
          ->CheckEqual()
          ->spec());
  EXPECT_EQ(CompareResults(FunctionsOf(duets[0], 2).results, &calling), "");
  EXPECT_EQ(CompareResults(FunctionsOf(duets[1], 2).results, &calling),
            "CheckEqual: old returned 1, new returned 2");
  EXPECT_EQ(CompareResults(FunctionsOf(duets[0], 3).results, &calling),
            "and the base: CheckEqual: old returned 1, new returned 2");
  EXPECT_EQ(calling, 2);
}

template <class... Args>
void GroupCaptured(State& state, Args&&...) {
  for (auto _ : state) {
  }
}
template <class... Args>
void GroupOther(State& state, Args&&...) {
  for (auto _ : state) {
  }
}
template <class T, int kSize>
void GroupSized(State& state) {
  for (auto _ : state) {
  }
}

class GroupMaps : public benchmark::Fixture {
 public:
  void Map(State& state) {
    for (auto _ : state) {
    }
  }
  int BTree() { return 1; }
  int Flat() { return 2; }
};

TEST(DuetBenchmarkMacro, AListHasTheNamesOfTheFormsWithTwo) {
  DUET_BENCHMARK_CAPTURE((GroupCaptured, GroupOther, GroupOther), text, "abc", 3);
  DUET_BENCHMARK_TEMPLATE((GroupSized, GroupSized, GroupSized), int, 64);
  DUET_BENCHMARK_F(GroupMaps, Map, BTree, Flat);
  std::vector<std::string> names;
  const std::vector<const DuetSpec*> specs = RegisteredDuets();
  for (size_t i = specs.size() - 6; i < specs.size(); ++i) names.push_back(specs[i]->name);
  EXPECT_THAT(
      names,
      ElementsAre("GroupCaptured_vs_GroupOther/text", "GroupCaptured_vs_GroupOther#3/text",
                  "GroupSized_vs_GroupSized#2<int, 64>", "GroupSized_vs_GroupSized#3<int, 64>",
                  "GroupMaps/Map_vs_BTree", "GroupMaps/Map_vs_Flat"));
  EXPECT_TRUE(specs.back()->needs_google_benchmark_state);
}

TEST(DuetBenchmarkMacro, TakesUpToEightVariants) {
  DUET_BENCHMARK(GroupMap, GroupLooped, GroupOf<int>);
  DUET_BENCHMARK(GroupMap, GroupLooped, GroupMap, GroupMap, GroupMap, GroupMap, GroupMap, GroupMap);
  const auto nine = [] {
    DUET_BENCHMARK(GroupMap, GroupLooped, GroupMap, GroupMap, GroupMap, GroupMap, GroupMap,
                   GroupMap, GroupMap);
  };
  EXPECT_DEATH(nine(), "a list has 2 to 8 variants, and not 9");
}

}  // namespace
}  // namespace duetbench
