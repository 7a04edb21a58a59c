// Whatever happens around a measurement: nothing that was measured is lost, and nothing passes that
// was not measured. One table; a row is a command of the shell with the exit status and what it
// prints. What variants do wrong in their own code is in trouble_test.cc.

#include "gtest/gtest.h"
#include "tests/integration/failures/failure_rows.h"

namespace duetbench::integration {
namespace {

const Row kRows[] = {
    // --- Demanded, and not measured ---
    {"a repetition fails",
     "$failures --benchmark_filter=LaterFailure --benchmark_repetitions=4 $outs", 2,
     "ERROR OCCURRED: 'new reported an error: the later one"},
    {"terminated among repetitions",
     "$suite $once --benchmark_repetitions=20 --benchmark_min_time=1 $outs & started; kill $!; "
     "wait $!",
     143, "BM_Once_vs_BM_FiveTimes"},
    {"an empty time", "$suite --benchmark_min_time= --duet_max_ratio=0.001", 2,
     "duetbench: --benchmark_min_time: '' should be a positive number of seconds"},
    {"an empty time in the environment", "BENCHMARK_MIN_TIME= $suite --duet_max_ratio=0.001", 2,
     "duetbench: --benchmark_min_time: '' should be a positive number of seconds"},
    {"an empty gate", "$suite --duet_max_ratio=", 2, "duetbench: --duet_max_ratio: '' should be "},
    {"an empty gate in the environment", "DUET_MAX_RATIO= $suite", 2,
     "duetbench: DUET_MAX_RATIO: '' should be "},
    {"no repetitions", "$suite --benchmark_repetitions=0 --duet_max_ratio=0.001", 2,
     "--benchmark_repetitions: '0' should be a whole number of at least 1"},
    {"empty repetitions", "$suite --benchmark_repetitions= --duet_max_ratio=0.001", 2,
     "--benchmark_repetitions: '' should be a whole number of at least 1"},
    {"negative repetitions", "$suite --benchmark_repetitions=-1", 2,
     "--benchmark_repetitions: '-1' should be a whole number of at least 1"},
    {"an empty format", "$suite --benchmark_format= --duet_max_ratio=0.001", 2,
     "--benchmark_format: '' should be console, json or csv"},
    {"an empty format of the file", "$suite --benchmark_out_format= --duet_max_ratio=0.001", 2,
     "--benchmark_out_format: '' should be console, json or csv"},
    {"an empty color", "$suite --benchmark_color= --duet_max_ratio=0.001", 2,
     "--benchmark_color: '' should be auto, true or false"},
    {"an empty wish for a list", "$suite --benchmark_list_tests= --duet_max_ratio=0.001", 2,
     "--benchmark_list_tests: '' should be true or false"},
    {"the same in the environment", "BENCHMARK_LIST_TESTS= $suite --duet_max_ratio=0.001", 2,
     "--benchmark_list_tests: '' should be true or false"},
    {"an empty name of a file", "$suite --benchmark_out=", 2,
     "--benchmark_out: '' should be the name of a file"},
    {"a gate without a duet", "$suite --duet_max_ratio=0.001 --benchmark_filter=Apples", 2,
     "duetbench: --duet_max_ratio: a gate was demanded, and --benchmark_filter=Apples selects no "
     "duet\n"},
    {"a gate with a dry run", "$suite $once --duet_max_ratio=0.001 --benchmark_dry_run", 2,
     "duetbench: --duet_max_ratio: a gate was demanded, and --benchmark_dry_run measures none; "
     "leave one out\n"},
    {"a gate for all programs, and a dry run of this one",
     "DUET_MAX_RATIO=0.001 $suite $once --benchmark_dry_run", 0},
    {"a gate whose variant is left out",
     "$failures --benchmark_filter=Gate/Skipped --duet_max_ratio=1.05", 77,
     "SKIPPED Gate/Skipped: its gate was not measured: new skipped: no abacus\n"},
    {"a duet under a plain main", "$plain_main", 2,
     "BM_Once_vs_BM_FiveTimes was not measured: benchmark::RunSpecifiedBenchmarks measures no"},
    {"nothing matches", "$suite --benchmark_filter=Nonesuch", 2,
     "duetbench: no benchmark matches --benchmark_filter=Nonesuch\n"},
    {"a broken filter", "$suite '--benchmark_filter=('", 2, "--benchmark_filter"},

    // --- Sanitizers ---
    {"a leak in a smoke test", "$failures --benchmark_filter=Leak --benchmark_dry_run", 2,
     "LeakSanitizer: detected memory leaks", Needs::kAddressSanitizer},
    {"an overflow in a smoke test", "$failures --benchmark_filter=Overflow --benchmark_dry_run", 2,
     "heap-buffer-overflow", Needs::kAddressSanitizer},
    {"a race in a smoke test",
     "$failures --benchmark_filter=Race --benchmark_dry_run --duet_isolation=thread", 2,
     "data race", Needs::kThreadSanitizer},

    // --- Outputs ---
    {"a full disk for the report", "$suite $once --benchmark_out=/dev/full", 2,
     "duetbench: --benchmark_out: cannot write to '/dev/full': No space left on device\n"},
    {"a full disk for stdout", "$suite $once >/dev/full", 2,
     "duetbench: the output could not be written to stdout\n"},
    {"a full disk for a list", "$suite --benchmark_list_tests >/dev/full", 2,
     "duetbench: the output could not be written to stdout\n"},
    {"a full disk for the pairs", "$suite $once --duet_out=/dev/full", 2,
     "BM_Once_vs_BM_FiveTimes/new"},
    {"and its message", "$suite $once --duet_out=/dev/full 2>&1 | grep -c 'cannot write'", 0,
     "1\n"},
    {"a limit on the size of files",
     "(ulimit -f 1; $suite $once --duet_out=p.csv 2>&1; echo status $?) | tr '\\n' ' ' | grep -o "
     "'duet_out: cannot write to .*File too large.*status 2'",
     0, "File too large", Needs::kPlain},
    {"a full disk for the summary", "$suite $once --duet_summary=/dev/full", 2,
     "duetbench: --duet_summary: cannot write to '/dev/full': No space left on device\n"},
    {"a full disk for JUnit", "$suite $once --duet_junit=/dev/full", 2,
     "duetbench: --duet_junit: cannot write to '/dev/full': No space left on device\n"},
    {"a disk that fills in the middle of a suite",
     "mkdir disk; with_mounts sh -c 'mount -t tmpfs -o size=8k none disk || exit 99; "
     "$suite $steps --duet_out=disk/p.csv; s=$?; ls -A disk; exit $s'",
     2, "BM_OldSteps_vs_BM_NewSteps/200/new"},
    {"stdout and stderr are closed", "$suite $once $outs >&- 2>&-; s=$?; ls; exit $s", 0,
     "j.xml\nlog\np.csv\nr.json\ns.md\n"},
    {"all three are closed", "$suite $once $outs <&- >&- 2>&-", 0},
    {"an earlier file, and nothing matches",
     "echo earlier >old; $suite --duet_out=old --benchmark_out=old --benchmark_filter=Nonesuch; "
     "s=$?; cat old; exit $s",
     2, "both would write to 'old'"},
    {"an earlier file of pairs, and nothing matches",
     "echo earlier >old; $suite --duet_out=old --benchmark_filter=Nonesuch; s=$?; cat old; exit $s",
     2, "earlier\n"},
    {"earlier files, and wrong usage",
     "echo earlier >old; $suite --duet_junit=old --duet_runs=x; s=$?; cat old; exit $s", 2,
     "earlier\n"},
    {"a folder that does not exist", "$suite $once --benchmark_out=nodir/x", 2,
     "duetbench: --benchmark_out: cannot write to 'nodir/x': No such file or directory\n"},
    {"a folder in place of a file", "$suite $once --duet_out=/", 2,
     "duetbench: --duet_out: cannot write to '/': Is a directory\n"},
    {"one file for two outputs", "$suite $once --duet_out=x --duet_junit=./x", 2,
     "duetbench: --duet_out and --duet_junit: both would write to './x'\n"},
    {"a summary without duets", "$suite --benchmark_filter=Apples/20 --duet_summary=s.md; cat s.md",
     0, "No duet was measured.\n"},
    {"a reader that goes away", "{ $suite $steps; echo \"status $?\" >&2; } | true", 0,
     "status 141"},
    {"a folder that was deleted",
     "unset INTEGRATION_LOG; mkdir gone; cd gone; rmdir ../gone; $suite $once", 0,
     "BM_Once_vs_BM_FiveTimes/new"},
    {"files become no larger", "ulimit -f 1; $suite $once --duet_out=p.csv; exit $?", 2,
     "cannot write to 'p.csv': File too large"},

    // --- Signals ---
    {"hung up",
     "$suite $once $long $outs & started; many_started; kill -HUP $!; wait $!; s=$?; "
     "test -s j.xml && test -s s.md && test -s r.json && test -s p.csv || exit 98; exit $s",
     129, "interrupted, 100 runs were planned"},
    {"terminated", "$suite $once $long & started; many_started; kill -TERM $!; wait $!", 143,
     "interrupted, 100 runs were planned"},
    {"SIGINT is ignored by who starts it",
     "$suite $once --benchmark_min_time=0.5 & started; kill -INT $!; wait $!", 0,
     "BM_Once_vs_BM_FiveTimes/new"},
    {"SIGHUP is ignored by nohup",
     "nohup $suite $once --benchmark_min_time=0.5 >out & started; kill -HUP $!; wait $!", 0},
    {"an endless time", "$suite --benchmark_min_time=1e300", 2,
     "--benchmark_min_time: '1e300' should be a positive number of seconds"},
    {"terminated in its own process",
     "$suite $once --duet_runs=1 --benchmark_min_time=1000 & started; kill $!; wait $!", 143,
     "was interrupted before there was a result"},
    {"terminated among ordinary benchmarks",
     "$suite --benchmark_min_time=0.7 --benchmark_out=r.json & sleep 0.3; kill $!; wait $!; s=$?; "
     "grep -c real_time r.json; exit $s",
     143, "the program ends when this benchmark is over, with what was measured"},
    {"a variant starts a daemon",
     "$failures --benchmark_filter=StartDaemon $outs; s=$?; kill -KILL $(cat daemon) || exit 97; "
     "exit $s",
     0, "processes that variants have started still run: 1, such as ", Needs::kPlain},
    {"hung up while a variant has a helper",
     "$failures --benchmark_filter=StartHelper $long & until test -e helper; do sleep 0.01; done; "
     "kill -HUP $!; wait $!; s=$?; left $(cat helper); exit $s",
     129},
    {"quit while a variant has a helper",
     "env --default-signal=QUIT true || exit 99; env --default-signal=QUIT $failures "
     "--benchmark_filter=StartHelper $long & until test -e helper; do sleep 0.01; done; "
     "kill -QUIT $!; wait $!; s=$?; sleep 0.3; left $(cat helper); exit $s",
     131},
    {"killed while a variant has a helper",
     "$failures --benchmark_filter=StartHelper $long & until test -e helper; do sleep 0.01; done; "
     "kill -KILL $!; wait $!; s=$?; sleep 0.3; left $(cat helper); exit $s",
     137},
    {"the program and the run killed while a variant has a helper",
     "$failures --benchmark_filter=StartHelper $long & until test -e helper; do sleep 0.01; done; "
     "kill -KILL $! $(ps -o pid= --ppid $!); wait $!; s=$?; sleep 0.3; left $(cat helper); exit $s",
     137},

    // --- Descriptors, processes and limits ---
    {"a variant takes all descriptors",
     "$failures --benchmark_filter=CloseAndOpen; s=$?; sort -u mine; exit $s", 2,
     "the process of the run lost its result: something in this program has closed the descriptor "
     "for it"},
    {"and has its file for itself",
     "$failures --benchmark_filter=CloseAndOpen >/dev/null 2>&1; sort -u mine", 0, "mine\n"},
    {"a variant closes all descriptors", "$failures --benchmark_filter=CloseAll", 2,
     "the process of the run lost its result: something in this program has closed the descriptor "
     "for it"},
    {"main closes all descriptors", "FAILURES_MAIN=close $failures --benchmark_filter=Fine", 2,
     "the process of the run lost its result: something in this program has closed the descriptor "
     "for it"},
    {"a variant uses up all descriptors", "$failures --benchmark_filter=UseUpDescriptors", 0,
     "UseUpDescriptors/new", Needs::kPlain},
    {"descriptors are used up", "exec 3>&-; ulimit -n 4; $suite $once", 2, "Too many open files",
     Needs::kPlain},
    {"garbage in the pipe", "$failures --benchmark_filter=WriteGarbage", 2,
     // Descriptors of others, which sanitizers watch.
     "the process of the run exited with status 0: what the run reported is not a result",
     Needs::kPlain},
    {"a benchmark runs all benchmarks", "$failures --benchmark_filter=CallAgain", 2,
     "new called RunSpecifiedBenchmarks inside of a benchmark"},
    {"the same in its own process", "$failures --benchmark_filter=CallAgain --duet_runs=1", 2,
     "duetbench: RunSpecifiedBenchmarks was called by a benchmark that it runs\n"},
    {"a variant prints without end", "$failures --benchmark_filter=PrintMuch", 0, "PrintMuch/new"},
    {"a variant stops itself", "$failures --benchmark_filter=StopItself --duet_timeout=0.5", 2,
     "new was stopped (by a signal or a debugger)", Needs::kPlain},
    {"a variant that is a thread of the run stops it",
     "$failures --benchmark_filter=StopItself --duet_timeout=0.5 --duet_isolation=thread", 2,
     "did not finish within 5.5 s"},
    {"a variant sleeps in the program's own process",
     "$trouble --benchmark_filter='First|new/Hang/Iteration|Last' --duet_runs=1 --duet_timeout=1 "
     "$outs; s=$?; cat r.json; exit $s",
     2, "new was still executing iterations after 1 s (--duet_timeout)"},
    {"and nothing is measured beside it",
     "$trouble --benchmark_filter='First|new/Hang/SetUp|Last' --duet_runs=1 --duet_timeout=1 "
     "--duet_order=sequential",
     2, "not measured: a variant of an earlier duet still runs in this process (--duet_runs=1)"},
    {"Setup sleeps in the program's own process",
     "$failures --benchmark_filter=SleepInSetup --duet_runs=1 --benchmark_min_time=0.05 "
     "--duet_timeout=0.5",
     2,
     "duetbench: SleepInSetup: Setup, Teardown or the comparison of results did not end within "
     "0.5 s (--duet_timeout)"},
    {"a variant becomes another program", "$failures --benchmark_filter=Exec", 2,
     "the process of the run exited with status 0 before it reported"},
    {"a variant leaves a thread", "$failures --benchmark_filter=DetachThread", 0,
     "DetachThread/new"},
    {"a variant changes its surroundings", "$failures --benchmark_filter=ChangeSurroundings $outs",
     0, "ChangeSurroundings/new"},
    {"a variant sleeps", "$failures --benchmark_filter=Sleep --duet_timeout=0.5", 2,
     "new was still in its set-up after 0.5 s (--duet_timeout)"},
    {"pauses that are much longer than what is timed",
     "$failures --benchmark_filter=PauseLong --duet_runs=2 --benchmark_min_time=0.1 "
     "--duet_timeout=15",
     0, "PauseLong/new"},
    // Two rounds of both, one after the other, would take 4.4 s.
    {"an operation that is long beside the time-out",
     "$failures --benchmark_filter=TakeLong --duet_runs=2 --benchmark_min_time=0.1 "
     "--duet_schedule=interleaved --duet_timeout=3.5",
     0, "TakeLong/new"},
    {"a variant has a state that grows",
     "$failures --benchmark_filter=Grow --duet_runs=6 --benchmark_min_time=0.1", 0,
     "times as long late in a run as early in it, so the ratio"},
    {"main clears the environment", "FAILURES_MAIN=clearenv $failures --benchmark_filter=Fine", 0,
     "Fine/new"},
    {"main goes elsewhere", "FAILURES_MAIN=chdir $failures --benchmark_filter=Fine", 0, "Fine/new"},
    {"an empty /proc",
     "with_mounts sh -c 'mount -t tmpfs none /proc || exit 99; $suite $once --duet_max_ratio=1.5 "
     "--duet_runs=3 --benchmark_min_time=0.1'",
     1, "(3 runs", Needs::kPlain},
    {"no /dev/null",
     "mkdir dev; with_mounts sh -c 'mount --bind dev /dev || exit 99; $suite $once'", 2,
     "cannot open /dev/null for a child process: No such file or directory"},
    {"no /sys", "with_mounts sh -c 'mount -t tmpfs none /sys || exit 99; $suite $once'", 0,
     "BM_Once_vs_BM_FiveTimes/new"},
    {"no processes may be started",
     "chmod 777 .; as_user 65533 prlimit --nproc=1 env $no_leaks ./copy $once", 2,
     "Resource temporarily unavailable", Needs::kRoot},
    {"nobody", "chmod 777 .; as_user 65534 ./copy $once $outs", 0, "BM_Once_vs_BM_FiveTimes/new",
     Needs::kRoot},
    {"a folder that is read-only", "chmod 755 .; as_user 65534 ./copy $once --duet_out=p.csv", 2,
     "duetbench: --duet_out: cannot write to 'p.csv': Permission denied\n", Needs::kRoot},
    {"a small stack", "ulimit -s 128; $suite $once", 0, "BM_Once_vs_BM_FiveTimes/new",
     Needs::kPlain},
    {"stdin is closed", "$suite $once <&-", 0, "BM_Once_vs_BM_FiveTimes/new"},
    {"one CPU", "taskset -c 0 $suite $once", 0, "not a duet"},
    {"CPUs that do not exist", "$suite $once --duet_cpus=0,99999", 2, "duetbench: --duet_cpus: "},
    {"CPUs that are not allowed", "taskset -c 0 $suite $once --duet_cpus=0,1", 2,
     "duetbench: --duet_cpus: "},

    // --- The program itself ---
    {"the program is deleted while it runs",
     "cp $suite p; ./p $once --benchmark_min_time=0.5 & started; rm p; wait $!", 0,
     "BM_Once_vs_BM_FiveTimes/new"},
    {"the program is replaced while it runs",
     "cp $suite p; ./p $once --benchmark_min_time=0.5 & started; cp $gates q; mv q p; wait $!", 0,
     "BM_Once_vs_BM_FiveTimes/new"},
    {"an odd name", "cp $suite \"a b'\\\"\\$;*\"; \"./a b'\\\"\\$;*\" $once --duet_junit=j.xml", 0,
     "BM_Once_vs_BM_FiveTimes/new"},
    {"ten thousand variables",
     "i=0; while test $i -lt 10000; do i=$((i+1)); echo \"export V$i=$i\"; done >v; . ./v; "
     "$suite $once",
     0, "BM_Once_vs_BM_FiveTimes/new"},
    {"a huge argument", "$suite $once --benchmark_context=zeros=$(printf '%0100000d' 0)", 0,
     "BM_Once_vs_BM_FiveTimes/new"},
    {"a thousand duets in a list",
     "FAILURES_MAIN=many $failures --benchmark_filter=many/ --duet_list | grep -c '^duet '", 0,
     "1000\n"},
    {"every printable character in a name",
     "$failures '--benchmark_filter=^ !' $outs --duet_max_ratio=1000000000", 0,
     "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz"
     "{|}~"},
    {"a variant without work", "$failures --benchmark_filter=Nothing", 2,
     "new takes no measurable time", Needs::kOptimization},
    {"manual time that is never set", "$failures --benchmark_filter=NoManualTime", 2,
     " did not call SetIterationTime: with UseManualTime, call it in every iteration"},
    {"no range", "FAILURES_MAIN=Ranges $failures", 134,
     "duetbench: none: Ranges(ranges) needs a range\n"},
    {"no lists", "FAILURES_MAIN=ArgsProduct $failures", 134,
     "duetbench: none: ArgsProduct(lists) needs lists, none of them empty\n"},
    {"an empty list", "FAILURES_MAIN=EmptyList $failures", 134,
     "duetbench: none: ArgsProduct(lists) needs lists, none of them empty\n"},
    {"a step of 0", "FAILURES_MAIN=DenseRange $failures", 134,
     "DenseRange(start, limit, step) needs start <= limit and step >= 1"},
    {"a long error", "$failures --benchmark_filter=LongError 2>/dev/null", 2, "eee… (100"},
    {"a long label", "$failures --benchmark_filter=LongLabel", 0, "lll… (1000000 bytes)"},

    // --- duet_stat ---
    {"the same pairs twice", "$suite $once --duet_out=p.csv >/dev/null; $duet_stat p.csv ./p.csv",
     2, "duet_stat: 'p.csv' and './p.csv' are the same file; its runs count once\n"},
    {"pairs that are not there", "$duet_stat nothing.csv", 2, "duet_stat: "},
    {"a full disk", "$suite $once --duet_out=p.csv >/dev/null; $duet_stat p.csv >/dev/full", 2,
     "duet_stat: "},
    {"a level that is almost 1",
     "$suite $once --duet_out=p.csv >/dev/null; "
     "$duet_stat --ci=bca --level=0.9999999999999999 --resamples=2 p.csv",
     0, "duet_stat: 100 % intervals of new/old"},
};

class FailuresTest : public ::testing::TestWithParam<Row> {};

TEST_P(FailuresTest, IsAsTheTableSays) { ExpectRow(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Rows, FailuresTest, ::testing::ValuesIn(kRows), RowName);

}  // namespace
}  // namespace duetbench::integration
