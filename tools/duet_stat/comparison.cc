#include "tools/duet_stat/comparison.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tools/duet_stat/input/csv_reader.h"

namespace duetbench::duet_stat {
namespace {

const BenchmarkTimes* Find(const TimesData& data, const std::string& name) {
  const auto it = std::find_if(data.benchmarks.begin(), data.benchmarks.end(),
                               [&](const BenchmarkTimes& times) { return times.name == name; });
  return it == data.benchmarks.end() ? nullptr : &*it;
}

SampleSize SizeOf(const stats::Sample& sample) {
  SampleSize size{sample.runs.size(), 0};
  for (const std::vector<double>& run : sample.runs) size.times += run.size();
  return size;
}

// Says which benchmarks of `data`, of the file `name`, the other file lacks.
void NoteUnmatched(const TimesData& data, const std::string& name, const TimesData& other,
                   std::vector<std::string>* notices) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> names;
  std::size_t count = 0;
  for (const BenchmarkTimes& times : data.benchmarks) {
    if (Find(other, times.name) != nullptr) continue;
    if (++count <= kNamed) names.push_back(absl::StrCat("'", Shown(times.name), "'"));
  }
  if (count == 0) return;
  notices->push_back(absl::StrCat(
      count, count == 1 ? " benchmark is" : " benchmarks are", " only in ", name,
      " and not compared: ", absl::StrJoin(names, ", "), count > kNamed ? ", ..." : ""));
}

}  // namespace

absl::StatusOr<UnpairedResult> CompareTimes(const TimesData& old_times, const TimesData& new_times,
                                            const Options& options) {
  UnpairedResult result;
  result.notices = old_times.notices;
  result.notices.insert(result.notices.end(), new_times.notices.begin(), new_times.notices.end());
  for (const BenchmarkTimes& old_side : old_times.benchmarks) {
    const BenchmarkTimes* new_side = Find(new_times, old_side.name);
    if (new_side == nullptr) continue;
    AppliedRules applied =
        ApplyRules(options.rules, old_side.sample, new_side->sample, options.resampling);
    result.benchmarks.push_back({old_side.name, SizeOf(old_side.sample), SizeOf(new_side->sample),
                                 std::move(applied.rules), std::move(applied.notices)});
  }
  if (result.benchmarks.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(options.compare[0], " and ", options.compare[1],
                     " have no benchmark in common: '", Shown(old_times.benchmarks[0].name),
                     "' there, '", Shown(new_times.benchmarks[0].name), "' here"));
  }
  NoteUnmatched(old_times, options.compare[0], new_times, &result.notices);
  NoteUnmatched(new_times, options.compare[1], old_times, &result.notices);
  return result;
}

}  // namespace duetbench::duet_stat
