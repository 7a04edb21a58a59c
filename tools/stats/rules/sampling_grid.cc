#include "tools/stats/rules/sampling_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

#include "duetbench/stats/hypothesis_tests.h"
#include "duetbench/stats/random.h"
#include "tools/stats/rules/decision_rules.h"

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
  if (!(options.min_delta >= 0 && options.min_delta <= 1)) {
    return absl::InvalidArgumentError("Cliff's delta lies between 0 and 1");
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
  setting.rule.min_delta = options.min_delta;
  setting.rule.hypotheses = options.bonferroni ? options.resamplings : 1;
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

// Calls judge(resampling, its random numbers, cells) for every resampling, on several threads with
// separate cells, and adds the cells up.
template <class JudgeOne>
std::vector<GridCell> RunResamplings(const GridOptions& options, const std::vector<GridCell>& empty,
                                     JudgeOne judge) {
  const unsigned here = std::max(1u, std::thread::hardware_concurrency());
  const auto threads = static_cast<std::size_t>(std::min(
      options.threads > 0 ? options.threads : static_cast<int>(here), options.resamplings));
  std::vector<std::vector<GridCell>> cells(threads, empty);
  std::vector<std::thread> others;
  const auto work = [&](std::size_t thread) {
    for (auto k = static_cast<int>(thread); k < options.resamplings;
         k += static_cast<int>(threads)) {
      Random random(options.seed, 2 + static_cast<std::uint64_t>(k));
      judge(random, &cells[thread]);
    }
  };
  for (std::size_t thread = 1; thread < threads; ++thread) others.emplace_back(work, thread);
  work(0);
  for (std::thread& other : others) other.join();
  for (std::size_t thread = 1; thread < threads; ++thread) {
    for (std::size_t c = 0; c < empty.size(); ++c) {
      cells[0][c].false_alarms += cells[thread][c].false_alarms;
      for (std::size_t s = 0; s < empty[c].detections.size(); ++s) {
        cells[0][c].detections[s] += cells[thread][c].detections[s];
      }
    }
  }
  return cells[0];
}

GridCell EmptyCell(Sampling sampling, std::size_t instances, std::size_t trials, Rule rule,
                   const GridOptions& options) {
  return {sampling,
          instances,
          trials,
          rule,
          options.resamplings,
          0,
          std::vector<int>(options.slowdowns.size(), 0)};
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
  std::vector<GridCell> empty;
  for (const Sampling sampling : options.samplings) {
    for (const std::size_t instances : options.instances) {
      for (const std::size_t trials : options.trials) {
        if (!CanSelect(all, sampling, instances, trials)) continue;
        for (const Rule rule : options.rules) {
          if (!RuleApplies(rule, sampling, instances, trials)) continue;
          empty.push_back(EmptyCell(sampling, instances, trials, rule, options));
        }
      }
    }
  }
  if (empty.empty()) {
    return absl::InvalidArgumentError(
        "there are too few instances and trials: test and control take two instances of one trial, "
        "or one instance of two trials, at least");
  }
  const Setting setting = Prepare(all, options);
  return RunResamplings(options, empty, [&](Random& random, std::vector<GridCell>* cells) {
    std::vector<RuleRun> test;
    std::vector<RuleRun> control;
    for (std::size_t c = 0; c < cells->size(); ++c) {
      GridCell& cell = (*cells)[c];
      const bool same_groups = c > 0 && (*cells)[c - 1].sampling == cell.sampling &&
                               (*cells)[c - 1].instances == cell.instances &&
                               (*cells)[c - 1].trials == cell.trials;
      if (!same_groups) {
        const TestAndControl selected =
            Select(all, cell.sampling, cell.instances, cell.trials, random);
        test = GroupOf(setting, selected.test, cell.trials);
        control = GroupOf(setting, selected.control, cell.trials);
      }
      Judge(setting, control, test, random, &cell);
    }
  });
}

absl::StatusOr<std::vector<GridCell>> EvaluateAsDrawn(const Instances& all,
                                                      const GridOptions& options) {
  if (absl::Status status = CheckGridOptions(options); !status.ok()) return status;
  const std::size_t instances = all.times.size();
  const std::size_t trials = all.Trials();
  if (instances * trials < 2) {
    return absl::InvalidArgumentError("resampling needs at least 2 runs");
  }
  std::vector<GridCell> empty;
  for (const Rule rule : options.rules) {
    empty.push_back(EmptyCell(Sampling::kInstances, instances, trials, rule, options));
  }
  const Setting setting = Prepare(all, options);
  return RunResamplings(options, empty, [&](Random& random, std::vector<GridCell>* cells) {
    const auto draw = [&] {
      std::vector<TrialPlace> places;
      for (std::size_t i = 0; i < instances; ++i) {
        const auto instance = static_cast<std::size_t>(random.Below(instances));
        for (std::size_t t = 0; t < trials; ++t) {
          places.emplace_back(instance,
                              static_cast<std::size_t>(random.Below(all.times[instance].size())));
        }
      }
      return GroupOf(setting, places, trials);
    };
    const std::vector<RuleRun> test = draw();
    const std::vector<RuleRun> control = draw();
    for (GridCell& cell : *cells) Judge(setting, control, test, random, &cell);
  });
}

}  // namespace duetbench::stats
