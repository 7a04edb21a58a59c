#include "tools/duet/git/repository.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "duetbench/platform/random.h"
#include "duetbench/platform/text_file.h"
#include "duetbench/report/repeat_command.h"
#include "tools/duet/git/cache.h"
#include "tools/duet/git/shell.h"

namespace duetbench::duet {
namespace {

namespace fs = std::filesystem;

// Builds that are kept, with their sources. Chosen.
constexpr size_t kMaxBuilds = 16;
constexpr char kStateFile[] = "/state";
// In that file, in place of the commits and files: the build failed. The next one goes on there.
constexpr char kFailed[] = "failed";

// The name of a repository's folder in the cache. Build tools take few characters in a path.
std::string CacheName(const std::string& top) {
  std::string name = fs::path(top).filename().string();
  for (char& c : name) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '-') c = '_';
  }
  return absl::StrFormat("%s-%016x", name, HashOfText(top));
}

absl::Status RemoveFolder(const std::string& folder) {
  std::error_code error;
  fs::remove_all(folder, error);
  if (!error) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("cannot remove ", folder, ": ", error.message()));
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
  // The topmost folder of the working tree (of a bare repository: the repository), the repository
  // that its worktrees share, and the current folder in the working tree.
  const absl::StatusOr<std::string> found =
      OutputOf({"git rev-parse --git-dir >/dev/null && "
                "{ top=$(git rev-parse --show-toplevel 2>/dev/null) || "
                "top=$(cd \"$(git rev-parse --git-dir)\" && pwd -P); } && prefix=$(git rev-parse "
                "--show-prefix) && echo \"$top\" && "
                "cd \"$top\" && (cd \"$(git rev-parse --git-common-dir)\" && pwd -P) && echo "
                "\"${prefix%/}\"",
                "", "looking for the git repository", ""});
  if (!found.ok()) return found.status();
  const std::vector<std::string> lines = absl::StrSplit(*found, '\n');
  if (lines.size() > 3) {
    return absl::InvalidArgumentError("the path of the repository has a line feed");
  }
  UserRepository user{lines[0], lines[1], line.links, ""};
  if (line.revision.empty() && user.top == user.git_dir) {
    return absl::FailedPreconditionError(
        absl::StrCat(user.top, " is a bare repository, without a working tree: duet git BASE NEW"));
  }
  absl::StatusOr<std::string> cache = CacheRoot(line.cache);
  if (cache.ok()) cache = MakePrivateFolder(absl::StrCat(*cache, "/", CacheName(user.top)));
  if (!cache.ok()) return cache.status();
  absl::Status status = LockFolder(*cache);
  // Those of earlier states of the working tree are in no use any more.
  user.objects = *cache + "/objects";
  if (status.ok()) status = RemoveFolder(user.objects);
  if (!status.ok()) return status;
  fs::create_directory(user.objects);
  std::string prefix = lines.size() == 3 ? absl::StrCat("/", lines[2]) : "";
  return Repository(line, std::move(user), std::move(prefix), *std::move(cache));
}

absl::StatusOr<std::string> Repository::Git(const std::string& arguments) const {
  return OutputOf({absl::StrCat("git -c core.fsmonitor=false ", arguments), user_.top,
                   absl::StrCat("git ", arguments), "export GIT_NO_LAZY_FETCH=1; "});
}

absl::StatusOr<std::string> Repository::Resolve(const std::string& revision) const {
  const absl::StatusOr<std::string> commit = Git(absl::StrCat(
      "rev-parse --verify --quiet --end-of-options ", ShellQuoted(revision + "^{commit}")));
  if (commit.ok() || absl::IsCancelled(commit.status())) return commit;
  const bool is_shallow = Git("rev-parse --is-shallow-repository").value_or("") == "true";
  return absl::NotFoundError(absl::StrCat(
      "there is no revision '", revision, "' in ", user_.top,
      is_shallow ? ", which is a shallow clone: git fetch --unshallow gets older commits" : ""));
}

std::string Repository::Describe(const std::string& commit) const {
  return Git(absl::StrCat("log -1 --format='%h %s' ", commit)).value_or(commit);
}

size_t Repository::ChangedFiles() const {
  const absl::StatusOr<std::string> count =
      Git("status --porcelain --no-renames 2>/dev/null | wc -l");
  return count.ok() ? static_cast<size_t>(std::atol(count->c_str())) : 0;
}

absl::Status Repository::RunBuildCommands(const std::string& folder,
                                          const std::string& what) const {
  const std::string source = folder + "/source";
  const std::string build = folder + "/build";
  std::error_code error;
  fs::create_directories(build, error);
  // Defaults of options that another state of the working tree had.
  fs::remove(build + "/CMakeCache.txt", error);
  for (const std::string* command : {&line_.configure, &line_.build}) {
    if (command->empty()) continue;
    const char* const doing = command == &line_.build ? "the build of " : "configuring ";
    const absl::Status status = RunCommand({FillIn(*command, source, build), source,
                                            absl::StrCat(doing, what), BuildPrologue(cache_)});
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

std::string Repository::RemedyFor(const std::string& error) const {
  std::string remedy;
  const absl::StatusOr<std::string> others =
      Git("ls-files --others --directory --no-empty-directory -z");
  for (absl::string_view path :
       absl::StrSplit(others.value_or(""), std::string(1, '\0'), absl::SkipEmpty())) {
    if (!absl::ConsumeSuffix(&path, "/")) continue;
    if (absl::StrContains(error, absl::StrCat("\"", path, "\"")) ||
        absl::StrContains(error, absl::StrCat("'", path, "'")) ||
        absl::StrContains(error, absl::StrCat("/source/", path))) {
      absl::StrAppend(&remedy, "\n", path,
                      " is in the working tree but not in the commit: --link=", path,
                      " makes it a part of each build");
    }
  }
  return remedy;
}

absl::Status Repository::BuildIn(const std::string& folder, const SourcePlan& plan,
                                 const std::string& what, bool goes_on) const {
  RemoveOldBuilds();
  std::fprintf(stderr, "duet: builds %s\n", what.c_str());
  std::string remedy;
  if (!plan.missing.empty()) {
    const std::string missing = absl::StrCat("without submodules that were not fetched: ",
                                             absl::StrJoin(plan.missing, ", "));
    std::fprintf(stderr, "duet: %s\n", missing.c_str());
    remedy = absl::StrCat("\nIt was built ", missing, " (git submodule update --init)");
  }
  absl::Status status = goes_on ? absl::OkStatus() : RemoveFolder(folder);
  if (status.ok()) status = CheckOut(user_, plan, folder + "/source");
  if (status.ok()) status = RunBuildCommands(folder, what);
  if (status.ok() || absl::IsCancelled(status)) return status;
  const std::string text(status.message());
  return absl::Status(status.code(), absl::StrCat(text, remedy, RemedyFor(text)));
}

absl::StatusOr<BuiltProgram> Repository::Build(const std::string& commit, bool is_working_tree) {
  const std::string what = is_working_tree ? "the working tree" : Describe(commit);
  const absl::StatusOr<SourcePlan> plan = PlanOf(user_, commit, is_working_tree);
  if (!plan.ok()) return plan.status();
  std::string places;
  std::string state;
  for (const SourceTree& tree : plan->trees) {
    absl::StrAppend(&places, tree.path, "\n");
    absl::StrAppend(&state, tree.path, " ", tree.commit, " ", tree.files, "\n");
  }
  std::vector<std::string> linked;
  for (const std::string& link : line_.links) linked.push_back(user_.top + "/" + link);
  const absl::StatusOr<std::string> key =
      BuildKey(user_.top, is_working_tree ? places : state, {line_.configure, line_.build}, linked);
  if (!key.ok()) return key.status();
  const std::string folder =
      absl::StrCat(cache_, "/", is_working_tree ? "working-tree" : commit.substr(0, 12), "-",
                   key->substr(0, 16));
  const std::string state_file = folder + kStateFile;
  // A build that was killed has no state: its objects may be cut off.
  std::optional<std::string> earlier = ReadTextFile(state_file);
  if (line_.rebuild) earlier.reset();
  std::error_code error;
  // The order in which builds are removed.
  fs::last_write_time(folder, fs::file_time_type::clock::now(), error);
  if (earlier != absl::StripAsciiWhitespace(state)) {
    fs::remove(state_file, error);
    const absl::Status status = BuildIn(folder, *plan, what, earlier.has_value());
    if (!absl::IsCancelled(status)) std::ofstream(state_file) << (status.ok() ? state : kFailed);
    if (!status.ok()) return status;
  }
  BuiltProgram program{absl::StrCat(folder, "/build/", line_.binary),
                       absl::StrCat(folder, "/source", prefix_)};
  if (!fs::is_regular_file(program.path, error)) {
    return absl::NotFoundError(absl::StrCat("the build of ", what, " made no ", line_.binary,
                                            " in its folder ", folder, "/build (--binary)"));
  }
  // The current folder may be one that is not part of the commit, such as build.
  fs::create_directories(program.folder, error);
  return program;
}

void Repository::RemoveOldBuilds() const {
  std::error_code error;
  std::vector<std::pair<fs::file_time_type, fs::path>> builds;
  for (const fs::directory_entry& entry : fs::directory_iterator(cache_, error)) {
    const std::string path = entry.path();
    if (!entry.is_directory(error) || path == user_.objects) continue;
    builds.emplace_back(entry.last_write_time(error), entry.path());
  }
  if (builds.size() <= kMaxBuilds) return;
  std::sort(builds.begin(), builds.end());
  builds.resize(builds.size() - kMaxBuilds);
  for (const auto& [time, path] : builds) fs::remove_all(path, error);
}

}  // namespace duetbench::duet
