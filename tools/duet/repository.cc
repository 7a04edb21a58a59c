#include "tools/duet/repository.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "duetbench/process/executable.h"
#include "duetbench/process/subprocess.h"
#include "duetbench/report/repeat_command.h"

namespace duetbench::duet {
namespace {

namespace fs = std::filesystem;

// Build folders of commits that are kept.
constexpr size_t kMaxBuilds = 16;
// In a build folder: the build was complete.
constexpr char kBuiltFile[] = "duet_built";

volatile std::sig_atomic_t interrupted = 0;

// While it lives, Ctrl-C ends the command, and this program can clean up.
class InterruptsCommand {
 public:
  InterruptsCommand() {
    struct sigaction action {};
    action.sa_handler = [](int) { interrupted = 1; };
    sigaction(SIGINT, &action, &before_[0]);
    sigaction(SIGTERM, &action, &before_[1]);
  }
  ~InterruptsCommand() {
    sigaction(SIGINT, &before_[0], nullptr);
    sigaction(SIGTERM, &before_[1], nullptr);
  }
  InterruptsCommand(const InterruptsCommand&) = delete;
  InterruptsCommand& operator=(const InterruptsCommand&) = delete;

 private:
  struct sigaction before_[2]{};
};

// FNV-1a: the same in every process.
std::string HashOf(const std::string& text) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return absl::StrFormat("%016x", hash);
}

std::string CacheFolder(const GitCommandLine& line) {
  if (!line.cache.empty()) return fs::absolute(line.cache).string();
  if (const char* const xdg = std::getenv("XDG_CACHE_HOME"); xdg != nullptr && *xdg != '\0') {
    return absl::StrCat(xdg, "/duetbench");
  }
  const char* const home = std::getenv("HOME");
  return absl::StrCat(home == nullptr ? "/tmp" : home, "/.cache/duetbench");
}

// A compiler cache, where there is one: CMake reads the variables.
void UseCompilerCache(const std::string& top) {
  if (std::system("command -v ccache >/dev/null 2>&1") != 0) return;
  for (const char* variable : {"CMAKE_C_COMPILER_LAUNCHER", "CMAKE_CXX_COMPILER_LAUNCHER"}) {
    setenv(variable, "ccache", /*overwrite=*/0);
  }
  setenv("CCACHE_NOHASHDIR", "1", 0);
  setenv("CCACHE_BASEDIR", fs::path(top).parent_path().c_str(), 0);
}

// The program that a build has made has as many link layouts as were asked for.
absl::Status CheckLayouts(const std::string& program, int wanted, const std::string& what) {
  const absl::StatusOr<std::vector<std::string>> layouts = FindLinkLayouts(program);
  if (!layouts.ok()) return layouts.status();
  if (layouts->size() == static_cast<size_t>(wanted)) return absl::OkStatus();
  const std::string name = fs::path(program).filename().string();
  return absl::FailedPreconditionError(absl::StrCat(
      "--layouts=", wanted, ": the build of ", what, " has linked ", name,
      layouts->size() == 1 ? std::string(" once") : absl::StrCat(" ", layouts->size(), " times"),
      ". Add duet_target_layouts(", name, " ", wanted,
      ") of duetbench to its CMake, where the program is added; it needs Ninja or Makefiles"));
}

// Holds the lock until the process ends.
absl::Status Lock(const std::string& cache) {
  const int fd = open(absl::StrCat(cache, "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return absl::ErrnoToStatus(errno, absl::StrCat("cannot write to ", cache));
  if (flock(fd, LOCK_EX | LOCK_NB) == 0) return absl::OkStatus();
  std::fprintf(stderr, "duet: waits for another duet git in this repository\n");
  while (flock(fd, LOCK_EX) != 0 && errno == EINTR) {
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> RunCommand(const std::string& command, const std::string& folder,
                                       const std::string& what) {
  const InterruptsCommand interrupts;
  ChildRequest request;
  request.executable = "/bin/sh";
  request.argv = {
      "sh", "-c",
      folder.empty() ? command : absl::StrCat("cd ", ShellQuoted(folder), " && ", command)};
  request.result_fd_variable = "DUET_COMMAND_FD";
  request.timeout = std::chrono::hours(24);
  request.interrupted = &interrupted;
  const absl::StatusOr<ChildOutcome> outcome = RunSelf(request);
  if (!outcome.ok()) return outcome.status();
  if (outcome->end == ChildOutcome::End::kInterrupted) {
    return absl::CancelledError(absl::StrCat(what, " was interrupted"));
  }
  std::string said(absl::StripTrailingAsciiWhitespace(outcome->output_tail));
  if (outcome->end != ChildOutcome::End::kExited || outcome->exit_code != 0) {
    const std::string end = outcome->end == ChildOutcome::End::kExited
                                ? absl::StrCat("exited with status ", outcome->exit_code)
                                : DescribeEnd(*outcome);
    return absl::FailedPreconditionError(absl::StrCat(what, " failed: `", command, "` ", end,
                                                      said.empty() ? "" : "; it said:\n", said));
  }
  return said;
}

absl::StatusOr<Repository> Repository::Open(const GitCommandLine& line) {
  Repository repository(line);
  const absl::StatusOr<std::string> top =
      RunCommand("git rev-parse --show-toplevel", "", "looking for the git repository");
  if (!top.ok()) return top.status();
  repository.top_ = *top;
  repository.cache_ =
      absl::StrCat(CacheFolder(line), "/", fs::path(*top).filename().string(), "-", HashOf(*top));
  std::error_code error;
  fs::create_directories(repository.cache_, error);
  if (error) {
    return absl::PermissionDeniedError(
        absl::StrCat("cannot make the folder ", repository.cache_, ": ", error.message()));
  }
  if (const absl::Status status = Lock(repository.cache_); !status.ok()) return status;
  UseCompilerCache(repository.cache_);
  // duet_link_layouts.sh reads it.
  if (line.layouts > 0) setenv("DUETBENCH_LAYOUTS", absl::StrCat(line.layouts).c_str(), 1);
  return repository;
}

absl::StatusOr<std::string> Repository::Git(const std::string& arguments) const {
  return RunCommand(absl::StrCat("git ", arguments), top_, absl::StrCat("git ", arguments));
}

absl::StatusOr<std::string> Repository::Resolve(const std::string& revision) const {
  const absl::StatusOr<std::string> commit = Git(absl::StrCat(
      "rev-parse --verify --quiet --end-of-options ", ShellQuoted(revision + "^{commit}")));
  if (commit.ok()) return commit;
  if (absl::IsCancelled(commit.status())) return commit.status();
  return absl::NotFoundError(absl::StrCat("there is no revision '", revision, "' in ", top_));
}

std::string Repository::Describe(const std::string& commit) const {
  const absl::StatusOr<std::string> text = Git(absl::StrCat("log -1 --format='%h %s' ", commit));
  return text.ok() ? *text : commit;
}

absl::StatusOr<std::vector<std::string>> Repository::CommitsBetween(const std::string& good,
                                                                    const std::string& bad) const {
  if (!Git(absl::StrCat("merge-base --is-ancestor ", good, " ", bad)).ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(Describe(good), " is no ancestor of ", Describe(bad)));
  }
  // More than the tail of the output: through a file.
  const std::string path = cache_ + "/commits";
  const absl::StatusOr<std::string> listed = Git(absl::StrCat(
      "rev-list --reverse --first-parent ", good, "..", bad, " > ", ShellQuoted(path)));
  if (!listed.ok()) return listed.status();
  std::vector<std::string> commits;
  std::ifstream file(path);
  for (std::string commit; std::getline(file, commit);) commits.push_back(commit);
  return commits;
}

size_t Repository::ChangedFiles() const {
  const absl::StatusOr<std::string> count = Git("status --porcelain | wc -l");
  return count.ok() ? static_cast<size_t>(std::atol(count->c_str())) : 0;
}

absl::StatusOr<std::string> Repository::Build(const std::string& source, const std::string& folder,
                                              const std::string& what) const {
  std::error_code error;
  fs::create_directories(folder, error);
  for (const std::string* command : {&line_.configure, &line_.build}) {
    if (command->empty()) continue;
    const absl::StatusOr<std::string> done =
        RunCommand(FillIn(*command, source, folder), source,
                   absl::StrCat(command == &line_.build ? "the build of " : "configuring ", what));
    if (!done.ok()) return done.status();
  }
  std::string program = absl::StrCat(folder, "/", line_.binary);
  if (!fs::is_regular_file(program, error)) {
    return absl::NotFoundError(absl::StrCat("the build of ", what, " made no ", line_.binary,
                                            " in its folder ", folder, " (--binary)"));
  }
  if (line_.layouts > 0) {
    const absl::Status status = CheckLayouts(program, line_.layouts, what);
    if (!status.ok()) return status;
  }
  return program;
}

std::string Repository::BuildKey() const {
  std::string commands = absl::StrCat(line_.configure, "\n", line_.build);
  if (line_.layouts > 0) absl::StrAppend(&commands, "\n", line_.layouts);
  return HashOf(commands).substr(0, 8);
}

absl::StatusOr<std::string> Repository::BuildCommit(const std::string& commit) const {
  const std::string folder =
      absl::StrCat(cache_, "/builds/", commit.substr(0, 12), "-", BuildKey());
  const std::string program = absl::StrCat(folder, "/", line_.binary);
  std::error_code error;
  if (fs::exists(absl::StrCat(folder, "/", kBuiltFile), error) &&
      fs::is_regular_file(program, error)) {
    fs::last_write_time(folder, fs::file_time_type::clock::now(), error);
    return program;
  }
  RemoveOldBuilds();
  std::fprintf(stderr, "duet: builds %s\n", Describe(commit).c_str());
  const std::string tree = absl::StrCat(cache_, "/tree");
  // Of a process that was killed.
  const std::string remove = absl::StrCat("worktree remove --force ", ShellQuoted(tree));
  if (fs::exists(tree, error)) Git(remove).IgnoreError();
  fs::remove_all(tree, error);
  Git("worktree prune").IgnoreError();
  absl::StatusOr<std::string> done =
      Git(absl::StrCat("worktree add --detach ", ShellQuoted(tree), " ", commit));
  if (done.ok() && fs::exists(tree + "/.gitmodules", error)) {
    done = RunCommand("git submodule update --init --recursive", tree, "fetching the submodules");
  }
  if (done.ok()) done = Build(tree, folder, Describe(commit));
  interrupted = 0;
  Git(remove).IgnoreError();
  fs::remove_all(tree, error);
  if (done.ok()) std::ofstream(absl::StrCat(folder, "/", kBuiltFile)) << commit << "\n";
  return done;
}

absl::StatusOr<std::string> Repository::BuildWorkingTree() const {
  std::fprintf(stderr, "duet: builds the working tree\n");
  return Build(top_, absl::StrCat(cache_, "/working-tree-", BuildKey()), "the working tree");
}

void Repository::RemoveOldBuilds() const {
  std::error_code error;
  std::vector<std::pair<fs::file_time_type, fs::path>> builds;
  for (const fs::directory_entry& entry : fs::directory_iterator(cache_ + "/builds", error)) {
    builds.emplace_back(entry.last_write_time(error), entry.path());
  }
  if (builds.size() < kMaxBuilds) return;
  std::sort(builds.begin(), builds.end());
  builds.resize(builds.size() - kMaxBuilds + 1);
  for (const auto& [time, path] : builds) fs::remove_all(path, error);
}

}  // namespace duetbench::duet
