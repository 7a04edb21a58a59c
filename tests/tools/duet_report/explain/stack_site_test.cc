#include "tools/duet_report/explain/stack_site.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/tools/duet_report/explain/fake_code_names.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr bool kInlined = true;

const std::vector<std::string> kFiles = {"/home/a/bench", "/usr/lib/libstdc++.so.6"};

// One place for each address, all in the program but those from 100 on.
CountedStack StackOf(const std::vector<uint64_t>& addresses) {
  CountedStack stack;
  for (const uint64_t address : addresses) {
    stack.places.push_back({uint64_t{address >= 100}, address});
  }
  stack.count = 3;
  return stack;
}

FakeCodeNames Names() {
  return FakeCodeNames({
      {1, {{"Trim(std::string const&)", "/src/two.cc", 12}}},
      {2, {{"BM_Trim(benchmark::State&)", "/src/two.cc", 40}}},
      {3, {{"duetbench::FunctionVariant::Run(duetbench::State&)", "/src/variant.h", 9}}},
      {4,
       {{"Twice(int)", "/src/two.cc", 3, kInlined},
        {"BM_Trim(benchmark::State&)", "/src/two.cc", 41}}},
      {5,
       {{"duetbench::State::Iterator::operator!=(duetbench::State::Iterator const&)",
         "/src/state.h", 1, kInlined},
        {"BM_Trim(benchmark::State&)", "/src/two.cc", 39}}},
      {6,
       {{"{lambda(auto&)#1}::operator()", "/src/two.cc", 60, kInlined},
        {"duetbench::CallableVariant<{lambda(auto&)#1}>::Run(duetbench::State&)", "/src/v.h", 2}}},
      {7,
       {{"void std::__introsort_loop<int*, long>(int*, int*, long)", "/usr/include/c++/12/a.h",
         8}}},
      {8,
       {{"std::vector<int>::push_back(int&&)", "/usr/include/c++/12/v.h", 5, kInlined},
        {"Trim(std::string const&)", "/src/two.cc", 14}}},
      {100, {{"operator new(unsigned long)", "", 0}}},
      {101, {{"malloc", "", 0}}},
  });
}

std::optional<NamedStack> Named(const std::vector<uint64_t>& addresses) {
  FakeCodeNames names = Names();
  return NameStack(StackOf(addresses), kFiles, &names);
}

std::optional<StackSite> Site(const std::vector<uint64_t>& addresses) {
  const std::optional<NamedStack> named = Named(addresses);
  if (!named.has_value()) return std::nullopt;
  return named->site;
}

TEST(StackSite, TheVariantsOwnCode) {
  const auto site = Site({2, 3, 3});
  ASSERT_TRUE(site.has_value());
  EXPECT_TRUE(site->is_variant);
  EXPECT_EQ(site->function, "BM_Trim");
  EXPECT_EQ(site->line, "two.cc:40");
}

TEST(StackSite, AFunctionOfTheUserAndItsCall) {
  const auto site = Site({1, 2, 3});
  ASSERT_TRUE(site.has_value());
  EXPECT_FALSE(site->is_variant);
  EXPECT_EQ(site->function, "Trim");
  EXPECT_EQ(site->line, "two.cc:12");
  EXPECT_EQ(site->caller, "BM_Trim");
  EXPECT_EQ(site->caller_line, "two.cc:40");
}

TEST(StackSite, SystemCodeIsNamedByTheFunctionThatTheUserCalls) {
  const auto site = Site({101, 100, 1, 2, 3});
  ASSERT_TRUE(site.has_value());
  EXPECT_TRUE(site->is_system);
  EXPECT_EQ(site->function, "operator new");
  EXPECT_EQ(site->caller, "Trim");
  EXPECT_EQ(site->caller_line, "two.cc:12");
}

TEST(StackSite, InlinedFunctionsCountForTheFunctionThatHasThem) {
  const auto inlined = Site({4, 3});
  ASSERT_TRUE(inlined.has_value());
  EXPECT_TRUE(inlined->is_variant);
  EXPECT_EQ(inlined->function, "BM_Trim");
  EXPECT_EQ(inlined->line, "two.cc:3");
  const auto of_the_loop = Site({5, 3});
  ASSERT_TRUE(of_the_loop.has_value());
  EXPECT_EQ(of_the_loop->line, "two.cc:39");
  const auto of_the_library = Site({8, 2, 3});
  ASSERT_TRUE(of_the_library.has_value());
  EXPECT_EQ(of_the_library->function, "Trim");
  EXPECT_EQ(of_the_library->line, "two.cc:14");
}

TEST(StackSite, AVariantThatTheHarnessHasInlined) {
  const auto site = Site({6});
  ASSERT_TRUE(site.has_value());
  EXPECT_TRUE(site->is_variant);
  EXPECT_EQ(site->line, "two.cc:60");
}

TEST(StackSite, TheHarnessIsNoPartOfAVariant) {
  EXPECT_FALSE(Site({3}).has_value());
  EXPECT_FALSE(Site({3, 2, 3}).has_value());
}

TEST(NameStack, HasThePathBelowTheVariant) {
  const auto named = Named({101, 100, 8, 2, 3});
  ASSERT_TRUE(named.has_value());
  EXPECT_THAT(named->path, ElementsAre("Trim", "std::vector::push_back", "operator new", "malloc"));
  EXPECT_EQ(named->count, 3);
  EXPECT_THAT(Named({2, 3})->path, IsEmpty());
}

TEST(ShortFunction, WithoutArgumentsAndTypes) {
  EXPECT_EQ(ShortFunction("Trim(std::string const&)"), "Trim");
  EXPECT_EQ(ShortFunction("void std::__introsort_loop<int*, long>(int*, int*, long)"),
            "std::__introsort_loop");
  EXPECT_EQ(ShortFunction("std::vector<int, std::allocator<int> >::push_back(int const&)"),
            "std::vector::push_back");
  EXPECT_EQ(ShortFunction("(anonymous namespace)::Hash(int) [clone .isra.0]"), "Hash");
  EXPECT_EQ(ShortFunction("operator new(unsigned long)"), "operator new");
  EXPECT_EQ(ShortFunction("operator new[](unsigned long)"), "operator new[]");
  EXPECT_EQ(ShortFunction("Money::operator<(Money const&) const"), "Money::operator<");
  EXPECT_EQ(ShortFunction("Call::operator()(int) const"), "Call::operator()");
  EXPECT_EQ(ShortFunction("operator()"), "a lambda");
  EXPECT_EQ(ShortFunction("bool std::operator==<char>(std::string const&, char const*)"),
            "std::operator==");
  EXPECT_EQ(ShortFunction("Shape::area() const"), "Shape::area");
  EXPECT_EQ(ShortFunction("malloc"), "malloc");
}

TEST(ShortFunction, CLibraryFunctionsHaveTheNameOfTheirCall) {
  EXPECT_EQ(ShortFunction("__memcpy_avx_unaligned_erms"), "memcpy");
  EXPECT_EQ(ShortFunction("pow@@GLIBC_2.29"), "pow");
  EXPECT_EQ(ShortFunction("__GI___pthread_mutex_unlock_usercnt"), "pthread_mutex_unlock_usercnt");
  EXPECT_EQ(ShortFunction("__sin_fma"), "sin");
  EXPECT_EQ(ShortFunction("__cxa_throw"), "__cxa_throw");
}

}  // namespace
}  // namespace duetbench
