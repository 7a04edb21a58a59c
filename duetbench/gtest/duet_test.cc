#include "duetbench/gtest/duet_test.h"

#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

// True for the name of a function; false for a lambda or a call.
bool IsName(const std::string& text) { return text.find_first_of("[({\"") == std::string::npos; }

}  // namespace

struct DuetTest::Case {
  Place place;
  std::shared_ptr<const Variant> variants[2];
  CompareOptions options;
  std::vector<ComparisonMatcher> demands;
};

// Refers to the case, which the chain completes after the registration.
class DuetTest::Body : public testing::Test {
 public:
  explicit Body(std::shared_ptr<const Case> duet) : case_(std::move(duet)) {}

  void TestBody() override {
    const Place& place = case_->place;
    const bool has_names = IsName(place.texts[0]) && IsName(place.texts[1]);
    const PendingComparison result = internal::MakeComparison(
        case_->variants[0], case_->variants[1], case_->options,
        has_names ? VariantNames{place.texts[0], place.texts[1]} : VariantNames());
    for (const ComparisonMatcher& demand : case_->demands) {
      std::ostringstream wanted;
      demand.DescribeTo(&wanted);
      testing::StringMatchResultListener explanation;
      if (demand.MatchAndExplain(result, &explanation)) continue;
      ADD_FAILURE_AT(place.file, place.line)
          << "Expected: new " << wanted.str() << "\n  Actual: " << result << explanation.str();
    }
    if (!case_->demands.empty()) return;
    const std::string error = result.error();
    if (!error.empty()) ADD_FAILURE_AT(place.file, place.line) << error;
    if (error.empty()) std::cout << result << "\n";
  }

 private:
  const std::shared_ptr<const Case> case_;
};

DuetTest::DuetTest(const Place& place, std::shared_ptr<const Variant> old_variant,
                   std::shared_ptr<const Variant> new_variant)
    : case_(std::make_shared<Case>(
          Case{place, {std::move(old_variant), std::move(new_variant)}, {}, {}})) {
  // The fixture class is that of TEST, so that both can be in one suite.
  testing::RegisterTest(place.suite, place.name, nullptr, nullptr, place.file, place.line,
                        [duet = case_]() -> testing::Test* { return new Body(duet); });
}

DuetTest& DuetTest::Demand(ComparisonMatcher demand) {
  case_->demands.push_back(std::move(demand));
  return *this;
}

DuetTest& DuetTest::With(const CompareOptions& options) {
  case_->options = options;
  return *this;
}

}  // namespace duetbench
