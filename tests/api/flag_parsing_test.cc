#include "duetbench/api/flag_parsing.h"

#include <limits>
#include <map>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// The flags that `arguments` make, or the error.
absl::StatusOr<Flags> Parse(const std::vector<std::string>& arguments) {
  return ReadFlags(arguments, {});
}

// The same for one environment variable.
absl::StatusOr<Flags> ParseVariable(const std::string& name, const std::string& value) {
  return ReadFlags({}, {{name, value}});
}

// --- Every flag, with values that it takes ---

bool HasGates(const Flags& flags, const std::vector<GateSpec>& gates) {
  return flags.options.gates == gates;
}

bool HasQuantiles(const Flags& flags, const std::vector<double>& quantiles) {
  return flags.options.quantiles == quantiles;
}

struct Good {
  const char* name;
  const char* value;
  bool (*holds)(const Flags&);
};

const Good kGood[] = {
    {"runs", "1", [](const Flags& f) { return f.options.runs == 1; }},
    {"runs", "100000", [](const Flags& f) { return f.options.runs == 100'000; }},
    {"level", "0.95", [](const Flags& f) { return f.options.level == 0.95; }},
    {"level", "1e-3", [](const Flags& f) { return f.options.level == 0.001; }},
    {"margin", "0", [](const Flags& f) { return f.options.margin == 0; }},
    {"margin", "0.05", [](const Flags& f) { return f.options.margin == 0.05; }},
    {"max_ratio", "1.05", [](const Flags& f) { return HasGates(f, {GateSpec::MaxRatio(1.05)}); }},
    {"max_counter_ratio", "perf::PAGE-FAULTS:1.02,ALLOCATIONS:1",
     [](const Flags& f) {
       return HasGates(f, {GateSpec::MaxRatio(1.02, {"perf::PAGE-FAULTS"}),
                           GateSpec::MaxRatio(1, {"ALLOCATIONS"})});
     }},
    {"max_quantile_ratio", "0.99:1.1,0.5:1",
     [](const Flags& f) {
       return HasGates(f, {GateSpec::MaxRatio(1.1, {"", 0.99}), GateSpec::MaxRatio(1, {"", 0.5})});
     }},
    {"quantiles", "0.5,0.99",
     [](const Flags& f) {
       return HasQuantiles(f, {0.5, 0.99});
     }},
    {"quantiles", "",
     [](const Flags& f) {
       return HasQuantiles(f, {0.5, 0.9, 0.99, 0.999});
     }},
    {"cpus_per_variant", "all", [](const Flags& f) { return f.options.cpus_per_variant == 0; }},
    {"cpus_per_variant", "1", [](const Flags& f) { return f.options.cpus_per_variant == 1; }},
    {"cpus_per_variant", "3", [](const Flags& f) { return f.options.cpus_per_variant == 3; }},
    {"cpus_per_variant", "auto",
     [](const Flags& f) { return !f.options.cpus_per_variant.is_set(); }},
    {"max_time", "2.5", [](const Flags& f) { return f.options.max_time == 2.5; }},
    {"max_time", "3s", [](const Flags& f) { return f.options.max_time == 3; }},
    {"inconclusive", "pass",
     [](const Flags& f) { return f.inconclusive == WhenInconclusive::kPass; }},
    {"inconclusive", "fail",
     [](const Flags& f) { return f.inconclusive == WhenInconclusive::kFail; }},
    {"inconclusive", "skip",
     [](const Flags& f) { return f.inconclusive == WhenInconclusive::kSkip; }},
    {"summary", "a.md", [](const Flags& f) { return f.summary == "a.md"; }},
    {"junit", "a.xml", [](const Flags& f) { return f.junit == "a.xml"; }},
    {"schedule", "duet", [](const Flags& f) { return f.options.schedule == Schedule::kDuet; }},
    {"schedule", "interleaved",
     [](const Flags& f) { return f.options.schedule == Schedule::kInterleaved; }},
    {"fill", "true", [](const Flags& f) { return f.options.fill.value(); }},
    {"fill", "1", [](const Flags& f) { return f.options.fill.value(); }},
    {"fill", "false", [](const Flags& f) { return !f.options.fill.value(); }},
    {"cpus", "2,3", [](const Flags& f) { return f.cpus == "2,3"; }},
    {"seed", "0", [](const Flags& f) { return f.options.seed == 0u; }},
    {"seed", "18446744073709551615",
     [](const Flags& f) { return f.options.seed == std::numeric_limits<uint64_t>::max(); }},
    {"out", "pairs.csv", [](const Flags& f) { return f.out == "pairs.csv"; }},
    {"budget", "300", [](const Flags& f) { return f.budget == 300; }},
    {"budget", "5min", [](const Flags& f) { return f.budget == 300; }},
    {"budget", "1.5h", [](const Flags& f) { return f.budget == 5400; }},
    {"timeout", "0.5", [](const Flags& f) { return f.options.timeout == 0.5; }},
    {"timeout", "90s", [](const Flags& f) { return f.options.timeout == 90; }},
};

TEST(FlagsTest, EveryFlagIsTakenFromTheCommandLine) {
  for (const Good& good : kGood) {
    const std::string argument = absl::StrCat("--duet_", good.name, "=", good.value);
    const absl::StatusOr<Flags> flags = Parse({argument});
    ASSERT_TRUE(flags.ok()) << flags.status();
    EXPECT_TRUE(good.holds(*flags)) << argument;
  }
}

TEST(FlagsTest, EveryFlagIsTakenFromTheEnvironment) {
  for (const Good& good : kGood) {
    std::string variable = absl::StrCat("DUET_", good.name);
    for (char& c : variable) c = static_cast<char>(std::toupper(c));
    const absl::StatusOr<Flags> flags = ParseVariable(variable, good.value);
    ASSERT_TRUE(flags.ok()) << flags.status();
    EXPECT_TRUE(good.holds(*flags)) << variable << "=" << good.value;
  }
}

TEST(FlagsTest, WhatIsNotGivenIsNotSet) {
  const absl::StatusOr<Flags> flags = Parse({});
  ASSERT_TRUE(flags.ok());
  EXPECT_FALSE(flags->options.runs.is_set());
  EXPECT_FALSE(flags->options.level.is_set());
  EXPECT_FALSE(flags->options.schedule.has_value());
  EXPECT_FALSE(flags->options.fill.is_set());
  EXPECT_TRUE(flags->options.seed.is_set()) << "at random";
  EXPECT_TRUE(flags->options.gates.empty());
  EXPECT_EQ(flags->cpus, "");
}

TEST(FlagsTest, ABooleanFlagAloneMeansTrue) {
  const absl::StatusOr<Flags> flags = Parse({"--duet_fill"});
  ASSERT_TRUE(flags.ok());
  EXPECT_TRUE(flags->options.fill);
}

TEST(FlagsTest, TheLastOneCounts) {
  const absl::StatusOr<Flags> flags =
      Parse({"--duet_runs=3", "--duet_fill", "--duet_runs=5", "--duet_fill=false"});
  ASSERT_TRUE(flags.ok());
  EXPECT_EQ(flags->options.runs, 5);
  EXPECT_FALSE(flags->options.fill);
}

TEST(FlagsTest, TheCommandLineGoesBeforeTheEnvironment) {
  const absl::StatusOr<Flags> flags =
      ReadFlags({"program", "--duet_runs=5"},
                {{"DUET_RUNS", "3"}, {"DUET_LEVEL", "0.9"}, {"DUET_MAX_RATIO", "2"}});
  EXPECT_EQ(flags->options.runs, 5);
  EXPECT_EQ(flags->options.level, 0.9);
  EXPECT_FALSE(flags->gate_on_command_line);
  EXPECT_TRUE(Parse({"--duet_max_counter_ratio=ALLOCATIONS:1"})->gate_on_command_line);
  EXPECT_FALSE(Parse({"--duet_max_time=3"})->gate_on_command_line);
}

TEST(FlagsTest, AVariableThatIsMisspeltIsAnError) {
  EXPECT_EQ(ParseVariable("DUET_MAX_RATOI", "1.05").status().message(),
            "unknown variable DUET_MAX_RATOI of the environment; did you mean DUET_MAX_RATIO?");
  for (const char* other :
       {"DUET_REPORT_TOOL", "DUET_LAB_FD", "DUET", "MDUET_RUNS", "BENCHMARK_X"}) {
    EXPECT_TRUE(ParseVariable(other, "1").ok()) << other;
  }
}

TEST(FlagsTest, ArgumentsOfOthersAreNobodysBusiness) {
  EXPECT_TRUE(Parse({"--benchmark_filter=a", "--benchmark_x", "file", "-v", "--duets"}).ok());
}

TEST(FlagsTest, ABudgetDecidesTheNumberAndTheOrderOfRuns) {
  EXPECT_EQ(std::string(Parse({"--duet_budget=5min", "--duet_runs=3"}).status().message()),
            "--duet_budget decides the number and the order of runs: leave out --duet_runs");
}

// --- Values that a flag does not take ---

struct Bad {
  const char* name;
  const char* value;
  const char* hint;
};

const Bad kBad[] = {
    {"runs", "0", "a whole number from 1 to 100000"},
    {"runs", "-3", "a whole number from 1 to 100000"},
    {"runs", "100001", "a whole number from 1 to 100000"},
    {"runs", "2.5", "a whole number from 1 to 100000"},
    {"runs", "many", "a whole number from 1 to 100000"},
    {"runs", "", "a whole number from 1 to 100000"},
    {"level", "0", "a number between 0 and 1, such as 0.99"},
    {"level", "1", "a number between 0 and 1, such as 0.99"},
    {"level", "99", "a number between 0 and 1, such as 0.99"},
    {"level", "99%", "a number between 0 and 1, such as 0.99"},
    {"level", "nan", "a number between 0 and 1, such as 0.99"},
    {"margin", "-0.01", "a number from 0 to below 1, such as 0.01"},
    {"margin", "1", "a number from 0 to below 1, such as 0.01"},
    {"margin", "inf", "a number from 0 to below 1, such as 0.01"},
    {"max_ratio", "0", "a positive ratio, such as 1.05"},
    {"max_ratio", "5%", "a positive ratio, such as 1.05"},
    {"max_counter_ratio", "ALLOCATIONS", "a counter and a positive ratio"},
    {"max_counter_ratio", "ALLOCATIONS:0", "a counter and a positive ratio"},
    {"max_counter_ratio", ":1", "a counter and a positive ratio"},
    {"max_quantile_ratio", "0.99", "a number between 0 and 1 and a positive ratio"},
    {"max_quantile_ratio", "1:1.1", "a number between 0 and 1 and a positive ratio"},
    {"max_quantile_ratio", "0.9:0", "a number between 0 and 1 and a positive ratio"},
    {"max_quantile_ratio", "0.9:1:2", "a number between 0 and 1 and a positive ratio"},
    {"quantiles", "0.5,1", "numbers between 0 and 1"},
    {"cpus_per_variant", "0", "auto, all or a number"},
    {"cpus_per_variant", "many", "auto, all or a number"},
    {"quantiles", "p99", "numbers between 0 and 1"},
    {"max_time", "0", "a positive number of seconds"},
    {"inconclusive", "ignore", "pass, fail or skip"},
    {"summary", "", "the name of a file"},
    {"junit", "", "the name of a file"},
    {"schedule", "turns", "auto, alternating, duet, interleaved or sliced"},
    {"schedule", "", "auto, alternating, duet, interleaved or sliced"},
    {"fill", "perhaps", "true or false"},
    {"seed", "-1", "a whole number"},
    {"seed", "18446744073709551616", "a whole number"},
    {"out", "", "the name of a file"},
    {"budget", "0", "a positive time, such as 300, 90s, 5min or 1h"},
    {"budget", "min", "a positive time, such as 300, 90s, 5min or 1h"},
    {"budget", "1e300h", "a positive time, such as 300, 90s, 5min or 1h"},
    {"timeout", "0", "a positive number of seconds"},
    {"timeout", "soon", "a positive number of seconds"},
    {"timeout", "inf", "a positive number of seconds"},
};

TEST(FlagsTest, ABadValueIsNamedWithWhatItShouldBe) {
  for (const Bad& bad : kBad) {
    const absl::StatusOr<Flags> flags = Parse({absl::StrCat("--duet_", bad.name, "=", bad.value)});
    EXPECT_EQ(flags.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(
        std::string(flags.status().message()),
        HasSubstr(absl::StrCat("--duet_", bad.name, ": '", bad.value, "' should be ", bad.hint)));
  }
}

TEST(FlagsTest, ABadVariableIsNamedToo) {
  EXPECT_EQ(std::string(ParseVariable("DUET_RUNS", "many").status().message()),
            "DUET_RUNS: 'many' should be a whole number from 1 to 100000");
}

TEST(FlagsTest, AFlagWithoutItsValueIsAnError) {
  EXPECT_EQ(std::string(Parse({"--duet_runs"}).status().message()),
            "--duet_runs: '' should be a whole number from 1 to 100000");
}

TEST(FlagsTest, OtherVariablesAreNobodysBusiness) {
  EXPECT_TRUE(ParseVariable("DUET_SOMETHING", "x").ok());
}

// --- Unknown names ---

std::string UnknownText(const std::string& argument) {
  return std::string(UnknownArgument(argument).message());
}

TEST(UnknownArgumentTest, NamesTheNearestFlag) {
  EXPECT_EQ(UnknownText("--duet_rusn=3"),
            "unknown argument '--duet_rusn=3'; did you mean --duet_runs?");
  EXPECT_EQ(UnknownText("--duet_shedule"),
            "unknown argument '--duet_shedule'; did you mean --duet_schedule?");
  EXPECT_EQ(UnknownText("--duet-level=0.9"),
            "unknown argument '--duet-level=0.9'; did you mean --duet_level?");
  EXPECT_EQ(UnknownText("--benchmark_fliter=x"),
            "unknown argument '--benchmark_fliter=x'; did you mean --benchmark_filter?");
  EXPECT_EQ(UnknownText("--benchmark_min_tme=1"),
            "unknown argument '--benchmark_min_tme=1'; did you mean --benchmark_min_time?");
  EXPECT_THAT(UnknownText("benchmark_filter=x"), Not(HasSubstr("unknown flag")));
}

TEST(UnknownArgumentTest, SaysWhatTookTheWorkOfARemovedFlag) {
  const std::string text =
      ": this flag was removed; `duet PROGRAM PROGRAM --duet_unchanged=measure` compares a program "
      "with itself";
  EXPECT_EQ(UnknownText("--duet_aa"), "'--duet_aa'" + text);
  EXPECT_EQ(std::string(ParseVariable("DUET_AA", "1").status().message()), "'DUET_AA'" + text);
}

TEST(UnknownArgumentTest, GuessesNothingFarAway) {
  EXPECT_EQ(UnknownText("input.txt"), "unknown argument 'input.txt'; --help lists what there is");
  EXPECT_EQ(UnknownText(""), "unknown argument ''; --help lists what there is");
}

TEST(UnknownArgumentTest, OfAFlagThatExistsTheValueIsWrong) {
  EXPECT_EQ(UnknownText("--benchmark_repetitions=abc"),
            "'--benchmark_repetitions=abc': --benchmark_repetitions takes other values; see "
            "--help");
}

TEST(UnknownArgumentTest, UnknownFlagsOfOursAreErrorsOfParsing) {
  EXPECT_EQ(std::string(Parse({"--duet_rusn=3"}).status().message()), UnknownText("--duet_rusn=3"));
}

// --- Help ---

TEST(FlagsHelpTest, ListsEveryFlag) {
  const std::string help = FlagsHelp();
  for (const Good& good : kGood) {
    EXPECT_THAT(help, HasSubstr(absl::StrCat("--duet_", good.name, "=<")));
  }
}

// Each line fits into 80 columns.
int LinesOf(const std::string& text) {
  int count = 0;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    ++count;
    EXPECT_LE(line.size(), 80u) << line;
  }
  return count;
}

TEST(HelpTest, FitsATerminal) {
  LinesOf(FlagsHelp());
  EXPECT_LE(LinesOf(UsersHelp()), 40) << "one screen";
}

TEST(HelpTest, NamesFlagsThatExist) {
  for (const absl::string_view word : absl::StrSplit(UsersHelp(), ' ')) {
    if (!absl::StartsWith(word, "--duet_")) continue;
    const absl::string_view flag = word.substr(0, word.find('='));
    EXPECT_THAT(FlagsHelp(), HasSubstr(absl::StrCat("  ", flag, "=<")));
  }
}

TEST(NearestName, FindsWhatWasMeant) {
  EXPECT_EQ(NearestName("levle", {"ci", "level", "seed"}), "level");
  EXPECT_EQ(NearestName("winsorise", {"ci", "winsorize"}), "winsorize");
  EXPECT_EQ(NearestName("see", {"seed", "sees"}), "seed");
}

TEST(NearestName, FindsNothingFarAway) {
  EXPECT_EQ(NearestName("banana", {"ci", "level", "seed"}), "");
  EXPECT_EQ(NearestName("x", {}), "");
}

}  // namespace

}  // namespace duetbench
