#include "tools/duet_stat/input/foreign_times.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "nlohmann/json.hpp"
#include "tools/duet_stat/input/number_cell.h"

namespace duetbench::duet_stat {
namespace {

using ForeignJson = nlohmann::json;

constexpr double kNsPerSecond = 1e9;

// Times by benchmark, each as a run.
class Collected {
 public:
  void Add(const std::string& benchmark, double ns) {
    const auto [found, is_new] = positions_.try_emplace(benchmark, data_.benchmarks.size());
    if (is_new) data_.benchmarks.push_back({benchmark, {}});
    data_.benchmarks[found->second].sample.runs.push_back({ns});
  }

  absl::StatusOr<TimesData> Take(const std::string& name) {
    if (data_.benchmarks.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat(name, ": there are no times of single repetitions in it"));
    }
    return std::move(data_);
  }

 private:
  std::map<std::string, std::size_t> positions_;
  TimesData data_;
};

ForeignJson Parsed(absl::string_view text) {
  return ForeignJson::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
}

std::string Text(const ForeignJson& row, const char* key) {
  const auto it = row.find(key);
  return it != row.end() && it->is_string() ? it->get<std::string>() : "";
}

bool HasArray(const ForeignJson& json, const char* key) {
  const auto it = json.find(key);
  return it != json.end() && it->is_array();
}

absl::Status TimeError(const std::string& name, const std::string& benchmark) {
  return absl::InvalidArgumentError(
      absl::StrCat(name, ": '", benchmark, "' has a time that is no positive number"));
}

double NsPerUnit(absl::string_view unit) {
  if (unit == "us") return 1e3;
  if (unit == "ms") return 1e6;
  return unit == "s" ? kNsPerSecond : 1;
}

absl::StatusOr<TimesData> FromGoogleBenchmark(const ForeignJson& json, const std::string& name) {
  Collected collected;
  for (const ForeignJson& row : json["benchmarks"]) {
    if (!row.is_object() || Text(row, "run_type") == "aggregate") continue;
    const auto error = row.find("error_occurred");
    if (error != row.end() && error->is_boolean() && error->get<bool>()) continue;
    const std::string run_name = Text(row, "run_name");
    const std::string benchmark = run_name.empty() ? Text(row, "name") : run_name;
    const auto time = row.find("real_time");
    if (time == row.end() || !time->is_number()) continue;
    const double ns = time->get<double>() * NsPerUnit(Text(row, "time_unit"));
    if (!IsTime(ns)) return TimeError(name, benchmark);
    collected.Add(benchmark, ns);
  }
  return collected.Take(name);
}

absl::StatusOr<TimesData> FromHyperfine(const ForeignJson& json, const std::string& name) {
  Collected collected;
  for (const ForeignJson& result : json["results"]) {
    if (!result.is_object() || !HasArray(result, "times")) continue;
    const std::string command = Text(result, "command");
    for (const ForeignJson& time : result["times"]) {
      const double ns = time.is_number() ? time.get<double>() * kNsPerSecond : 0;
      if (!IsTime(ns)) return TimeError(name, command);
      collected.Add(command, ns);
    }
  }
  return collected.Take(name);
}

// "BenchmarkDecode/size=8-4   1000  1234 ns/op  16 B/op": the name without the number of CPUs.
absl::StatusOr<TimesData> FromGo(absl::string_view text, const std::string& name) {
  Collected collected;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    const std::vector<absl::string_view> words =
        absl::StrSplit(line, absl::ByAnyChar(" \t\r"), absl::SkipEmpty());
    if (words.size() < 4 || !absl::StartsWith(words[0], "Benchmark")) continue;
    const auto unit = std::find(words.begin(), words.end(), "ns/op");
    if (unit == words.end()) continue;
    std::string benchmark(absl::StripPrefix(words[0], "Benchmark"));
    const std::size_t dash = benchmark.rfind('-');
    int cpus = 0;
    if (dash != std::string::npos && absl::SimpleAtoi(benchmark.substr(dash + 1), &cpus)) {
      benchmark.resize(dash);
    }
    double ns = 0;
    if (!absl::SimpleAtod(*(unit - 1), &ns) || !IsTime(ns)) return TimeError(name, benchmark);
    collected.Add(benchmark, ns);
  }
  return collected.Take(name);
}

constexpr std::size_t kLongestStart = 9;

bool BeginsLikeGo(absl::string_view text) {
  for (const char* start : {"goos: ", "goarch: ", "pkg: ", "Benchmark"}) {
    if (absl::StartsWith(text, start)) return true;
  }
  return false;
}

// Errors and dry runs have no ratio, but the context has the settings of the duets.
bool HasDuets(const ForeignJson& json) {
  const auto context = json.find("context");
  if (context != json.end() && context->is_object()) {
    for (const auto& entry : context->items()) {
      if (absl::StartsWith(entry.key(), "duet_")) return true;
    }
  }
  const ForeignJson& rows = json["benchmarks"];
  return std::any_of(rows.begin(), rows.end(), [](const ForeignJson& row) {
    return row.is_object() && row.find("ratio_level") != row.end();
  });
}

}  // namespace

ForeignFormat FormatOf(absl::string_view text) {
  text = absl::StripLeadingAsciiWhitespace(text);
  if (BeginsLikeGo(text)) return ForeignFormat::kGo;
  if (!absl::StartsWith(text, "{")) return ForeignFormat::kNone;
  const ForeignJson json = Parsed(text);
  if (!json.is_object()) return ForeignFormat::kNone;
  if (HasArray(json, "results")) return ForeignFormat::kHyperfine;
  if (HasArray(json, "benchmarks") && !HasDuets(json)) {
    return ForeignFormat::kGoogleBenchmark;
  }
  return ForeignFormat::kNone;
}

absl::StatusOr<TimesData> ReadForeignTimes(absl::string_view text, ForeignFormat format,
                                           const std::string& name) {
  switch (format) {
    case ForeignFormat::kGoogleBenchmark:
      return FromGoogleBenchmark(Parsed(text), name);
    case ForeignFormat::kHyperfine:
      return FromHyperfine(Parsed(text), name);
    case ForeignFormat::kGo:
      return FromGo(text, name);
    case ForeignFormat::kNone:
      break;
  }
  return absl::InvalidArgumentError(absl::StrCat(name, ": not a result of another tool"));
}

absl::StatusOr<std::string> PeekStart(ByteSource* source, std::size_t wanted) {
  // White space that a pipe gives byte by byte is followed no further.
  constexpr std::size_t kFarthest = 4096;
  const auto start = std::make_shared<std::string>();
  std::string block(kFarthest, '\0');
  std::string text;
  while (start->size() < kFarthest && text.size() < wanted) {
    const absl::StatusOr<std::size_t> count = (*source)(&block[0], kFarthest - start->size());
    if (!count.ok()) return count.status();
    if (*count == 0) break;
    start->append(block, 0, *count);
    text = std::string(absl::StripLeadingAsciiWhitespace(*start));
  }
  *source = [start, rest = *source](char* buffer, std::size_t size) -> absl::StatusOr<std::size_t> {
    if (start->empty()) return rest(buffer, size);
    const std::size_t count = start->copy(buffer, size);
    start->erase(0, count);
    return count;
  };
  return text;
}

absl::StatusOr<bool> MayBeForeign(ByteSource* source) {
  const absl::StatusOr<std::string> start = PeekStart(source, kLongestStart);
  if (!start.ok()) return start.status();
  return absl::StartsWith(*start, "{") || BeginsLikeGo(*start);
}

absl::StatusOr<std::string> ReadWhole(const ByteSource& source, const std::string& name,
                                      std::size_t limit) {
  std::string text;
  std::string block(1 << 16, '\0');
  while (true) {
    const absl::StatusOr<std::size_t> count = source(&block[0], block.size());
    if (!count.ok()) return count.status();
    if (*count == 0) return text;
    text.append(block, 0, *count);
    if (text.size() > limit) {
      return absl::ResourceExhaustedError(
          absl::StrCat(name, " is larger than allowed; allow more"));
    }
  }
}

ByteSource SourceOf(std::string text) {
  struct Rest {
    std::string text;
    std::size_t begin = 0;
  };
  const auto rest = std::make_shared<Rest>();
  rest->text = std::move(text);
  return [rest](char* buffer, std::size_t size) -> absl::StatusOr<std::size_t> {
    const std::size_t count = rest->text.copy(buffer, size, rest->begin);
    rest->begin += count;
    return count;
  };
}

}  // namespace duetbench::duet_stat
