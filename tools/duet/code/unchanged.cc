#include "tools/duet/code/unchanged.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "duetbench/run/run_protocol.h"
#include "tools/duet/code/image.h"
#include "tools/duet/code/program_code.h"
#include "tools/duet/code/same_code.h"
#include "tools/duet/code/trace.h"

namespace duetbench::duet {
namespace {

// An untimed call of a variant, and a few iterations of it, in one thread.
RunPlan PlanOfTrace(const TracedBenchmark& benchmark, int executes) {
  RunPlan plan;
  plan.schedule = Schedule::kInterleaved;
  plan.self = executes;
  plan.batch = 2;
  plan.fixed_iterations = 4;
  plan.max_pairs = 2;
  plan.min_blocks = 1;
  plan.budget_ns = 1;
  plan.calls = benchmark.calls ? 1 : 0;
  plan.manual_time = benchmark.manual_time ? 1 : 0;
  return plan;
}

std::string ContentOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string Canonical(const std::string& path) {
  std::error_code error;
  return std::filesystem::canonical(path, error);
}

// A shared library with these names may call a function whose name it computes.
bool LooksUpNames(absl::string_view library, const std::set<std::string>& names) {
  const bool is_of_libc = absl::StartsWith(library, "libc.so") ||
                          absl::StartsWith(library, "libdl.so") ||
                          absl::StartsWith(library, "ld-linux");
  return !is_of_libc && (names.count("dlsym") != 0 || names.count("dlvsym") != 0);
}

std::string NameIn(const std::string& path) { return std::filesystem::path(path).filename(); }

}  // namespace

class UnchangedCode::Proof {
 public:
  Proof(const std::string (&programs)[2], Lines lines)
      : programs_(programs), lines_(std::move(lines)) {}

  absl::Status Read() {
    for (int side = 0; side < 2; ++side) {
      absl::StatusOr<std::unique_ptr<Image>> image = Image::Read(programs_[side]);
      if (!image.ok()) {
        return absl::FailedPreconditionError(
            absl::StrCat(side == 0 ? "old: " : "new: ", image.status().message()));
      }
      codes_[side] = std::make_unique<ProgramCode>(*std::move(image));
    }
    same_ = std::make_unique<SameCode>(*codes_[0], *codes_[1], lines_);
    start_ = same_->CompareStart({});
    return start_;
  }

  const absl::Status& start() const { return start_; }

  absl::StatusOr<bool> CompareFunctions(const uint64_t (&addresses)[2]) {
    if (same_ == nullptr) return absl::FailedPreconditionError("a program cannot be read");
    return same_->CompareFunctions(addresses);
  }

  absl::Status Prove(const TracedBenchmark& benchmark) {
    auto old_trace = std::async(std::launch::async, [&] { return TraceOf(benchmark, 0); });
    absl::StatusOr<Trace> found[2] = {absl::UnknownError(""), TraceOf(benchmark, 1)};
    found[0] = old_trace.get();
    Trace traces[2];
    for (int side = 0; side < 2; ++side) {
      if (!found[side].ok()) return found[side].status();
      traces[side] = *std::move(found[side]);
    }
    if (const absl::Status same = CompareLibraries(traces); !same.ok()) return same;
    if (const absl::Status same = CompareOpened(traces); !same.ok()) return same;
    if (!start_.ok()) return start_;
    return same_->CompareExecuted(traces[0].executed, traces[1].executed);
  }

 private:
  absl::StatusOr<Trace> TraceOf(const TracedBenchmark& benchmark, int side) const {
    const RunCommand& command = benchmark.sides[side];
    RunTask task;
    task.parent = getpid();
    task.family = command.family;
    task.ranges = benchmark.ranges;
    task.plan = PlanOfTrace(benchmark, command.executes);
    TraceRequest request;
    request.argv = command.argv;
    request.executable = command.executable;
    request.environment = command.environment;
    request.environment.emplace_back(kTaskVariable, EncodeRunTask(task));
    request.result_fd_variable = kResultVariable;
    for (const NamedPart& function : codes_[side]->image().functions()) {
      request.functions.push_back(function.address);
    }
    absl::StatusOr<Trace> trace = TraceProgram(request);
    if (!trace.ok()) return trace.status();
    const absl::StatusOr<RunRecord> record = DecodeRunRecord(absl::StripPrefix(trace->result, "!"));
    if (!record.ok() || HasError(*record)) {
      return absl::UnavailableError("it failed when its functions were looked for");
    }
    return trace;
  }

  // Shared libraries are the same files, or have the same content. What they share names of with
  // the programs may be called by them.
  absl::Status CompareLibraries(const Trace (&traces)[2]) {
    std::map<std::string, std::string> libraries[2];  // by name
    for (int side = 0; side < 2; ++side) {
      for (const std::string& file : traces[side].files) {
        if (file == Canonical(programs_[side])) continue;
        if (!libraries[side].emplace(NameIn(file), file).second) {
          return absl::FailedPreconditionError("two shared libraries have the same name");
        }
      }
    }
    if (libraries[0].size() != libraries[1].size()) {
      return absl::FailedPreconditionError("the programs load other shared libraries");
    }
    bool has_new = false;  // exports
    for (const auto& [name, file] : libraries[0]) {
      const auto other = libraries[1].find(name);
      if (other == libraries[1].end()) {
        return absl::FailedPreconditionError("the programs load other shared libraries");
      }
      if (!known_.emplace(file, other->second).second) continue;
      if (file != other->second && ContentOf(file) != ContentOf(other->second)) {
        known_.erase({file, other->second});
        return absl::FailedPreconditionError(absl::StrCat("the shared library ", name, " differs"));
      }
      const std::set<std::string> names = DynamicNamesOf(file);
      for (const auto& code : codes_) {
        for (const auto& [exported, address] : code->image().exports()) {
          if (names.count(exported) == 0 && !LooksUpNames(name, names)) continue;
          has_new |= exported_.insert(exported).second;
        }
      }
    }
    if (has_new) start_ = same_->CompareStart(exported_);
    return absl::OkStatus();
  }

  // Files that only one program opens (beside its executable, or in its build folder) have files of
  // the other one with the same name and content.
  absl::Status CompareOpened(const Trace (&traces)[2]) const {
    std::map<std::string, std::string> others[2];  // by name
    for (int side = 0; side < 2; ++side) {
      for (const std::string& file : traces[side].opened) {
        if (traces[1 - side].opened.count(file) != 0 || file == Canonical(programs_[side]))
          continue;
        if (!others[side].emplace(NameIn(file), file).second) {
          return absl::FailedPreconditionError("two files that it opens have the same name");
        }
      }
    }
    if (others[0].size() != others[1].size()) {
      return absl::FailedPreconditionError("the programs open other files");
    }
    for (const auto& [name, file] : others[0]) {
      const auto other = others[1].find(name);
      if (other == others[1].end() || ContentOf(file) != ContentOf(other->second)) {
        return absl::FailedPreconditionError(absl::StrCat("the file ", name, " differs"));
      }
    }
    return absl::OkStatus();
  }

  const std::string (&programs_)[2];
  const Lines lines_;
  std::unique_ptr<ProgramCode> codes_[2];
  std::unique_ptr<SameCode> same_;
  std::set<std::pair<std::string, std::string>> known_;  // libraries that are the same
  std::set<std::string> exported_;
  absl::Status start_;  // of CompareStart
};

UnchangedCode::UnchangedCode(std::string old_program, std::string new_program, Lines lines)
    : programs_{std::move(old_program), std::move(new_program)}, lines_(std::move(lines)) {}

UnchangedCode::~UnchangedCode() = default;

const absl::Status& UnchangedCode::Status() {
  if (!status_.has_value()) {
    proof_ = std::make_unique<Proof>(programs_, lines_);
    status_ = proof_->Read();
  }
  return *status_;
}

absl::StatusOr<bool> UnchangedCode::CompareFunctions(const uint64_t (&addresses)[2]) {
  (void)Status();
  return proof_->CompareFunctions(addresses);
}

absl::Status UnchangedCode::Prove(const TracedBenchmark& benchmark) {
  if (!Status().ok()) return Status();
  const absl::Status proved = proof_->Prove(benchmark);
  status_ = proof_->start();
  return proved;
}

}  // namespace duetbench::duet
