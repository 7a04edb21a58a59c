#include "duetbench/experiment/run_protocol.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "duetbench/process/crash_report.h"

namespace duetbench {
namespace {

enum class Content : uint32_t { kResult, kErrorAlone };

struct Header {
  uint32_t magic = 0x74656475;  // "duet"
  uint32_t version = kRunProtocolVersion;
  Content content = Content::kResult;
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
    std::memcpy(&value, rest_.data(), sizeof(value));
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

template <class Stream, class Result>
void TransferResult(Stream& stream, Result& result) {
  TransferError(stream, result.error);
  stream.Field(result.error.skipped);
  stream.Field(result.batch);
  stream.Field(result.sample_ns);
  stream.Field(result.set_up_ns);
  stream.Field(result.wall_ns);
  stream.Field(result.notice);
  for (auto& variant : result.variants) {
    stream.Field(variant.label);
    stream.Field(variant.complexity_n);
    stream.Size(variant.counters, sizeof(uint64_t));
    for (auto& counter : variant.counters) {
      stream.Field(counter.name);
      stream.Field(counter.value);
      stream.Field(counter.flags);
      stream.Field(counter.one_k);
    }
  }
  for (auto& usage : result.usage) stream.Field(usage);
  TransferPods(stream, result.events);
  TransferPods(stream, result.pairs);
}

}  // namespace

std::string EncodeRunTask(const RunTask& task) {
  return absl::StrCat(kRunProtocolVersion, ";", task.parent, ";", task.family, ";",
                      absl::StrJoin(task.ranges, ","), ";",
                      absl::BytesToHexString(absl::string_view(
                          reinterpret_cast<const char*>(&task.plan), sizeof(task.plan))));
}

absl::StatusOr<RunTask> DecodeRunTask(absl::string_view text) {
  const absl::Status bad = absl::InvalidArgumentError(
      absl::StrCat(kTaskVariable, " is set but is no task of this program; unset it"));
  const std::vector<absl::string_view> parts = absl::StrSplit(text, ';');
  RunTask task;
  uint32_t version = 0;
  if (parts.size() != 5 || !absl::SimpleAtoi(parts[0], &version) ||
      version != kRunProtocolVersion || !absl::SimpleAtoi(parts[1], &task.parent) ||
      !absl::SimpleAtoi(parts[2], &task.family)) {
    return bad;
  }
  for (absl::string_view part : absl::StrSplit(parts[3], ',', absl::SkipEmpty())) {
    int64_t range = 0;
    if (!absl::SimpleAtoi(part, &range)) return bad;
    task.ranges.push_back(range);
  }
  // HexStringToBytes takes any character.
  if (parts[4].size() != 2 * sizeof(RunPlan) ||
      !std::all_of(parts[4].begin(), parts[4].end(), absl::ascii_isxdigit)) {
    return bad;
  }
  const std::string bytes = absl::HexStringToBytes(parts[4]);
  std::memcpy(static_cast<void*>(&task.plan), bytes.data(), sizeof(RunPlan));
  return task;
}

std::string EncodeRunResult(const RunResult& result) {
  Writer writer;
  writer.Field(Header());
  TransferResult(writer, result);
  return writer.Take();
}

absl::StatusOr<RunResult> DecodeRunResult(absl::string_view bytes) {
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
  RunResult result;
  if (header.content == Content::kErrorAlone) {
    TransferError(reader, result.error);
  } else {
    TransferResult(reader, result);
  }
  const bool known = header.content <= Content::kErrorAlone && result.error.variant >= -1 &&
                     result.error.variant <= 1;
  if (!known || !reader.done()) {
    return absl::DataLossError("what the run reported is damaged or cut off");
  }
  return result;
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
