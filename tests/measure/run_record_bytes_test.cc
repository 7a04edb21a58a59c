// The bytes of a record of a run, as its process writes them into its pipe.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "duetbench/measure/run_protocol.h"
#include "duetbench/measure/run_record.h"
#include "duetbench/platform/crash_report.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAreArray;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::Lt;

RunRecord FullRecord() {
  LoopRecord loop;
  loop.variant = 1;
  loop.error = "threw int";
  loop.skipped = true;
  loop.report.label = "the new one";
  loop.report.items = 3;
  loop.report.bytes = static_cast<double>(std::numeric_limits<int64_t>::max());
  loop.report.counters = {{"items_per_second", 1e9, 1, 1000},
                          {"", std::numeric_limits<double>::infinity(), 0, 1024},
                          {"nan", std::nan(""), 3, 1000}};
  loop.notice = std::string("a\0b", 3) + " …";
  loop.batch = 12'345'678'901;
  loop.sample_ns = 51'234.5;
  loop.set_up_ns = 1.5e6;
  loop.unmeasured_ns = 2.5e6;
  loop.empty = {5, 4, 0.25};
  loop.pause_share = 0.5;
  loop.first_iteration = {1.5, 2, 3, 4.5};
  loop.call_set_ups_ns = 4.5;
  loop.allocations = uint64_t{1} << 40;
  loop.allocating_iterations = 9;
  loop.peak_heap_bytes = 1.5e6;
  loop.peak_rss_bytes = 2.5e6;
  loop.stacks.files = {"bench", "libc.so.6"};
  loop.stacks.stacks = {{{{0, 0x1234}, {1, 0x5678}}, 3}, {{}, 1}};
  for (uint32_t i = 0; i < 3; ++i) {
    Sample sample{};
    sample.pair_index = 100 + i;
    sample.iterations = uint64_t{1} << (40 + i);
    sample.manual_seconds = 0.5 * i;
    sample.assignment = static_cast<uint8_t>(i % 2);
    sample.major_faults = i;
    loop.samples.push_back(sample);
    CountRecord counted{};
    counted.pair_index = 100 + i;
    loop.counts.push_back(counted);
  }
  RunRecord record;
  record.error = {1, "was still executing iterations"};
  record.stuck = true;
  record.activities[0] = 2;
  record.activities[1] = 3;
  record.overhead_ticks = 17;
  record.wall_ns = 2.5e9;
  for (int i = 0; i < 3; ++i) record.started_threads[i] = 4 + i;
  record.notice = "a notice";
  record.loops = {loop, LoopRecord()};
  return record;
}

void ExpectSame(const VariantReport& a, const VariantReport& b) {
  EXPECT_EQ(a.label, b.label);
  EXPECT_EQ(a.items, b.items);
  EXPECT_EQ(a.bytes, b.bytes);
  ASSERT_EQ(a.counters.size(), b.counters.size());
  for (size_t i = 0; i < a.counters.size(); ++i) {
    const CounterValue& x = a.counters[i];
    const CounterValue& y = b.counters[i];
    EXPECT_EQ(x.name, y.name);
    EXPECT_TRUE(x.value == y.value || (std::isnan(x.value) && std::isnan(y.value))) << x.name;
    EXPECT_EQ(x.flags, y.flags);
    EXPECT_EQ(x.one_k, y.one_k);
  }
}

template <class Pod>
void ExpectSameBytes(const std::vector<Pod>& a, const std::vector<Pod>& b) {
  ASSERT_EQ(a.size(), b.size());
  if (a.empty()) return;
  EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(Pod)), 0);
}

void ExpectSame(const LoopRecord& a, const LoopRecord& b) {
  EXPECT_EQ(a.variant, b.variant);
  EXPECT_EQ(a.error, b.error);
  EXPECT_EQ(a.skipped, b.skipped);
  ExpectSame(a.report, b.report);
  EXPECT_EQ(a.notice, b.notice);
  EXPECT_EQ(a.batch, b.batch);
  EXPECT_EQ(a.sample_ns, b.sample_ns);
  EXPECT_EQ(a.set_up_ns, b.set_up_ns);
  EXPECT_EQ(a.unmeasured_ns, b.unmeasured_ns);
  EXPECT_EQ(a.empty.samples, b.empty.samples);
  EXPECT_EQ(a.empty.no_longer, b.empty.no_longer);
  EXPECT_EQ(a.empty.empty_ns, b.empty.empty_ns);
  EXPECT_EQ(a.pause_share, b.pause_share);
  EXPECT_EQ(a.first_iteration.ns, b.first_iteration.ns);
  EXPECT_EQ(a.first_iteration.iterations, b.first_iteration.iterations);
  EXPECT_EQ(a.first_iteration.faults, b.first_iteration.faults);
  EXPECT_EQ(a.first_iteration.next_ns, b.first_iteration.next_ns);
  EXPECT_EQ(a.call_set_ups_ns, b.call_set_ups_ns);
  EXPECT_EQ(a.allocations, b.allocations);
  EXPECT_EQ(a.allocating_iterations, b.allocating_iterations);
  EXPECT_EQ(a.peak_heap_bytes, b.peak_heap_bytes);
  EXPECT_EQ(a.peak_rss_bytes, b.peak_rss_bytes);
  EXPECT_EQ(a.stacks.files, b.stacks.files);
  ASSERT_EQ(a.stacks.stacks.size(), b.stacks.stacks.size());
  for (size_t i = 0; i < a.stacks.stacks.size(); ++i) {
    EXPECT_EQ(a.stacks.stacks[i].places, b.stacks.stacks[i].places);
    EXPECT_EQ(a.stacks.stacks[i].count, b.stacks.stacks[i].count);
  }
  ExpectSameBytes(a.samples, b.samples);
  ExpectSameBytes(a.counts, b.counts);
}

void ExpectSame(const RunRecord& a, const RunRecord& b) {
  EXPECT_EQ(a.error.variant, b.error.variant);
  EXPECT_EQ(a.error.cause, b.error.cause);
  EXPECT_EQ(a.stuck, b.stuck);
  EXPECT_THAT(a.activities, ElementsAreArray(b.activities));
  EXPECT_EQ(a.overhead_ticks, b.overhead_ticks);
  EXPECT_EQ(a.wall_ns, b.wall_ns);
  EXPECT_THAT(a.started_threads, ElementsAreArray(b.started_threads));
  EXPECT_EQ(a.notice, b.notice);
  ASSERT_EQ(a.loops.size(), b.loops.size());
  for (size_t i = 0; i < a.loops.size(); ++i) ExpectSame(a.loops[i], b.loops[i]);
}

TEST(EncodeRunRecord, ComesBackAsItWas) {
  for (const RunRecord& record : {FullRecord(), RunRecord()}) {
    const absl::StatusOr<RunRecord> decoded = DecodeRunRecord(EncodeRunRecord(record));
    ASSERT_TRUE(decoded.ok()) << decoded.status();
    ExpectSame(*decoded, record);
  }
}

TEST(DecodeRunRecord, ALoopOfANinthVariantIsAnError) {
  RunRecord record = FullRecord();
  record.loops[0].variant = kMaxVariants;
  EXPECT_EQ(DecodeRunRecord(EncodeRunRecord(record)).status().code(), absl::StatusCode::kDataLoss);
}

TEST(DecodeRunRecord, AStackInAFileThatIsNotNamedIsAnError) {
  RunRecord record = FullRecord();
  record.loops[0].stacks.files.pop_back();
  EXPECT_EQ(DecodeRunRecord(EncodeRunRecord(record)).status().code(), absl::StatusCode::kDataLoss);
}

TEST(DecodeRunRecord, EveryTruncationIsAnError) {
  const std::string bytes = EncodeRunRecord(FullRecord());
  for (size_t length = 0; length < bytes.size(); ++length) {
    const absl::StatusOr<RunRecord> decoded = DecodeRunRecord(bytes.substr(0, length));
    ASSERT_EQ(decoded.status().code(), absl::StatusCode::kDataLoss) << length;
    ASSERT_FALSE(decoded.status().message().empty());
  }
}

TEST(DecodeRunRecord, EveryTruncationOfAnErrorIsAnError) {
  char buffer[kMaxCrashReportBytes];
  const auto length = static_cast<size_t>(EncodeRunError(1, "crashed", buffer));
  for (size_t i = 0; i < length; ++i) {
    ASSERT_EQ(DecodeRunRecord(absl::string_view(buffer, i)).status().code(),
              absl::StatusCode::kDataLoss)
        << i;
  }
}

TEST(DecodeRunRecord, WhatIsNoResultIsAnError) {
  const absl::StatusOr<RunRecord> decoded = DecodeRunRecord(std::string(200, 'x'));
  EXPECT_EQ(decoded.status().code(), absl::StatusCode::kDataLoss);
  const absl::StatusOr<RunRecord> zeros = DecodeRunRecord(std::string(200, '\0'));
  ASSERT_EQ(zeros.status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(zeros.status().message(), "what the run reported is not a result");
}

TEST(DecodeRunRecord, TrailingBytesAreAnError) {
  for (const char* rest : {"x", "xxxxxxxx"}) {
    EXPECT_EQ(DecodeRunRecord(EncodeRunRecord(FullRecord()) + rest).status().code(),
              absl::StatusCode::kDataLoss);
  }
  char buffer[kMaxCrashReportBytes];
  const auto length = static_cast<size_t>(EncodeRunError(1, "crashed", buffer));
  EXPECT_EQ(DecodeRunRecord(std::string(buffer, length) + "x").status().code(),
            absl::StatusCode::kDataLoss);
}

TEST(DecodeRunRecord, AnotherVersionOfTheProtocolIsAnError) {
  std::string bytes = EncodeRunRecord(FullRecord());
  const uint32_t version = kRunProtocolVersion + 1;
  bytes.replace(sizeof(uint32_t), sizeof(version), reinterpret_cast<const char*>(&version),
                sizeof(version));
  const absl::StatusOr<RunRecord> decoded = DecodeRunRecord(bytes);
  ASSERT_EQ(decoded.status().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(decoded.status().message(),
              HasSubstr(absl::StrCat("version ", version, " of the protocol")));
}

TEST(DecodeRunRecord, SurvivesRandomBytes) {
  std::mt19937 engine(1);
  int refused = 0;
  for (int repetition = 0; repetition < 20000; ++repetition) {
    std::string bytes(engine() % 300, '\0');
    for (char& byte : bytes) byte = static_cast<char>(engine());
    refused += DecodeRunRecord(bytes).ok() ? 0 : 1;
  }
  EXPECT_EQ(refused, 20000);
}

// Lengths and counts are damaged too: none may lead beyond the bytes or ask for endless memory.
TEST(DecodeRunRecord, SurvivesDamage) {
  std::mt19937 engine(2);
  const std::string intact = EncodeRunRecord(FullRecord());
  for (int repetition = 0; repetition < 50000; ++repetition) {
    std::string bytes = intact;
    for (unsigned damage = 0; damage <= engine() % 4; ++damage) {
      bytes[engine() % bytes.size()] = static_cast<char>(engine() % 2 == 0 ? 0xff : engine());
    }
    const absl::StatusOr<RunRecord> decoded = DecodeRunRecord(bytes);
    if (!decoded.ok()) continue;
    EXPECT_THAT(decoded->error.variant, AllOf(Ge(-1), Lt(kMaxVariants)));
    EXPECT_LE(decoded->loops.size(), intact.size());
  }
}

TEST(EncodeRunError, IsReadAsARecord) {
  char buffer[kMaxCrashReportBytes];
  for (const int variant : {-1, 0, 1}) {
    const int length = EncodeRunError(variant, "called exit()", buffer);
    ASSERT_LE(length, kMaxCrashReportBytes);
    const absl::StatusOr<RunRecord> decoded =
        DecodeRunRecord(absl::string_view(buffer, static_cast<size_t>(length)));
    ASSERT_TRUE(decoded.ok()) << decoded.status();
    EXPECT_EQ(decoded->error.variant, variant);
    EXPECT_EQ(decoded->error.cause, "called exit()");
    EXPECT_TRUE(decoded->loops.empty());
  }
}

TEST(EncodeRunError, IsCutWhereItDoesNotFit) {
  for (size_t length = 480; length < 530; ++length) {
    std::string cause;
    for (size_t i = 0; i < length; ++i) cause += static_cast<char>('a' + i % 26);
    std::string buffer(kMaxCrashReportBytes + 100, '#');
    const int written = EncodeRunError(0, cause.c_str(), buffer.data());
    ASSERT_LE(written, kMaxCrashReportBytes);
    EXPECT_EQ(buffer.substr(kMaxCrashReportBytes), std::string(100, '#'))
        << "wrote beyond the limit";
    const absl::StatusOr<RunRecord> decoded =
        DecodeRunRecord(absl::string_view(buffer).substr(0, static_cast<size_t>(written)));
    ASSERT_TRUE(decoded.ok()) << decoded.status();
    EXPECT_EQ(cause.substr(0, decoded->error.cause.size()), decoded->error.cause);
    // Nothing is cut that would have fitted.
    if (decoded->error.cause != cause) {
      EXPECT_EQ(written, kMaxCrashReportBytes);
    }
  }
}

}  // namespace
}  // namespace duetbench
