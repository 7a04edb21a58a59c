// Refusals of the system: calls, processes and threads; and programs that were built without parts
// that others have. A table as in failures_test.cc.

#include "gtest/gtest.h"
#include "tests/integration/rows.h"

namespace duetbench::integration {
namespace {

const Row kRefusals[] = {
    // --- Calls that a container refuses ---
    {"an old kernel", "$refusing clone3=ENOSYS pidfd_open=ENOSYS -- $suite $once $outs", 0,
     "BM_Once_vs_BM_FiveTimes/new", Needs::kPlain},
    {"no process and no thread", "$refusing clone3=EPERM -- $suite $once $outs", 2,
     "Operation not permitted", Needs::kPlain},
    {"no process", "$refusing clone3=ENOSYS processes=EAGAIN -- $suite $once $outs", 2,
     "Resource temporarily unavailable", Needs::kPlain},
    {"no thread, where none is needed",
     "$refusing clone3=ENOSYS threads=EAGAIN -- $suite $once $outs", 0,
     "BM_Once_vs_BM_FiveTimes/new", Needs::kPlain},
    {"no thread",
     "$refusing clone3=ENOSYS threads=EAGAIN -- $suite $once --duet_isolation=thread $outs", 2,
     "no thread can be started: Resource temporarily unavailable", Needs::kPlain},
    {"no thread in a namespace",
     "unshare -Urpf --mount-proc true || exit 99; unshare -Urpf --mount-proc "
     "$refusing clone3=ENOSYS threads=EAGAIN -- $suite $once --duet_isolation=thread",
     2, "no thread can be started: Resource temporarily unavailable", Needs::kPlain},
    {"threads are not pinned", "$refusing sched_setaffinity=EPERM -- $suite $once $outs", 0,
     "BM_Once_vs_BM_FiveTimes/new", Needs::kPlain},
    {"the CPUs are not told", "$refusing sched_getaffinity=ENOSYS -- $suite $once $outs", 2,
     "duetbench: the allowed CPUs cannot be read (sched_getaffinity: Function not implemented)\n",
     Needs::kPlain},
    {"no counters", "$refusing perf_event_open=ENOSYS -- $suite $once $outs", 0,
     "BM_Once_vs_BM_FiveTimes/new", Needs::kPlain},
    {"no counters, which are wanted",
     "$refusing perf_event_open=EPERM -- $suite $once --benchmark_perf_counters=INSTRUCTIONS", 0,
     "not counted: INSTRUCTIONS: forbidden to this process", Needs::kPlain},
    {"no memory of two processes",
     "$refusing memfd_create=EPERM -- $suite $once --duet_isolation=process", 2, "memory",
     Needs::kPlain},
    {"two programs where no memory is executable",
     "unshare -pf --mount-proc true || exit 99; unshare -pf --mount-proc sh -c "
     "'echo 2 >/proc/sys/vm/memfd_noexec || exit 99; "
     "$duet $build_old $build_new --benchmark_filter=^plain$'",
     0, "plain/new", Needs::kPlainRoot},
    {"no files without names", "$refusing unnamed_files=ENOTSUP -- $suite $once $outs", 0,
     "BM_Once_vs_BM_FiveTimes/new", Needs::kPlain},
    {"no lock of the CPUs", "$refusing flock=EPERM -- env DUET_LOCK=on $suite $once", 0,
     "BM_Once_vs_BM_FiveTimes/new", Needs::kPlain},
    {"no flags of processes", "$refusing prctl=EPERM personality=EPERM -- $suite $once $outs", 0,
     "BM_Once_vs_BM_FiveTimes/new", Needs::kPlain},

    // --- Limits on processes ---
    {"two processes or threads of a user",
     "chmod 777 .; as_user 65531 prlimit --nproc=2 ./copy $once", 2,
     "Resource temporarily unavailable", Needs::kPlainRoot},
    {"a cgroup of two processes or threads",
     "for d in /sys/fs/cgroup/pids /sys/fs/cgroup; do g=$d/duetbench_$$; "
     "mkdir $g 2>/dev/null && break; done; test -d $g || exit 99; "
     "test -e $g/pids.max && echo 2 >$g/pids.max || { rmdir $g; exit 99; }; "
     "sh -c 'echo $$ >'$g'/cgroup.procs && exec $suite $once'; s=$?; "
     "for i in 1 2 3 4 5 6 7 8; do rmdir $g && break; sleep 0.2; done; exit $s",
     2, "Resource temporarily unavailable", Needs::kPlainRoot},
    {"memory for the program alone, none for a thread",
     "ulimit -s 65536 || exit 99; ulimit -v 60000; $suite $once --duet_isolation=thread $outs", 2,
     "no thread can be started: Resource temporarily unavailable", Needs::kPlain},

    // --- Builds ---
    {"no exceptions and no type information",
     "test -n \"$bare\" || exit 99; $bare --benchmark_filter=_vs_ $outs", 0,
     "Template<30>_vs_Template<31>/new"},
    {"and a fixture that fails",
     "test -n \"$bare\" || exit 99; $bare --benchmark_filter=fails/fixture", 2,
     "SetUp reported an error"},
    {"the C++ library is linked statically",
     "test -n \"$without_libraries\" || exit 99; $without_libraries $once $outs", 0,
     "BM_Once_vs_BM_FiveTimes/new"},
};

TEST_ROWS(RefusalsTest, kRefusals);

}  // namespace
}  // namespace duetbench::integration
