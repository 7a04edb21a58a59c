#include "duetbench/google_benchmark/handshake.h"

#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "duetbench/google_benchmark/duet_instance.h"
#include "duetbench/google_benchmark/google_benchmark_calls.h"
#include "duetbench/google_benchmark/registry.h"
#include "duetbench/measure/run_protocol.h"
#include "duetbench/platform/process.h"
#include "duetbench/platform/subprocess.h"
#include "duetbench/platform/ticks.h"
#include "duetbench/version.h"

namespace duetbench {
namespace {

using nlohmann::json;

constexpr char kMagic[] = "duetbench-handshake";

OfferedBenchmark Describe(const DuetInstance& instance, int family, bool is_duet) {
  const DuetSpec& spec = *instance.spec;
  OfferedBenchmark offered;
  offered.name = instance.name.str();
  offered.family_name = spec.name;
  offered.family = family;
  offered.ranges = instance.ranges;
  offered.is_duet = is_duet;
  const DuetFunctions functions = FunctionsOf(spec, 2);
  for (size_t variant = 0; variant < 2; ++variant) {
    offered.is_called[variant] = functions.variants[variant]->is_called_for_each_sample();
  }
  offered.error = spec.error;
  if (spec.unit.has_value()) offered.unit = static_cast<int>(*spec.unit);
  offered.manual_time = spec.options.manual_time;
  offered.real_time = spec.real_time;
  offered.process_cpu_time = spec.process_cpu_time;
  if (spec.options.min_time.is_set()) offered.min_time = spec.options.min_time;
  offered.warm_up = spec.options.warm_up;
  offered.fixed_iterations = spec.options.fixed_iterations;
  if (spec.options.repetitions.is_set()) offered.repetitions = spec.options.repetitions;
  offered.threads = spec.threads;
  offered.file = spec.location.file;
  offered.line = spec.location.line;
  return offered;
}

// The benchmarks of this program: its duets, then the ordinary ones, then the foreign ones.
Offer MakeOffer() {
  Offer offer;
  offer.protocol = kRunProtocolVersion;
  offer.version = DUETBENCH_VERSION_TEXT;
  offer.clock = ticks::SourceName();
  offer.files = MappedFiles();
  const absl::StatusOr<NameFilter> all = NameFilter::Parse("all");
  int family = 0;
  const auto add = [&](const std::vector<const DuetSpec*>& specs, bool is_duet) {
    for (const DuetSpec* spec : specs) {
      for (const DuetInstance& instance : SelectDuets({spec}, *all)) {
        offer.benchmarks.push_back(Describe(instance, family, is_duet));
      }
      ++family;
    }
  };
  add(RegisteredDuets(), /*is_duet=*/true);
  add(OrdinaryBenchmarks(), /*is_duet=*/false);
  std::set<std::string> known;
  for (const OfferedBenchmark& offered : offer.benchmarks) known.insert(offered.name);
  WithdrawPlaceholders();
  const std::string all_names = NamesOfOrdinaryBenchmarks(".");
  for (const absl::string_view name : absl::StrSplit(all_names, '\n', absl::SkipEmpty())) {
    if (known.count(std::string(name)) > 0) continue;
    OfferedBenchmark& foreign = offer.benchmarks.emplace_back();
    foreign.name = foreign.family_name = std::string(name);
    foreign.is_foreign = true;
  }
  return offer;
}

}  // namespace

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(OfferedBenchmark, name, family_name, family, ranges, is_duet,
                                   is_called, error, is_foreign, unit, manual_time, real_time,
                                   process_cpu_time, min_time, warm_up, fixed_iterations,
                                   repetitions, threads, file, line)

std::string EncodeOffer(const Offer& offer) {
  std::string text =
      absl::StrCat(kMagic, " ", offer.protocol, " ", offer.version, " ", offer.clock, "\n");
  json::to_cbor({{"benchmarks", offer.benchmarks}, {"files", offer.files}}, text);
  return text;
}

absl::StatusOr<Offer> DecodeOffer(absl::string_view text) {
  const absl::Status damaged = absl::DataLossError("its answer is no handshake, or cut off");
  const size_t end = text.find('\n');
  const std::vector<absl::string_view> words = absl::StrSplit(text.substr(0, end), ' ');
  Offer offer;
  if (end == absl::string_view::npos || words.size() < 4 || words[0] != kMagic ||
      !absl::SimpleAtoi(words[1], &offer.protocol)) {
    return damaged;
  }
  offer.version = std::string(words[2]);
  offer.clock = std::string(words[3]);
  if (offer.protocol != kRunProtocolVersion) return offer;
  try {
    const json body = json::from_cbor(text.begin() + end + 1, text.end());
    body.at("benchmarks").get_to(offer.benchmarks);
    body.at("files").get_to(offer.files);
  } catch (const json::exception&) {
    return damaged;
  }
  return offer;
}

void AnswerHandshake() {
  if (std::getenv(kHandshakeVariable) == nullptr) return;
  unsetenv(kHandshakeVariable);
  const absl::StatusOr<int> fd = TakeResultDescriptor(kResultVariable);
  if (!fd.ok()) return;
  const absl::Status written = WriteResult(*fd, EncodeOffer(MakeOffer()));
  _exit(written.ok() ? 0 : 1);
}

}  // namespace duetbench
