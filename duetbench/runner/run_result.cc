#include "duetbench/runner/run_result.h"

#include <algorithm>
#include <cstring>

#include "absl/status/status.h"

namespace duetbench {
namespace {

constexpr uint32_t kResultMessage = 0x64756574;  // "duet"
constexpr uint32_t kErrorMessage = 0x64756572;

class Writer {
 public:
  template <class Pod>
  void Put(const Pod& value) {
    static_assert(std::is_trivially_copyable_v<Pod>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  void PutString(const std::string& text) {
    Put(static_cast<uint64_t>(text.size()));
    bytes_.append(text);
  }
  std::string Take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(absl::string_view bytes) : rest_(bytes) {}

  template <class Pod>
  void Get(Pod* value) {
    static_assert(std::is_trivially_copyable_v<Pod>);
    if (!Has(sizeof(*value))) return;
    std::memcpy(value, rest_.data(), sizeof(*value));
    rest_.remove_prefix(sizeof(*value));
  }
  // Not every byte is a bool.
  void Get(bool* value) {
    uint8_t byte = 0;
    Get(&byte);
    *value = byte == 1;
    ok_ = ok_ && byte <= 1;
  }
  void GetString(std::string* text) {
    uint64_t size = 0;
    Get(&size);
    if (!Has(size)) return;
    text->assign(rest_.data(), size);
    rest_.remove_prefix(size);
  }
  // For vectors whose elements take at least `least` bytes each: a damaged count allocates nothing.
  uint64_t GetCount(uint64_t least) {
    uint64_t count = 0;
    Get(&count);
    if (count > rest_.size() / least) {
      ok_ = false;
      return 0;
    }
    return count;
  }
  bool ok() const { return ok_; }

 private:
  bool Has(uint64_t bytes) {
    ok_ = ok_ && bytes <= rest_.size();
    return ok_;
  }

  absl::string_view rest_;
  bool ok_ = true;
};

}  // namespace

std::string EncodeRunResult(const RunResult& result) {
  Writer writer;
  writer.Put(kResultMessage);
  writer.Put(result.error.variant);
  writer.PutString(result.error.cause);
  writer.Put(result.error.skipped);
  writer.Put(result.batch);
  writer.Put(result.iteration_ns);
  writer.Put(result.set_up_ns);
  writer.Put(result.wall_ns);
  writer.PutString(result.notice);
  for (const VariantReport& variant : result.variants) {
    writer.PutString(variant.label);
    writer.Put(variant.complexity_n);
    writer.Put(static_cast<uint64_t>(variant.counters.size()));
    for (const CounterValue& counter : variant.counters) {
      writer.PutString(counter.name);
      writer.Put(counter.value);
      writer.Put(counter.flags);
      writer.Put(counter.one_k);
    }
  }
  for (const UsageTally& usage : result.usage) writer.Put(usage);
  writer.Put(static_cast<uint64_t>(result.events.size()));
  for (const EventTally& event : result.events) writer.Put(event);
  writer.Put(static_cast<uint64_t>(result.pairs.size()));
  for (const PairRecord& pair : result.pairs) writer.Put(pair);
  return writer.Take();
}

absl::StatusOr<RunResult> DecodeRunResult(absl::string_view bytes) {
  Reader reader(bytes);
  uint32_t message = 0;
  RunResult result;
  reader.Get(&message);
  reader.Get(&result.error.variant);
  reader.GetString(&result.error.cause);
  if (result.error.variant < -1 || result.error.variant > 1) {
    return absl::DataLossError("what the run reported is of no variant");
  }
  if (reader.ok() && message == kErrorMessage) return result;
  if (reader.ok() && message != kResultMessage) {
    return absl::DataLossError("what the run reported is not a result");
  }
  reader.Get(&result.error.skipped);
  reader.Get(&result.batch);
  reader.Get(&result.iteration_ns);
  reader.Get(&result.set_up_ns);
  reader.Get(&result.wall_ns);
  reader.GetString(&result.notice);
  for (VariantReport& variant : result.variants) {
    reader.GetString(&variant.label);
    reader.Get(&variant.complexity_n);
    variant.counters.resize(reader.GetCount(sizeof(uint64_t)));
    for (CounterValue& counter : variant.counters) {
      reader.GetString(&counter.name);
      reader.Get(&counter.value);
      reader.Get(&counter.flags);
      reader.Get(&counter.one_k);
    }
  }
  for (UsageTally& usage : result.usage) reader.Get(&usage);
  result.events.resize(reader.GetCount(sizeof(EventTally)));
  for (EventTally& event : result.events) reader.Get(&event);
  result.pairs.resize(reader.GetCount(sizeof(PairRecord)));
  for (PairRecord& pair : result.pairs) reader.Get(&pair);
  if (!reader.ok()) return absl::DataLossError("what the run reported is damaged or cut off");
  return result;
}

int EncodeRunError(int variant, const char* cause, char* buffer) {
  const int32_t variant_field = variant;
  const size_t header = sizeof(kErrorMessage) + sizeof(variant_field) + sizeof(uint64_t);
  const uint64_t length = std::min<uint64_t>(std::strlen(cause), kMostErrorBytes - header);
  char* out = buffer;
  const auto put = [&out](const void* bytes, size_t size) {
    std::memcpy(out, bytes, size);
    out += size;
  };
  put(&kErrorMessage, sizeof(kErrorMessage));
  put(&variant_field, sizeof(variant_field));
  put(&length, sizeof(length));
  put(cause, length);
  return static_cast<int>(out - buffer);
}

}  // namespace duetbench
