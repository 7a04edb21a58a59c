#include "duetbench/main/handshake.h"

#include <unistd.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "duetbench/experiment/run_protocol.h"
#include "duetbench/google_benchmark/duet_instance.h"
#include "duetbench/google_benchmark/registered_benchmarks.h"
#include "duetbench/google_benchmark/registry.h"
#include "duetbench/platform/ticks.h"
#include "duetbench/process/executable.h"
#include "duetbench/process/subprocess.h"
#include "duetbench/version.h"

namespace duetbench {
namespace {

constexpr char kMagic[] = "duetbench-handshake";
constexpr size_t kFields = 19;
// Begins a line with a file, which has one more field.
constexpr char kFile[] = "file";

OfferedBenchmark Describe(const DuetInstance& instance, int family, bool is_duet) {
  const DuetSpec& spec = *instance.spec;
  OfferedBenchmark offered;
  offered.name = instance.name.str();
  offered.family_name = spec.name;
  offered.family = family;
  offered.ranges = instance.ranges;
  offered.is_duet = is_duet;
  for (int variant = 0; variant < 2; ++variant) {
    offered.is_called[variant] = spec.functions.variants[variant]->is_called_for_each_sample();
  }
  offered.error = spec.error;
  if (spec.unit.has_value()) offered.unit = static_cast<int>(*spec.unit);
  offered.manual_time = spec.options.manual_time.value_or(false);
  offered.real_time = spec.real_time;
  offered.process_cpu_time = spec.process_cpu_time;
  offered.min_time = spec.options.min_time.value_or(0);
  offered.warm_up = spec.options.warm_up.value_or(0);
  offered.fixed_iterations = spec.options.fixed_iterations.value_or(0);
  offered.repetitions = spec.repetitions;
  offered.threads = spec.threads;
  offered.file = spec.location.file;
  offered.line = spec.location.line;
  return offered;
}

bool ReadBit(absl::string_view text, bool* value) {
  *value = text == "1";
  return text == "0" || text == "1";
}

bool ReadBenchmark(absl::string_view line, OfferedBenchmark* offered) {
  const std::vector<absl::string_view> fields = absl::StrSplit(line, '\t');
  if (fields.size() != kFields) return false;
  for (absl::string_view part : absl::StrSplit(fields[3], ',', absl::SkipEmpty())) {
    if (!absl::SimpleAtoi(part, &offered->ranges.emplace_back())) return false;
  }
  return absl::CUnescape(fields[0], &offered->name) &&
         absl::CUnescape(fields[1], &offered->family_name) &&
         absl::SimpleAtoi(fields[2], &offered->family) && ReadBit(fields[4], &offered->is_duet) &&
         ReadBit(fields[5], &offered->is_called[0]) && ReadBit(fields[6], &offered->is_called[1]) &&
         absl::CUnescape(fields[7], &offered->error) &&
         absl::SimpleAtoi(fields[8], &offered->unit) && ReadBit(fields[9], &offered->manual_time) &&
         ReadBit(fields[10], &offered->real_time) &&
         ReadBit(fields[11], &offered->process_cpu_time) &&
         absl::SimpleAtod(fields[12], &offered->min_time) &&
         absl::SimpleAtod(fields[13], &offered->warm_up) &&
         absl::SimpleAtoi(fields[14], &offered->fixed_iterations) &&
         absl::SimpleAtoi(fields[15], &offered->repetitions) &&
         absl::CUnescape(fields[16], &offered->file) &&
         absl::SimpleAtoi(fields[17], &offered->line) &&
         absl::SimpleAtoi(fields[18], &offered->threads);
}

}  // namespace

std::string EncodeOffer(const Offer& offer) {
  std::string text =
      absl::StrCat(kMagic, " ", offer.protocol, " ", offer.version, " ", offer.clock, "\n");
  for (const OfferedBenchmark& offered : offer.benchmarks) {
    const auto bit = [](bool value) { return value ? "1" : "0"; };
    absl::StrAppend(
        &text,
        absl::StrJoin({absl::CEscape(offered.name), absl::CEscape(offered.family_name),
                       absl::StrCat(offered.family), absl::StrJoin(offered.ranges, ","),
                       std::string(bit(offered.is_duet)), std::string(bit(offered.is_called[0])),
                       std::string(bit(offered.is_called[1])), absl::CEscape(offered.error),
                       absl::StrCat(offered.unit), std::string(bit(offered.manual_time)),
                       std::string(bit(offered.real_time)),
                       std::string(bit(offered.process_cpu_time)), absl::StrCat(offered.min_time),
                       absl::StrCat(offered.warm_up), absl::StrCat(offered.fixed_iterations),
                       absl::StrCat(offered.repetitions), absl::CEscape(offered.file),
                       absl::StrCat(offered.line), absl::StrCat(offered.threads)},
                      "\t"),
        "\n");
  }
  for (const std::string& file : offer.files) {
    absl::StrAppend(&text, kFile, "\t", absl::CEscape(file), "\n");
  }
  return text;
}

absl::StatusOr<Offer> DecodeOffer(absl::string_view text) {
  const absl::Status damaged = absl::DataLossError("its answer is no handshake, or cut off");
  std::vector<absl::string_view> lines = absl::StrSplit(text, '\n');
  // The text ends with a line feed.
  if (lines.size() < 2 || !lines.back().empty()) return damaged;
  lines.pop_back();
  const std::vector<absl::string_view> words = absl::StrSplit(lines[0], ' ');
  Offer offer;
  if (words.size() < 4 || words[0] != kMagic || !absl::SimpleAtoi(words[1], &offer.protocol)) {
    return damaged;
  }
  offer.version = std::string(words[2]);
  offer.clock = std::string(words[3]);
  if (offer.protocol != kRunProtocolVersion) return offer;
  for (size_t i = 1; i < lines.size(); ++i) {
    const std::vector<absl::string_view> fields = absl::StrSplit(lines[i], '\t');
    if (fields.size() == 2 && fields[0] == kFile) {
      if (!absl::CUnescape(fields[1], &offer.files.emplace_back())) return damaged;
    } else if (!ReadBenchmark(lines[i], &offer.benchmarks.emplace_back())) {
      return damaged;
    }
  }
  return offer;
}

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
      for (const DuetInstance& instance : SelectDuets({spec}, *all, 0)) {
        offer.benchmarks.push_back(Describe(instance, family, is_duet));
      }
      ++family;
    }
  };
  add(RegisteredDuets(), /*is_duet=*/true);
  add(OrdinaryBenchmarks(), /*is_duet=*/false);
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
