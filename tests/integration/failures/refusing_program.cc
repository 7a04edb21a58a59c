// Executes a command to which the kernel refuses system calls, as containers and limits do.
//
//   refusing CALL=ERROR… -- COMMAND ARGUMENT…
//
// CALL is a name of kCalls; "threads" and "processes" are the calls that start them, of which glibc
// uses clone after a clone3 that does not exist; "unnamed_files" are those of O_TMPFILE. Exits with
// 99 where the kernel has no filters.
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr int kCannotBeTried = 99;

const std::pair<const char*, long> kCalls[] = {
    {"clone3", SYS_clone3},
    {"flock", SYS_flock},
    {"memfd_create", SYS_memfd_create},
    {"perf_event_open", SYS_perf_event_open},
    {"personality", SYS_personality},
    {"pidfd_open", SYS_pidfd_open},
    {"prctl", SYS_prctl},
    {"sched_getaffinity", SYS_sched_getaffinity},
    {"sched_setaffinity", SYS_sched_setaffinity},
    {"socketpair", SYS_socketpair},
};
const std::pair<const char*, unsigned> kErrors[] = {{"EAGAIN", EAGAIN},
                                                    {"ENOMEM", ENOMEM},
                                                    {"ENOSYS", ENOSYS},
                                                    {"ENOTSUP", ENOTSUP},
                                                    {"EPERM", EPERM}};

template <typename Pairs>
auto Find(const Pairs& pairs, const std::string& name) {
  for (const auto& [known, value] : pairs) {
    if (name == known) return value;
  }
  std::fprintf(stderr, "refusing: unknown: %s\n", name.c_str());
  std::exit(2);
}

void Load(std::vector<sock_filter>& filter, size_t offset) {
  filter.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset)));
}

// The call is refused where a flag, in the lower half of an argument, is set or is not.
void AddFlag(std::vector<sock_filter>& filter, long call, size_t argument, long flag, bool is_set,
             unsigned refusal) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  constexpr size_t kLower = 0;
#else
  constexpr size_t kLower = 4;
#endif
  const auto jump = [](unsigned char matched, unsigned char other, unsigned code, long value) {
    return sock_filter{static_cast<unsigned short>(BPF_JMP | code | BPF_K), matched, other,
                       static_cast<unsigned>(value)};
  };
  filter.push_back(jump(0, 4, BPF_JEQ, call));
  Load(filter, offsetof(seccomp_data, args) + 8 * argument + kLower);
  filter.push_back(is_set ? jump(0, 1, BPF_JSET, flag) : jump(1, 0, BPF_JSET, flag));
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, refusal));
  Load(filter, offsetof(seccomp_data, nr));
}

void Add(std::vector<sock_filter>& filter, const std::string& refused) {
  const size_t equal = refused.find('=');
  const std::string call = refused.substr(0, equal);
  const unsigned refusal =
      SECCOMP_RET_ERRNO |
      Find(kErrors, equal == std::string::npos ? "" : refused.substr(equal + 1));
  if (call == "threads" || call == "processes") {
    AddFlag(filter, SYS_clone, 0, CLONE_THREAD, call == "threads", refusal);
    return;
  }
  if (call == "unnamed_files") {
    AddFlag(filter, SYS_openat, 2, O_TMPFILE & ~O_DIRECTORY, true, refusal);
    return;
  }
  filter.push_back(
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(Find(kCalls, call)), 0, 1));
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, refusal));
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<sock_filter> filter;
  Load(filter, offsetof(seccomp_data, nr));
  int argument = 1;
  for (; argument < argc && std::strcmp(argv[argument], "--") != 0; ++argument) {
    Add(filter, argv[argument]);
  }
  if (argument + 1 >= argc) return 2;
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog program = {static_cast<unsigned short>(filter.size()), filter.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    std::perror("refusing");
    return kCannotBeTried;
  }
  execvp(argv[argument + 1], argv + argument + 1);
  std::perror("refusing");
  return 2;
}
