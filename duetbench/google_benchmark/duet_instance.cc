#include "duetbench/google_benchmark/duet_instance.h"

#include <map>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace duetbench {

absl::StatusOr<NameFilter> NameFilter::Parse(const std::string& text) {
  std::string expression = text.empty() || text == "all" ? "." : text;
  NameFilter filter;
  filter.negated_ = expression[0] == '-';
  if (filter.negated_) expression.erase(0, 1);
  regex_t regex{};
  if (const int error = regcomp(&regex, expression.c_str(), REG_EXTENDED | REG_NOSUB); error != 0) {
    char why[128];
    regerror(error, &regex, why, sizeof(why));
    return absl::InvalidArgumentError(
        absl::StrCat("--benchmark_filter: '", text, "' is no regular expression: ", why));
  }
  const auto destroy = [](regex_t* compiled) {
    regfree(compiled);
    delete compiled;
  };
  filter.regex_ = std::shared_ptr<regex_t>(new regex_t(regex), destroy);
  return filter;
}

bool NameFilter::Selects(const std::string& name) const {
  return !absl::StartsWith(name, "DISABLED_") &&
         (regexec(regex_.get(), name.c_str(), 0, nullptr, 0) == 0) != negated_;
}

namespace {

std::string ArgumentsText(const std::vector<int64_t>& ranges,
                          const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < ranges.size(); ++i) {
    if (i > 0) text += '/';
    if (i < names.size() && !names[i].empty()) absl::StrAppend(&text, names[i], ":");
    absl::StrAppend(&text, ranges[i]);
  }
  return text;
}

std::string TimeTypeText(const DuetSpec& spec) {
  std::string text = spec.process_cpu_time ? "process_time" : "";
  const bool manual_time = spec.options.manual_time;
  if (manual_time || spec.real_time) {
    if (!text.empty()) text += '/';
    text += manual_time ? "manual_time" : "real_time";
  }
  return text;
}

benchmark::BenchmarkName ComposeName(const DuetSpec& spec, const std::vector<int64_t>& ranges) {
  benchmark::BenchmarkName name;
  name.function_name = spec.name;
  if (spec.programs != nullptr) return name;  // it is the name of an instance of both programs
  name.args = ArgumentsText(ranges, spec.argument_names);
  if (spec.options.min_time.is_set())
    name.min_time = absl::StrFormat("min_time:%0.3f", spec.options.min_time.value());
  if (spec.options.warm_up > 0) {
    name.min_warmup_time = absl::StrFormat("min_warmup_time:%0.3f", spec.options.warm_up.value());
  }
  if (spec.options.fixed_iterations > 0) {
    name.iterations = absl::StrCat("iterations:", spec.options.fixed_iterations.value());
  }
  if (spec.options.repetitions.is_set()) {
    name.repetitions = absl::StrCat("repeats:", spec.options.repetitions.value());
  }
  name.time_type = TimeTypeText(spec);
  if (spec.threads > 0) name.threads = absl::StrCat("threads:", spec.threads);
  return name;
}

constexpr char kRemedy[] =
    ": their results could not be told apart; give one of them another name with ->Name(\"…\"), or "
    "as the first argument of RegisterDuet";

std::string Place(const DuetSpec& spec) {
  return absl::StrCat(spec.location.file, ":", spec.location.line);
}

}  // namespace

std::vector<DuetInstance> SelectDuets(const std::vector<const DuetSpec*>& specs,
                                      const NameFilter& filter) {
  const std::vector<std::vector<int64_t>> no_arguments = {{}};
  std::vector<DuetInstance> selected;
  int family = 0;
  for (const DuetSpec* spec : specs) {
    int instance = 0;
    for (const std::vector<int64_t>& ranges :
         spec->arguments.empty() ? no_arguments : spec->arguments) {
      benchmark::BenchmarkName name = ComposeName(*spec, ranges);
      if (!filter.Selects(name.str())) continue;
      selected.push_back({spec, family, instance++, ranges, std::move(name)});
    }
    if (instance > 0) ++family;
  }
  return selected;
}

std::string HintForRowName(const std::string& filter, const std::vector<const DuetSpec*>& specs) {
  absl::string_view name = filter;
  absl::ConsumePrefix(&name, "^");
  const bool is_whole = absl::ConsumeSuffix(&name, "$");
  std::string why = "a duet is selected as a whole";
  absl::string_view end = "$";
  if (!absl::ConsumeSuffix(&name, "/old") && !absl::ConsumeSuffix(&name, "/new")) {
    if (!is_whole) return "";
    why = absl::StrCat("the rows of a group are ", name, "/BASE_vs_VARIANT");
    end = "/";
  }
  const std::string suggested = absl::StrCat("^", name, end);
  const absl::StatusOr<NameFilter> parsed = NameFilter::Parse(suggested);
  if (!parsed.ok() || SelectDuets(specs, *parsed).empty()) return "";
  return absl::StrCat("; ", why, ": --benchmark_filter='", suggested, "'");
}

absl::Status CheckDistinctNames(const std::vector<const DuetSpec*>& specs,
                                const std::vector<std::string>& ordinary) {
  const absl::StatusOr<NameFilter> all = NameFilter::Parse("all");
  if (!all.ok()) return all.status();
  std::map<std::string, const DuetSpec*> rows;
  for (const DuetInstance& instance : SelectDuets(specs, *all)) {
    const std::string name = instance.name.str();
    for (const char* const end : {"", "/old", "/new"}) {
      const auto [first, is_new] = rows.emplace(absl::StrCat(name, end), instance.spec);
      if (is_new) continue;
      return absl::InvalidArgumentError(
          first->second == instance.spec
              ? absl::StrCat("the duet '", name, "' at ", Place(*instance.spec),
                             " has the same arguments twice; remove one")
              : absl::StrCat("two duets have a row '", first->first, "', at ",
                             Place(*first->second), " and at ", Place(*instance.spec), kRemedy));
    }
  }
  for (const std::string& name : ordinary) {
    const auto same = rows.find(name);
    if (same == rows.end()) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("an ordinary benchmark has the name of a row of the duet at ",
                     Place(*same->second), ", '", name, "'", kRemedy));
  }
  return absl::OkStatus();
}

}  // namespace duetbench
