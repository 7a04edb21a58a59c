#include "duetbench/process/cpu_lock.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "duetbench/platform/text_file.h"

namespace duetbench {

namespace {

// At which a holder that has died is noticed although one of its descendants has the socket, too.
constexpr int kLookAtHolderMs = 1000;
// Between the bind() and the listen() of a holder there are some microseconds.
constexpr std::chrono::milliseconds kPauseOfListen(1);
constexpr int kMaxPauses = 1000;
// Waiting programs; the kernel also has a limit (4096).
constexpr int kBacklog = 4096;

struct Name {
  sockaddr_un address = {};
  socklen_t size = 0;
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address); }
};

Name NameOf(int cpu) {
  const std::string text = absl::StrCat("duetbench measures on CPU ", cpu);
  Name name;
  name.address.sun_family = AF_UNIX;
  // The first byte is 0: the name is abstract.
  std::memcpy(name.address.sun_path + 1, text.data(), text.size());
  name.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + text.size());
  return name;
}

int NewSocket() { return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); }

// 0: unknown.
pid_t ParentOf(pid_t pid) {
  const std::optional<std::string> text = ReadTextFile(absl::StrCat("/proc/", pid, "/stat"));
  if (!text.has_value()) return 0;
  // NUMBER (NAME) STATE PARENT …; the name may contain anything.
  const size_t end_of_name = text->rfind(')');
  if (end_of_name == std::string::npos) return 0;
  const std::vector<std::string> words = absl::StrSplit(text->substr(end_of_name), ' ');
  pid_t parent = 0;
  return words.size() > 2 && absl::SimpleAtoi(words[2], &parent) ? parent : 0;
}

bool IsThisOrAncestor(pid_t process) {
  for (pid_t pid = getpid(); pid > 0; pid = ParentOf(pid)) {
    if (pid == process) return true;
  }
  return false;
}

bool Exists(pid_t pid) { return kill(pid, 0) == 0 || errno != ESRCH; }

enum class Try { kLocked, kHeld, kUnavailable };

Try TryToLock(const Name& name, Descriptor* socket) {
  socket->Reset(NewSocket());
  if (!socket->open()) return Try::kUnavailable;
  if (bind(socket->get(), name.get(), name.size) != 0) {
    return errno == EADDRINUSE ? Try::kHeld : Try::kUnavailable;
  }
  return listen(socket->get(), kBacklog) == 0 ? Try::kLocked : Try::kUnavailable;
}

// The process that has the lock: who called listen(). 0: unknown, in another PID namespace.
pid_t HolderOf(const Descriptor& connection) {
  ucred holder = {};
  socklen_t size = sizeof(holder);
  const bool known = getsockopt(connection.get(), SOL_SOCKET, SO_PEERCRED, &holder, &size) == 0;
  return known ? holder.pid : 0;
}

class Waiter {
 public:
  Waiter(const CpuLock::OnWait& on_wait, const volatile std::sig_atomic_t* interrupted)
      : on_wait_(on_wait), interrupted_(interrupted) {}

  // Waits while another program has the lock. False: it is not to be waited for.
  bool Await(const Name& name) {
    const Descriptor connection(NewSocket());
    if (!connection.open()) return false;
    if (connect(connection.get(), name.get(), name.size) != 0) {
      // Free in the meantime, not yet listening, or with too many that wait.
      std::this_thread::sleep_for(kPauseOfListen);
      return !IsInterrupted() && ++pauses_ < kMaxPauses;
    }
    pauses_ = 0;
    const pid_t holder = HolderOf(connection);
    if (IsThisOrAncestor(holder)) return false;
    if (!has_told_) on_wait_(holder);
    has_told_ = true;
    pollfd polled = {connection.get(), POLLIN, 0};
    while (poll(&polled, 1, kLookAtHolderMs) <= 0) {
      if (IsInterrupted() || (holder > 0 && !Exists(holder))) return false;
    }
    return true;
  }

 private:
  bool IsInterrupted() const { return interrupted_ != nullptr && *interrupted_ != 0; }

  const CpuLock::OnWait& on_wait_;
  const volatile std::sig_atomic_t* const interrupted_;
  bool has_told_ = false;
  int pauses_ = 0;
};

}  // namespace

std::unique_ptr<CpuLock> CpuLock::Acquire(std::vector<int> cpus, const OnWait& on_wait,
                                          const volatile std::sig_atomic_t* interrupted) {
  auto lock = std::make_unique<CpuLock>();
  // In the same order in all programs: none waits for one that waits for it.
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  Waiter waiter(on_wait, interrupted);
  for (const int cpu : cpus) {
    const Name name = NameOf(cpu);
    auto socket = std::make_unique<Descriptor>();
    Try tried = TryToLock(name, socket.get());
    while (tried == Try::kHeld && waiter.Await(name)) tried = TryToLock(name, socket.get());
    if (tried == Try::kLocked) lock->sockets_.push_back(std::move(socket));
  }
  return lock;
}

}  // namespace duetbench
