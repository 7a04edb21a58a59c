#include "tests/integration/git_world.h"

#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <thread>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace duetbench::integration {
namespace {

namespace fs = std::filesystem;

constexpr char kBuild[] =
    "--build=test -f third_party/lib/deep/deep.txt && git describe --tags --always "
    ">{build}/version && "
    "cp \"$(head -1 which)\" {build}/bench";

// Hooks of git that run at a checkout, a commit, a change of the index or of a reference.
constexpr char kMakeHooks[] =
    "mkdir -p $hooks && for h in post-checkout post-index-change reference-transaction; do "
    "printf '#!/bin/sh\\ncat >/dev/null\\necho \"$0\" >>%s\\n' $log >$hooks/$h; "
    "chmod +x $hooks/$h; done";

std::map<std::string, std::string> WorldEnvironment(const std::string& home) {
  return {{"HOME", home}, {"GIT_CONFIG_NOSYSTEM", "1"}, {"XDG_CONFIG_HOME", home}};
}

}  // namespace

GitWorld::GitWorld() {
  fs::create_directory(Path("home"));
  Run("git config --global user.email a@b.c && git config --global user.name n && "
      "git config --global protocol.file.allow always && "
      "git config --global init.defaultBranch main && git init -q repo",
      "");
  MakeSubmodules();
  MakeCommit("first", PathOf("build_old"));
  Run("git tag v1");
  MakeCommit("second", PathOf("build_old"));
  MakeCommit("slower", PathOf("build_new"));
  Run("git submodule deinit -q third_party/idle");
  Run("git worktree add -q --detach ../other HEAD~1 && "
      "git worktree add -q --detach ../unmounted HEAD~1");
  for (const char* worktree : {"other", "unmounted"}) {
    Run("echo staged >staged && git add staged && git commit -qm 'on no branch' && "
        "echo more >>staged && git add staged",
        worktree);
  }
  Run("rm -r unmounted", "");
  Run("echo stashed >>which && git stash -q && echo index >index && git add index && "
      "echo changed >>index && mkdir loose && echo x >loose/file && git config core.untrackedCache "
      "true");
  // The index is older than the file: git status would write it anew.
  Run("touch which");
  Run(absl::StrCat("hooks=.git/hooks; log=", Path("hooks.log"), "; ", kMakeHooks));
  Run(absl::StrCat("hooks=home/hooks; log=", Path("hooks.log"), "; ", kMakeHooks,
                   "; git config --global init.templateDir ", Path("home/template"),
                   "; mkdir home/template; cp -r home/hooks home/template"),
      "");
}

void GitWorld::MakeSubmodules() const {
  for (const char* name : {"deep", "lib", "idle"}) {
    const std::string add = name == std::string("lib")
                                ? "git submodule --quiet add ../deep.git deep && "
                                : std::string();
    Run(absl::StrCat("git init -q ", name, ".git && cd ", name, ".git && ", add, "echo ", name,
                     " >", name, ".txt && git add -A && git commit -qm ", name, " && git tag ",
                     name, "-v1"),
        "");
    if (name == std::string("deep")) continue;
    Run(absl::StrCat("git submodule --quiet add ../", name, ".git third_party/", name));
  }
  Run("git submodule --quiet update --init --recursive");
}

void GitWorld::MakeCommit(const std::string& subject, const std::string& program) const {
  std::ofstream(Path("repo/which")) << program << "\n" << subject << "\n";
  Run(absl::StrCat("git add -A && git commit -qm '", subject, "'"));
}

std::string GitWorld::Run(const std::string& command, const std::string& folder) const {
  Request request = InShell(command, Path(folder));
  request.environment = WorldEnvironment(Path("home"));
  const Outcome outcome = Execute(request);
  EXPECT_EQ(outcome.status, 0) << command << "\n" << outcome.out << outcome.err;
  return std::string(absl::StripTrailingAsciiWhitespace(outcome.out));
}

Request GitWorld::Duet(std::vector<std::string> arguments) const {
  const std::vector<std::string> defaults = {"git",
                                             "--configure=",
                                             "--binary=bench",
                                             "--benchmark_filter=^manual",
                                             kBuild,
                                             "--cache=" + cache_.path()};
  arguments.insert(arguments.begin(), defaults.begin(), defaults.end());
  Request request;
  request.program = PathOf("duet");
  request.arguments = arguments;
  request.folder = repository();
  request.environment = WorldEnvironment(Path("home"));
  return request;
}

std::map<std::string, std::string> GitWorld::Snapshot() const {
  std::map<std::string, std::string> snapshot;
  for (auto entry = fs::recursive_directory_iterator(folder_.path());
       entry != fs::recursive_directory_iterator(); ++entry) {
    if (entry->path() == Path("home")) {
      entry.disable_recursion_pending();
      continue;
    }
    struct stat status {};
    lstat(entry->path().c_str(), &status);
    std::string text = absl::StrCat(status.st_mode, " ", status.st_mtim.tv_sec, ".",
                                    status.st_mtim.tv_nsec, " ", status.st_ino, "\n");
    if (S_ISREG(status.st_mode)) text += TextOf(entry->path());
    if (S_ISLNK(status.st_mode)) text += fs::read_symlink(entry->path());
    snapshot[entry->path()] = text;
  }
  return snapshot;
}

std::vector<std::string> GitWorld::InCache(const std::string& name) const {
  std::vector<std::string> paths;
  std::error_code error;  // a build beside this makes folders and removes them
  for (fs::recursive_directory_iterator entry(cache_.path(), error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().filename() == name) paths.push_back(entry->path());
  }
  return paths;
}

bool GitWorld::AwaitEndOfProcesses() const {
  for (int i = 0; i < 4000; ++i) {
    bool found = false;
    std::error_code error;
    for (const auto& process : fs::directory_iterator("/proc", error)) {
      const std::string cwd = fs::read_symlink(process.path() / "cwd", error);
      found =
          found || absl::StartsWith(cwd, folder_.path()) || absl::StartsWith(cwd, cache_.path());
    }
    if (!found) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

std::string Differences(const std::map<std::string, std::string>& before,
                        const std::map<std::string, std::string>& after) {
  std::string lines;
  for (const auto& [path, text] : before) {
    const auto now = after.find(path);
    if (now == after.end()) absl::StrAppend(&lines, "removed: ", path, "\n");
    if (now != after.end() && now->second != text) absl::StrAppend(&lines, "changed: ", path, "\n");
  }
  for (const auto& [path, text] : after) {
    if (before.count(path) == 0) absl::StrAppend(&lines, "new: ", path, "\n");
  }
  return lines;
}

}  // namespace duetbench::integration
