#include "tools/duet_lab/loads.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "duetbench/platform/process.h"
#include "duetbench/platform/thread.h"
#include "duetbench/process/subprocess.h"

namespace duetbench::lab {
namespace {

constexpr int kQuotaPeriodUs = 100'000;
constexpr int kQuotaUs = 150'000;  // in each period: 1.5 CPUs

// On any CPU if `cpu` is negative, or not allowed.
[[noreturn]] void SpinOn(int cpu) {
  if (cpu >= 0) (void)PinThisThread(cpu);
  for (;;) {
    for (int i = 0; i < 1'000'000; ++i) asm volatile("");
  }
}

[[noreturn]] void CopyForever() {
  std::vector<char> from(std::size_t{64} << 20, 'x');
  std::vector<char> to(from.size());
  for (;;) {
    std::memcpy(to.data(), from.data(), from.size());
    asm volatile("" : : "r"(to.data()) : "memory");
  }
}

std::string ReadAll(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<std::string> AllStatLines() {
  std::vector<std::string> lines;
  DIR* const directory = opendir("/proc");
  if (directory == nullptr) return lines;
  while (const dirent* const entry = readdir(directory)) {
    if (absl::ascii_isdigit(static_cast<unsigned char>(entry->d_name[0]))) {
      lines.push_back(ReadAll(absl::StrCat("/proc/", entry->d_name, "/stat")));
    }
  }
  closedir(directory);
  return lines;
}

[[noreturn]] void StopAndContinue(pid_t lab, std::vector<pid_t> excluded) {
  excluded.push_back(getpid());
  uint64_t random = 1;
  const auto sleep_between = [&](useconds_t least_us, useconds_t most_us) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    usleep(least_us + static_cast<useconds_t>((random >> 33) % (most_us - least_us)));
  };
  for (;;) {
    sleep_between(4'000, 40'000);
    const std::vector<pid_t> measuring = DescendantsOf(lab, excluded, AllStatLines());
    for (const pid_t process : measuring) kill(process, SIGSTOP);
    sleep_between(1'000, 20'000);
    for (const pid_t process : measuring) kill(process, SIGCONT);
  }
}

// A child that does `work`, which does not return, and that ends with this process.
template <class ChildWork>
absl::StatusOr<pid_t> StartChild(ChildWork work) {
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) return absl::ErrnoToStatus(errno, "cannot start a process for a load");
  if (child == 0) {
    // Ctrl-C on the terminal is for the lab, which then ends its loads.
    signal(SIGINT, SIG_IGN);
    DieWithParent(parent);
    work();
    _exit(0);
  }
  return child;
}

bool WriteText(const std::string& path, const std::string& text) {
  const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool written = write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  close(fd);
  return written;
}

// The directory of this process's control group for CPU time: version 2, or the controller 'cpu' of
// version 1.
struct GroupPlace {
  std::string directory;
  bool is_version_2 = false;
};

absl::StatusOr<GroupPlace> OwnGroup() {
  const bool unified = access("/sys/fs/cgroup/cgroup.controllers", F_OK) == 0;
  const std::string groups = ReadAll("/proc/self/cgroup");
  for (const absl::string_view line : absl::StrSplit(groups, '\n')) {
    const std::vector<std::string> parts = absl::StrSplit(line, absl::MaxSplits(':', 2));
    if (parts.size() != 3) continue;
    const std::vector<std::string> controllers = absl::StrSplit(parts[1], ',');
    if (unified ? parts[0] == "0"
                : std::count(controllers.begin(), controllers.end(), "cpu") == 1) {
      const std::string root = unified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/cpu";
      return GroupPlace{parts[2] == "/" ? root : absl::StrCat(root, parts[2]), unified};
    }
  }
  return absl::FailedPreconditionError("no control group for CPU time is mounted");
}

bool LimitGroup(const std::string& group, bool is_version_2) {
  if (is_version_2) {
    return WriteText(absl::StrCat(group, "/cpu.max"), absl::StrCat(kQuotaUs, " ", kQuotaPeriodUs));
  }
  return WriteText(absl::StrCat(group, "/cpu.cfs_period_us"), absl::StrCat(kQuotaPeriodUs)) &&
         WriteText(absl::StrCat(group, "/cpu.cfs_quota_us"), absl::StrCat(kQuotaUs));
}

// Removes the group once it has no process any more, for at most ten seconds.
void RemoveGroup(const std::string& group) {
  for (int attempt = 0; attempt < 1'000; ++attempt) {
    if (rmdir(group.c_str()) == 0 || errno == ENOENT) return;
    usleep(10'000);
  }
}

}  // namespace

absl::string_view LoadName(LoadKind kind) {
  constexpr const char* kNames[] = {"none", "one", "both", "bursts", "quota", "memory"};
  return kNames[static_cast<std::size_t>(kind)];
}

absl::StatusOr<LoadKind> ParseLoad(absl::string_view name) {
  std::vector<std::string> names;
  for (const LoadKind kind : kAllLoads) {
    if (LoadName(kind) == name) return kind;
    names.emplace_back(LoadName(kind));
  }
  return absl::InvalidArgumentError(
      absl::StrCat("there is no load '", name, "': use some of ", absl::StrJoin(names, ", ")));
}

std::vector<pid_t> DescendantsOf(pid_t ancestor, const std::vector<pid_t>& excluded,
                                 const std::vector<std::string>& stat_lines) {
  std::map<pid_t, pid_t> parent_of;
  for (const std::string& line : stat_lines) {
    // The name may contain spaces and parentheses; the last one ends it.
    const std::size_t name_end = line.rfind(") ");
    pid_t process = 0;
    pid_t parent = 0;
    if (name_end == std::string::npos ||
        !absl::SimpleAtoi(line.substr(0, line.find(' ')), &process)) {
      continue;
    }
    const std::vector<absl::string_view> rest =
        absl::StrSplit(absl::string_view(line).substr(name_end + 2), absl::MaxSplits(' ', 2));
    if (rest.size() < 3 || !absl::SimpleAtoi(rest[1], &parent)) continue;
    parent_of[process] = parent;
  }
  std::vector<pid_t> descendants;
  for (const auto& [process, parent] : parent_of) {
    pid_t at = process;
    // A chain is not longer than there are processes.
    for (std::size_t steps = 0; steps <= parent_of.size(); ++steps) {
      if (std::find(excluded.begin(), excluded.end(), at) != excluded.end()) break;
      const auto it = parent_of.find(at);
      if (it == parent_of.end()) break;
      at = it->second;
      if (at != ancestor) continue;
      descendants.push_back(process);
      break;
    }
  }
  return descendants;
}

absl::StatusOr<Load> Load::Start(LoadKind kind, const std::vector<int>& cpus) {
  Load load;
  const auto add = [&](absl::StatusOr<pid_t> child) {
    if (child.ok()) load.processes_.push_back(*child);
    return child.status();
  };
  absl::Status status;
  switch (kind) {
    case LoadKind::kNone:
      break;
    case LoadKind::kOne:
    case LoadKind::kBoth: {
      const std::size_t number =
          kind == LoadKind::kOne ? std::min<std::size_t>(1, cpus.size()) : cpus.size();
      for (std::size_t i = 0; i < number && status.ok(); ++i) {
        status = add(StartChild([&] { SpinOn(cpus[i]); }));
      }
      break;
    }
    case LoadKind::kBursts: {
      const pid_t lab = getpid();
      status = add(StartChild([&] { StopAndContinue(lab, {}); }));
      break;
    }
    case LoadKind::kMemory:
      status = add(StartChild([] { CopyForever(); }));
      break;
    case LoadKind::kQuota: {
      const absl::StatusOr<GroupPlace> place = OwnGroup();
      if (!place.ok()) return place.status();
      const std::string group = absl::StrCat(place->directory, "/duet_lab_", getpid());
      if (mkdir(group.c_str(), 0755) != 0) {
        return absl::FailedPreconditionError(
            absl::StrCat("cannot make the control group ", group, " for the load 'quota': ",
                         std::strerror(errno), "; run as root, or leave this load out"));
      }
      int ends[2];
      if (OpenPipeClosedOnExec(ends) != 0) {
        rmdir(group.c_str());
        return absl::ErrnoToStatus(errno, "cannot make a pipe");
      }
      // The watcher outlives this process for a moment: it is not to die with it.
      const pid_t watcher = fork();
      if (watcher == 0) {
        signal(SIGINT, SIG_IGN);
        signal(SIGTERM, SIG_IGN);
        close(ends[1]);
        char byte = 0;
        while (read(ends[0], &byte, 1) < 0 && errno == EINTR) {
        }
        RemoveGroup(group);
        _exit(0);
      }
      close(ends[0]);
      load.watched_ = ends[1];
      if (watcher < 0) {
        rmdir(group.c_str());
        return absl::ErrnoToStatus(errno, "cannot start a process for a load");
      }
      load.processes_.push_back(watcher);
      load.group_ = group;
      load.previous_ = place->directory;
      if (!LimitGroup(group, place->is_version_2) ||
          !WriteText(absl::StrCat(group, "/cgroup.procs"), absl::StrCat(getpid()))) {
        return absl::FailedPreconditionError(absl::StrCat(
            "the control group ", group, " cannot limit the CPU time of this process"));
      }
      break;
    }
  }
  if (!status.ok()) return status;
  return load;
}

absl::StatusOr<Load> Load::StartBusy(int number) {
  Load load;
  for (int i = 0; i < number; ++i) {
    const absl::StatusOr<pid_t> child = StartChild([] { SpinOn(-1); });
    if (!child.ok()) return child.status();
    load.processes_.push_back(*child);
  }
  return load;
}

Load::Load(Load&& other) noexcept
    : processes_(std::exchange(other.processes_, {})),
      group_(std::exchange(other.group_, {})),
      previous_(std::exchange(other.previous_, {})),
      watched_(std::exchange(other.watched_, -1)) {}

Load::~Load() {
  if (!group_.empty()) {
    (void)WriteText(absl::StrCat(previous_, "/cgroup.procs"), absl::StrCat(getpid()));
    close(watched_);  // the watcher removes the group and ends
  } else {
    for (const pid_t process : processes_) kill(process, SIGKILL);
  }
  for (const pid_t process : processes_) waitpid(process, nullptr, 0);
}

}  // namespace duetbench::lab
