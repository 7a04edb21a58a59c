#include "tools/duet_stat/options.h"

#include <algorithm>
#include <map>
#include <utility>

#include "CLI/CLI.hpp"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "duetbench/version.h"
#include "tools/stats/method_names.h"

namespace duetbench::duet_stat {
namespace {

// Options and values of earlier versions, with what replaces them.
constexpr std::pair<const char*, const char*> kRemoved[] = {
    {"--format=html", "--duet_report=FILE.html of the program makes the page"},
    {"--format=svg", "--duet_report=FILE.html of the program has the pictures"},
    {"--format=csv", "use --format=json"},
    {"--color", "set NO_COLOR=1 in the environment to have no colors"},
    {"--memory", "limit the memory with 'ulimit -v'"},
    {"--ci=bca", "'robust' and 't' hold with few runs, 'percentile' is that of the duet paper"},
    {"--ci=hl", "'robust' is the interval that a run far off moves little"},
    {"--compare=", "give the files as arguments: --compare OLD NEW"},
    {"--estimator=median", "'trimmed', the mean of the middle half, is as robust"},
    {"--winsorize=value20", "'range20' is how the paper is understood"},
    {"--shuffle=", "--shuffle takes the pairing away over all runs"},
    {"--machine", "give the files a column 'machine'"},
    {"--delta", "a medium delta of Cliff, 0.33, is that of the paper"},
    {"--bonferroni", "the rules of the grid have the level of a single test"},
};

// The names of a table; the value becomes the number of the method.
template <typename Method, std::size_t kSize>
CLI::Validator OneOf(const stats::Named<Method> (&table)[kSize]) {
  return CLI::Validator(
      [&table](std::string& text) -> std::string {
        const auto method = stats::MethodNamed(table, text);
        if (method.has_value()) {
          text = absl::StrCat(static_cast<int>(*method));
          return "";
        }
        std::vector<std::string> names;
        for (const stats::Named<Method>& named : table) names.emplace_back(named.name);
        return absl::StrCat("'", text, "' should be one of ", absl::StrJoin(names, ", "));
      },
      "");
}

CLI::Validator Between(double least, double most, const std::string& wanted) {
  return CLI::Validator(
      [=](std::string& text) -> std::string {
        double value = 0;
        if (absl::SimpleAtod(text, &value) && value >= least && value <= most) return "";
        return absl::StrCat("'", text, "' should be ", wanted);
      },
      "");
}

CLI::Validator CountFromOne() { return Between(1, 1e9, "a whole number from 1 on"); }

// The published procedure.
void SetPaper(Options* options) {
  options->keep_disturbed = true;
  options->estimator = stats::Estimator::kGeomean;
  options->winsorize = true;
  options->kinds = {stats::IntervalKind::kPercentile};
  options->margin = 0;
}

// Options that are not of one of the three commands.
absl::Status CheckTogether(const CLI::App& app, const Options& options) {
  const char* const command = options.compare ? "--compare" : options.grid ? "--grid" : "pairs";
  // The options of each command; others are of all.
  const std::map<std::string, std::vector<std::string>> commands_of = {
      {"--ci", {"pairs", "--compare"}}, {"--level", {"pairs", "--compare"}},
      {"--estimator", {"pairs"}},       {"--winsorize", {"pairs", "--compare"}},
      {"--margin", {"pairs"}},          {"--paper", {"pairs"}},
      {"--shuffle", {"pairs"}},         {"--sample_runs", {"pairs"}},
      {"--first_pairs", {"pairs"}},     {"--skip", {"pairs"}},
      {"--keep_disturbed", {"pairs"}},  {"--run_cost", {"pairs"}},
      {"--mds", {"pairs", "--grid"}},   {"--rates", {"--compare"}},
      {"--instances", {"--grid"}},      {"--trials", {"--grid"}},
      {"--resamplings", {"--grid"}},
  };
  for (const auto& [name, commands] : commands_of) {
    if (app.count(name) == 0 ||
        std::find(commands.begin(), commands.end(), command) != commands.end()) {
      continue;
    }
    return absl::InvalidArgumentError(
        absl::StrCat(name, " is for ", commands[0], ", and does not go with ", command));
  }
  if (options.compare && !options.kinds.empty()) {
    return absl::InvalidArgumentError("--compare has --ci=difference-of-means only");
  }
  const bool needs_pairs = std::find(options.rules.begin(), options.rules.end(),
                                     stats::Rule::kDuet) != options.rules.end();
  if (needs_pairs && (options.compare || options.grid)) {
    return absl::InvalidArgumentError(absl::StrCat("the rule 'duet' needs pairs, not ", command));
  }
  if (std::count(options.files.begin(), options.files.end(), "-") > 1) {
    return absl::InvalidArgumentError("standard input (-) can be read only once");
  }
  if (options.compare && options.files.size() != 2) {
    return absl::InvalidArgumentError(
        "--compare takes two files: --compare OLD NEW, once more for a third one");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Options> ParseOptions(const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    for (const auto& [removed, replacement] : kRemoved) {
      if (!absl::StartsWith(argument, removed)) continue;
      return absl::InvalidArgumentError(absl::StrCat(argument, " is gone: ", replacement));
    }
  }
  Options options;
  const bool paper = std::count(arguments.begin(), arguments.end(), "--paper") > 0;
  if (paper) SetPaper(&options);

  CLI::App app(
      "duet_stat: what the pairs of a duet say, from files.\n\n"
      "  duet_stat [options] FILE...\n"
      "  duet_stat [options] --compare OLD NEW\n"
      "  duet_stat [options] --grid TIMES.csv\n\n"
      "FILE is what --duet_out wrote, or a CSV file with the columns "
      "run, x, y, where x is the\n"
      "time of new and y that of old; - is standard input. The runs "
      "of several files are put\n"
      "together. OLD, NEW and TIMES have times that were measured "
      "apart: CSV with the columns time\n"
      "and, if there are several, run, benchmark, machine; JSON of "
      "Google Benchmark or hyperfine;\n"
      "text of Go's benchmarks.\n",
      "duet_stat");
  app.footer(
      "Exit status: 0, or 2 if the arguments or the data were refused "
      "or a benchmark has no "
      "interval.");
  app.set_version_flag("--version", "duet_stat " DUETBENCH_VERSION_TEXT);
  app.add_option("FILE", options.files)->required();

  std::vector<std::string> kinds;
  std::vector<std::string> kind_names = {"difference-of-means"};
  for (const auto& named : stats::kIntervalKinds) kind_names.emplace_back(named.name);
  app.add_option("--ci", kinds,
                 "intervals: robust, t, percentile, hier; the first one\n"
                 "decides the verdict (default: as the program does); and\n"
                 "difference-of-means, the standard method, which needs no pairs and\n"
                 "decides nothing")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(kind_names).description(""));
  app.add_option("--level", options.level, "of the intervals (default: 0.99)")
      ->check(Between(1e-9, 1 - 1e-16, "a number between 0 and 1, such as 0.99 for 99 %"));
  app.add_option("--estimator", options.estimator,
                 "what makes the pairs of a run one number: trimmed (mean of the\n"
                 "middle half), geomean (the duet paper's) (default: trimmed)")
      ->transform(OneOf(stats::kEstimators));
  app.add_option("--winsorize", options.winsorize,
                 "replace at most one outlier of a run by its neighbor, if it lies\n"
                 "more than 20 % of the range away (range20) (default: none)")
      ->transform(OneOf(stats::kWinsorizings));
  app.add_option("--margin", options.margin,
                 "a difference that counts as none: EQUAL if the interval lies\n"
                 "within 1/(1+D) and 1+D (default: 0.01)")
      ->check(Between(0, 0.999999, "a number from 0 to below 1"));
  std::vector<std::string> rules;
  std::vector<std::string> rule_names = {"all"};
  for (const auto& named : stats::kRules) rule_names.emplace_back(named.name);
  rule_names.pop_back();  // "t" is of the grid
  app.add_option("--rules", rules,
                 "decision rules of the papers: all, or some of duet, wilcoxon (with\n"
                 "Cliff's delta), ci-overlap, welch, mmtests (default: none; with\n"
                 "--compare: all)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(rule_names).description(""));
  app.add_flag("--paper",
               "the published duet procedure: --estimator=geomean\n"
               "--winsorize=range20 --ci=percentile --margin=0 --keep_disturbed;\n"
               "options beside it go before it");
  app.add_option("--resamples", options.resampling.replicates,
                 "replicates of the bootstrap kinds (default: 10000)")
      ->check(Between(2, 1e8, "a whole number from 2 to 100000000"));
  app.add_option("--seed", options.resampling.seed,
                 "of every random choice; the same seed, the same output (default:\n"
                 "1)")
      ->check(Between(0, 18446744073709551615.0, "a whole number from 0 on"));
  app.add_flag("--shuffle", options.shuffle,
               "take the pairing away first, to see what it is worth: each new\n"
               "time gets another old time of the same CPU assignment, of any run");
  app.add_option("--sample_runs", options.subset.sample_runs,
                 "number of runs of each benchmark that are used, chosen at random\n"
                 "(default: all)")
      ->check(CountFromOne());
  app.add_option("--first_pairs", options.subset.first_pairs,
                 "use the first pairs of each run (default: all)")
      ->check(CountFromOne());
  app.add_option("--skip", options.subset.skip,
                 "leave out the first part of the pairs of each run: 0.5 for the\n"
                 "second half only, as the duet paper did where code warms up\n"
                 "(default: 0)")
      ->check(Between(0, 0.999999, "a number from 0 to below 1"));
  app.add_flag("--keep_disturbed", options.keep_disturbed,
               "use the pairs in which a variant was preempted or migrated, too;\n"
               "the paper's procedure does not know them and keeps them");
  app.add_flag("--mds", options.mds,
               "say how small a slow-down such an experiment finds, and how many\n"
               "pairs a run should have (times are taken as ns); with --grid: by\n"
               "each rule, by resampling");
  app.add_option("--run_cost", options.run_cost_s,
                 "seconds that starting a run costs, for --mds (default: 0.1)")
      ->check(Between(0, 1e9, "a number of seconds, such as 0.1"))
      ->needs("--mds");
  app.add_flag("--compare", options.compare,
               "the files are of unpaired times, and are compared by the rules that\n"
               "need no pairs");
  app.add_flag("--rates", options.rates,
               "with --compare: the values are rates, larger is better; averages\n"
               "are harmonic (MMTests)");
  app.add_flag("--grid", options.grid,
               "how often each rule raises a false alarm with 1, 2, 3, ...\n"
               "machines (instances) and runs (trials), by resampling unpaired\n"
               "times of one variant; --mds: the smallest slow-down that it finds,\n"
               "too (Laaber et al.)")
      ->excludes("--compare");
  app.add_option("--instances", options.grid_options.instances,
                 "of the grid (default: 1,2,3,5,10,15,20)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CountFromOne());
  app.add_option("--trials", options.grid_options.trials, "of the grid (default: 1,2,3,5)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CountFromOne());
  app.add_option("--resamplings", options.grid_options.resamplings, "of the grid (default: 100)")
      ->check(CountFromOne());
  std::string format;
  app.add_option("--format", format, "console or json (default: console)")
      ->check(CLI::IsMember({"console", "json"}).description(""));

  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    options.text = app.help();
    return options;
  } catch (const CLI::CallForVersion& version) {
    options.text = absl::StrCat(version.what(), "\n");
    return options;
  } catch (const CLI::ParseError& error) {
    return absl::InvalidArgumentError(absl::StrCat(error.what(), "; see --help"));
  }
  options.json = format == "json";
  if (!kinds.empty()) options.kinds.clear();
  for (const std::string& name : kinds) {
    const auto kind = stats::MethodNamed(stats::kIntervalKinds, name);
    if (kind.has_value()) options.kinds.push_back(*kind);
    options.difference_of_means = options.difference_of_means || !kind.has_value();
  }
  const bool all = std::count(rules.begin(), rules.end(), "all") > 0;
  if (all && !options.compare && !options.grid) options.rules = {stats::Rule::kDuet};
  if (all || (options.compare && rules.empty())) {
    options.rules.insert(options.rules.end(), UnpairedRules().begin(), UnpairedRules().end());
  }
  for (const std::string& name : rules) {
    if (!all) options.rules.push_back(*stats::MethodNamed(stats::kRules, name));
  }
  if (absl::Status status = CheckTogether(app, options); !status.ok()) return status;
  return options;
}

}  // namespace duetbench::duet_stat
