#ifndef DUETBENCH_REPORT_FACTS_JSON_H_
#define DUETBENCH_REPORT_FACTS_JSON_H_

#include <nlohmann/json.hpp>
#include <optional>

#include "duetbench/report/facts.h"

// The recording of a suite that a program hands to duet_report: JSON in its binary form CBOR, which
// keeps infinite numbers. Both are of one build, so that the fields need no version.

template <class T>
struct nlohmann::adl_serializer<std::optional<T>> {
  static void to_json(json& json, const std::optional<T>& value) {
    if (value.has_value()) json = *value;
  }
  static void from_json(const json& json, std::optional<T>& value) {
    if (!json.is_null()) value = json.get<T>();
  }
};

namespace duetbench {

namespace stats {
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RatioInterval, ratio, lo, hi, level)
}  // namespace stats

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ShownPair, time, disturbed)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RunPicture, run, pairs, disturbed, step, shown)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Facts::Counter, name, old_value, new_value, ratio)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Facts::Quantile, quantile, name, interval, gap, time_ns, gate,
                                   gate_limit, allowed_hi)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Facts::Notice, text, key)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Facts, name, file, line, repeat, wall_s, gate, message, error,
                                   unchanged, interval, verdict, sentence, effort, numbers,
                                   gate_limit, allowed_lo, allowed_hi, time_ns, cpu_time,
                                   one_at_a_time, run_log_ratios, picture, quantiles, counters,
                                   diagnosis, why, listing, explanation, ranking, notices)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SummaryLine, text, is_detail, is_command)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SuiteFacts, program, headline, undecided_gates, header, cpus,
                                   duets, summary)

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_FACTS_JSON_H_
