#include "duetbench/measure/run_protocol.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "duetbench/platform/crash_report.h"

namespace duetbench {
namespace {

enum class Content : uint32_t { kRecord, kErrorAlone, kTask };

struct Header {
  uint32_t magic = 0x74656475;  // "duet"
  uint32_t version = kRunProtocolVersion;
  Content content = Content::kRecord;
};

// Writer and Reader have the same methods, so that one function (Transfer…) lists the fields for
// both directions.
class Writer {
 public:
  template <class Pod>
  void Field(const Pod& value) {
    static_assert(std::is_trivially_copyable_v<Pod>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  void Field(const std::string& text) {
    Field(static_cast<uint64_t>(text.size()));
    bytes_.append(text);
  }
  template <class Element>
  void Size(const std::vector<Element>& elements, size_t) {
    Field(static_cast<uint64_t>(elements.size()));
  }
  std::string Take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// After the first fault nothing more is read, and ok() is false.
class Reader {
 public:
  explicit Reader(absl::string_view bytes) : rest_(bytes) {}

  template <class Pod>
  void Field(Pod& value) {
    static_assert(std::is_trivially_copyable_v<Pod>);
    if (!Has(sizeof(value))) return;
    std::memcpy(static_cast<void*>(&value), rest_.data(), sizeof(value));
    rest_.remove_prefix(sizeof(value));
  }
  // Not every byte is a bool.
  void Field(bool& value) {
    uint8_t byte = 0;
    Field(byte);
    value = byte == 1;
    ok_ = ok_ && byte <= 1;
  }
  void Field(std::string& text) {
    uint64_t size = 0;
    Field(size);
    if (!Has(size)) return;
    text.assign(rest_.data(), size);
    rest_.remove_prefix(size);
  }
  // Each element takes at least `min_bytes`: a damaged size allocates no memory.
  template <class Element>
  void Size(std::vector<Element>& elements, size_t min_bytes) {
    uint64_t size = 0;
    Field(size);
    ok_ = ok_ && size <= rest_.size() / min_bytes;
    if (ok_) elements.resize(size);
  }
  bool ok() const { return ok_; }
  bool done() const { return ok_ && rest_.empty(); }

 private:
  bool Has(uint64_t bytes) {
    ok_ = ok_ && bytes <= rest_.size();
    return ok_;
  }

  absl::string_view rest_;
  bool ok_ = true;
};

template <class Stream, class Pods>
void TransferPods(Stream& stream, Pods& pods) {
  stream.Size(pods, sizeof(pods[0]));
  for (auto& pod : pods) stream.Field(pod);
}

template <class Stream, class Error>
void TransferError(Stream& stream, Error& error) {
  stream.Field(error.variant);
  stream.Field(error.cause);
}

template <class Stream, class Report>
void TransferReport(Stream& stream, Report& report) {
  stream.Field(report.label);
  stream.Field(report.items);
  stream.Field(report.bytes);
  stream.Field(report.uses_seed);
  stream.Size(report.counters, sizeof(uint64_t));
  for (auto& counter : report.counters) {
    stream.Field(counter.name);
    stream.Field(counter.value);
    stream.Field(counter.flags);
    stream.Field(counter.one_k);
  }
}

template <class Stream, class Stacks>
void TransferStacks(Stream& stream, Stacks& stacks) {
  stream.Size(stacks.files, sizeof(uint64_t));
  for (auto& file : stacks.files) stream.Field(file);
  stream.Size(stacks.stacks, sizeof(uint64_t));
  for (auto& stack : stacks.stacks) {
    TransferPods(stream, stack.places);
    stream.Field(stack.count);
  }
  stream.Field(stacks.dropped);
}

template <class Stream, class Loop>
void TransferLoop(Stream& stream, Loop& loop) {
  stream.Field(loop.variant);
  stream.Field(loop.error);
  stream.Field(loop.skipped);
  TransferReport(stream, loop.report);
  stream.Field(loop.notice);
  stream.Field(loop.batch);
  stream.Field(loop.sample_ns);
  stream.Field(loop.set_up_ns);
  stream.Field(loop.unmeasured_ns);
  stream.Field(loop.empty);
  stream.Field(loop.pause_share);
  stream.Field(loop.first_iteration);
  stream.Field(loop.call_set_ups_ns);
  stream.Field(loop.allocations);
  stream.Field(loop.allocating_iterations);
  stream.Field(loop.peak_heap_bytes);
  stream.Field(loop.peak_rss_bytes);
  TransferStacks(stream, loop.stacks);
  TransferPods(stream, loop.samples);
  TransferPods(stream, loop.counts);
}

template <class Stream, class Record>
void TransferRecord(Stream& stream, Record& record) {
  TransferError(stream, record.error);
  stream.Field(record.stuck);
  for (auto& activity : record.activities) stream.Field(activity);
  stream.Field(record.overhead_ticks);
  stream.Field(record.wall_ns);
  for (auto& threads : record.started_threads) stream.Field(threads);
  stream.Field(record.notice);
  stream.Size(record.loops, sizeof(uint64_t));
  for (auto& loop : record.loops) TransferLoop(stream, loop);
}

template <class Stream, class Task>
void TransferTask(Stream& stream, Task& task) {
  stream.Field(task.parent);
  stream.Field(task.family);
  TransferPods(stream, task.ranges);
  stream.Field(task.side);
  stream.Field(task.executes);
  stream.Field(task.shared_fd);
  stream.Field(task.plan);
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

// Two hexadecimal digits a byte; empty if there is anything else. (Abseil's function for it has
// changed its arguments.)
std::string FromHex(absl::string_view digits) {
  std::string bytes;
  for (; digits.size() >= 2; digits.remove_prefix(2)) {
    unsigned char byte = 0;
    const char* const end = digits.data() + 2;
    if (std::from_chars(digits.data(), end, byte, 16).ptr != end) return "";
    bytes.push_back(static_cast<char>(byte));
  }
  return digits.empty() ? bytes : "";
}

}  // namespace

std::string EncodeRunTask(const RunTask& task) {
  Writer writer;
  Header header;
  header.content = Content::kTask;
  writer.Field(header);
  TransferTask(writer, task);
  return absl::BytesToHexString(writer.Take());
}

absl::StatusOr<RunTask> DecodeRunTask(absl::string_view text) {
  const std::string bytes = FromHex(text);
  Reader reader(bytes);
  Header header;
  RunTask task;
  reader.Field(header);
  TransferTask(reader, task);
  if (!reader.done() || header.magic != Header().magic || header.version != kRunProtocolVersion ||
      header.content != Content::kTask || task.side < -1 || task.side >= kMaxVariants ||
      task.executes < 0 || task.executes > 1) {
    return absl::InvalidArgumentError(
        absl::StrCat(kTaskVariable, " is set but is no task of this program; unset it"));
  }
  return task;
}

std::string EncodeRunRecord(const RunRecord& record) {
  Writer writer;
  writer.Field(Header());
  TransferRecord(writer, record);
  return writer.Take();
}

absl::StatusOr<RunRecord> DecodeRunRecord(absl::string_view bytes) {
  const absl::Status damaged = absl::DataLossError("what the run reported is damaged or cut off");
  Reader reader(bytes);
  Header header;
  reader.Field(header);
  if (reader.ok() && header.magic != Header().magic) {
    return absl::DataLossError("what the run reported is not a result");
  }
  if (reader.ok() && header.version != kRunProtocolVersion) {
    return absl::DataLossError(absl::StrCat("the run speaks version ", header.version,
                                            " of the protocol, and this program version ",
                                            kRunProtocolVersion));
  }
  RunRecord record;
  if (header.content == Content::kErrorAlone) {
    TransferError(reader, record.error);
  } else if (header.content == Content::kRecord) {
    TransferRecord(reader, record);
  } else {
    return damaged;
  }
  if (!reader.done() || record.error.variant < -1 || record.error.variant >= kMaxVariants)
    return damaged;
  for (const LoopRecord& loop : record.loops) {
    if (loop.variant < 0 || loop.variant >= kMaxVariants || !HasFilesOfStacks(loop.stacks))
      return damaged;
  }
  return record;
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

}  // namespace duetbench
