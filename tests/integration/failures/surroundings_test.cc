// The surroundings of a program: limits of the system, signals to its group, the way it was linked,
// and programs that change. A table as in failures_test.cc.

#include "gtest/gtest.h"
#include "tests/integration/rows.h"

namespace duetbench::integration {
namespace {

const Row kSurroundings[] = {
    // --- Limits ---
    {"a limit of CPU time",
     "ulimit -S -t 1; $suite $once --benchmark_min_time=20 --duet_runs=4 $outs", 2,
     "the process of the run was killed by signal 24 (CPU time limit exceeded) (in run 1)",
     Needs::kPlain},
    {"core files are wanted",
     "ulimit -c unlimited || exit 99; $trouble --benchmark_filter=new/Segfault/Iteration $outs", 2,
     "new crashed: signal SIGSEGV (segmentation fault)", Needs::kPlain},
    {"a variant allocates more than the limit of memory",
     "ulimit -v 4000000; $failures --benchmark_filter=AllocateMuch", 2,
     "new threw std::bad_alloc: ", Needs::kPlain},
    {"duet_stat with little memory",
     "$suite $once --duet_out=p.csv >/dev/null; ulimit -v 60000; $duet_stat p.csv", 0,
     "BM_Once_vs_BM_FiveTimes", Needs::kPlain},
    {"a CPU quota",
     "g=/sys/fs/cgroup/duetbench_$$; mkdir $g 2>/dev/null || exit 99; "
     "test -e $g/cpu.max && echo '10000 100000' >$g/cpu.max || { rmdir $g; exit 99; }; "
     "sh -c 'echo $$ >'$g'/cgroup.procs && exec $suite $once'; s=$?; "
     "for i in 1 2 3 4 5 6 7 8; do rmdir $g && break; sleep 0.2; done; exit $s",
     0, "the CPU quota is 0.1 and a duet needs 2", Needs::kPlainRoot},
    {"CPUs are taken away while it runs",
     "$suite $once --benchmark_min_time=1 --duet_runs=6 & started; "
     "taskset -apc 0 $! >/dev/null || exit 99; wait $!",
     0, "BM_Once_vs_BM_FiveTimes/new"},
    {"an offline CPU",
     "n=$(sed 's/[,-].*//' /sys/devices/system/cpu/offline) && test -n \"$n\" || exit 99; "
     "$suite $once --duet_cpus=0,$n",
     2, "does not exist or is offline"},
    {"the rights of another user",
     "chmod 777 .; cp \"$(command -v id)\" as; cp $suite s; chown 65534 as s; chmod 4755 as s; "
     "test \"$(as_user 65533 ./as -u)\" = 65534 || exit 99; "
     "names='DUET_OUT=p.csv DUET_SUMMARY=s.md BENCHMARK_OUT=r.json DUET_RUNS=x'; "
     "as_user 65533 env DUET_OUT=own.csv ./copy $once >/dev/null; "
     "test -e own.csv || exit 98; rm own.csv log; as_user 65533 env $names ./s $once "
     "--duet_lock=off; "
     "s=$?; ls; "
     "exit $s",
     0, "\nas\ncopy\nlog\ns\n", Needs::kPlainRoot},
    {"separate namespaces",
     "unshare -Urpf --mount-proc true || exit 99; unshare -Urpf --mount-proc $suite $once $outs", 0,
     "BM_Once_vs_BM_FiveTimes/new", Needs::kPlain},

    {"under valgrind", "command -v valgrind >/dev/null || exit 99; valgrind -q $suite $once", 2,
     "valgrind cannot start the program again; --duet_isolation=once forks it", Needs::kPlain},
    {"under valgrind, a fork",
     "command -v valgrind >/dev/null || exit 99; "
     "valgrind -q --error-exitcode=9 $suite $once --duet_runs=1 "
     "--benchmark_min_time=1",
     0, "BM_Once_vs_BM_FiveTimes/new", Needs::kPlain},

    // --- Time ---
    {"the clock of the day steps",
     "test -n \"$clock_steps\" || exit 99; LD_PRELOAD=$clock_steps $suite $once $outs", 0,
     "BM_Once_vs_BM_FiveTimes/new", Needs::kPlain},
    {"suspended and resumed",
     "setsid $suite $once --benchmark_min_time=1 --duet_runs=6 --duet_timeout=60 $outs & p=$!; "
     "started; kill -s STOP -- -$p || exit 97; sleep 1; kill -s CONT -- -$p; wait $p",
     0, "BM_Once_vs_BM_FiveTimes/new"},

    // --- How it was linked ---
    {"optimized at link time", "test -n \"$lto\" || exit 99; $lto $once $outs", 0,
     "BM_Once_vs_BM_FiveTimes/new"},
    {"another allocator",
     "lib=$(PATH=$PATH:/sbin ldconfig -p | grep -E 'lib(jemalloc|tcmalloc|mimalloc)' | "
     "sed -n '1s/.*=> //p'); test -n \"$lib\" || exit 99; LD_PRELOAD=$lib $suite $once $outs",
     0, "BM_Once_vs_BM_FiveTimes/new", Needs::kPlain},

    // --- Programs that change ---
    {"one of two programs is deleted while they run",
     "cp $build_old p; $duet ./p $build_new --benchmark_filter=^plain$ --benchmark_min_time=2 "
     "--duet_runs=8 $outs & old_started; rm p; wait $!",
     2, "./p"},
    {"one of two programs is built again while they run",
     "cp $build_old p; cp $build_new q; $duet ./p $build_new --benchmark_filter=^plain$ "
     "--benchmark_min_time=2 --duet_runs=8 $outs & old_started; mv q p; wait $!",
     2, "./p was changed while it was measured: its runs are of two builds"},
    {"a shared library is built again while it is measured",
     "cp $clock_steps l.so; cp $clock_steps m.so; LD_PRELOAD=$PWD/l.so $suite $once "
     "--benchmark_min_time=2 --duet_runs=8 $outs & started; mv m.so l.so; wait $!",
     2, "/l.so was changed while it was measured: its runs are of two builds", Needs::kPlain},
};

TEST_ROWS(SurroundingsTest, kSurroundings);

}  // namespace
}  // namespace duetbench::integration
