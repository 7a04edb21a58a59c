#include "tools/duet_stat/options.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "duetbench/text/nearest_name.h"
#include "tools/duet_stat/input/csv_reader.h"

namespace duetbench::duet_stat {
namespace {

const Option* FindOption(absl::string_view name) {
  for (const Option& option : OptionTable()) {
    if (name == option.name) return &option;
  }
  return nullptr;
}

absl::Status UnknownOption(absl::string_view argument, absl::string_view name) {
  std::vector<std::string> names;
  for (const Option& option : OptionTable()) names.emplace_back(option.name);
  const std::string nearest = NearestName(name, names);
  return absl::InvalidArgumentError(
      nearest.empty() ? absl::StrCat("unknown option '", Shown(argument), "'; see --help")
                      : absl::StrCat("unknown option '", Shown(argument), "'; did you mean --",
                                     nearest, "? See --help"));
}

// Applies "--name=value", "--name" or "-".
absl::Status ApplyArgument(absl::string_view argument, Options* options) {
  const absl::string_view text = absl::StripPrefix(absl::StripPrefix(argument, "-"), "-");
  const std::size_t equals = text.find('=');
  const absl::string_view name = text.substr(0, equals);
  const bool has_value = equals != absl::string_view::npos;
  absl::string_view value = has_value ? text.substr(equals + 1) : "";
  const Option* option = FindOption(name == "h" ? "help" : name);
  if (option == nullptr) return UnknownOption(argument, name);
  const bool takes_value = *option->value != '\0';
  if (has_value && !takes_value) {
    return absl::InvalidArgumentError(absl::StrCat("--", name, " takes no value"));
  }
  if (!has_value && takes_value) {
    if (name == "compare") return absl::OkStatus();  // the files are meant
    if (name != "shuffle") {
      return absl::InvalidArgumentError(
          absl::StrCat("--", name, " needs a value: --", name, "=", option->value));
    }
    value = "all";
  }
  absl::Status status = option->apply(value, options);
  if (status.ok()) return status;
  return absl::InvalidArgumentError(
      absl::StrCat("--", name, "=", Shown(value), ": ", status.message()));
}

absl::Status CheckGrid(const std::vector<std::string>& given, const Options& options) {
  for (const std::string& name : given) {
    static constexpr const char* kOfGrid[] = {
        "grid",  "instances", "trials",    "resamplings", "bonferroni", "delta", "mds",
        "rules", "seed",      "resamples", "memory",      "format",     "color", "machine"};
    if (std::find(std::begin(kOfGrid), std::end(kOfGrid), name) == std::end(kOfGrid)) {
      return absl::InvalidArgumentError(absl::StrCat("--", name, " does not go with --grid"));
    }
  }
  if (options.reading.machine == MachineMark::kFile) {
    return absl::InvalidArgumentError(
        "--grid finds machines in the column 'machine' or 'instance' only");
  }
  return absl::OkStatus();
}

absl::Status CheckTogether(const std::vector<std::string>& given, const Options& options) {
  const auto has = [&](absl::string_view name) {
    return std::find(given.begin(), given.end(), name) != given.end();
  };
  if (options.help || options.version) return absl::OkStatus();
  if (std::count(options.files.begin(), options.files.end(), "-") +
          std::count(options.compare.begin(), options.compare.end(), "-") >
      1) {
    return absl::InvalidArgumentError("standard input (-) can be read only once");
  }
  if (options.compare.empty()) {
    if (options.files.empty()) {
      return absl::InvalidArgumentError(
          "no file is given (- is standard input): duet_stat [options] FILE...; see --help");
    }
    if (options.grid) return CheckGrid(given, options);
    for (const char* name : {"instances", "trials", "resamplings", "bonferroni"}) {
      if (has(name)) return absl::InvalidArgumentError(absl::StrCat("--", name, " is for --grid"));
    }
    if (options.rates) {
      return absl::InvalidArgumentError("--rates is for --compare: pairs have times");
    }
    if (has("run_cost") && !options.mds) {
      return absl::InvalidArgumentError("--run_cost is for --mds, which is not given");
    }
    return absl::OkStatus();
  }
  if (!options.files.empty()) {
    return absl::InvalidArgumentError(absl::StrCat("--compare names the files itself: '",
                                                   Shown(options.files[0]), "' is one too many"));
  }
  for (const char* name : {"estimator", "margin", "shuffle", "run_cost", "machine", "paper",
                           "sample_runs", "first_pairs", "skip", "keep_disturbed"}) {
    if (!has(name)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("--", name, " needs pairs, but --compare is for times without partners"));
  }
  if (!options.kinds.empty()) {
    return absl::InvalidArgumentError(
        "--compare is for times without partners: of the intervals it has difference-of-means "
        "only");
  }
  if (std::find(options.rules.begin(), options.rules.end(), Rule::kDuet) != options.rules.end()) {
    return absl::InvalidArgumentError(
        "the rule 'duet' needs pairs, but --compare is for times without partners");
  }
  for (const char* name : {"level", "winsorize"}) {
    if (!has(name) || options.difference_of_means) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("with --compare, --", name, " is for --ci=difference-of-means"));
  }
  for (const char* name : {"grid", "instances", "trials", "bonferroni"}) {
    if (!has(name)) continue;
    return absl::InvalidArgumentError(absl::StrCat("--", name, " does not go with --compare"));
  }
  if (has("resamplings") && !options.mds) {
    return absl::InvalidArgumentError("--resamplings is for --mds, which is not given");
  }
  return absl::OkStatus();
}

}  // namespace

absl::string_view RuleName(Rule rule) {
  switch (rule) {
    case Rule::kDuet:
      return "duet";
    case Rule::kWilcoxon:
      return "wilcoxon";
    case Rule::kOverlap:
      return "ci-overlap";
    case Rule::kWelch:
      return "welch";
    case Rule::kMmtests:
      break;
  }
  return "mmtests";
}

absl::StatusOr<Options> ParseOptions(const std::vector<std::string>& arguments) {
  Options options;
  std::vector<std::string> given;  // names of the options, as written
  bool only_files = false;
  std::vector<std::string> texts;
  for (const std::string& argument : arguments) {
    if (only_files || argument == "-" || !absl::StartsWith(argument, "-")) {
      options.files.push_back(argument);
    } else if (argument == "--") {
      only_files = true;
    } else {
      texts.push_back(argument);
    }
  }
  // --paper first: other options override it.
  std::stable_partition(texts.begin(), texts.end(),
                        [](const std::string& text) { return text == "--paper"; });
  for (const std::string& text : texts) {
    if (absl::Status status = ApplyArgument(text, &options); !status.ok()) return status;
    given.emplace_back(absl::StripPrefix(absl::string_view(text).substr(0, text.find('=')), "--"));
  }
  if (std::find(given.begin(), given.end(), "compare") != given.end() && options.compare.empty()) {
    options.compare = std::move(options.files);
    options.files.clear();
    if (options.compare.size() < 2) {
      return absl::InvalidArgumentError("--compare needs two files or more: --compare OLD NEW");
    }
  }
  if (!options.compare.empty()) {
    SetRulesOfCompare(&options);
  }
  if (absl::Status status = CheckTogether(given, options); !status.ok()) return status;
  return options;
}

void SetRulesOfCompare(Options* options) {
  if (options->rules == std::vector<Rule>(std::begin(kAllRules), std::end(kAllRules))) {
    options->rules.clear();  // --rules=all: all that are possible
  }
  if (options->rules.empty()) options->rules.assign(std::begin(kAllRules) + 1, std::end(kAllRules));
}

std::string HelpText() {
  std::string help =
      "duet_stat: what the pairs of a duet say, from files.\n"
      "\n"
      "  duet_stat [options] FILE...\n"
      "  duet_stat [options] --compare OLD.csv NEW.csv...\n"
      "  duet_stat [options] --grid TIMES.csv\n"
      "\n"
      "FILE is what --duet_out wrote (columns benchmark, run, iteration, old_ns, new_ns, old_cpu,\n"
      "new_cpu, flags), or has the columns run, iter, x, y, where x is the time of new, y that of\n"
      "old and the ratio is x/y; - is standard input. The runs of several files are put together.\n"
      "With --format=html it may be what --benchmark_out wrote: JSON.\n"
      "\n"
      "Repetitions of benchmarks that were measured apart are compared as independent samples:\n"
      "JSON of Google Benchmark or hyperfine, text of Go's benchmarks; two names in one FILE, or\n"
      "files with the same names and --compare.\n"
      "\n";
  for (const Option& option : OptionTable()) {
    absl::StrAppend(&help, "  --", option.name, *option.value == '\0' ? "" : "=", option.value,
                    "\n");
    for (absl::string_view line : absl::StrSplit(option.help, '\n', absl::SkipEmpty())) {
      absl::StrAppend(&help, "        ", line, "\n");
    }
  }
  absl::StrAppend(&help,
                  "\nExit status: 0, or 2 if the arguments or the data were refused or a benchmark "
                  "has no interval.\n");
  return help;
}

}  // namespace duetbench::duet_stat
