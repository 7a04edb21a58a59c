#include "tools/duet/git/repository.h"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "duetbench/process/executable.h"
#include "duetbench/suite_report/repeat_command.h"
#include "tools/duet/git/build_machine.h"
#include "tools/duet/git/build_variables.h"
#include "tools/duet/git/cache_folder.h"
#include "tools/duet/git/shell.h"
#include "tools/duet/git/sources.h"

namespace duetbench::duet {
namespace {

namespace fs = std::filesystem;

// Build folders that are kept.
constexpr size_t kMaxBuilds = 16;
// In the build folder of a commit: the build was complete.
constexpr char kBuiltFile[] = "duet_built";
// In that of the working tree: it is being built. A process that was killed leaves the file, and
// maybe objects that are cut off.
constexpr char kBuildingFile[] = "duet_building";

// A compiler cache, where there is one: CMake reads the variables.
void UseCompilerCache(const std::string& cache) {
  if (!RunCommand({"command -v ccache >/dev/null 2>&1", "", "looking for ccache", ""}).ok()) return;
  for (const char* variable : {"CMAKE_C_COMPILER_LAUNCHER", "CMAKE_CXX_COMPILER_LAUNCHER"}) {
    setenv(variable, "ccache", /*overwrite=*/0);
  }
  setenv("CCACHE_NOHASHDIR", "1", 0);
  setenv("CCACHE_BASEDIR", fs::path(cache).parent_path().c_str(), 0);
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

absl::Status RemoveFolder(const std::string& folder) {
  std::error_code error;
  fs::remove_all(folder, error);
  if (!error) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("cannot remove ", folder, ": ", error.message()));
}

std::string TextOfPlan(const SourcePlan& plan) {
  std::string text;
  for (const SourceTree& tree : plan.trees)
    absl::StrAppend(&text, tree.path, " ", tree.commit, "\n");
  return text;
}

}  // namespace

absl::Status DetachFromCallingGit() {
  const absl::StatusOr<std::string> names =
      OutputOf({"git rev-parse --local-env-vars", "", "asking git for its variables", ""});
  if (!names.ok()) return names.status();
  for (const absl::string_view name : absl::StrSplit(*names, '\n', absl::SkipEmpty())) {
    unsetenv(std::string(name).c_str());
  }
  // Variables of hooks of a push, and of other repositories; not in that list.
  for (const char* name :
       {"GIT_QUARANTINE_PATH", "GIT_NAMESPACE", "GIT_DEFAULT_HASH", "GIT_ATTR_SOURCE"}) {
    unsetenv(name);
  }
  setenv("GIT_OPTIONAL_LOCKS", "0", 1);
  setenv("GIT_TERMINAL_PROMPT", "0", 0);
  return absl::OkStatus();
}

absl::StatusOr<Repository> Repository::Open(const GitCommandLine& line) {
  const std::string what = "looking for the git repository";
  const absl::StatusOr<std::string> top = OutputOf({"git rev-parse --show-toplevel", "", what, ""});
  if (!top.ok()) return top.status();
  const absl::StatusOr<std::string> git_dir =
      OutputOf({"git rev-parse --git-common-dir", *top, what, ""});
  if (!git_dir.ok()) return git_dir.status();
  if (absl::StrContains(absl::StrCat(*top, *git_dir), '\n')) {
    return absl::InvalidArgumentError("the path of the repository has a line feed");
  }
  absl::StatusOr<std::string> root = CacheRoot(line.cache, ReadCacheSurroundings());
  if (root.ok()) root = MakePrivateFolder(*root);
  if (!root.ok()) return root.status();
  absl::Status status = CheckPrivate(*root, *root);
  if (!status.ok()) return status;
  const absl::StatusOr<std::string> cache = MakePrivateFolder(
      absl::StrCat(*root, "/", fs::path(*top).filename().string(), "-", HashOf(*top)));
  if (!cache.ok()) return cache.status();
  status = CheckPrivate(*root, *cache);
  if (status.ok()) status = Lock(*cache);
  if (!status.ok()) return status;
  absl::StatusOr<Sources> sources =
      Sources::Open(*top, (fs::path(*top) / *git_dir).lexically_normal().string(),
                    absl::StrCat(*cache, "/objects.git"));
  if (!sources.ok()) return sources.status();
  UseCompilerCache(*cache);
  // duet_link_layouts.sh reads it.
  if (line.layouts > 0) setenv("DUETBENCH_LAYOUTS", absl::StrCat(line.layouts).c_str(), 1);
  Repository repository(line, *top, *root, *cache, *std::move(sources));
  // Settings that decide how git writes the files of a commit.
  const absl::StatusOr<std::string> settings = repository.Git(
      "config --get-regexp '^(filter\\..*|core\\.(autocrlf|eol|symlinks|attributesfile))$' || "
      "true");
  if (!settings.ok()) return settings.status();
  const std::vector<std::string> environment = Environment();
  repository.surroundings_ =
      absl::StrCat(line.configure, "\n", line.build, "\n", *settings, "\n",
                   absl::StrJoin(DecidingVariables(environment), "\n"), "\n",
                   DescribeMachine({line.configure, line.build}, environment, ""));
  return repository;
}

absl::StatusOr<std::string> Repository::Git(const std::string& arguments) const {
  return OutputOf({absl::StrCat("git -c core.fsmonitor=false ", arguments), top_,
                   absl::StrCat("git ", arguments), "export GIT_NO_LAZY_FETCH=1; "});
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
  const absl::StatusOr<std::string> listed =
      Git(absl::StrCat("rev-list --reverse --first-parent ", good, "..", bad));
  if (!listed.ok()) return listed.status();
  return std::vector<std::string>(absl::StrSplit(*listed, '\n', absl::SkipEmpty()));
}

size_t Repository::ChangedFiles() const {
  const absl::StatusOr<std::string> count = Git("status --porcelain --no-renames | wc -l");
  return count.ok() ? static_cast<size_t>(std::atol(count->c_str())) : 0;
}

absl::StatusOr<std::string> Repository::Build(const std::string& source, const std::string& folder,
                                              const std::string& what) const {
  std::error_code error;
  fs::create_directories(folder, error);
  absl::Status status = CheckPrivate(root_, folder);
  if (!status.ok()) return status;
  // The files of a build are private as the cache is, whatever the user's umask.
  const std::string prologue = absl::StrCat("umask go-w; ", HideVariables(Environment()));
  for (const std::string* command : {&line_.configure, &line_.build}) {
    if (command->empty()) continue;
    status = RunCommand(
        {FillIn(*command, source, folder), source,
         absl::StrCat(command == &line_.build ? "the build of " : "configuring ", what), prologue});
    if (!status.ok()) return status;
  }
  std::string program = absl::StrCat(folder, "/", line_.binary);
  if (!fs::is_regular_file(program, error)) {
    return absl::NotFoundError(absl::StrCat("the build of ", what, " made no ", line_.binary,
                                            " in its folder ", folder, " (--binary)"));
  }
  if (line_.layouts > 0) status = CheckLayouts(program, line_.layouts, what);
  if (status.ok()) status = CheckProgram(program);
  if (!status.ok()) return status;
  return program;
}

absl::Status Repository::CheckProgram(const std::string& program) const {
  // If the layouts are of another link, whoever uses them says so.
  const absl::StatusOr<std::vector<std::string>> layouts = FindLinkLayouts(program);
  for (const std::string& path : layouts.ok() ? *layouts : std::vector<std::string>{program}) {
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    if (error) return absl::NotFoundError(absl::StrCat(path, ": ", error.message()));
    const bool is_inside = absl::StartsWith(real.string(), absl::StrCat(root_, "/"));
    const absl::Status status =
        CheckPrivate(is_inside ? root_ : real.parent_path().string(), real.string());
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

std::string Repository::RemedyFor(const std::string& error,
                                  const std::vector<std::string>& missing) const {
  std::string remedy;
  if (!missing.empty()) {
    absl::StrAppend(&remedy, "\nIt was built without submodules that were not fetched: ",
                    absl::StrJoin(missing, ", "), " (git submodule update --init)");
  }
  const absl::StatusOr<std::string> others =
      Git("ls-files --others --directory --no-empty-directory -z");
  if (!others.ok()) return remedy;
  for (absl::string_view path : absl::StrSplit(*others, std::string(1, '\0'), absl::SkipEmpty())) {
    if (!absl::ConsumeSuffix(&path, "/")) continue;
    if (absl::StrContains(error, absl::StrCat("\"", path, "\"")) ||
        absl::StrContains(error, absl::StrCat("'", path, "'")) ||
        absl::StrContains(error, absl::StrCat(cache_, "/tree/", path))) {
      absl::StrAppend(&remedy, "\n", path,
                      " is in the working tree but not in the commit: --link=", path,
                      " makes it a part of each commit");
    }
  }
  return remedy;
}

absl::StatusOr<std::string> Repository::BuildInTree(const SourcePlan& plan,
                                                    const std::string& folder) const {
  const std::string commit = Describe(plan.trees[0].commit);
  const std::string tree = cache_ + "/tree";
  const absl::StatusOr<std::vector<std::string>> missing = CheckMissing(line_.links, plan);
  if (!missing.ok()) return missing.status();
  if (!missing->empty()) {
    std::fprintf(stderr, "duet: %s without submodules that were not fetched: %s\n", commit.c_str(),
                 absl::StrJoin(*missing, ", ").c_str());
  }
  absl::Status status = RemoveFolder(tree);
  if (status.ok()) status = sources_.CheckOut(plan, tree);
  if (status.ok()) status = LinkFolders(line_.links, top_, tree);
  absl::StatusOr<std::string> program =
      status.ok() ? Build(tree, folder, commit) : absl::StatusOr<std::string>(status);
  const absl::Status removed = RemoveFolder(tree);
  if (program.ok() && !removed.ok()) return removed;
  if (program.ok() || absl::IsCancelled(program.status())) return program;
  const std::string error(program.status().message());
  return absl::Status(program.status().code(), error + RemedyFor(error, *missing));
}

absl::StatusOr<std::string> Repository::BuildCommit(const std::string& commit) {
  const absl::StatusOr<SourcePlan> plan = sources_.Plan(commit);
  if (!plan.ok()) return plan.status();
  std::string key = absl::StrCat(TextOfPlan(*plan), "\n", surroundings_);
  for (const std::string& link : line_.links) {
    absl::StrAppend(&key, "\n--link=", link, "\n", DescribeFolder(absl::StrCat(top_, "/", link)));
  }
  const std::string folder =
      absl::StrCat(cache_, "/builds/", commit.substr(0, 12), "-", HashOf(key));
  std::string program = absl::StrCat(folder, "/", line_.binary);
  const std::string built = absl::StrCat(folder, "/", kBuiltFile);
  const bool is_new = in_use_.insert(folder).second;
  std::error_code error;
  if ((!line_.rebuild || !is_new) && fs::exists(built, error) &&
      fs::is_regular_file(program, error)) {
    const absl::Status status = CheckProgram(program);
    if (!status.ok()) return status;
    fs::last_write_time(folder, fs::file_time_type::clock::now(), error);
    return program;
  }
  RemoveOldBuilds();
  std::fprintf(stderr, "duet: builds %s\n", Describe(commit).c_str());
  // One that failed or was killed.
  const absl::Status removed = RemoveFolder(folder);
  if (!removed.ok()) return removed;
  absl::StatusOr<std::string> done = BuildInTree(*plan, folder);
  if (done.ok()) std::ofstream(built) << commit << "\n";
  return done;
}

absl::StatusOr<std::string> Repository::BuildWorkingTree() {
  const std::string folder = absl::StrCat(cache_, "/builds/working-tree-", HashOf(surroundings_));
  const std::string building = absl::StrCat(folder, "/", kBuildingFile);
  in_use_.insert(folder);
  RemoveOldBuilds();
  std::fprintf(stderr, "duet: builds the working tree\n");
  std::error_code error;
  if (line_.rebuild || fs::exists(building, error)) {
    const absl::Status removed = RemoveFolder(folder);
    if (!removed.ok()) return removed;
  }
  fs::create_directories(folder, error);
  std::ofstream(building) << "\n";
  absl::StatusOr<std::string> done = Build(top_, folder, "the working tree");
  if (!absl::IsCancelled(done.status())) fs::remove(building, error);
  return done;
}

void Repository::RemoveOldBuilds() const {
  std::error_code error;
  std::vector<std::pair<fs::file_time_type, fs::path>> builds;
  for (const fs::directory_entry& entry : fs::directory_iterator(cache_ + "/builds", error)) {
    if (in_use_.count(entry.path().string()) > 0) continue;
    builds.emplace_back(entry.last_write_time(error), entry.path());
  }
  if (builds.size() + in_use_.size() <= kMaxBuilds) return;
  std::sort(builds.begin(), builds.end());
  builds.resize(std::min(builds.size(), builds.size() + in_use_.size() - kMaxBuilds));
  for (const auto& [time, path] : builds) fs::remove_all(path, error);
}

}  // namespace duetbench::duet
