// Whatever happens around a measurement: nothing that was measured is lost, and nothing passes that
// was not measured. One table; a row is a command of the shell with the exit status and what it
// prints. What variants do wrong in their own code is in trouble_test.cc.

#include "gtest/gtest.h"
#include "tests/integration/rows.h"

namespace duetbench::integration {
namespace {

const Row kRows[] = {
    // --- Demanded, and not measured ---
    {"a later run fails", "$failures --benchmark_filter=LaterFailure --duet_runs=4 $outs", 2,
     "ERROR OCCURRED: 'new reported an error: the later one"},
    {"terminated among runs",
     "$suite $once --benchmark_repetitions=20 --benchmark_min_time=1 $outs & started; kill $!; "
     "wait $!",
     143, "BM_Once_vs_BM_FiveTimes"},
    {"an empty time", "$suite --benchmark_min_time= --duet_max_ratio=0.001", 2,
     "duetbench: --benchmark_min_time: '' should be a positive number of seconds"},
    {"an empty gate", "$suite --duet_max_ratio=", 2, "duetbench: --duet_max_ratio: '' should be "},
    {"no repetitions", "$suite --benchmark_repetitions=0 --duet_max_ratio=0.001", 2,
     "--benchmark_repetitions: '0' should be a whole number from 1 to 1000000"},
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

    // --- Crashes beside those of trouble_test.cc; sanitizers have their own handlers for most ---
    {"a stack overflow", "$failures --benchmark_filter=StackOverflow $outs", 2,
     "new crashed: signal SIGSEGV (segmentation fault) (in run 1)", Needs::kPlain},
    {"what a failed run printed is shown", "$trouble --benchmark_filter=new/NoArgument", 2,
     "duetbench: the last output of the failed run:\n[...]range(0): this benchmark was registered "
     "with 0 arguments"},
    {"work that is removed on both sides", "$trouble --benchmark_filter=NothingOnBothSides", 2,
     "takes no measurable time[...]DoNotOptimize", Needs::kOptimization},
    {"a failed ordinary benchmark", "$trouble --benchmark_filter=Ordinary", 2,
     "ERROR OCCURRED: 'ordinary trouble'"},
    {"an ordinary benchmark beside failed ones", "$trouble --benchmark_filter=Ordinary$", 0},

    // --- Outputs ---
    {"a full disk for the report", "$suite $once --benchmark_out=/dev/full", 2,
     "duetbench: --benchmark_out: cannot write to '/dev/full': No space left on device\n"},
    {"a full disk for stdout", "$suite $once >/dev/full", 2,
     "duetbench: the output could not be written to stdout\n"},
    {"a full disk for the pairs", "$suite $once --duet_out=/dev/full", 2,
     "BM_Once_vs_BM_FiveTimes/new"},
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
    {"a folder that does not exist", "$suite $once --benchmark_out=nodir/x", 2,
     "duetbench: --benchmark_out: cannot write to 'nodir/x': No such file or directory\n"},
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
    {"an endless time", "$suite --benchmark_min_time=1e300", 2,
     "--benchmark_min_time: '1e300' should be a positive number of seconds"},
    {"terminated in its only run",
     "$suite $once --duet_runs=1 --benchmark_min_time=1000 & started; kill $!; wait $!", 143,
     "was interrupted before there was a result"},
    {"terminated among ordinary benchmarks",
     "$suite --benchmark_min_time=0.7 --benchmark_out=r.json & sleep 0.3; kill $!; wait $!; s=$?; "
     "grep -c real_time r.json; exit $s",
     143, "the program ends when this benchmark is over, with what was measured"},
    {"a variant starts a daemon",
     "$failures --benchmark_filter=StartDaemon $outs; s=$?; kill -KILL $(cat daemon) || exit 97; "
     "exit $s",
     0, "StartDaemon/new", Needs::kPlain},
    {"hung up while a variant has a helper",
     "$failures --benchmark_filter=StartHelper $long & until test -e helper; do sleep 0.01; done; "
     "kill -HUP $!; wait $!; s=$?; left $(cat helper); exit $s",
     129},
    {"a variant takes all descriptors",
     "$failures --benchmark_filter=CloseAndOpen; s=$?; sort -u mine; exit $s", 2,
     "the process of the run lost its result: something in this program has closed the descriptor "
     "for it"},
    {"and has its file for itself",
     "$failures --benchmark_filter=CloseAndOpen >/dev/null 2>&1; sort -u mine", 0, "mine\n"},
    {"a variant closes all descriptors", "$failures --benchmark_filter=CloseAll", 2,
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
     "RunSpecifiedBenchmarks was called by a benchmark that it runs"},
    {"a variant stops itself", "$failures --benchmark_filter=StopItself --duet_timeout=0.5", 2,
     "new was stopped (by a signal or a debugger)", Needs::kPlain},
    {"a variant that is a thread of the run stops it",
     "$failures --benchmark_filter=StopItself --duet_timeout=0.5 --duet_isolation=thread", 2,
     "did not finish within 5.5 s"},
    // More than processes of runs execute before their benchmarks.
    {"a program counts what its variants execute",
     "command -v gcov-dump || exit 99; GCOV_PREFIX=$PWD GCOV_PREFIX_STRIP=99 $covered "
     "--duet_runs=2 "
     "--benchmark_min_time=0.1 || exit; gcov-dump -l *.gcda | grep -E ' 0: [0-9]{5,}'",
     0, ".gcda:", Needs::kPlain},
    {"a variant changes its surroundings", "$failures --benchmark_filter=ChangeSurroundings $outs",
     0, "ChangeSurroundings/new"},
    {"a variant sleeps", "$failures --benchmark_filter=Sleep --duet_timeout=0.5", 2,
     "new was still in its set-up after 0.5 s (--duet_timeout)"},
    {"pauses that are much longer than what is timed",
     "$failures --benchmark_filter=PauseLong --duet_runs=2 --benchmark_min_time=0.1 "
     "--duet_timeout=15",
     0, "PauseLong/new"},
    // Two samples of both, one after the other, would take 4.4 s.
    {"an operation that is long beside the time-out",
     "$failures --benchmark_filter=TakeLong --duet_runs=2 --benchmark_min_time=0.1 "
     "--duet_schedule=interleaved --duet_timeout=3.5",
     0, "TakeLong/new"},
    {"a variant has a state that grows",
     "$failures --benchmark_filter=Grow --duet_runs=6 --benchmark_min_time=0.1", 0,
     "times as long late in a run as early in it, so the ratio"},
    {"main clears the environment", "FAILURES_MAIN=clearenv $failures --benchmark_filter=Fine", 0,
     "Fine/new"},
    {"a program that can exist only once", "FAILURES_MAIN=lock $failures --benchmark_filter=Fine",
     2, "--duet_isolation=once makes forks"},
    {"and its forks",
     "FAILURES_MAIN=lock $failures --benchmark_filter=Fine --duet_isolation=once --duet_runs=3", 0,
     "Fine/new"},
    {"an expensive start",
     "FAILURES_MAIN=slow $failures --benchmark_filter='Fine|Grow' --benchmark_min_time=0.1; s=$?; "
     "wc -c <starts; exit $s",
     0, "s: further runs are forks of one start, with one code layout"},
    {"and a wish for it",
     "FAILURES_MAIN=slow $failures --benchmark_filter=Fine --benchmark_min_time=0.1 "
     "--duet_runs=3 --duet_isolation=fork; s=$?; test $(wc -c <starts) -gt 3 || exit 98; exit $s",
     0, "Fine/new", Needs::kPlain},
    {"variants read a file that main has opened",
     "FAILURES_MAIN=blocks $failures --benchmark_filter=Blocks --duet_runs=3", 0, "Blocks/new"},
    {"main goes elsewhere", "FAILURES_MAIN=chdir $failures --benchmark_filter=Fine", 0, "Fine/new"},
    {"an empty /proc",
     "with_mounts sh -c 'mount -t tmpfs none /proc || exit 99; $suite $once --duet_max_ratio=1.5 "
     "--duet_runs=3 --benchmark_min_time=0.1'",
     1, "(3 runs", Needs::kPlain},
    {"no /dev/null",
     "mkdir dev; with_mounts sh -c 'mount --bind dev /dev || exit 99; $suite $once'", 0,
     "BM_Once_vs_BM_FiveTimes/new"},
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
    {"stdin is a file", "echo 1 2 >n; FAILURES_MAIN=input $failures --benchmark_filter=Input <n", 0,
     "3.000 x"},
    {"stdin of two programs is a file",
     "echo 1 2 >n; FAILURES_MAIN=input $duet $failures $failures --benchmark_filter=Input <n", 0,
     "Input/manual_time"},
    {"stdin is a pipe", "echo 1 2 | FAILURES_MAIN=input $failures --benchmark_filter=Input", 2,
     "reads stdin, a pipe, which can be read only once"},
    {"stdin of two commands is a pipe", "echo 1 2 | $duet run --old=cat --new=cat", 2,
     "reads stdin, a pipe, which can be read only once"},
    {"a command leaves work behind", "$duet run --old='sleep 0.3' --new='sleep 0.3 &'", 2,
     "new ended before processes that it had started"},
    {"stdin is a pipe to which nobody writes",
     "mkfifo f; exec 3<>f; $suite $once <f; s=$?; rm f; exit $s", 0, "BM_Once_vs_BM_FiveTimes/new"},
    {"a variable names a pipe",
     "mkfifo f; echo 1 2 >f & FAILURES_MAIN=input INPUT=f $failures --benchmark_filter=Input; "
     "s=$?; rm f; exit $s",
     2, "'INPUT=f' names a pipe, which can be read only once"},
    {"an argument names a pipe",
     "mkfifo f; $duet run --old='cat f' --new='cat f'; s=$?; rm f; exit $s", 2,
     "'f' names a pipe, which can be read only once"},
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
    {"manual time that is never set", "$failures --benchmark_filter=NoManualTime", 2,
     " did not call SetIterationTime: with UseManualTime, call it in every iteration"},
    {"a long error", "$failures --benchmark_filter=LongError 2>/dev/null", 2, "eee… (100"},

    // --- duet_stat ---
    {"a full disk", "$suite $once --duet_out=p.csv >/dev/null; $duet_stat p.csv >/dev/full", 2,
     "duet_stat: "},
};

TEST_ROWS(FailuresTest, kRows);

}  // namespace
}  // namespace duetbench::integration
