// Flags, environment variables, mains, lists and their mistakes, as a user meets them: a table of
// rows.h. Values of flags are in tests/api, failures in failures_test.cc.
#include "duetbench/version.h"
#include "gtest/gtest.h"
#include "tests/integration/rows.h"

namespace duetbench::integration {
namespace {

// No head of a table of results.
constexpr char kResults[] = "Iterations";

// Benchmarks of $suite.
#define APPLES "BM_Apples/20\nBM_Apples/40\n"
#define STEPS                                                      \
  "BM_OldSteps_vs_BM_NewSteps/20\nBM_OldSteps_vs_BM_NewSteps/30\n" \
  "BM_OldSteps_vs_BM_NewSteps/200\n"
#define AWKWARD "f<int, T*>(a|b)[2]{3}.x+y?^$ \"q\" \\d 'é' %d -/25"

const Row kCommandLines[] = {
    // --- Mistakes ---
    {"an unknown flag", "$suite $once --duet_rusn=3", 2,
     "duetbench: unknown argument '--duet_rusn=3'; did you mean --duet_runs?\n", Needs::kNothing,
     kResults},
    {"a bad variable, also where it would not count", "DUET_RUNS=many $suite $once --duet_runs=3",
     2, "duetbench: DUET_RUNS: 'many' should be", Needs::kNothing, kResults},
    {"a foreign task", "DUETBENCH_RUN=nonsense $suite $once", 2,
     "DUETBENCH_RUN is set but is no task of this program; unset it", Needs::kNothing, kResults},
    {"two duets of one name are refused before anything is measured or listed",
     "for flag in --benchmark_list_tests --duet_list --duet_runs=2; do $twice $flag >out 2>err; "
     "test $? = 2 && ! test -s out && grep 'at .*twice_program.cc:12 and at .*twice_program.cc:15: "
     "'"
     " err || exit 98; done; exit 2",
     2, "two duets have a row 'Old_vs_New', at "},

    // --- What flags and variables do ---
    {"the long help lists the flags of both", "$suite --help=all", 0,
     "--benchmark_filter[...]--benchmark_min_time[...]DUET_RUNS=20[...]--duet_runs=<N>[...]"},
    {"the short help names the long one", "$suite --help && $suite -h", 0,
     "--duet_max_ratio=R[...]--help=all lists every flag[...]--duet_max_ratio=R[...]"
     "--help=all lists every flag"},
    {"the version", "$suite --version", 0, "duetbench " DUETBENCH_VERSION_TEXT "\n",
     Needs::kNothing, kResults},
    {"flags arrive in the report",
     "$suite $once --duet_runs=3 --duet_level=0.9 --duet_margin=0.5 --duet_fill --duet_seed=77 "
     "--benchmark_min_time=0.3s",
     0,
     "duetbench: 3 runs, 0.3 s a benchmark, 90 % intervals of new/old (real time), EQUAL within 50 "
     "%, filled\n[...]; --duet_seed=77\n[...] runs"},
    {"variables arrive in the report",
     "DUET_RUNS=3 DUET_LEVEL=0.9 DUET_MARGIN=0.5 DUET_FILL=1 DUET_SEED=77 BENCHMARK_MIN_TIME=0.3 "
     "$suite $once",
     0,
     "duetbench: 3 runs, 0.3 s a benchmark, 90 % intervals of new/old (real time), EQUAL within 50 "
     "%, filled\n[...]; --duet_seed=77\n[...] runs"},
    {"the command line goes before the environment", "DUET_RUNS=5 $suite $once --duet_runs=3", 0,
     "duetbench: 3 runs, "},
    {"CPU times", "$counters --benchmark_filter=same --duet_time=cpu", 0, "(CPU time)"},
    {"interleaved on request is not a duet", "$suite $once --duet_schedule=interleaved", 0,
     "(not a duet: [...]; interleaved on one CPU)"},
    {"one CPU",
     "cpu=$(taskset -cp $$ | sed 's/.*[^0-9]//'); taskset -c $cpu $suite $once >out && "
     "cat out && cut -d' ' -f2 log | sort -u | grep -qx $cpu && "
     "grep -q \"duetbench: CPU $cpu (\" out && "
     "grep -qE '; (interleaved on one CPU|alternating)\\)' out",
     0, " (not a duet: one CPU)"},
    {"one run has times and no interval",
     "$suite $once --duet_runs=1; cut -d' ' -f1 log | sort -u | wc -l", 0,
     " x   [...]no interval"
     "[...]\n1\n"},
    {"the program is found in PATH", "cp $suite suite; PATH=$PWD:$PATH suite $once", 0, "(2 runs"},

    // --- Selection ---
    {"a list has all names", "$suite --benchmark_list_tests", 0,
     "BM_Generic\n" APPLES "BM_Older/30\n"
     "BM_Once_vs_BM_FiveTimes\n" STEPS "BM_Old/25\n" AWKWARD "\n"},
    {"it is filtered",
     "$suite --benchmark_list_tests=true --benchmark_filter='_vs_BM_NewSteps/[23]0$'", 0,
     "BM_OldSteps_vs_BM_NewSteps/20\nBM_OldSteps_vs_BM_NewSteps/30\n", Needs::kNothing, "200"},
    {"by what does not match", "$suite --benchmark_list_tests --benchmark_filter='-BM_O|f<'", 0,
     "BM_Generic\n" APPLES, Needs::kNothing, "BM_O"},
    {"duets alone, with the seconds that they take at most",
     "BENCHMARK_FORMAT=json $suite --duet_list | sed -E 's/^duet [0-9]{2,} //'", 0,
     "BM_Once_vs_BM_FiveTimes\n" STEPS "BM_Old/25\n" AWKWARD "\n", Needs::kNothing, "Apples"},
    {"a name may begin another one", "$suite --benchmark_filter=^BM_Old --benchmark_dry_run", 0,
     "\nBM_Older/30 [...]BM_OldSteps_vs_BM_NewSteps/20/old [...]BM_OldSteps_vs_BM_NewSteps/20/new "
     "[...]BM_OldSteps_vs_BM_NewSteps/200 [...]BM_Old/25 ",
     Needs::kNothing, "BM_Once"},
    {"and have every character", "$suite --benchmark_filter='^f<' --benchmark_dry_run", 0,
     "\n" AWKWARD "/old [...]\n" AWKWARD "/new [...]\n" AWKWARD " "},
    {"duets that do not match leave the others", "$suite --benchmark_filter=Apples/40", 0,
     "BM_Apples/40 ", Needs::kNothing, "_vs_"},
    {"no duet to list", "$suite --duet_list --benchmark_filter=^BM_Apples", 2,
     "duetbench: no duet matches --benchmark_filter=^BM_Apples"},
    {"a disabled duet", "$suite --benchmark_filter=BM_Off", 2, "no benchmark matches"},
    {"the head describes what is selected",
     "$empty --benchmark_filter='^Working_vs_(Called|One)$' --benchmark_dry_run", 0,
     "functions of benchmark::State& in 1 of 2 benchmarks"},
    {"and not what is not", "$empty --benchmark_filter='^Working_vs_One$' --benchmark_dry_run", 0,
     "Working_vs_One", Needs::kNothing, "functions of benchmark::State&"},

    // --- Dry runs ---
    {"a dry run says so and claims nothing", "BENCHMARK_DRY_RUN=true $suite $once", 0,
     "duetbench: dry run: every benchmark once[...]\nBM_Once_vs_BM_FiveTimes  [...]DRY RUN: one "
     "iteration of each, no verdict\n",
     Needs::kNothing, " x "},
    {"a dry run finds a variant that fails",
     "$trouble --benchmark_filter=^new/Throw/SetUp$ --benchmark_dry_run", 2,
     "ERROR OCCURRED: 'new threw "},

    // --- Output ---
    {"each line of the head stands once",
     "$suite --benchmark_filter=BM_OldSteps | grep -c -e 'duetbench: CPU' -e --duet_seed=", 0,
     "2\n"},
    {"a pipe gets no progress and no colours",
     "$suite --benchmark_filter='BM_Once|BM_Generic' >out 2>&1; "
     "grep -c -e \"$(printf '\\033')\" -e \"$(printf '\\r')\" -e 'run 1 of' out",
     1, "0\n"},
    {"a large difference", "$suite $once --duet_runs=8 --duet_level=0.9 --benchmark_min_time=0.4",
     0, "  SLOWER: BM_FiveTimes takes "},
    {"no folder for the page", "$suite $once --duet_report=/no/such/f", 2,
     "duetbench: --duet_report: cannot ", Needs::kNothing, kResults},
    {"no tool for the page: the recording is kept",
     "DUET_REPORT_TOOL=/no/such/tool $suite $once --duet_report=page; s=$?; "
     "$duet_report page page.recording | head -c 15; exit $s",
     2,
     "<!DOCTYPE html>[...]--duet_report: no page: DUET_REPORT_TOOL: /no/such/tool cannot be "
     "executed; `duet_report page page.recording` prints it"},
    {"a page of no recording", "$duet_report page $suite", 2},

    {"work that the compiler has removed has no verdict",
     "for i in 1 2 3; do $empty --benchmark_min_time=0.1 --duet_runs=5 >out; test $? = 77 || exit; "
     "grep -E '  (FASTER|SLOWER|EQUAL|FAIL|PASS)' out && exit 98; done; cat out",
     0,
     ": Nothing takes no more time than[...]: Folded takes no more time than[...]: KeepRunning "
     "takes "
     "no more time than[...]: Called takes no more time than[...]: CalledKeepRunning takes no more "
     "time than[...]: One takes no more time than[...]: One and Nothing take no more time "
     "than[...]: "
     "Folded and One take no more time than[...]: One and Two take no more time than[...]: new "
     "takes "
     "no more time than[...]0 of 2 gates hold, 2 are inconclusive",
     Needs::kOptimization},

    // --- A budget ---
    {"the progress is in lines",
     "free $suite --duet_budget=4s --benchmark_filter='BM_OldSteps_vs.*0$' 2>&1 | "
     "grep -c 'duetbench: . of 3 duets decided, ' | sed 's/.*[1-9].*/some/'",
     0, "some"},
    {"no time", "free $suite --benchmark_filter=BM_OldSteps --duet_budget=0.001s", 77,
     "the time of --duet_budget was over"},
    {"no time for gates, and that is accepted",
     "free $suite --benchmark_filter=BM_OldSteps --duet_budget=0.001s --duet_max_ratio=1.05 "
     "--duet_inconclusive=pass",
     0},

    // --- Other mains ---
    {"a main with its own arguments", "$own_main --duet_runs=3 --steps=300 2>err", 0,
     "before\nduetbench: [...]duetbench: 3 runs, [...]own/old [...]after\n"},
    {"whose arguments each run has",
     "$own_main --steps=5000 --duet_runs=8 --duet_level=0.9 --benchmark_min_time=0.1", 0,
     "  SLOWER: new takes "},
    {"a main with its own reporter", "$own_main --duet_runs=3 --own_reporter", 0,
     "row own/old has a time\nrow own/new has a time\nrow own has a time\n", Needs::kNothing,
     "own/old  "},
    {"an argument that nobody took", "$own_main --stpes=300", 2, "unknown argument '--stpes=300'"},
    {"ordinary benchmarks under a plain main", "$plain_main --benchmark_filter=Ordinary", 0},
    {"a list under a plain main", "$plain_main --benchmark_list_tests", 0,
     "BM_Ordinary\nBM_Ordinary/threads:2\nBM_Once_vs_BM_FiveTimes\n"},
    {"a duet under a plain main is a row with an error, which names the main to link",
     "$plain_main --benchmark_format=json", 2,
     "BM_Ordinary\",[...]BM_Ordinary/threads:2\",[...]BM_Once_vs_BM_FiveTimes\",[...]"
     "\"error_occurred\": true,[...]DUET_MAIN()[...]duetbench: BM_Once_vs_BM_FiveTimes was not "
     "measured: "},
};

TEST_ROWS(CommandLineTest, kCommandLines);

}  // namespace
}  // namespace duetbench::integration
