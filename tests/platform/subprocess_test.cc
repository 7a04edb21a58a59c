// This program is its own child: started with --child=ROLE it plays the role of a child process
// that behaves well or badly, which is why it has its own main().

#include "duetbench/platform/subprocess.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <thread>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/platform/stuck_roles.h"

namespace duetbench {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;
using ::testing::IsSubsetOf;
using End = ChildOutcome::End;

constexpr char kResultVariable[] = "SUBPROCESS_TEST_RESULT_FD";
constexpr size_t kLargeResult = 100 << 20;
// Long enough that a test which waits for it by mistake is seen to hang.
constexpr seconds kForever(200);

std::string program_name;  // argv[0] of this process

ChildRequest Request(const std::string& role) {
  ChildRequest request;
  request.argv = {program_name, absl::StrCat("--child=", role)};
  request.result_fd_variable = kResultVariable;
  request.timeout = kForever;
  return request;
}

ChildOutcome RunChild(const ChildRequest& request) {
  absl::StatusOr<ChildOutcome> outcome = RunSelf(request);
  if (!outcome.ok()) {
    ADD_FAILURE() << outcome.status();
    return ChildOutcome();
  }
  return *std::move(outcome);
}

// The descriptors of this process; those that a child would inherit, if so asked.
std::set<std::string> OpenDescriptors(bool inherited_only) {
  std::set<std::string> open;
  DIR* const folder = opendir("/proc/self/fd");
  while (const dirent* entry = readdir(folder)) {
    int fd = -1;
    if (!absl::SimpleAtoi(entry->d_name, &fd) || fd == dirfd(folder)) continue;
    if (inherited_only && (fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0) continue;
    open.insert(entry->d_name);
  }
  closedir(folder);
  return open;
}

// A pipe whose write end all descendants inherit: its end of file tells that they are gone,
// whether or not somebody has reaped them.
class Witness {
 public:
  Witness() {
    if (pipe(ends_) != 0) abort();
    fcntl(ends_[0], F_SETFD, FD_CLOEXEC);
  }
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;
  ~Witness() { close(ends_[0]); }

  // Waits until no process but this one holds the write end; false when `kForever` has passed.
  bool AllGone() {
    close(ends_[1]);
    char byte;
    alarm(static_cast<unsigned>(kForever.count()));  // a test that hangs ends here
    const bool end_of_file = read(ends_[0], &byte, 1) == 0;
    alarm(0);
    return end_of_file;
  }

 private:
  int ends_[2];
};

// Starts a process that sleeps for a long time and holds all pipes; `new_session` takes it out of
// the process group.
pid_t StartSleeper(bool new_session) {
  const pid_t pid = fork();
  if (pid != 0) {
    // It is in its session before this process ends: the end kills the group that it leaves.
    while (new_session && getsid(pid) != pid) std::this_thread::yield();
    return pid;
  }
  if (new_session) setsid();
  sleep(static_cast<unsigned>(kForever.count()));
  _exit(0);
}

std::string LargeText() {
  std::string text(kLargeResult, '\0');
  unsigned state = 1;
  for (char& c : text) {
    state = state * 1664525 + 1013904223;
    c = static_cast<char>(state >> 24);
  }
  return text;
}

// Makes a system call fail with ENOSYS for the rest of the life of this process.
void Forbid(unsigned system_call) {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, system_call, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter = {sizeof(program) / sizeof(program[0]), program};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) {
    _exit(77);
  }
}

// ---- the roles of the child; each returns its exit status ----

int Say(int result_fd, const std::string& text) {
  return WriteResult(result_fd, text).ok() ? 0 : 90;
}

int RunGrandchild(int result_fd, const ChildRequest& request) {
  const absl::StatusOr<ChildOutcome> outcome = RunSelf(request);
  if (!outcome.ok()) return Say(result_fd, outcome.status().ToString());
  return Say(result_fd, absl::StrCat(DescribeEnd(*outcome), ": ", outcome->result));
}

std::map<std::string, Role> Roles() {
  std::map<std::string, Role> roles;
  roles["succeed"] = [](int fd) { return Say(fd, "fine"); };
  roles["say_arguments"] = [](int fd) { return Say(fd, program_name); };
  roles["say_environment"] = [](int fd) {
    std::string text;
    for (const char* name : {"KEPT", "REPLACED", "ADDED", kResultVariable}) {
      const char* const value = getenv(name);
      absl::StrAppend(&text, name, "=", value == nullptr ? "(unset)" : value, "\n");
    }
    return Say(fd, text);
  };
  roles["say_descriptors"] = [](int fd) {
    std::string text;
    for (const std::string& open : OpenDescriptors(false)) {
      if (open != absl::StrCat(fd)) absl::StrAppend(&text, open, ",");
    }
    return Say(fd, text);
  };
  roles["print"] = [](int fd) {
    printf("to stdout\n");
    fflush(stdout);
    fprintf(stderr, "to stderr\n");
    return Say(fd, "fine");
  };
  roles["print_much"] = [](int fd) {
    for (int i = 0; i < 100000; ++i) printf("line %d\n", i);
    return Say(fd, "fine");
  };
  roles["read_stdin"] = [](int fd) {
    char byte;
    return Say(fd, read(STDIN_FILENO, &byte, 1) == 0 ? "end of file" : "something");
  };
  roles["exit_3"] = [](int) { return 3; };
  roles["report_and_exit_3"] = [](int fd) { return Say(fd, "half") + 3; };
  roles["segv"] = [](int) {
    signal(SIGSEGV, SIG_DFL);  // sanitizers have their own handler
    return raise(SIGSEGV);
  };
  roles["sleep"] = [](int fd) {
    Say(fd, "begun");
    sleep(static_cast<unsigned>(kForever.count()));
    return 0;
  };
  roles["ignore_signals"] = [](int fd) {
    for (const int signal_number : {SIGTERM, SIGINT, SIGHUP}) signal(signal_number, SIG_IGN);
    return Roles()["sleep"](fd);
  };
  roles["stop"] = [](int) { return raise(SIGSTOP); };
  roles["close_and_sleep"] = [](int fd) {
    for (const int each : {fd, STDOUT_FILENO, STDERR_FILENO}) close(each);
    sleep(static_cast<unsigned>(kForever.count()));
    return 0;
  };
  roles["close_and_exit_7_later"] = [](int fd) {
    Say(fd, "early");
    for (const int each : {fd, STDOUT_FILENO, STDERR_FILENO}) close(each);
    usleep(200'000);
    return 7;
  };
  roles["large"] = [](int fd) { return Say(fd, LargeText()); };
  roles["endless"] = [](int fd) {
    const std::string text(1 << 20, 'x');
    while (WriteResult(fd, text).ok()) {
    }
    return 0;
  };
  roles["trickle"] = [](int fd) {
    while (WriteResult(fd, "drop").ok()) usleep(10'000);
    return 0;
  };
  roles["grandchild_in_group"] = [](int fd) {
    fcntl(fd, F_SETFD, 0);
    StartSleeper(false);
    return Say(fd, "fine");
  };
  roles["grandchild_and_sleep"] = [](int fd) {
    StartSleeper(false);
    return Roles()["sleep"](fd);
  };
  roles["grandchild_elsewhere"] = [](int fd) {
    const pid_t pid = StartSleeper(true);
    return Say(fd, absl::StrCat(pid));
  };
  roles["grandchild_writes_elsewhere"] = [](int fd) {
    const pid_t pid = fork();
    if (pid == 0) {
      setsid();
      return Roles()["endless"](fd);
    }
    // As large as the reader needs to find the number between what the other writes.
    return Say(fd, absl::StrCat("<", pid, ">"));
  };
  roles["without_pidfd"] = [](int fd) {
    Forbid(SYS_pidfd_open);
    return RunGrandchild(fd, Request("succeed"));
  };
  roles["without_pidfd_closed"] = [](int fd) {
    Forbid(SYS_pidfd_open);
    return RunGrandchild(fd, Request("close_and_exit_7_later"));
  };
  roles["without_pidfd_timeout"] = [](int fd) {
    Forbid(SYS_pidfd_open);
    ChildRequest request = Request("close_and_sleep");
    request.timeout = milliseconds(100);
    return RunGrandchild(fd, request);
  };
  roles["without_stdio"] = [](int fd) {
    // The pipes of the grandchild get the numbers 0, 1 and 2 first.
    for (const int each : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) close(each);
    return RunGrandchild(fd, Request("print"));
  };
  roles["sigchld_ignored"] = [](int fd) {
    signal(SIGCHLD, SIG_IGN);
    const int status = RunGrandchild(fd, Request("exit_3"));
    return signal(SIGCHLD, SIG_DFL) == SIG_IGN ? status : 91;
  };
  roles["sleep_bound_to_parent"] = [](int fd) {
    const char* const parent = getenv("EXPECTED_PARENT");
    if (parent == nullptr) return 94;
    DieWithParent(static_cast<pid_t>(atoi(parent)));
    setsid();  // out of reach of the kill() of the process group
    return Roles()["sleep"](fd);
  };
  roles["die_before_child"] = [](int fd) {
    ChildRequest request = Request("sleep_bound_to_parent");
    request.environment = {{"EXPECTED_PARENT", absl::StrCat(getpid())}};
    std::thread([] {
      usleep(200'000);
      raise(SIGKILL);
    }).detach();
    return RunGrandchild(fd, request);
  };
  return roles;
}

// ---- the tests ----

TEST(RunSelf, ReturnsTheResultAndTheStatus) {
  const ChildOutcome outcome = RunChild(Request("succeed"));
  EXPECT_EQ(outcome.end, End::kExited);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.result, "fine");
  EXPECT_GT(outcome.wall_time.count(), 0);
}

TEST(RunSelf, KeepsTheNameOfTheProgramWhateverItIs) {
  ChildRequest request = Request("say_arguments");
  request.argv[0] = "no such file";
  EXPECT_EQ(RunChild(request).result, "no such file");
}

TEST(RunSelf, AddsToTheEnvironment) {
  setenv("KEPT", "as it was", 1);
  setenv("REPLACED", "before", 1);
  ChildRequest request = Request("say_environment");
  request.environment = {{"REPLACED", "after"}, {"ADDED", "a=b"}};
  // The child has taken the variable of its descriptor out of its environment.
  EXPECT_EQ(RunChild(request).result,
            "KEPT=as it was\nREPLACED=after\nADDED=a=b\nSUBPROCESS_TEST_RESULT_FD=(unset)\n");
}

TEST(RunSelf, CapturesOutputAndErrorsTogether) {
  const ChildOutcome outcome = RunChild(Request("print"));
  EXPECT_EQ(outcome.output_tail, "to stdout\nto stderr\n");
  EXPECT_EQ(outcome.result, "fine");
}

TEST(RunSelf, KeepsTheTailOfMuchOutput) {
  const ChildOutcome outcome = RunChild(Request("print_much"));
  EXPECT_EQ(outcome.output_tail.size(), 4096);
  EXPECT_THAT(outcome.output_tail, testing::EndsWith("line 99998\nline 99999\n"));
}

TEST(RunSelf, GivesTheChildNothingToRead) {
  EXPECT_EQ(RunChild(Request("read_stdin")).result, "end of file");
}

TEST(RunSelf, TellsAnExitFromACrash) {
  ChildOutcome outcome = RunChild(Request("exit_3"));
  EXPECT_EQ(outcome.end, End::kExited);
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(DescribeEnd(outcome), "exited with status 3 before it reported");

  outcome = RunChild(Request("report_and_exit_3"));
  EXPECT_EQ(outcome.result, "half");
  EXPECT_EQ(DescribeEnd(outcome), "exited with status 3");

  outcome = RunChild(Request("segv"));
  EXPECT_EQ(outcome.end, End::kSignalled);
  EXPECT_EQ(outcome.signal, SIGSEGV);
  EXPECT_EQ(DescribeEnd(outcome), "was killed by signal 11 (Segmentation fault)");
}

TEST(RunSelf, KillsAChildThatTakesTooLong) {
  for (const char* role : {"sleep", "ignore_signals", "stop", "close_and_sleep", "trickle"}) {
    ChildRequest request = Request(role);
    request.timeout = milliseconds(300);
    const ChildOutcome outcome = RunChild(request);
    EXPECT_EQ(outcome.end, End::kTimedOut) << role;
    EXPECT_EQ(outcome.was_stopped, std::string(role) == "stop") << role;
    EXPECT_EQ(
        DescribeEnd(outcome),
        absl::StrCat(outcome.was_stopped ? "was stopped (by a signal or a debugger) and " : "",
                     "did not finish within 0.3 s"));
    EXPECT_GE(outcome.wall_time, request.timeout) << role;
    EXPECT_LT(outcome.wall_time, kForever / 2) << role;
  }
}

TEST(RunSelf, TakesALargeResult) {
  const ChildOutcome outcome = RunChild(Request("large"));
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(outcome.result == LargeText());
}

TEST(RunSelf, LeavesNoGrandchildBehind) {
  for (const char* role : {"grandchild_in_group", "grandchild_and_sleep"}) {
    Witness witness;
    ChildRequest request = Request(role);
    if (absl::EndsWith(role, "sleep")) request.timeout = milliseconds(500);
    const ChildOutcome outcome = RunChild(request);
    EXPECT_LT(outcome.wall_time, kForever / 2);
    EXPECT_TRUE(witness.AllGone()) << role;
  }
}

TEST(RunSelf, DoesNotWaitForAGrandchildThatHoldsThePipe) {
  const ChildOutcome outcome = RunChild(Request("grandchild_elsewhere"));
  EXPECT_EQ(outcome.end, End::kExited);
  EXPECT_LT(outcome.wall_time, kForever / 2);
  int grandchild = 0;
  ASSERT_TRUE(absl::SimpleAtoi(outcome.result, &grandchild));
  EXPECT_EQ(kill(grandchild, SIGKILL), 0) << "the grandchild was to outlive the child";
}

TEST(RunSelf, DoesNotReadForEverWhatAGrandchildWrites) {
  const ChildOutcome outcome = RunChild(Request("grandchild_writes_elsewhere"));
  EXPECT_EQ(outcome.end, End::kExited);
  EXPECT_LT(outcome.wall_time, kForever / 2);
  // The grandchild died of SIGPIPE when the pipe was closed: nothing is left to clean up.
  EXPECT_THAT(outcome.result, HasSubstr("<"));
}

TEST(RunSelf, EndsTheChildWhenInterrupted) {
  static volatile std::sig_atomic_t interrupted;
  interrupted = 0;
  const auto previous = signal(SIGINT, [](int) { interrupted = 1; });
  Witness witness;
  ChildRequest request = Request("grandchild_and_sleep");
  request.interrupted = &interrupted;
  // To the process, as Ctrl-C does: any thread may get it.
  std::thread interrupter([] {
    sleep(1);  // the child has begun by then
    kill(getpid(), SIGINT);
  });
  const ChildOutcome outcome = RunChild(request);
  interrupter.join();
  signal(SIGINT, previous);
  EXPECT_EQ(outcome.end, End::kInterrupted);
  EXPECT_EQ(outcome.result, "begun");
  EXPECT_EQ(DescribeEnd(outcome), "was interrupted");
  EXPECT_LT(outcome.wall_time, kForever / 2);
  EXPECT_TRUE(witness.AllGone());
}

TEST(RunSelf, StartsNoChildOnceInterrupted) {
  const volatile std::sig_atomic_t interrupted = 1;
  ChildRequest request = Request("succeed");
  request.interrupted = &interrupted;
  const ChildOutcome outcome = RunChild(request);
  EXPECT_EQ(outcome.end, End::kInterrupted);
  EXPECT_EQ(outcome.result, "");
}

TEST(RunSelf, LeaksNoDescriptorToParentOrChild) {
  const std::set<std::string> before = OpenDescriptors(false);
  std::set<std::string> allowed = OpenDescriptors(true);
  allowed.insert({"0", "1", "2"});
  const std::vector<std::string> in_child =
      absl::StrSplit(RunChild(Request("say_descriptors")).result, ',', absl::SkipEmpty());
  EXPECT_THAT(in_child, IsSubsetOf(allowed));
  for (const char* role : {"exit_3", "segv", "sleep"}) {
    ChildRequest request = Request(role);
    request.timeout = milliseconds(300);
    RunChild(request);
  }
  ChildRequest impossible = Request("succeed");
  impossible.executable = "/no/such/file";
  EXPECT_FALSE(RunSelf(impossible).ok());
  EXPECT_EQ(OpenDescriptors(false), before);
}

TEST(RunSelf, TellsThatAProgramCannotBeStarted) {
  ChildRequest request = Request("succeed");
  request.executable = "/no/such/file";
  const absl::StatusOr<ChildOutcome> outcome = RunSelf(request);
  EXPECT_EQ(outcome.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(outcome.status().message(), HasSubstr("cannot start /no/such/file"));
}

TEST(RunSelf, NeedsAProgramName) {
  ChildRequest request = Request("succeed");
  request.argv.clear();
  EXPECT_EQ(RunSelf(request).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(RunSelf, WorksBesideOtherThreads) {
  std::atomic<bool> stop(false);
  std::vector<std::thread> others(2);
  for (std::thread& other : others) {
    other = std::thread([&stop] {
      while (!stop) {
        const std::vector<char> block(100'000);
        usleep(static_cast<unsigned>(block.size() / 1000));
      }
    });
  }
  std::vector<std::thread> callers(4);
  std::atomic<int> fine(0);
  for (std::thread& caller : callers) {
    caller = std::thread([&fine] {
      for (int k = 0; k < 5; ++k) fine += RunChild(Request("succeed")).result == "fine" ? 1 : 0;
    });
  }
  for (std::thread& caller : callers) caller.join();
  stop = true;
  for (std::thread& other : others) other.join();
  EXPECT_EQ(fine, 20);
}

TEST(RunSelf, NeedsNoPidfd) {
  for (const auto& [role, expected] : std::map<std::string, std::string>{
           {"without_pidfd", "exited with status 0: fine"},
           {"without_pidfd_closed", "exited with status 7: early"},
           {"without_pidfd_timeout", "did not finish within 0.1 s: "}}) {
    const ChildOutcome outcome = RunChild(Request(role));
    if (outcome.exit_code == 77) GTEST_SKIP() << "this kernel has no seccomp filters";
    EXPECT_EQ(outcome.result, expected) << role;
  }
}

TEST(RunSelf, NeedsNoStandardDescriptors) {
  EXPECT_EQ(RunChild(Request("without_stdio")).result, "exited with status 0: fine");
}

TEST(RunSelf, LearnsTheStatusWhereSigchldIsIgnored) {
  const ChildOutcome outcome = RunChild(Request("sigchld_ignored"));
  EXPECT_EQ(outcome.result, "exited with status 3 before it reported: ");
  EXPECT_EQ(outcome.exit_code, 0) << "the setting was to be restored";
}

TEST(DieWithParent, EndsTheChildOfAParentThatWasKilled) {
  Witness witness;
  const ChildOutcome outcome = RunChild(Request("die_before_child"));
  EXPECT_EQ(outcome.signal, SIGKILL);
  EXPECT_TRUE(witness.AllGone());
}

TEST(DieWithParent, NoticesThatTheParentIsGoneAlready) {
  ChildRequest request = Request("sleep_bound_to_parent");
  request.environment = {{"EXPECTED_PARENT", absl::StrCat(getpid() + 1)}};
  const ChildOutcome outcome = RunChild(request);
  EXPECT_EQ(outcome.end, End::kSignalled);
  EXPECT_EQ(outcome.signal, SIGKILL);
  EXPECT_EQ(outcome.result, "");
}

TEST(TakeResultDescriptor, TellsThatThisIsNoChild) {
  unsetenv(kResultVariable);
  EXPECT_EQ(TakeResultDescriptor(kResultVariable).status().code(), absl::StatusCode::kNotFound);
}

TEST(TakeResultDescriptor, RefusesWhatIsNoDescriptor) {
  for (const char* value : {"", "x", "-1", "1000000"}) {
    setenv(kResultVariable, value, 1);
    const absl::StatusOr<int> fd = TakeResultDescriptor(kResultVariable);
    EXPECT_EQ(fd.status().code(), absl::StatusCode::kInvalidArgument) << value;
    EXPECT_THAT(fd.status().message(),
                HasSubstr(absl::StrCat(kResultVariable, "=", value, " is not an open")));
  }
  unsetenv(kResultVariable);
}

TEST(WriteResult, TellsThatNobodyReads) {
  const auto previous = signal(SIGPIPE, SIG_IGN);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  EXPECT_THAT(std::string(WriteResult(ends[1], "text").message()),
              ::testing::StartsWith("cannot report to the parent"));
  close(ends[1]);
  signal(SIGPIPE, previous);
}

TEST(RunChildren, ReturnsTheOutcomesInTheOrderOfTheRequests) {
  const auto outcomes = RunChildren({Request("close_and_exit_7_later"), Request("succeed")});
  ASSERT_TRUE(outcomes.ok()) << outcomes.status();
  ASSERT_EQ(outcomes->size(), 2u);
  // The first one is still running when the second one has succeeded.
  EXPECT_EQ((*outcomes)[0].exit_code, 7);
  EXPECT_EQ((*outcomes)[0].result, "early");
  EXPECT_EQ((*outcomes)[1].end, End::kExited);
  EXPECT_EQ((*outcomes)[1].result, "fine");
}

TEST(RunChildren, EndsTheOthersWhenOneFails) {
  for (const char* role : {"exit_3", "segv"}) {
    ChildRequest waiting = Request("sleep");
    waiting.timeout = seconds(60);
    const auto outcomes = RunChildren({waiting, Request(role)});
    ASSERT_TRUE(outcomes.ok()) << outcomes.status();
    EXPECT_EQ((*outcomes)[0].end, End::kEndedWithOther) << role;
    EXPECT_EQ(DescribeEnd((*outcomes)[0]), "was ended because its partner had failed") << role;
    EXPECT_LT((*outcomes)[0].wall_time, waiting.timeout / 2) << role;
    EXPECT_NE((*outcomes)[1].end, End::kEndedWithOther) << role;
  }
}

TEST(RunChildren, EndsTheFirstWhenTheSecondCannotBeStarted) {
  ChildRequest missing = Request("succeed");
  missing.executable = "/no/such/program";
  const auto outcomes = RunChildren({Request("sleep"), missing});
  EXPECT_THAT(outcomes.status().message(), HasSubstr("cannot start"));
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);  // there is no child left
}

TEST(RunChildren, GivesADescriptorToTheChildThatAsksForIt) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const int number = fcntl(ends[0], F_DUPFD_CLOEXEC, 100);
  ASSERT_GE(number, 100);
  ChildRequest request = Request("say_descriptors");
  request.inherited_fd = number;
  const auto outcomes = RunChildren({request, Request("say_descriptors")});
  ASSERT_TRUE(outcomes.ok()) << outcomes.status();
  const auto has_it = [number](const ChildOutcome& outcome) {
    const std::vector<std::string> open = absl::StrSplit(outcome.result, ',');
    return std::count(open.begin(), open.end(), absl::StrCat(number)) == 1;
  };
  EXPECT_TRUE(has_it((*outcomes)[0])) << (*outcomes)[0].result;
  EXPECT_FALSE(has_it((*outcomes)[1])) << (*outcomes)[1].result;
  for (const int fd : {ends[0], ends[1], number}) close(fd);
}

}  // namespace

int PlayRole(const std::string& role) {
  const absl::StatusOr<int> result_fd = TakeResultDescriptor(kResultVariable);
  if (!result_fd.ok()) return 92;
  std::map<std::string, Role> roles = Roles();
  roles.merge(StuckRoles());
  const auto found = roles.find(role);
  return found == roles.end() ? 93 : found->second(*result_fd);
}

}  // namespace duetbench

int main(int argc, char** argv) {
  duetbench::program_name = argv[0];
  constexpr char kChild[] = "--child=";
  if (argc == 2 && strncmp(argv[1], kChild, strlen(kChild)) == 0) {
    return duetbench::PlayRole(argv[1] + strlen(kChild));
  }
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
