#include "duetbench/api/google_benchmark_flags.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "duetbench/api/option_table.h"

namespace duetbench {
namespace {

absl::Status BadValue(const char* name, const std::string& value, absl::string_view wanted) {
  return absl::InvalidArgumentError(
      absl::StrCat("--benchmark_", name, ": '", value, "' should be ", wanted));
}

// Looks flags up, and keeps the first error.
class Reader {
 public:
  Reader(const std::vector<std::string>& arguments, const GetEnvironment& environment)
      : arguments_(arguments), environment_(environment) {}

  // A flag without a value is "true".
  std::optional<std::string> Find(const char* name) const {
    std::optional<std::string> value;
    const char* variable =
        environment_(absl::StrCat("BENCHMARK_", absl::AsciiStrToUpper(name)).c_str());
    if (variable != nullptr) value = variable;
    const std::string flag = absl::StrCat("--benchmark_", name);
    for (const std::string& argument : arguments_) {
      if (argument == flag) {
        value = "true";
      } else if (absl::StartsWith(argument, flag + "=")) {
        value = argument.substr(flag.size() + 1);
      }
    }
    return value;
  }

  void ReadText(const char* name, std::string* text) const { *text = Find(name).value_or(*text); }

  void ReadChoice(const char* name, const std::vector<std::string>& choices, std::string* text) {
    const std::string value = Find(name).value_or(*text);
    if (std::find(choices.begin(), choices.end(), value) != choices.end()) {
      *text = value;
      return;
    }
    const std::vector<std::string> first(choices.begin(), choices.end() - 1);
    Fail(name, value, absl::StrCat(absl::StrJoin(first, ", "), " or ", choices.back()));
  }

  // An empty value is that of a variable which is not set. Google Benchmark takes it for true, or
  // prints its usage and measures nothing.
  void RefuseEmpty(const char* name, absl::string_view wanted) {
    if (const auto value = Find(name); value.has_value() && value->empty()) Fail(name, "", wanted);
  }

  void ReadBool(const char* name, bool* flag) {
    RefuseEmpty(name, "true or false");
    *flag = IsTruthy(Find(name).value_or(""));
  }

  void Fail(const char* name, const std::string& value, absl::string_view wanted) {
    if (status_.ok()) status_ = BadValue(name, value, wanted);
  }

  const absl::Status& status() const { return status_; }

 private:
  const std::vector<std::string>& arguments_;
  const GetEnvironment& environment_;
  absl::Status status_;
};

void ReadOne(const char* name, const std::string& text, Reader* reader, ExperimentOptions* duets) {
  const std::string wanted = ReadOption(absl::StrCat("benchmark_", name), text, duets);
  if (!wanted.empty()) reader->Fail(name, text, wanted);
}

void ReadTimes(bool reads_iterations, Reader* reader, ExperimentOptions* duets) {
  if (const auto text = reader->Find("min_time")) {
    int64_t iterations = 0;
    if (absl::EndsWith(*text, "x") &&
        absl::SimpleAtoi(absl::StripSuffix(*text, "x"), &iterations)) {
      // Versions that read no such number use it as the time that it is not.
      if (reads_iterations) duets->fixed_iterations = iterations;
      if (iterations < 1) reader->Fail("min_time", *text, "a number of iterations of at least 1x");
    } else {
      ReadOne("min_time", *text, reader, duets);
    }
  }
  for (const char* const name : {"min_warmup_time", "repetitions"}) {
    if (const auto text = reader->Find(name)) ReadOne(name, *text, reader, duets);
  }
}

}  // namespace

absl::StatusOr<GoogleBenchmarkFlags> ReadGoogleBenchmarkFlags(
    const std::vector<std::string>& arguments, const GetEnvironment& environment,
    bool reads_iterations, ExperimentOptions* duets) {
  GoogleBenchmarkFlags flags;
  Reader reader(arguments, environment);
  reader.ReadBool("list_tests", &flags.list_tests);
  reader.ReadBool("dry_run", &flags.dry_run);
  if (flags.dry_run) duets->dry_run = true;
  reader.ReadBool("counters_tabular", &flags.counters_tabular);
  reader.ReadChoice("format", {"console", "json", "csv"}, &flags.format);
  reader.ReadChoice("out_format", {"console", "json", "csv"}, &flags.out_format);
  reader.RefuseEmpty("out", "the name of a file");
  reader.ReadText("out", &flags.out);
  reader.RefuseEmpty("color", "auto, true or false");
  reader.ReadText("color", &flags.color);
  reader.ReadText("perf_counters", &flags.perf_counters);
  std::string unit = "ns";
  reader.ReadChoice("time_unit", {"ns", "us", "ms", "s"}, &unit);
  ReadTimes(reads_iterations, &reader, duets);
  if (!reader.status().ok()) return reader.status();
  return flags;
}

bool IsTruthy(const std::string& text) {
  const std::string lower = absl::AsciiStrToLower(text);
  const char* const kFalse[] = {"", "0", "f", "n", "false", "no", "off"};
  return std::find(std::begin(kFalse), std::end(kFalse), lower) == std::end(kFalse);
}

}  // namespace duetbench
