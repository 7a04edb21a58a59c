#ifndef DUETBENCH_EXPERIMENT_DUET_MEASURER_H_
#define DUETBENCH_EXPERIMENT_DUET_MEASURER_H_

#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/api/duet_spec.h"
#include "duetbench/decide/comparison.h"
#include "duetbench/experiment/experiment_host.h"
#include "duetbench/experiment/measure_duets.h"
#include "duetbench/google_benchmark/duet_instance.h"
#include "duetbench/platform/survey.h"

namespace duetbench {

// Calls `body` with the functions of `spec` for `ranges`, and with a State of Google Benchmark
// around it if its callbacks or its variants take one.
void WithFunctions(const DuetSpec& spec, const std::vector<int64_t>& ranges,
                   benchmark::MemoryManager* memory_manager,
                   const std::function<void(const DuetFunctions&)>& body);

// The task of a job. `name` is in the file of pairs.
// `group`: the duets that are measured together, `instance` is the first one; else empty.
struct DuetTask {
  const DuetInstance* instance = nullptr;
  std::string name;
  std::vector<const DuetInstance*> group = {};
};

// Without argument names and options: "BM_A_vs_BM_B/64".
std::string ShortName(const DuetInstance& instance);

// From the duets of a program and its flags to what its host measures.
class DuetMeasurer {
 public:
  // Both outlive it.
  DuetMeasurer(const DuetSettings& settings, ExperimentHost* host);

  ExperimentHost& host() { return host_; }

  ExperimentOptions OptionsFor(const DuetTask& task) const;
  // Its verdict, or its failed gate, is to be explained (Flags::explain).
  bool IsExplained(const Comparison& comparison) const;
  // Pairs are reported, not only what they say.
  bool ReportsPairs() const;
  // It is not measured: all programs are the same.
  bool IsUnchanged(const DuetTask& task) const;
  // The error says why it cannot be measured.
  absl::StatusOr<ExperimentRequest> RequestFor(const DuetTask& task);
  // ExperimentHost::Explain, with the code if the flag says so.
  Explanation Explain(const ExperimentRequest& request, const RunPlan& plan,
                      const Estimate& estimate);

 private:
  // Why one of `gates` cannot be measured; empty if each can.
  std::string WhyNotCounted(const DuetSpec& spec, const std::vector<GateSpec>& gates,
                            const EventSurvey& survey) const;

  const DuetSettings& settings_;
  ExperimentHost& host_;
  const std::vector<const DuetSpec*> registered_;
};

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_DUET_MEASURER_H_
