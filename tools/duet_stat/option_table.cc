#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "tools/duet_stat/input/csv_reader.h"
#include "tools/duet_stat/options.h"
#include "tools/stats/method_names.h"

namespace duetbench::duet_stat {
namespace {

constexpr absl::string_view kDifferenceOfMeans = "difference-of-means";

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
  for (const Rule rule : kAllRules) {
    if (RuleName(rule) == name) return rule;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("unknown rule '", Shown(name),
                   "': use all, or some of duet, wilcoxon, ci-overlap, welch, mmtests"));
}

// One of `choices`; `wanted` describes them.
template <typename T>
absl::Status ReadChoice(absl::string_view text, absl::string_view wanted,
                        std::initializer_list<std::pair<absl::string_view, T>> choices, T* value) {
  for (const auto& [name, choice] : choices) {
    if (text != name) continue;
    *value = choice;
    return absl::OkStatus();
  }
  return Wanted(wanted);
}

absl::Status ReadRules(absl::string_view text, Options* options) {
  if (text != "all") return ReadList(text, ParseRule, &options->rules);
  options->rules.assign(std::begin(kAllRules), std::end(kAllRules));
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
  if (!absl::SimpleAtoi(text, &options->resampling.replicates))
    return Wanted("a whole number from 2 to 100000000");
  return stats::CheckResampling(options->resampling);
}

absl::Status ReadSeed(absl::string_view text, Options* options) {
  if (absl::SimpleAtoi(text, &options->resampling.seed)) return absl::OkStatus();
  return Wanted("a whole number from 0 on");
}

absl::Status ReadRunCost(absl::string_view text, Options* options) {
  if (ReadNumber(absl::StripSuffix(text, "s"), &options->run_cost) && options->run_cost >= 0) {
    return absl::OkStatus();
  }
  return Wanted("a number of seconds, such as 0.1");
}

absl::Status ReadCompare(absl::string_view text, Options* options) {
  options->compare = absl::StrSplit(text, ',');
  const bool named = std::none_of(options->compare.begin(), options->compare.end(),
                                  [](const std::string& file) { return file.empty(); });
  if (options->compare.size() >= 2 && named) return absl::OkStatus();
  return Wanted("two files or more, --compare=OLD.csv,NEW.csv");
}

absl::Status ReadMemory(absl::string_view text, Options* options) {
  constexpr std::size_t kMaxMebibytes = 1 << 20;  // 1 TiB
  std::size_t mebibytes = 0;
  if (!absl::SimpleAtoi(text, &mebibytes) || mebibytes == 0 || mebibytes > kMaxMebibytes) {
    return Wanted("a whole number of MiB from 1 on");
  }
  options->reading.memory_limit = mebibytes << 20;
  return absl::OkStatus();
}

absl::Status ReadIntervals(absl::string_view text, Options* options) {
  std::vector<absl::string_view> names = absl::StrSplit(text, ',');
  const auto end = std::remove(names.begin(), names.end(), kDifferenceOfMeans);
  options->difference_of_means = end != names.end();
  names.erase(end, names.end());
  options->kinds.clear();
  if (names.empty()) return absl::OkStatus();
  return ReadList(absl::StrJoin(names, ","), stats::ParseIntervalKind, &options->kinds);
}

absl::Status ReadCount(absl::string_view text, std::size_t* count) {
  if (absl::SimpleAtoi(text, count) && *count > 0) return absl::OkStatus();
  return Wanted("a whole number from 1 on");
}

absl::Status ReadCounts(absl::string_view text, std::vector<std::size_t>* counts) {
  return ReadList(
      text,
      [](absl::string_view word) -> absl::StatusOr<std::size_t> {
        std::size_t count = 0;
        if (absl::Status status = ReadCount(word, &count); !status.ok()) return status;
        return count;
      },
      counts);
}

absl::Status ReadResamplings(absl::string_view text, Options* options) {
  if (absl::SimpleAtoi(text, &options->grid_options.resamplings) &&
      options->grid_options.resamplings >= 1) {
    return absl::OkStatus();
  }
  return Wanted("a whole number from 1 on");
}

absl::Status ReadSkip(absl::string_view text, Options* options) {
  if (ReadNumber(text, &options->skip) && options->skip >= 0 && options->skip < 1) {
    return absl::OkStatus();
  }
  return Wanted("a number from 0 to below 1, such as 0.5 for the second half only");
}

absl::Status ReadDelta(absl::string_view text, Options* options) {
  double* const delta = &options->grid_options.min_delta;
  if (ReadNumber(text, delta) && *delta >= 0 && *delta <= 1) return absl::OkStatus();
  return Wanted("a number from 0 to 1: 0.147 is small, 0.33 medium, 0.474 large");
}

template <bool Options::*option>
absl::Status SetTrue(absl::string_view /*value*/, Options* options) {
  options->*option = true;
  return absl::OkStatus();
}

absl::Status SetPaper(absl::string_view /*value*/, Options* options) {
  options->keep_disturbed = true;
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
     "intervals to compute: robust, t, percentile, expanded, n-1, basic, bca, boot-t, hl,\n"
     "hier, anytime, ewc; the first one decides the verdict (default: robust, ewc for a\n"
     "single run); and difference-of-means, the standard method, which needs no pairs and\n"
     "decides nothing\n",
     ReadIntervals},
    {"level", "P,...", "their levels; the first one decides the verdict (default: 0.99)\n",
     [](absl::string_view value, Options* options) {
       return ReadList(value, ParseLevel, &options->levels);
     }},
    {"estimator", "NAME,...",
     "what makes the pairs of a run one number: trimmed (mean of the middle half),\n"
     "geomean (the duet paper's), median (default: trimmed)\n",
     [](absl::string_view value, Options* options) {
       return ReadList(value, stats::ParseEstimator, &options->estimators);
     }},
    {"winsorize", "RULE",
     "replace at most one outlier of a run by its neighbor, if it lies more than 20 % of the\n"
     "range (range20) or of its neighbor (value20) away (default: none)\n",
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
     "--level=0.99 --resamples=10000 --margin=0 --keep_disturbed; options beside it go before it\n",
     SetPaper},
    {"resamples", "N", "replicates of the bootstrap kinds (default: 10000)\n", ReadResamples},
    {"seed", "N", "of every random choice; the same seed, the same output (default: 1)\n",
     ReadSeed},
    {"shuffle", "HOW",
     "take the pairing away first, to see what it is worth: each new time gets another old time\n"
     "of the same CPU assignment, of any run (all, also if there is no value) or of the same "
     "run (runs)\n",
     [](absl::string_view value, Options* options) {
       return ReadChoice<Shuffle>(value, "all (as in the paper) or runs (only within each run)",
                                  {{"all", Shuffle::kAll}, {"runs", Shuffle::kWithinRuns}},
                                  &options->shuffle);
     }},
    {"sample_runs", "R", "use R of the runs of each benchmark, chosen at random (default: all)\n",
     [](absl::string_view value, Options* options) {
       return ReadCount(value, &options->sample_runs);
     }},
    {"first_pairs", "N", "use the first N pairs of each run (default: all)\n",
     [](absl::string_view value, Options* options) {
       return ReadCount(value, &options->first_pairs);
     }},
    {"skip", "F",
     "leave out the first part F of the pairs of each run: 0.5 for the second half only, as the\n"
     "duet paper did where code warms up (default: 0)\n",
     ReadSkip},
    {"keep_disturbed", "",
     "use the pairs in which a variant was preempted or migrated, too; the paper's procedure\n"
     "does not know them and keeps them\n",
     SetTrue<&Options::keep_disturbed>},
    {"mds", "",
     "say how small a slow-down such an experiment finds, also by resampling, and how many\n"
     "pairs a run should have (times are taken as ns); with --compare and --grid: by each rule\n",
     SetTrue<&Options::mds>},
    {"run_cost", "SECONDS", "what starting a run costs, for --mds (default: 0.1)\n", ReadRunCost},
    {"compare", "OLD,NEW,...",
     "files of unpaired times (columns time and, if there are several, run, benchmark, machine)\n"
     "in place of FILE, for the rules that need no pairs; each is compared with the first one.\n"
     "Without a value the FILEs are meant: --compare OLD NEW\n",
     ReadCompare},
    {"rates", "",
     "with --compare: the values are rates, larger is better; averages are harmonic (MMTests)\n",
     SetTrue<&Options::rates>},
    {"grid", "",
     "how often each rule raises a false alarm with 1, 2, 3, ... machines (instances) and runs\n"
     "(trials), by resampling FILE of unpaired times of one variant; --mds: the smallest\n"
     "slow-down that it finds, too (Laaber et al.)\n",
     SetTrue<&Options::grid>},
    {"instances", "N,...", "of the grid (default: 1,2,3,5,10,15,20)\n",
     [](absl::string_view value, Options* options) {
       return ReadCounts(value, &options->grid_options.instances);
     }},
    {"trials", "N,...", "of the grid (default: 1,2,3,5)\n",
     [](absl::string_view value, Options* options) {
       return ReadCounts(value, &options->grid_options.trials);
     }},
    {"resamplings", "N", "of --grid, and of --mds with --compare (default: 100)\n",
     ReadResamplings},
    {"delta", "D",
     "how large Cliff's delta must be for the rule wilcoxon (default: 0.33, medium; 0.147 is\n"
     "small, 0.474 large)\n",
     ReadDelta},
    {"bonferroni", "", "the grid multiplies Wilcoxon's p by the resamplings, as the paper does\n",
     [](absl::string_view, Options* options) {
       options->grid_options.bonferroni = true;
       return absl::OkStatus();
     }},
    {"machine", "column|file",
     "what marks the machine: the column 'machine', if there is one, or each file is one\n"
     "(default: column); --ci=hier then resamples machines, runs, pairs\n",
     [](absl::string_view value, Options* options) {
       return ReadChoice<MachineMark>(
           value, "column (the column 'machine', if there is one) or file (each file is one)",
           {{"column", MachineMark::kColumn}, {"file", MachineMark::kFile}},
           &options->reading.machine);
     }},
    {"memory", "MIB", "limit for the data in memory; a pair takes 24 bytes (default: 1024)\n",
     ReadMemory},
    {"format", "console|json|csv|html|svg",
     "html: a page with pictures; svg: the pairs of a run of the first benchmark as a picture\n"
     "(default: console)\n",
     [](absl::string_view value, Options* options) {
       return ReadChoice<Format>(value, "console, json, csv, html or svg",
                                 {{"console", Format::kConsole},
                                  {"json", Format::kJson},
                                  {"csv", Format::kCsv},
                                  {"html", Format::kHtml},
                                  {"svg", Format::kSvg}},
                                 &options->format);
     }},
    {"color", "auto|always|never", "colors of the console (default: auto)\n",
     [](absl::string_view value, Options* options) {
       return ReadChoice<Color>(
           value, "auto, always or never",
           {{"auto", Color::kAuto}, {"always", Color::kAlways}, {"never", Color::kNever}},
           &options->color);
     }},
    {"help", "", "print this\n", SetTrue<&Options::help>},
    {"version", "", "print the version\n", SetTrue<&Options::version>},
};

}  // namespace

absl::Span<const Option> OptionTable() { return kOptions; }

}  // namespace duetbench::duet_stat
