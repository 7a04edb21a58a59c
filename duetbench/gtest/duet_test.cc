#include "duetbench/gtest/duet_test.h"

#include <iostream>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {

struct DuetTest::Case {
  const char* file;
  int line;
  AnyVariant variants[2];
  CompareOptions options = {};
  std::vector<ComparisonMatcher> demands = {};

  void Judge() const {
    const testing::ScopedTrace place(file, line, "DUET_TEST");
    const PendingComparison result = Compare(variants[0], variants[1], options);
    for (const ComparisonMatcher& demand : demands) EXPECT_THAT(result, demand);
    if (!demands.empty()) return;
    EXPECT_EQ(result.error(), "");
    std::cout << result << "\n";
  }
};

DuetTest::DuetTest(const char* suite, const char* name, const char* file, int line,
                   const AnyVariant& old_variant, const AnyVariant& new_variant)
    : case_(std::make_shared<Case>(Case{file, line, {old_variant, new_variant}})) {
  struct Body : testing::Test {
    explicit Body(std::shared_ptr<const Case> duet) : duet(std::move(duet)) {}
    void TestBody() override { duet->Judge(); }
    const std::shared_ptr<const Case> duet;
  };
  // The fixture class is that of TEST, so that both can be in one suite. The chain completes the
  // case later.
  testing::RegisterTest(suite, name, nullptr, nullptr, file, line,
                        [duet = case_]() -> testing::Test* { return new Body(duet); });
}

DuetTest& DuetTest::Demand(const ComparisonMatcher& demand) {
  case_->demands.push_back(demand);
  return *this;
}

DuetTest& DuetTest::With(const CompareOptions& options) {
  case_->options = options;
  return *this;
}

}  // namespace duetbench
