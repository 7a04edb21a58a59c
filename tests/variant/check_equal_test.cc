#include "duetbench/variant/check_equal.h"

#include <cstdint>
#include <map>
#include <optional>
#include <variant>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::EndsWith;
using ::testing::StartsWith;

template <class Old, class New>
std::string Difference(Old old_function, New new_function) {
  int calling = -7;
  return CompareResults(
      {AnyVariant(std::move(old_function)).result, AnyVariant(std::move(new_function)).result},
      &calling);
}

template <class A, class B>
std::string DifferenceOf(A a, B b) {
  return Difference([a] { return a; }, [b] { return b; });
}

struct NoEqual {
  int value;
};
struct Unprintable {
  int value;
  bool operator==(const Unprintable& other) const { return value == other.value; }
};

TEST(CompareResults, EqualValuesHaveNoDifference) {
  EXPECT_EQ(DifferenceOf(1, 1), "");
  EXPECT_EQ(DifferenceOf(true, true), "");
  EXPECT_EQ(DifferenceOf(-1, int64_t{-1}), "");
  EXPECT_EQ(DifferenceOf(uint8_t{200}, 200), "");
  EXPECT_EQ(DifferenceOf(0.5, 0.5f), "");
  EXPECT_EQ(DifferenceOf(std::string("a"), std::string("a")), "");
  EXPECT_EQ(DifferenceOf(std::string("a"), "a"), "");
  EXPECT_EQ(DifferenceOf(std::vector<bool>{true}, std::vector<bool>{true}), "");
  EXPECT_EQ(
      DifferenceOf(std::map<int, std::string>{{1, "a"}}, std::map<int, std::string>{{1, "a"}}), "");
  EXPECT_EQ(DifferenceOf(std::make_tuple(1, 'a'), std::make_tuple(1, 'a')), "");
  EXPECT_EQ(DifferenceOf(std::optional<int>(3), std::optional<int>(3)), "");
  EXPECT_EQ(DifferenceOf(std::variant<int, char>(3), std::variant<int, char>(3)), "");
  EXPECT_EQ(DifferenceOf(Unprintable{1}, Unprintable{1}), "");
}

TEST(CompareResults, TextIsComparedAsText) {
  const char a[] = "text";
  const char b[] = "text";
  const char* const none = nullptr;
  EXPECT_EQ(DifferenceOf(&a[0], &b[0]), "");
  EXPECT_EQ(DifferenceOf(none, none), "");
  EXPECT_EQ(DifferenceOf(&a[0], none), "CheckEqual: old returned text, new returned null");
}

TEST(CompareResults, ADifferenceShowsBothValues) {
  EXPECT_EQ(DifferenceOf(1, 2), "CheckEqual: old returned 1, new returned 2");
  EXPECT_EQ(DifferenceOf(-1, ~uint64_t{0}),
            "CheckEqual: old returned -1, new returned 18446744073709551615");
  EXPECT_EQ(DifferenceOf(true, false), "CheckEqual: old returned true, new returned false");
  EXPECT_EQ(DifferenceOf(uint8_t{65}, uint8_t{66}), "CheckEqual: old returned 65, new returned 66");
  EXPECT_EQ(DifferenceOf(0.1, 0.1f),
            "CheckEqual: old returned 0.10000000000000001, new returned 0.10000000149011612");
  using Pairs = std::vector<std::pair<int, std::string>>;
  EXPECT_EQ(DifferenceOf(Pairs{{1, "a"}}, Pairs{{1, "b"}}),
            "CheckEqual: old returned {(1, a)}, new returned {(1, b)}");
  EXPECT_EQ(DifferenceOf(Unprintable{1}, Unprintable{2}),
            "CheckEqual: old returned a value without operator<<, new returned a value without "
            "operator<<");
  EXPECT_LT(DifferenceOf(std::string(100'000, 'a'), std::string(100'000, 'b')).size(), 1000u);
  EXPECT_LT(DifferenceOf(std::vector<int>(100'000, 1), std::vector<int>(100'000, 2)).size(), 1000u);
}

// The result of a call outlives the next one.
TEST(CompareResults, AReferenceIsReadAtOnce) {
  static std::string shared;
  const auto function = [](const char* text) {
    return [text]() -> const std::string& { return shared = text; };
  };
  EXPECT_EQ(Difference(function("a"), function("a")), "");
  EXPECT_EQ(Difference(function("a"), function("b")), "CheckEqual: old returned a, new returned b");
}

// That it compiles is half of the test: nobody may have asked for a check.
TEST(CompareResults, WhatCannotBeComparedSaysSo) {
  const char kNoEqual[] = "CheckEqual: the results cannot be compared: there is no operator==";
  EXPECT_THAT(DifferenceOf(NoEqual{1}, NoEqual{1}), StartsWith(kNoEqual));
  EXPECT_THAT(DifferenceOf(std::vector<NoEqual>{{1}}, std::vector<NoEqual>{{1}}),
              StartsWith(kNoEqual));
  EXPECT_THAT(
      DifferenceOf(std::map<int, std::vector<NoEqual>>{}, std::map<int, std::vector<NoEqual>>{}),
      StartsWith(kNoEqual));
  EXPECT_THAT(DifferenceOf(std::make_pair(1, NoEqual{1}), std::make_pair(1, NoEqual{1})),
              StartsWith(kNoEqual));
  EXPECT_THAT(DifferenceOf(std::make_tuple(NoEqual{1}), std::make_tuple(NoEqual{1})),
              StartsWith(kNoEqual));
  EXPECT_THAT(DifferenceOf(std::optional<NoEqual>(), std::optional<NoEqual>()),
              StartsWith(kNoEqual));
  EXPECT_THAT(DifferenceOf(1, std::string("a")),
              EndsWith("cannot be compared: they have different types"));
  static const std::unique_ptr<int> kept;
  const auto reference = []() -> const std::unique_ptr<int>& { return kept; };
  EXPECT_THAT(Difference(reference, reference), EndsWith("there is nothing to compare"));
  EXPECT_THAT(Difference([] {}, [] {}), EndsWith("there is nothing to compare"));
  EXPECT_THAT(Difference([] {}, [] { return 1; }), EndsWith("they have different types"));
  EXPECT_THAT(Difference([](State&) {}, [] { return 1; }),
              ::testing::StrEq("CheckEqual: one variant returns a value, the other one has a State "
                               "and returns none: there is nothing to compare"));
}

TEST(CompareResults, TellsWhoIsBeingCalled) {
  int calling = -7;
  int seen[2] = {-7, -7};
  const AnyVariant old_variant = [&] { return seen[0] = calling, 1; };
  const AnyVariant new_variant = [&] { return seen[1] = calling, 1; };
  EXPECT_EQ(CompareResults({old_variant.result, new_variant.result}, &calling), "");
  EXPECT_EQ(seen[0], 0);
  EXPECT_EQ(seen[1], 1);
  EXPECT_EQ(calling, -1);
}

}  // namespace
}  // namespace duetbench
