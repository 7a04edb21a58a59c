#include "duetbench/measure/run_protocol.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "duetbench/platform/crash_report.h"
#include "duetbench/platform/exit_status.h"
#include "duetbench/platform/process.h"
#include "duetbench/platform/spawn.h"
#include "duetbench/platform/subprocess.h"
#include "duetbench/record/explanation_json.h"

// Arrays of these are long: they are written as the bytes that they are.
template <class Pod>
struct PodsAsBytes {
  static_assert(std::is_trivially_copyable_v<Pod>);
  static void to_json(nlohmann::json& json, const std::vector<Pod>& pods) {
    const auto* const bytes = reinterpret_cast<const uint8_t*>(pods.data());
    json = nlohmann::json::binary({bytes, bytes + pods.size() * sizeof(Pod)});
  }
  static void from_json(const nlohmann::json& json, std::vector<Pod>& pods) {
    const auto& bytes = json.get_binary();
    pods.resize(bytes.size() / sizeof(Pod));
    if (bytes.size() != pods.size() * sizeof(Pod)) throw std::length_error("cut off");
    if (!pods.empty()) std::memcpy(pods.data(), bytes.data(), bytes.size());
  }
};
template <>
struct nlohmann::adl_serializer<std::vector<duetbench::Sample>> : PodsAsBytes<duetbench::Sample> {};
template <>
struct nlohmann::adl_serializer<std::vector<duetbench::CountRecord>>
    : PodsAsBytes<duetbench::CountRecord> {};
template <>
struct nlohmann::adl_serializer<duetbench::RunPlan> {
  static void to_json(json& json, const duetbench::RunPlan& plan) {
    PodsAsBytes<duetbench::RunPlan>::to_json(json, {plan});
  }
  static void from_json(const json& json, duetbench::RunPlan& plan) {
    std::vector<duetbench::RunPlan> plans;
    PodsAsBytes<duetbench::RunPlan>::from_json(json, plans);
    plan = plans.at(0);
  }
};

namespace duetbench {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RunError, variant, cause)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CounterValue, name, value, flags, one_k)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(VariantReport, label, items, bytes, uses_seed, counters)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(EmptyTally, samples, no_longer, empty_ns)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FirstIteration, ns, iterations, faults, next_ns)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LoopRecord, variant, error, skipped, report, notice, batch,
                                   sample_ns, set_up_ns, unmeasured_ns, empty, pause_share,
                                   first_iteration, call_set_ups_ns, allocations,
                                   allocating_iterations, peak_heap_bytes, peak_rss_bytes, stacks,
                                   samples, counts)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RunRecord, error, stuck, activities, overhead_ticks, wall_ns,
                                   started_threads, notice, loops)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RunTask, parent, family, ranges, side, executes, shared_fd, plan)

namespace {

using nlohmann::json;

enum class Content : uint32_t { kRecord, kErrorAlone, kTask };

// CBOR (RFC 8949) follows, but for an error alone, which a signal handler writes.
struct Header {
  uint32_t magic = 0x74656475;  // "duet"
  uint32_t version = kRunProtocolVersion;
  Content content = Content::kRecord;
};

template <class T>
std::string Encode(Content content, const T& value) {
  Header header;
  header.content = content;
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof(header));
  json::to_cbor(value, bytes);
  return bytes;
}

// Takes a value off the front of `bytes`. False: there are too few.
template <class Pod>
bool Take(absl::string_view* bytes, Pod* value) {
  if (bytes->size() < sizeof(Pod)) return false;
  std::memcpy(static_cast<void*>(value), bytes->data(), sizeof(Pod));
  bytes->remove_prefix(sizeof(Pod));
  return true;
}

// The value behind a header; nothing if it is damaged.
template <class T>
std::optional<T> Decode(absl::string_view bytes) {
  try {
    return json::from_cbor(bytes.begin(), bytes.end()).template get<T>();
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

std::optional<RunRecord> DecodeErrorAlone(absl::string_view bytes) {
  RunRecord record;
  uint64_t length = 0;
  if (!Take(&bytes, &record.error.variant) || !Take(&bytes, &length) || length != bytes.size()) {
    return std::nullopt;
  }
  record.error.cause = std::string(bytes);
  return record;
}

// True if each place is in one of the files.
bool HasFilesOfStacks(const CountedStacks& stacks) {
  for (const CountedStack& stack : stacks.stacks) {
    for (const CodePlace& place : stack.places) {
      if (place.file >= stacks.files.size()) return false;
    }
  }
  return true;
}

// The C library hands it to initializers, before a main has changed it.
const std::vector<std::string>* original_command_line = nullptr;
__attribute__((constructor)) void SaveCommandLine(int argc, char** argv) {
  original_command_line = new std::vector<std::string>(argv, argv + argc);
}

constexpr char kRandomLayoutVariable[] = "DUETBENCH_RANDOM_LAYOUT";

std::optional<AssignedRun> ReadAssignedRun() {
  const char* const text = std::getenv(kTaskVariable);
  if (text == nullptr) return std::nullopt;
  absl::StatusOr<RunTask> task = DecodeRunTask(text);
  const absl::StatusOr<int> result_fd = TakeResultDescriptor(kResultVariable);
  unsetenv(kTaskVariable);
  if (!task.ok() || !result_fd.ok()) {
    const absl::Status& error = task.ok() ? result_fd.status() : task.status();
    std::fprintf(stderr, "duetbench: %s\n", std::string(error.message()).c_str());
    std::_Exit(task.ok() ? kExitCannotReport : kExitError);
  }
  const auto parent = static_cast<pid_t>(task->parent);
  if (task->side < 0) {
    DieWithParent(parent);
  } else {
    // There may be a shell or a wrapper between the parent and this process.
    EndWithCollector(parent, /*may_start_thread=*/task->plan.in_processes == 0);
  }
  return AssignedRun{*std::move(task), *result_fd};
}

// A main that calls benchmark::MaybeReenterWithoutASLR is restarted with a fixed memory layout,
// for the sake of ordinary benchmarks, unless processes started from here have one. So the process
// of a run says that they have, although its own layout is random; any other process remembers, for
// RandomizeLayoutOfRuns, that its layout was random before the restart.
void RememberLayout(bool is_run) {
  if (LayoutFixedForProcess()) return;
  if (is_run) {
    SetLayoutFixed(true);
  } else {
    setenv(kRandomLayoutVariable, "1", 1);
  }
}

}  // namespace

std::string EncodeRunTask(const RunTask& task) {
  return absl::WebSafeBase64Escape(Encode(Content::kTask, task));
}

absl::StatusOr<RunTask> DecodeRunTask(absl::string_view text) {
  std::string decoded;
  const bool is_text = absl::WebSafeBase64Unescape(text, &decoded);
  absl::string_view bytes = decoded;
  Header header;
  std::optional<RunTask> task;
  if (is_text && Take(&bytes, &header) && header.magic == Header().magic &&
      header.version == kRunProtocolVersion && header.content == Content::kTask) {
    task = Decode<RunTask>(bytes);
  }
  if (task.has_value() && task->side >= -1 && task->side < kMaxVariants && task->executes >= 0 &&
      task->executes <= 1) {
    return *std::move(task);
  }
  return absl::InvalidArgumentError(
      absl::StrCat(kTaskVariable, " is set but is no task of this program; unset it"));
}

std::string EncodeRunRecord(const RunRecord& record) { return Encode(Content::kRecord, record); }

absl::StatusOr<RunRecord> DecodeRunRecord(absl::string_view bytes) {
  absl::Status damaged = absl::DataLossError("what the run reported is damaged or cut off");
  Header header;
  if (!Take(&bytes, &header)) return damaged;
  if (header.magic != Header().magic) {
    return absl::DataLossError("what the run reported is not a result");
  }
  if (header.version != kRunProtocolVersion) {
    return absl::DataLossError(absl::StrCat("the run speaks version ", header.version,
                                            " of the protocol, and this program version ",
                                            kRunProtocolVersion));
  }
  std::optional<RunRecord> record;
  if (header.content == Content::kErrorAlone) record = DecodeErrorAlone(bytes);
  if (header.content == Content::kRecord) record = Decode<RunRecord>(bytes);
  if (!record.has_value() || record->error.variant < -1 || record->error.variant >= kMaxVariants) {
    return damaged;
  }
  for (const LoopRecord& loop : record->loops) {
    if (loop.variant < 0 || loop.variant >= kMaxVariants || !HasFilesOfStacks(loop.stacks)) {
      return damaged;
    }
  }
  return *std::move(record);
}

int EncodeRunError(int variant, const char* cause, char* buffer) {
  Header header;
  header.content = Content::kErrorAlone;
  constexpr size_t kFixedBytes = sizeof(header) + sizeof(variant) + sizeof(uint64_t);
  const uint64_t length =
      std::min<uint64_t>(std::strlen(cause), kMaxCrashReportBytes - kFixedBytes);
  char* end = buffer;
  const auto put = [&end](const void* bytes, size_t size) {
    std::memcpy(end, bytes, size);
    end += size;
  };
  put(&header, sizeof(header));
  put(&variant, sizeof(variant));
  put(&length, sizeof(length));
  put(cause, length);
  return static_cast<int>(end - buffer);
}

const std::optional<AssignedRun>& RunOfThisProcess() {
  static const auto* const run = [] {
    OpenStandardDescriptors();
    auto* const read = new std::optional<AssignedRun>(ReadAssignedRun());
    RememberLayout(read->has_value());
    // A process of a copy (code_layout/) has the number of a descriptor as its name.
    if (read->has_value()) prctl(PR_SET_NAME, program_invocation_short_name);
    return read;
  }();
  return *run;
}

std::vector<std::string> CommandLineOfThisProcess() { return *original_command_line; }

void RandomizeLayoutOfRuns() {
  if (std::getenv(kRandomLayoutVariable) != nullptr) SetLayoutFixed(false);
}

}  // namespace duetbench
