#include "tools/duet_stat/input/times_file.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "nlohmann/json.hpp"

namespace duetbench::duet_stat {
namespace {

using nlohmann::json;

constexpr double kNsPerSecond = 1e9;

class Collected {
 public:
  explicit Collected(std::string name) : name_(std::move(name)) {}

  // A time of the run `run` on `machine`.
  void Add(const std::string& benchmark, const std::string& machine, std::int64_t run,
           double time) {
    if (!(time >= kMinTime && time <= kMaxTime)) {
      return LeaveOut(benchmark, "a time that is no positive number");
    }
    const auto [found, is_new] = benchmarks_.try_emplace(benchmark, data_.benchmarks.size());
    if (is_new) data_.benchmarks.push_back({benchmark, {}});
    stats::Sample& sample = data_.benchmarks[found->second].sample;
    const auto [place, is_new_run] =
        runs_[found->second].try_emplace({machine, run}, sample.runs.size());
    if (is_new_run) {
      sample.runs.emplace_back();
      const auto of_machine = machines_.try_emplace(machine, machines_.size()).first;
      sample.machine.push_back(static_cast<int>(of_machine->second));
    }
    sample.runs[place->second].push_back(time);
  }

  // A run of one time.
  void Add(const std::string& benchmark, double time) { Add(benchmark, "", next_run_++, time); }

  // `reason` says what a row of the benchmark has or is.
  void LeaveOut(const std::string& benchmark, const std::string& reason) {
    ++left_out_[{benchmark, reason}];
  }

  void Note(absl::string_view notice) {
    data_.notices.push_back(absl::StrCat(name_, ": ", notice));
  }
  void SetMachine(std::string machine) { data_.machine = std::move(machine); }

  absl::StatusOr<TimesData> Take() {
    for (const auto& [what, count] : left_out_) {
      Note(absl::StrCat(count, count == 1 ? " row" : " rows", " of '", what.first,
                        "' left out: ", what.second));
    }
    if (machines_.size() < 2) {
      for (BenchmarkTimes& benchmark : data_.benchmarks) benchmark.sample.machine.clear();
    }
    if (!data_.benchmarks.empty()) return std::move(data_);
    return absl::InvalidArgumentError(
        absl::StrCat(name_, ": there are no times in it; ", absl::StrJoin(data_.notices, "; ")));
  }

 private:
  const std::string name_;
  std::map<std::string, std::size_t> benchmarks_;
  std::map<std::size_t, std::map<std::pair<std::string, std::int64_t>, std::size_t>> runs_;
  std::map<std::string, std::size_t> machines_;
  std::map<std::pair<std::string, std::string>, int> left_out_;
  std::int64_t next_run_ = 0;
  TimesData data_;
};

absl::StatusOr<TimesData> FromCsv(const Input& input) {
  absl::StatusOr<CsvFile> file = CsvFile::Open(input);
  if (!file.ok()) return file.status();
  const auto find = [&](const char* name, const char* other_name) {
    const int column = file->Find(name);
    return column == CsvFile::kAbsent ? file->Find(other_name) : column;
  };
  const int time_column = find("time", "time_ns");
  const int run_column = find("run", "trial");
  const int machine_column = find("machine", "instance");
  const int name_column = file->Find("benchmark");
  if (time_column == CsvFile::kAbsent) {
    return file->Require({"time"},
                         "a file of times has time and, where there are several runs, run");
  }
  Collected collected(input.name);
  if (run_column == CsvFile::kAbsent) collected.Note("no column 'run': all times are of one run");
  while (true) {
    const absl::StatusOr<bool> found = file->Next();
    if (!found.ok()) return found.status();
    if (!*found) break;
    std::int64_t run = 0;
    double time = 0;
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    absl::Status status = file->Read(run_column, -kMost, kMost, &run);
    if (status.ok()) status = file->Read(time_column, 0.0, kMaxTime, &time);
    if (!status.ok()) return status;
    collected.Add(std::string(file->Text(name_column, "time")),
                  std::string(file->Text(machine_column, "")), run, time);
  }
  return collected.Take();
}

std::string TextIn(const json& row, const char* key) {
  const auto it = row.find(key);
  return it != row.end() && it->is_string() ? it->get<std::string>() : "";
}

double NumberIn(const json& row, const char* key, double otherwise) {
  const auto it = row.find(key);
  return it != row.end() && it->is_number() ? it->get<double>() : otherwise;
}

bool IsTrueIn(const json& row, const char* key) {
  const auto it = row.find(key);
  return it != row.end() && it->is_boolean() && it->get<bool>();
}

json ListIn(const json& from, const char* key) {
  const auto it = from.find(key);
  return it != from.end() && it->is_array() ? *it : json::array();
}

double NsPerUnit(absl::string_view unit) {
  if (unit == "us") return 1e3;
  if (unit == "ms") return 1e6;
  return unit == "s" ? kNsPerSecond : 1;
}

void AddGoogleBenchmark(const json& report, Collected* collected) {
  const json context = report.value("context", json::object());
  const std::string host = TextIn(context, "host_name");
  if (!host.empty()) {
    collected->SetMachine(absl::StrCat(host, " with ", NumberIn(context, "num_cpus", 0), " CPUs"));
  }
  if (TextIn(context, "library_build_type") == "debug") {
    collected->Note("measured with a debug build of Google Benchmark");
  }
  std::map<std::pair<std::string, double>, int> known;
  for (const json& row : ListIn(report, "benchmarks")) {
    if (!row.is_object() || TextIn(row, "run_type") == "aggregate") continue;
    std::string benchmark = TextIn(row, TextIn(row, "run_name").empty() ? "name" : "run_name");
    // Each benchmark has one row for each repetition.
    const double repetition = NumberIn(row, "repetition_index", -1);
    const int number = repetition < 0 ? 1 : ++known[{benchmark, repetition}];
    if (number > 1) absl::StrAppend(&benchmark, "#", number);
    if (IsTrueIn(row, "error_occurred")) {
      collected->LeaveOut(benchmark, absl::StrCat("an error, ", TextIn(row, "error_message")));
    } else if (IsTrueIn(row, "skipped")) {
      collected->LeaveOut(benchmark, absl::StrCat("skipped, ", TextIn(row, "skip_message")));
    } else {
      collected->Add(benchmark,
                     NumberIn(row, "real_time", 0) * NsPerUnit(TextIn(row, "time_unit")));
    }
  }
}

// A report of a program with duets has their settings in its context.
bool HasDuets(const json& report) {
  const json context = report.value("context", json::object());
  return std::any_of(context.items().begin(), context.items().end(),
                     [](const auto& entry) { return absl::StartsWith(entry.key(), "duet_"); });
}

absl::StatusOr<TimesData> FromJson(const Input& input) {
  const std::string rest(std::istreambuf_iterator<char>(*input.stream), {});
  const json report = json::parse(absl::StrCat(input.first_line, "\n", rest), nullptr,
                                  /*allow_exceptions=*/false);
  const auto error = [&](absl::string_view what) {
    return absl::InvalidArgumentError(absl::StrCat(input.name, ": ", what));
  };
  if (!report.is_object()) return error("begins like JSON, but is not: was it cut off?");
  if (report.count("context") != 0 && !report["context"].is_object()) {
    return error("'context' is no object");
  }
  if (HasDuets(report)) {
    return error(
        "has results of duets and no pairs: let the program write its pairs with "
        "--duet_out=FILE.csv, and a page with --duet_report=FILE.html");
  }
  Collected collected(input.name);
  AddGoogleBenchmark(report, &collected);
  for (const json& result : ListIn(report, "results")) {
    if (!result.is_object()) continue;
    for (const json& time : ListIn(result, "times")) {
      collected.Add(TextIn(result, "command"),
                    time.is_number() ? time.get<double>() * kNsPerSecond : 0);
    }
  }
  return collected.Take();
}

// "BenchmarkDecode/size=8-4   1000  1234 ns/op  16 B/op"
absl::StatusOr<TimesData> FromGo(const Input& input) {
  Collected collected(input.name);
  std::string package;
  std::string text = input.first_line;
  do {
    absl::string_view line = text;
    if (absl::ConsumePrefix(&line, "pkg:")) {
      package = absl::StrCat(absl::StripAsciiWhitespace(line), ".");
    } else if (absl::ConsumePrefix(&line, "cpu:")) {
      collected.SetMachine(std::string(absl::StripAsciiWhitespace(line)));
    } else if (absl::ConsumePrefix(&line, "Benchmark")) {
      const std::vector<absl::string_view> words =
          absl::StrSplit(line, absl::ByAnyChar(" \t\r"), absl::SkipEmpty());
      const auto unit = std::find(words.begin(), words.end(), "ns/op");
      double ns = 0;
      if (unit == words.end() || unit - words.begin() < 2) continue;
      if (!absl::SimpleAtod(*(unit - 1), &ns)) ns = 0;
      collected.Add(absl::StrCat(package, words[0]), ns);
    }
  } while (std::getline(*input.stream, text));
  return collected.Take();
}

bool BeginsLikeGo(absl::string_view line) {
  return absl::StartsWith(line, "goos: ") || absl::StartsWith(line, "goarch: ") ||
         absl::StartsWith(line, "pkg: ") || absl::StartsWith(line, "Benchmark");
}

bool BeginsLikeJson(absl::string_view line) {
  return absl::StartsWith(absl::StripLeadingAsciiWhitespace(line), "{");
}

}  // namespace

bool IsForeign(const Input& input) {
  return BeginsLikeJson(input.first_line) || BeginsLikeGo(input.first_line);
}

absl::StatusOr<TimesData> ReadTimes(const Input& input) {
  if (BeginsLikeJson(input.first_line)) return FromJson(input);
  return BeginsLikeGo(input.first_line) ? FromGo(input) : FromCsv(input);
}

}  // namespace duetbench::duet_stat
