#include "tools/duet_stat/options.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "duetbench/pairs_io/csv_reader.h"
#include "tools/duet_stat/nearest_name.h"

namespace duetbench::duet_stat {
namespace {

constexpr Rule kRules[] = {Rule::kDuet, Rule::kWilcoxon, Rule::kOverlap, Rule::kWelch,
                           Rule::kMmtests};

// An option; `apply` says what is wrong with the value.
struct Option {
  const char* name;
  const char* value;  // as --help calls it; empty: there is none
  const char* help;   // lines end with \n
  absl::Status (*apply)(absl::string_view value, Options* options);
};

absl::Status Wanted(absl::string_view wanted) {
  return absl::InvalidArgumentError(absl::StrCat("should be ", wanted));
}

bool ReadNumber(absl::string_view text, double* value) {
  return absl::SimpleAtod(text, value) && std::isfinite(*value);
}

// A list of names by the function that parses one of them.
template <typename T, typename Parse>
absl::Status ReadList(absl::string_view text, Parse parse, std::vector<T>* list) {
  list->clear();
  for (const absl::string_view name : absl::StrSplit(text, ',')) {
    const absl::StatusOr<T> value = parse(name);
    if (!value.ok()) return value.status();
    if (std::find(list->begin(), list->end(), *value) == list->end()) list->push_back(*value);
  }
  return absl::OkStatus();
}

absl::StatusOr<double> ParseLevel(absl::string_view text) {
  double level = 0;
  if (ReadNumber(text, &level) && level > 0 && level < 1) return level;
  return Wanted("numbers between 0 and 1, such as 0.99 for 99 %");
}

absl::StatusOr<Rule> ParseRule(absl::string_view name) {
  for (const Rule rule : kRules) {
    if (RuleName(rule) == name) return rule;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("unknown rule '", Shown(name),
                   "': use all, or some of duet, wilcoxon, ci-overlap, welch, mmtests"));
}

absl::Status ReadRules(absl::string_view text, Options* options) {
  if (text != "all") return ReadList(text, ParseRule, &options->rules);
  options->rules.assign(std::begin(kRules), std::end(kRules));
  return absl::OkStatus();
}

absl::Status ReadWinsorize(absl::string_view text, Options* options) {
  const absl::StatusOr<stats::OutlierRule> rule = stats::ParseOutlierRule(text);
  if (rule.ok()) options->winsorize = *rule;
  return rule.status();
}

absl::Status ReadMargin(absl::string_view text, Options* options) {
  if (ReadNumber(text, &options->margin) && options->margin >= 0 && options->margin < 1) {
    return absl::OkStatus();
  }
  return Wanted("a number from 0 to below 1, such as 0.01 for 1 %");
}

absl::Status ReadResamples(absl::string_view text, Options* options) {
  if (!absl::SimpleAtoi(text, &options->resampling.replicates)) return Wanted("a whole number");
  return stats::CheckResampling(options->resampling);
}

absl::Status ReadSeed(absl::string_view text, Options* options) {
  if (absl::SimpleAtoi(text, &options->resampling.seed)) return absl::OkStatus();
  return Wanted("a whole number from 0 on");
}

absl::Status ReadShuffle(absl::string_view text, Options* options) {
  if (text == "all") {
    options->shuffle = Shuffle::kAll;
  } else if (text == "runs") {
    options->shuffle = Shuffle::kWithinRuns;
  } else {
    return Wanted("all (as in the paper) or runs (only within each run)");
  }
  return absl::OkStatus();
}

absl::Status ReadRunCost(absl::string_view text, Options* options) {
  if (ReadNumber(absl::StripSuffix(text, "s"), &options->run_cost) && options->run_cost >= 0) {
    return absl::OkStatus();
  }
  return Wanted("a number of seconds, such as 0.1");
}

absl::Status ReadCompare(absl::string_view text, Options* options) {
  options->compare = absl::StrSplit(text, ',');
  if (options->compare.size() == 2 && !options->compare[0].empty() &&
      !options->compare[1].empty()) {
    return absl::OkStatus();
  }
  return Wanted("two files, --compare=OLD.csv,NEW.csv");
}

absl::Status ReadMachine(absl::string_view text, Options* options) {
  if (text == "column") {
    options->reading.machine = MachineMark::kColumn;
  } else if (text == "file") {
    options->reading.machine = MachineMark::kFile;
  } else {
    return Wanted("column (the column 'machine', if there is one) or file (each file is one)");
  }
  return absl::OkStatus();
}

absl::Status ReadMemory(absl::string_view text, Options* options) {
  constexpr std::size_t kMost = 1 << 20;  // 1 TiB
  std::size_t mebibytes = 0;
  if (!absl::SimpleAtoi(text, &mebibytes) || mebibytes == 0 || mebibytes > kMost) {
    return Wanted("a whole number of MiB from 1 on");
  }
  options->reading.memory_limit = mebibytes << 20;
  return absl::OkStatus();
}

absl::Status ReadFormat(absl::string_view text, Options* options) {
  if (text == "console") {
    options->format = Format::kConsole;
  } else if (text == "json") {
    options->format = Format::kJson;
  } else if (text == "csv") {
    options->format = Format::kCsv;
  } else {
    return Wanted("console, json or csv");
  }
  return absl::OkStatus();
}

absl::Status ReadColour(absl::string_view text, Options* options) {
  if (text == "auto") {
    options->colour = Colour::kAuto;
  } else if (text == "always") {
    options->colour = Colour::kAlways;
  } else if (text == "never") {
    options->colour = Colour::kNever;
  } else {
    return Wanted("auto, always or never");
  }
  return absl::OkStatus();
}

absl::Status SetPaper(absl::string_view /*value*/, Options* options) {
  options->estimators = {stats::Estimator::kGeomean};
  options->winsorize = stats::OutlierRule::kRange20;
  options->kinds = {stats::IntervalKind::kPercentile};
  options->levels = {0.99};
  options->resampling.replicates = 10000;
  options->margin = 0;
  return absl::OkStatus();
}

const Option kOptions[] = {
    {"ci", "KIND,...",
     "intervals to compute: t, percentile, expanded, n-1, basic, bca, boot-t, hl, hier,\n"
     "anytime, ewc; the first one decides the verdict (default: t; ewc for a single run)\n",
     [](absl::string_view value, Options* options) {
       return ReadList(value, stats::ParseIntervalKind, &options->kinds);
     }},
    {"level", "P,...", "their levels; the first one decides the verdict (default: 0.99)\n",
     [](absl::string_view value, Options* options) {
       return ReadList(value, ParseLevel, &options->levels);
     }},
    {"estimator", "NAME,...",
     "what makes the pairs of a run one number: trimmed (mean without the outer 10 % on each\n"
     "side), geomean (the duet paper's), median (default: trimmed)\n",
     [](absl::string_view value, Options* options) {
       return ReadList(value, stats::ParseEstimator, &options->estimators);
     }},
    {"winsorize", "RULE",
     "replace at most one outlier of a run by its neighbour, if it lies more than 20 % of the\n"
     "range (range20) or of its neighbour (value20) away (default: none)\n",
     ReadWinsorize},
    {"margin", "D",
     "a difference that counts as none: EQUAL if the interval lies within 1/(1+D) and 1+D\n"
     "(default: 0.01)\n",
     ReadMargin},
    {"rules", "NAME,...",
     "decision rules of the papers to apply: all, or some of duet, wilcoxon (with Cliff's\n"
     "delta), ci-overlap, welch, mmtests (default: none; with --compare: all)\n",
     ReadRules},
    {"paper", "",
     "the published duet procedure: --estimator=geomean --winsorize=range20 --ci=percentile\n"
     "--level=0.99 --resamples=10000 --margin=0; options beside it go before it\n",
     SetPaper},
    {"resamples", "N", "replicates of the bootstrap kinds (default: 10000)\n", ReadResamples},
    {"seed", "N", "of every random choice; the same seed, the same output (default: 1)\n",
     ReadSeed},
    {"shuffle", "HOW",
     "take the pairing away first, to see what it is worth: each new time gets another old time\n"
     "of the same CPU assignment, of any run (all, also if there is no value) or of its own "
     "(runs)\n",
     ReadShuffle},
    {"mds", "",
     "say how small a slow-down such an experiment finds, also by resampling, and how many\n"
     "iterations a run should have (times are taken as ns)\n",
     [](absl::string_view, Options* options) {
       options->mds = true;
       return absl::OkStatus();
     }},
    {"run_cost", "SECONDS", "what starting a run costs, for --mds (default: 0.1)\n", ReadRunCost},
    {"compare", "OLD,NEW",
     "two files of unpaired times (columns time and, if there are several, run, benchmark,\n"
     "machine) in place of FILE, for the rules that need no pairs\n",
     ReadCompare},
    {"machine", "column|file",
     "what marks the machine: the column 'machine', if there is one, or each file is one\n"
     "(default: column); --ci=hier then resamples machines, runs, iterations\n",
     ReadMachine},
    {"memory", "MIB", "limit for the data in memory; a pair takes 24 bytes (default: 1024)\n",
     ReadMemory},
    {"format", "console|json|csv", "(default: console)\n", ReadFormat},
    {"color", "auto|always|never", "colours of the console (default: auto)\n", ReadColour},
    {"help", "", "print this\n",
     [](absl::string_view, Options* options) {
       options->help = true;
       return absl::OkStatus();
     }},
    {"version", "", "print the version\n",
     [](absl::string_view, Options* options) {
       options->version = true;
       return absl::OkStatus();
     }},
};

const Option* FindOption(absl::string_view name) {
  const auto* const it = std::find_if(std::begin(kOptions), std::end(kOptions),
                                      [&](const Option& option) { return name == option.name; });
  return it == std::end(kOptions) ? nullptr : it;
}

absl::Status UnknownOption(absl::string_view argument, absl::string_view name) {
  std::vector<std::string> names;
  for (const Option& option : kOptions) names.emplace_back(option.name);
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
    if (has("run_cost") && !options.mds) {
      return absl::InvalidArgumentError("--run_cost is for --mds, which is not given");
    }
    if (options.mds && options.format == Format::kCsv) {
      return absl::InvalidArgumentError("--mds has no place in --format=csv; use json or console");
    }
    return absl::OkStatus();
  }
  if (!options.files.empty()) {
    return absl::InvalidArgumentError(absl::StrCat("--compare names the files itself: '",
                                                   Shown(options.files[0]), "' is one too many"));
  }
  for (const char* name : {"ci", "estimator", "winsorize", "margin", "shuffle", "mds", "run_cost",
                           "machine", "level", "paper"}) {
    if (!has(name)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("--", name, " needs pairs, but --compare is for times without partners"));
  }
  if (std::find(options.rules.begin(), options.rules.end(), Rule::kDuet) != options.rules.end()) {
    return absl::InvalidArgumentError(
        "the rule 'duet' needs pairs, but --compare is for times without partners");
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
  // --paper first, so that what else is said goes before it.
  std::stable_partition(texts.begin(), texts.end(),
                        [](const std::string& text) { return text == "--paper"; });
  for (const std::string& text : texts) {
    if (absl::Status status = ApplyArgument(text, &options); !status.ok()) return status;
    given.emplace_back(absl::StripPrefix(absl::string_view(text).substr(0, text.find('=')), "--"));
  }
  if (!options.compare.empty()) {
    if (options.rules == std::vector<Rule>(std::begin(kRules), std::end(kRules))) {
      options.rules.clear();  // --rules=all: all that are possible
    }
    if (options.rules.empty()) options.rules.assign(std::begin(kRules) + 1, std::end(kRules));
  }
  if (absl::Status status = CheckTogether(given, options); !status.ok()) return status;
  return options;
}

std::string HelpText() {
  std::string help =
      "duet_stat: what the pairs of a duet say, from files.\n"
      "\n"
      "  duet_stat [options] FILE...\n"
      "  duet_stat [options] --compare=OLD.csv,NEW.csv\n"
      "\n"
      "FILE is what --duet_out wrote (columns benchmark, run, iteration, old_ns, new_ns, old_cpu,\n"
      "new_cpu, flags), or has the columns run, iter, x, y, where x is the time of new, y that of\n"
      "old and the ratio is x/y; - is standard input. The runs of several files are put together.\n"
      "\n";
  for (const Option& option : kOptions) {
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
