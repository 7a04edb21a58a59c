#include "tools/stats/rules/sampling_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "duetbench/platform/random.h"
#include "tools/stats/two_sample_tests.h"

namespace duetbench::stats {
namespace {

constexpr double kFoundShare = 0.95;        // of the resamplings
constexpr double kPaperFalseAlarms = 0.05;  // of the resamplings

// All trials by instance, and what they are judged for.
struct Setting {
  std::vector<std::vector<RuleRun>> trials;
  std::vector<double> factors;  // 1, then 1 + each slow-down
  RuleOptions rule;
};

// The places of a group in order, its instances numbered from 0 as they appear.
std::vector<RuleRun> GroupOf(const Setting& setting, const std::vector<TrialPlace>& places,
                             std::size_t trials_each) {
  std::vector<RuleRun> group;
  for (std::size_t i = 0; i < places.size(); ++i) {
    group.push_back(setting.trials[places[i].first][places[i].second]);
    group.back().machine = static_cast<int>(i / trials_each);
  }
  return group;
}

// A rule that cannot decide reports nothing.
void Judge(const Setting& setting, const std::vector<RuleRun>& control,
           const std::vector<RuleRun>& test, Random& random, GridCell* cell) {
  RuleOptions options = setting.rule;
  options.same_machines = cell->sampling == Sampling::kTrials;
  options.resampling.seed = random.Next();
  const auto decisions = JudgeRuns(cell->rule, control, test, setting.factors, options);
  if (!decisions.ok()) return;
  if ((*decisions)[0].decision != Change::kNone) ++cell->false_alarms;
  for (std::size_t k = 1; k < decisions->size(); ++k) {
    if ((*decisions)[k].decision == Change::kSlower) ++cell->detections[k - 1];
  }
}

// True if groups of `instances`, with `trials` of each, suffice for the rule.
bool RuleApplies(Rule rule, Sampling sampling, std::size_t instances, std::size_t trials) {
  if (rule == Rule::kMmtests) return instances * trials >= 2;
  if (rule != Rule::kT) return true;
  return instances >= 2 || (sampling == Sampling::kTrials && trials >= 2);
}

absl::Status CheckGridOptions(const GridOptions& options) {
  if (options.resamplings < 1 || options.replicates < 2 || options.rules.empty()) {
    return absl::InvalidArgumentError("the grid needs a resampling, 2 replicates and a rule");
  }
  if (!(options.alpha > 0 && options.alpha < 1)) {
    return absl::InvalidArgumentError("the grid needs an alpha between 0 and 1");
  }
  for (const double slowdown : options.slowdowns) {
    if (!(slowdown > 0) || !std::isfinite(slowdown)) {
      return absl::InvalidArgumentError("slow-downs must be positive");
    }
  }
  return absl::OkStatus();
}

Setting Prepare(const Instances& all, const GridOptions& options) {
  Setting setting;
  setting.factors.push_back(1);
  for (const double slowdown : options.slowdowns) setting.factors.push_back(1 + slowdown);
  setting.rule.alpha = options.alpha;
  setting.rule.resampling.replicates = options.replicates;
  Random random(options.seed, 1);
  for (const auto& instance : all.times) {
    std::vector<RuleRun>& prepared = setting.trials.emplace_back();
    for (const std::vector<double>& times : instance) {
      prepared.push_back(MakeRuleRun(times, 0, Average::kArithmetic, random));
    }
  }
  return setting;
}

double SmallestFound(const GridCell& cell, const std::vector<double>& slowdowns,
                     int false_alarms_allowed) {
  double smallest = std::numeric_limits<double>::infinity();
  if (cell.false_alarms > false_alarms_allowed) return smallest;
  for (std::size_t k = 0; k < slowdowns.size(); ++k) {
    if (cell.detections[k] >= kFoundShare * cell.resamplings) {
      smallest = std::min(smallest, slowdowns[k]);
    }
  }
  return smallest;
}

}  // namespace

double PaperMds(const GridCell& cell, const std::vector<double>& slowdowns) {
  // The summand keeps 0.05 * 100 from falling below 5.
  return SmallestFound(cell, slowdowns,
                       static_cast<int>(kPaperFalseAlarms * cell.resamplings + 1e-9));
}

double BinomialMds(const GridCell& cell, const std::vector<double>& slowdowns, double alpha) {
  return SmallestFound(cell, slowdowns, FalseAlarmLimit(cell.resamplings, 1 - alpha));
}

absl::StatusOr<std::vector<GridCell>> EvaluateGrid(const Instances& all,
                                                   const GridOptions& options) {
  if (absl::Status status = CheckGridOptions(options); !status.ok()) return status;
  std::vector<GridCell> cells;
  for (const Sampling sampling : options.samplings) {
    for (const std::size_t instances : options.instances) {
      for (const std::size_t trials : options.trials) {
        if (!CanSelect(all, sampling, instances, trials)) continue;
        for (const Rule rule : options.rules) {
          if (!RuleApplies(rule, sampling, instances, trials)) continue;
          cells.push_back({sampling, instances, trials, rule, options.resamplings, 0,
                           std::vector<int>(options.slowdowns.size(), 0)});
        }
      }
    }
  }
  if (cells.empty()) {
    return absl::InvalidArgumentError(
        "there are too few instances and trials: test and control take two instances of one trial, "
        "or one instance of two trials, at least");
  }
  const Setting setting = Prepare(all, options);
  for (int k = 0; k < options.resamplings; ++k) {
    Random random(options.seed, 2 + static_cast<std::uint64_t>(k));
    std::vector<RuleRun> test;
    std::vector<RuleRun> control;
    const GridCell* last = nullptr;
    for (GridCell& cell : cells) {
      if (last == nullptr || last->sampling != cell.sampling || last->instances != cell.instances ||
          last->trials != cell.trials) {
        const TestAndControl selected =
            Select(all, cell.sampling, cell.instances, cell.trials, random);
        test = GroupOf(setting, selected.test, cell.trials);
        control = GroupOf(setting, selected.control, cell.trials);
      }
      Judge(setting, control, test, random, &cell);
      last = &cell;
    }
  }
  return cells;
}

}  // namespace duetbench::stats
