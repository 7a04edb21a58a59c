#include "duetbench/decide/comparison.h"

#include <utility>

namespace duetbench {
namespace {

Comparison ComparisonOf(Failure failure) {
  Comparison comparison;
  comparison.outcome = std::move(failure);
  return comparison;
}

Failure Skipped(std::string cause) {
  Failure failure{{-1, std::move(cause)}};
  failure.error.skipped = true;
  return failure;
}

}  // namespace

Comparison FailedComparison(std::string cause) {
  return ComparisonOf(Failure{{-1, std::move(cause)}});
}

Comparison UnchangedComparison() {
  Failure failure = Skipped("UNCHANGED: the same program; files that it reads are not compared");
  failure.unchanged = true;
  return ComparisonOf(std::move(failure));
}

Comparison OutOfTimeComparison() {
  Failure failure = Skipped("not measured: the time of --duet_budget was over");
  failure.out_of_time = true;
  return ComparisonOf(std::move(failure));
}

}  // namespace duetbench
