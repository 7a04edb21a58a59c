#include "tools/duet_lab/accuracy.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "duetbench/record/robust.h"

namespace duetbench::lab {

absl::StatusOr<std::vector<Observation>> ParseObservations(absl::string_view json) {
  const nlohmann::json file = nlohmann::json::parse(json.begin(), json.end(), nullptr,
                                                    /*allow_exceptions=*/false);
  if (!file.is_object() || !file.contains("benchmarks") || !file["benchmarks"].is_array()) {
    return absl::InvalidArgumentError(
        "this is not the JSON of a benchmark program: there is no list of benchmarks in it");
  }
  std::vector<Observation> observations;
  try {
    for (const nlohmann::json& row : file["benchmarks"]) {
      if (row.value("run_type", "iteration") != "iteration") continue;
      Observation observation;
      observation.name = row.at("name").get<std::string>();
      // Later versions write "skipped" and "skip_message".
      if (row.value("error_occurred", false) || row.value("skipped", false)) {
        observation.error = row.value("error_message", row.value("skip_message", "no reason"));
      } else {
        if (!row.contains("ratio")) continue;
        observation.ratio = row.at("ratio").get<double>();
        observation.lo = row.value("ratio_lo", 0.0);
        observation.hi = row.value("ratio_hi", std::numeric_limits<double>::infinity());
        observation.level = row.at("ratio_level").get<double>();
        observation.verdict = row.at("label").get<std::string>();
        observation.runs = static_cast<int>(row.value("runs", 0.0));
        observation.pairs = row.value("pairs", 0.0);
        observation.schedule = static_cast<int>(row.value("schedule", -1.0));
        observation.dropped = row.value("pairs_dropped", 0.0);
      }
      observations.push_back(std::move(observation));
    }
  } catch (const nlohmann::json::exception& error) {
    return absl::InvalidArgumentError(error.what());
  }
  return observations;
}

namespace {

bool Contains(const Observation& observation, double ratio) {
  return observation.lo <= ratio && ratio <= observation.hi;
}

double Largest(const std::vector<double>& values) {
  return values.empty() ? std::numeric_limits<double>::quiet_NaN()
                        : *std::max_element(values.begin(), values.end());
}

}  // namespace

absl::StatusOr<Truth> ParseTruth(const std::string& text) {
  const size_t equals = text.rfind('=');
  Truth truth;
  if (equals != std::string::npos && equals > 0 &&
      absl::SimpleAtod(text.substr(equals + 1), &truth.ratio) && std::isfinite(truth.ratio) &&
      truth.ratio > 0) {
    truth.name = text.substr(0, equals);
    return truth;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("--truth: '", text, "' should be NAME=RATIO with a positive ratio"));
}

double TrueRatio(absl::string_view name, const std::vector<Truth>& truths) {
  double ratio = 1;
  bool exact = false;
  const absl::string_view family = name.substr(0, name.find('/'));
  for (const Truth& truth : truths) {
    if (truth.name == name) {
      ratio = truth.ratio;
      exact = true;
    } else if (!exact && truth.name == family) {
      ratio = truth.ratio;
    }
  }
  return ratio;
}

bool IsFalseVerdict(absl::string_view verdict, double truth, double margin) {
  if (verdict == "FASTER") return truth >= 1;
  if (verdict == "SLOWER") return truth <= 1;
  if (verdict == "EQUAL") return truth > 1 + margin || truth < 1 / (1 + margin);
  return false;
}

bool FindsDifference(const Observation& observation, double truth) {
  if (truth == 1) return false;
  if (observation.verdict == (truth > 1 ? "SLOWER" : "FASTER")) return true;
  return Contains(observation, truth) && !Contains(observation, 1);
}

Accuracy SummarizeAccuracy(absl::Span<const Observation> observations,
                           absl::Span<const double> truths, double margin) {
  Accuracy accuracy;
  std::vector<double> widths;
  std::vector<double> errors;
  std::vector<double> deviations;
  std::vector<double> walls;
  for (size_t i = 0; i < observations.size(); ++i) {
    const Observation& observation = observations[i];
    const double truth = truths[i];
    if (!observation.error.empty()) {
      ++accuracy.errors;
      continue;
    }
    ++accuracy.experiments;
    if (!Contains(observation, 1)) ++accuracy.exclude_one;
    if (!Contains(observation, truth)) ++accuracy.exclude_truth;
    if (IsFalseVerdict(observation.verdict, truth, margin)) ++accuracy.false_verdicts;
    if (FindsDifference(observation, truth)) ++accuracy.found;
    widths.push_back((observation.hi - observation.lo) / observation.ratio);
    deviations.push_back(observation.ratio / truth - 1);
    errors.push_back(std::abs(deviations.back()));
    walls.push_back(observation.wall_seconds);
  }
  accuracy.median_width = Median(widths);
  accuracy.largest_width = Largest(widths);
  accuracy.median_error = Median(errors);
  accuracy.largest_error = Largest(errors);
  accuracy.bias = Median(deviations);
  accuracy.median_wall = Median(walls);
  return accuracy;
}

double Median(const std::vector<double>& values) {
  return values.empty() ? std::numeric_limits<double>::quiet_NaN() : stats::Median(values);
}

double GeometricMean(absl::Span<const double> values) {
  double sum = 0;
  double count = 0;
  for (const double value : values) {
    if (!(value > 0) || !std::isfinite(value)) continue;
    sum += std::log(value);
    ++count;
  }
  return count > 0 ? std::exp(sum / count) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace duetbench::lab
