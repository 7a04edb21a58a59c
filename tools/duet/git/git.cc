#include "tools/duet/git/git.h"

#include <chrono>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
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
#include "tools/duet/compare.h"
#include "tools/duet/git/bisect.h"
#include "tools/duet/git/git_command_line.h"
#include "tools/duet/git/repository.h"

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
  const absl::StatusOr<std::string> commit = has_commit ? repository.Resolve(line.revision) : "";
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
  const absl::StatusOr<BuiltProgram> old_program = repository.BuildCommit(*base);
  if (!old_program.ok()) return old_program.status();
  const absl::StatusOr<BuiltProgram> new_program =
      has_commit ? repository.BuildCommit(*commit) : repository.BuildWorkingTree();
  if (!new_program.ok()) return new_program.status();
  return Comparison(line, *old_program, *new_program);
}

// Compares two builds in another process, which writes the JSON report `report`.
absl::Status Measure(std::vector<std::string> arguments, const std::string& report) {
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
  if (!outcome.ok()) return outcome.status();
  if (outcome->end == ChildOutcome::End::kInterrupted) return absl::CancelledError("interrupted");
  const int status = outcome->end == ChildOutcome::End::kExited ? outcome->exit_code : kExitError;
  if (status == kExitSuccess || status == kExitGateFailed || status == kExitSkipped) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(
      absl::StripAsciiWhitespace(absl::StripPrefix(outcome->output_tail, "duet: ")));
}

absl::StatusOr<Probe> ProbeOf(std::vector<std::string> arguments, double limit,
                              const std::string& report) {
  if (limit > 0) arguments.push_back(absl::StrCat("--duet_max_ratio=", limit));
  const absl::Status done = Measure(std::move(arguments), report);
  std::stringstream text;
  text << std::ifstream(report).rdbuf();
  std::remove(report.c_str());
  if (!done.ok()) return done;
  absl::StatusOr<Probe> probe = ProbeIn(text.str());
  if (probe.ok()) probe->is_decided = limit <= 0 || probe->low > limit || probe->high < limit;
  return probe;
}

int FindCommit(const GitCommandLine& line, Repository& repository) {
  const absl::StatusOr<std::string> good = repository.Resolve(line.base);
  if (!good.ok()) return Failed(good.status());
  const absl::StatusOr<std::string> bad = repository.Resolve(line.revision);
  if (!bad.ok()) return Failed(bad.status());
  const absl::StatusOr<std::vector<std::string>> commits = repository.CommitsBetween(*good, *bad);
  if (!commits.ok()) return Failed(commits.status());
  const absl::StatusOr<BuiltProgram> good_program = repository.BuildCommit(*good);
  if (!good_program.ok()) return Failed(good_program.status());
  std::printf("%zu commits after %s\n", commits->size(), repository.Describe(*good).c_str());

  const auto probe = [&](const std::string& commit, double limit) -> absl::StatusOr<Probe> {
    const std::string name = repository.Describe(commit);
    const absl::StatusOr<BuiltProgram> built = repository.BuildCommit(commit);
    const absl::StatusOr<Probe> measured =
        built.ok()
            ? ProbeOf(Comparison(line, *good_program, *built), limit, built->path + ".duet.json")
            : built.status();
    if (measured.ok()) {
      std::printf("  %.4f x [%.4f, %.4f]  %s  %s%s\n", measured->ratio, measured->low,
                  measured->high, limit > 0 && measured->ratio <= limit ? "good" : "bad ",
                  name.c_str(), measured->is_decided ? "" : "  (not certain)");
    } else {
      std::printf("  cannot be %s  %s\n", built.ok() ? "measured" : "built   ", name.c_str());
      // The search ends without BAD, with this error.
      if (limit > 0) {
        std::fprintf(stderr, "duet: %s\n", std::string(measured.status().message()).c_str());
      }
    }
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
