#include "tools/duet/git/git.h"

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "duetbench/process/exit_status.h"
#include "duetbench/runner/interrupt.h"
#include "duetbench/suite_report/repeat_command.h"
#include "tools/duet/compare.h"
#include "tools/duet/git/bisect.h"
#include "tools/duet/git/git_command_line.h"
#include "tools/duet/git/repository.h"
#include "tools/duet/git/shell.h"

namespace duetbench::duet {
namespace {

int Failed(const absl::Status& status) {
  std::fprintf(stderr, "duet: %s\n", std::string(status.message()).c_str());
  return absl::IsCancelled(status) ? ExitStatusOfSignal(*InterruptSignal()) : kExitError;
}

// The ratio in a JSON report; an error if there is none, or more than one.
absl::StatusOr<Probe> ProbeIn(const std::string& text) {
  const nlohmann::json report = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (report.is_discarded()) return absl::DataLossError("the report is no JSON");
  std::vector<std::string> names;
  Probe probe;
  for (const nlohmann::json& row : report.value("benchmarks", nlohmann::json::array())) {
    if (!row.contains("ratio") || !row.contains("ratio_lo") || !row.contains("ratio_hi")) continue;
    names.push_back(row.value("name", ""));
    probe.ratio = row["ratio"].get<double>();
    probe.low = row["ratio_lo"].get<double>();
    probe.high = row["ratio_hi"].get<double>();
  }
  if (names.empty()) return absl::NotFoundError("there is no ratio in the report");
  if (names.size() > 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("a search is for one benchmark, and --benchmark_filter selects ", names.size(),
                     ": ", absl::StrJoin(names, ", ")));
  }
  return probe;
}

// Builds both revisions; the paths of their programs become `programs`.
absl::Status BuildRevisions(const GitCommandLine& line, Repository& repository,
                            std::string (&programs)[2]) {
  const absl::StatusOr<std::string> base = repository.Resolve(line.base);
  if (!base.ok()) return base.status();
  std::string commit;
  if (!line.revision.empty()) {
    absl::StatusOr<std::string> resolved = repository.Resolve(line.revision);
    if (!resolved.ok()) return resolved.status();
    commit = *std::move(resolved);
  }
  const size_t changed = repository.ChangedFiles();
  const std::string new_name =
      !commit.empty() ? repository.Describe(commit)
                      : absl::StrFormat("the working tree (%d changed files)", changed);
  std::fprintf(
      stderr, "duet: old is %s, new is %s%s\n", repository.Describe(*base).c_str(),
      new_name.c_str(),
      !commit.empty() && changed > 0 ? "; changes of the working tree are not compared" : "");
  for (int side = 0; side < 2; ++side) {
    absl::StatusOr<std::string> built = side == 0        ? repository.BuildCommit(*base)
                                        : commit.empty() ? repository.BuildWorkingTree()
                                                         : repository.BuildCommit(commit);
    if (!built.ok()) return built.status();
    programs[side] = *std::move(built);
  }
  return absl::OkStatus();
}

int FindCommit(const GitCommandLine& line, Repository& repository) {
  const absl::StatusOr<std::string> good = repository.Resolve(line.base);
  if (!good.ok()) return Failed(good.status());
  const absl::StatusOr<std::string> bad = repository.Resolve(line.revision);
  if (!bad.ok()) return Failed(bad.status());
  const absl::StatusOr<std::vector<std::string>> commits = repository.CommitsBetween(*good, *bad);
  if (!commits.ok()) return Failed(commits.status());
  const absl::StatusOr<std::string> good_program = repository.BuildCommit(*good);
  if (!good_program.ok()) return Failed(good_program.status());
  std::printf("%zu commits after %s\n", commits->size(), repository.Describe(*good).c_str());

  const auto probe = [&](const std::string& commit, double limit) -> absl::StatusOr<Probe> {
    const std::string name = repository.Describe(commit);
    const absl::StatusOr<std::string> built = repository.BuildCommit(commit);
    if (!built.ok()) {
      std::printf("  cannot be built   %s\n", name.c_str());
      std::fprintf(stderr, "duet: %s\n", std::string(built.status().message()).c_str());
      return built.status();
    }
    // The report may be longer than the end of an output that is kept.
    const std::string report = absl::StrCat(*built, ".duet.json");
    std::string command = absl::StrCat("/proc/", getpid(), "/exe ", ShellQuoted(*good_program), " ",
                                       ShellQuoted(*built));
    for (const std::string& flag : line.compare) absl::StrAppend(&command, " ", ShellQuoted(flag));
    command += " --duet_unchanged=measure";  // whatever DUET_UNCHANGED says: a search needs ratios
    if (limit > 0) absl::StrAppend(&command, " --duet_max_ratio=", limit);
    // 1 and 77: the gate failed, or is not decided.
    absl::StrAppend(&command, " --benchmark_format=json > ", ShellQuoted(report),
                    "; s=$?; [ $s = 1 ] || [ $s = 77 ] || exit $s");
    const absl::Status done = RunCommand({command, "", "measuring " + name, ""});
    absl::StatusOr<Probe> measured = absl::InternalError("not measured");
    if (done.ok()) {
      std::stringstream text;
      text << std::ifstream(report).rdbuf();
      measured = ProbeIn(text.str());
    } else {
      measured = done;
    }
    std::remove(report.c_str());
    if (!measured.ok()) {
      std::printf("  cannot be measured  %s\n", name.c_str());
      std::fprintf(stderr, "duet: %s\n", std::string(measured.status().message()).c_str());
      return measured;
    }
    measured->is_decided = limit <= 0 || measured->low > limit || measured->high < limit;
    std::printf("  %.4f x [%.4f, %.4f]  %s  %s%s\n", measured->ratio, measured->low, measured->high,
                limit > 0 && measured->ratio <= limit ? "good" : "bad ", name.c_str(),
                measured->is_decided ? "" : "  (not certain)");
    std::fflush(stdout);
    return measured;
  };
  const absl::StatusOr<BisectResult> result = Bisect(*commits, probe);
  if (!result.ok()) return Failed(result.status());
  std::printf("%s is the first commit above %.4f x\n",
              repository.Describe(result->first_bad).c_str(), result->limit);
  if (!result->untestable.empty()) {
    std::printf("or one of the commits before it that could not be measured: %zu\n",
                result->untestable.size());
  }
  return kExitSuccess;
}

}  // namespace

int GitMain(const std::string& program, const std::vector<std::string>& arguments) {
  const absl::StatusOr<GitCommandLine> line = ParseGitCommandLine(arguments);
  if (!line.ok()) return Failed(line.status());
  if (line->help) {
    std::fputs(kGitUsage, stdout);
    return kExitSuccess;
  }
  std::string programs[2];
  {
    // A signal ends the command that runs, and what it leaves behind is removed.
    const InterruptGuard guard;
    const absl::Status detached = DetachFromCallingGit();
    if (!detached.ok()) return Failed(detached);
    absl::StatusOr<Repository> repository = Repository::Open(*line);
    if (!repository.ok()) return Failed(repository.status());
    if (line->bisects) return FindCommit(*line, *repository);
    const absl::Status built = BuildRevisions(*line, *repository, programs);
    if (!built.ok()) return Failed(built);
    if (*InterruptSignal() != 0) return Failed(absl::CancelledError("interrupted"));
  }
  std::vector<std::string> compared = {programs[0], programs[1]};
  compared.insert(compared.end(), line->compare.begin(), line->compare.end());
  return CompareMain(program, compared);
}

}  // namespace duetbench::duet
