#include "tools/duet/git/git.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "duetbench/experiment/interrupt.h"
#include "duetbench/platform/exit_status.h"
#include "duetbench/platform/subprocess.h"
#include "duetbench/platform/text_file.h"
#include "tools/duet/compare.h"
#include "tools/duet/git/git_command_line.h"
#include "tools/duet/git/repository.h"

namespace duetbench::duet {
namespace {

int Failed(const absl::Status& status) {
  std::fprintf(stderr, "duet: %s\n", std::string(status.message()).c_str());
  return absl::IsCancelled(status) ? ExitStatusOfSignal(*InterruptSignal()) : kExitError;
}

// A commit against GOOD: the ratio and its interval.
struct Probe {
  double ratio = 0;
  double low = 0;
  double high = 0;
};

// The only ratio in a JSON report.
absl::StatusOr<Probe> ProbeIn(const std::string& text) {
  const nlohmann::json report = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (report.is_discarded()) return absl::DataLossError("the report is no JSON");
  std::vector<std::string> names;
  Probe probe;
  for (const nlohmann::json& row : report.value("benchmarks", nlohmann::json::array())) {
    if (!row.contains("ratio") || !row.contains("ratio_lo") || !row.contains("ratio_hi")) continue;
    names.push_back(row.value("name", ""));
    probe = {row["ratio"], row["ratio_lo"], row["ratio_hi"]};
  }
  if (names.size() == 1) return probe;
  return absl::InvalidArgumentError(
      absl::StrCat("a search is for one benchmark, and --benchmark_filter selects ", names.size(),
                   " that have a ratio: ", absl::StrJoin(names, ", ")));
}

// The arguments of `duet` that compare two builds.
std::vector<std::string> Comparison(const GitCommandLine& line, const BuiltProgram& old_program,
                                    const BuiltProgram& new_program) {
  std::vector<std::string> arguments = {old_program.path, new_program.path};
  if (!line.is_data_shared) {
    arguments.push_back(absl::StrCat("--old_folder=", old_program.folder));
    arguments.push_back(absl::StrCat("--new_folder=", new_program.folder));
  }
  arguments.insert(arguments.end(), line.compare.begin(), line.compare.end());
  return arguments;
}

// Builds both revisions. Returns the arguments that compare them.
absl::StatusOr<std::vector<std::string>> BuildRevisions(const GitCommandLine& line,
                                                        Repository& repository) {
  const absl::StatusOr<std::string> base = repository.Resolve(line.base);
  if (!base.ok()) return base.status();
  const bool has_commit = !line.revision.empty();
  const absl::StatusOr<std::string> commit =
      repository.Resolve(has_commit ? line.revision : "HEAD");
  if (!commit.ok()) return commit.status();
  const size_t changed = repository.ChangedFiles();
  const std::string new_name =
      has_commit ? repository.Describe(*commit)
                 : absl::StrFormat("the working tree (%d changed files)", changed);
  std::fprintf(stderr, "duet: old is %s, new is %s%s\nduet: %s\n",
               repository.Describe(*base).c_str(), new_name.c_str(),
               has_commit && changed > 0 ? "; changes of the working tree are not compared" : "",
               line.is_data_shared
                   ? "both run in this folder, on the same files"
                   : "each runs in its checkout, on the files of its revision (--data=shared: "
                     "both in this folder)");
  const absl::StatusOr<BuiltProgram> old_program = repository.Build(*base, false);
  if (!old_program.ok()) return old_program.status();
  const absl::StatusOr<BuiltProgram> new_program = repository.Build(*commit, !has_commit);
  if (!new_program.ok()) return new_program.status();
  return Comparison(line, *old_program, *new_program);
}

// Compares two builds in another process, until it is decided whether the ratio is above `limit`.
absl::StatusOr<Probe> Measure(std::vector<std::string> arguments, double limit,
                              const std::string& report) {
  if (limit > 0) arguments.push_back(absl::StrCat("--duet_max_ratio=", limit));
  ChildRequest request;
  request.argv = {"duet"};
  request.argv.insert(request.argv.end(), arguments.begin(), arguments.end());
  request.argv.insert(request.argv.end(),
                      {"--duet_unchanged=measure",  // a search needs ratios
                       "--benchmark_out=" + report, "--benchmark_out_format=json"});
  request.result_fd_variable = "DUET_COMMAND_FD";
  request.timeout = std::chrono::hours(24);
  request.interrupted = InterruptSignal();
  const absl::StatusOr<ChildOutcome> outcome = RunSelf(request);
  const std::string text = ReadTextFile(report).value_or("");
  std::remove(report.c_str());
  if (!outcome.ok()) return outcome.status();
  if (outcome->end == ChildOutcome::End::kInterrupted) return absl::CancelledError("interrupted");
  const int status = outcome->end == ChildOutcome::End::kExited ? outcome->exit_code : kExitError;
  if (status == kExitSuccess || status == kExitGateFailed || status == kExitSkipped) {
    return ProbeIn(text);
  }
  return absl::FailedPreconditionError(
      absl::StripAsciiWhitespace(absl::StripPrefix(outcome->output_tail, "duet: ")));
}

// Searches for the commit with which the benchmark became slower. The limit is the geometric mean
// of 1 and the ratio of BAD.
int FindCommit(const GitCommandLine& line, Repository& repository) {
  const absl::StatusOr<std::string> good = repository.Resolve(line.base);
  if (!good.ok()) return Failed(good.status());
  const absl::StatusOr<std::string> bad = repository.Resolve(line.revision);
  if (!bad.ok()) return Failed(bad.status());
  absl::StatusOr<std::vector<std::string>> commits = repository.CommitsBetween(*good, *bad);
  if (!commits.ok()) return Failed(commits.status());
  const absl::StatusOr<BuiltProgram> good_program = repository.Build(*good, false);
  if (!good_program.ok()) return Failed(good_program.status());
  std::printf("%zu commits after %s\n", commits->size(), repository.Describe(*good).c_str());

  double limit = 0;
  const auto probe = [&](const std::string& commit) -> absl::StatusOr<Probe> {
    const std::string name = repository.Describe(commit);
    const absl::StatusOr<BuiltProgram> built = repository.Build(commit, false);
    const absl::StatusOr<Probe> measured =
        built.ok()
            ? Measure(Comparison(line, *good_program, *built), limit, built->path + ".duet.json")
            : built.status();
    if (measured.ok()) {
      const bool is_decided = limit <= 0 || measured->low > limit || measured->high < limit;
      std::printf("  %.4f x [%.4f, %.4f]  %s  %s%s\n", measured->ratio, measured->low,
                  measured->high, limit > 0 && measured->ratio <= limit ? "good" : "bad ",
                  name.c_str(), is_decided ? "" : "  (not certain)");
    } else {
      std::printf("  cannot be %s  %s\n", built.ok() ? "measured" : "built   ", name.c_str());
      // Without BAD, the search ends with this error.
      if (limit > 0) Failed(measured.status());
    }
    std::fflush(stdout);
    return measured;
  };
  const absl::StatusOr<Probe> worst = probe(*bad);
  if (!worst.ok()) return Failed(worst.status());
  if (worst->low <= 1) {
    return Failed(absl::FailedPreconditionError(
        absl::StrFormat("BAD is not slower than GOOD: the ratio is %.4f, its interval [%.4f, %.4f]",
                        worst->ratio, worst->low, worst->high)));
  }
  limit = std::sqrt(worst->ratio);
  std::string last_good = *good;
  std::string first_bad = *bad;
  std::set<std::string> untestable;
  while (commits.ok()) {
    const auto next =
        std::find_if(commits->begin(), commits->end(), [&](const std::string& commit) {
          return commit != first_bad && untestable.count(commit) == 0;
        });
    if (next == commits->end()) break;
    const absl::StatusOr<Probe> measured = probe(*next);
    if (absl::IsCancelled(measured.status())) return ExitStatusOfSignal(*InterruptSignal());
    if (!measured.ok()) {
      untestable.insert(*next);
    } else {
      (measured->ratio > limit ? first_bad : last_good) = *next;
      commits = repository.CommitsBetween(last_good, first_bad);
    }
  }
  if (!commits.ok()) return Failed(commits.status());
  std::printf("%s is the first commit above %.4f x\n", repository.Describe(first_bad).c_str(),
              limit);
  if (commits->size() > 1) {
    std::printf("or one of the commits before it that could not be measured: %zu\n",
                commits->size() - 1);
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
  absl::StatusOr<std::vector<std::string>> compared;
  {
    // A signal ends the command that runs.
    const InterruptGuard guard;
    const absl::Status detached = DetachFromCallingGit();
    if (!detached.ok()) return Failed(detached);
    absl::StatusOr<Repository> repository = Repository::Open(*line);
    if (!repository.ok()) return Failed(repository.status());
    if (line->bisects) return FindCommit(*line, *repository);
    compared = BuildRevisions(*line, *repository);
    if (!compared.ok()) return Failed(compared.status());
    if (*InterruptSignal() != 0) return Failed(absl::CancelledError("interrupted"));
  }
  return CompareMain(program, *compared);
}

}  // namespace duetbench::duet
