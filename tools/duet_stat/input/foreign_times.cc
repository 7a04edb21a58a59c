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
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "nlohmann/json.hpp"
#include "tools/duet_stat/input/number_cell.h"

namespace duetbench::duet_stat {
namespace {

using ForeignJson = nlohmann::json;

constexpr double kNsPerSecond = 1e9;

// Times by benchmark, each as a run. What is no time is left out and counted.
class Collected {
 public:
  explicit Collected(const std::string& name) : name_(name) {}

  void Add(const std::string& benchmark, double ns) {
    const auto [found, is_new] = positions_.try_emplace(benchmark, data_.benchmarks.size());
    if (!IsTime(ns)) {
      LeaveOut(benchmark, "a time that is no positive number");
      if (is_new) positions_.erase(found);
      return;
    }
    if (is_new) data_.benchmarks.push_back({benchmark, {}});
    data_.benchmarks[found->second].sample.runs.push_back({ns});
  }

  // `reason` says what a row of the benchmark has or is.
  void LeaveOut(const std::string& benchmark, const std::string& reason) {
    ++left_out_[{benchmark, reason}];
  }

  TimesData& data() { return data_; }

  absl::StatusOr<TimesData> Take() {
    for (const auto& [what, count] : left_out_) {
      data_.notices.push_back(absl::StrCat(name_, ": ", count, count == 1 ? " row" : " rows",
                                           " of '", what.first, "' left out: ", what.second));
    }
    if (data_.benchmarks.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat(name_, ": there are no times of single repetitions in it",
                       data_.notices.empty() ? "" : "; ", absl::StrJoin(data_.notices, "; ")));
    }
    return std::move(data_);
  }

 private:
  const std::string name_;
  std::map<std::string, std::size_t> positions_;
  std::map<std::pair<std::string, std::string>, int> left_out_;
  TimesData data_;
};

ForeignJson Parsed(absl::string_view text) {
  return ForeignJson::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
}

std::string Text(const ForeignJson& row, const char* key) {
  const auto it = row.find(key);
  return it != row.end() && it->is_string() ? it->get<std::string>() : "";
}

bool IsTrue(const ForeignJson& row, const char* key) {
  const auto it = row.find(key);
  return it != row.end() && it->is_boolean() && it->get<bool>();
}

double NumberOr(const ForeignJson& row, const char* key, double otherwise) {
  const auto it = row.find(key);
  return it != row.end() && it->is_number() ? it->get<double>() : otherwise;
}

bool HasArray(const ForeignJson& json, const char* key) {
  const auto it = json.find(key);
  return it != json.end() && it->is_array();
}

double NsPerUnit(absl::string_view unit) {
  if (unit == "us") return 1e3;
  if (unit == "ms") return 1e6;
  return unit == "s" ? kNsPerSecond : 1;
}

void ReadContext(const ForeignJson& json, const std::string& name, TimesData* data) {
  const auto context = json.find("context");
  if (context == json.end() || !context->is_object()) return;
  const std::string host = Text(*context, "host_name");
  if (!host.empty()) {
    data->machine = absl::StrCat(host, " with ", NumberOr(*context, "num_cpus", 0), " CPUs");
  }
  if (Text(*context, "library_build_type") != "debug") return;
  data->notices.push_back(absl::StrCat(name, ": measured with a debug build of Google Benchmark"));
}

// A program may register a name several times: the second benchmark of a name, in the order of the
// rows, is NAME#2. Each has a row for each repetition.
absl::StatusOr<TimesData> FromGoogleBenchmark(const ForeignJson& json, const std::string& name) {
  Collected collected(name);
  ReadContext(json, name, &collected.data());
  std::map<std::pair<std::string, double>, int> known;
  for (const ForeignJson& row : json["benchmarks"]) {
    if (!row.is_object() || Text(row, "run_type") == "aggregate") continue;
    std::string benchmark = Text(row, Text(row, "run_name").empty() ? "name" : "run_name");
    const double repetition = NumberOr(row, "repetition_index", -1);
    if (repetition >= 0) {
      const int number = ++known[{benchmark, repetition}];
      if (number > 1) absl::StrAppend(&benchmark, "#", number);
    }
    if (IsTrue(row, "error_occurred")) {
      collected.LeaveOut(benchmark, absl::StrCat("an error, ", Text(row, "error_message")));
    } else if (IsTrue(row, "skipped")) {
      collected.LeaveOut(benchmark, absl::StrCat("skipped, ", Text(row, "skip_message")));
    } else {
      collected.Add(benchmark, NumberOr(row, "real_time", 0) * NsPerUnit(Text(row, "time_unit")));
    }
  }
  return collected.Take();
}

absl::StatusOr<TimesData> FromHyperfine(const ForeignJson& json, const std::string& name) {
  Collected collected(name);
  for (const ForeignJson& result : json["results"]) {
    if (!result.is_object() || !HasArray(result, "times")) continue;
    for (const ForeignJson& time : result["times"]) {
      collected.Add(Text(result, "command"),
                    time.is_number() ? time.get<double>() * kNsPerSecond : 0);
    }
  }
  return collected.Take();
}

// "BenchmarkDecode/size=8-4   1000  1234 ns/op  16 B/op". Benchmarks are told apart by the package
// in which they are and by the whole name: whether "-4" is the number of CPUs or part of the name
// cannot be known.
absl::StatusOr<TimesData> FromGo(absl::string_view text, const std::string& name) {
  Collected collected(name);
  std::string package;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (absl::ConsumePrefix(&line, "pkg:")) {
      package = absl::StrCat(absl::StripAsciiWhitespace(line), ".");
      continue;
    }
    if (absl::ConsumePrefix(&line, "cpu:")) {
      collected.data().machine = std::string(absl::StripAsciiWhitespace(line));
      continue;
    }
    const std::vector<absl::string_view> words =
        absl::StrSplit(line, absl::ByAnyChar(" \t\r"), absl::SkipEmpty());
    if (words.size() < 4 || !absl::StartsWith(words[0], "Benchmark")) continue;
    const auto unit = std::find(words.begin(), words.end(), "ns/op");
    if (unit == words.end()) continue;
    double ns = 0;
    if (!absl::SimpleAtod(*(unit - 1), &ns)) ns = 0;
    collected.Add(absl::StrCat(package, absl::StripPrefix(words[0], "Benchmark")), ns);
  }
  return collected.Take();
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
