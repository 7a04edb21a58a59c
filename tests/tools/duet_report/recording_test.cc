#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "duetbench/report/facts_json.h"
#include "gtest/gtest.h"
#include "tests/tools/duet_report/page/shown_suites.h"
#include "tools/duet_report/page/page.h"

namespace duetbench::page {
namespace {

// A program hands over the bytes; the page is that of the suite itself.
TEST(Recording, KeepsAllThatThePageShows) {
  Facts full = ShownWithPairs("BM_A<int>/8", 1.3);
  full.interval.hi = full.allowed_hi = std::numeric_limits<double>::infinity();
  full.gate = GateStatus::kInconclusive;
  full.gate_limit = full.file = full.repeat = full.message = full.ranking = "text";
  full.cpu_time = full.one_at_a_time = true;
  full.quantiles = {ShownQuantileOf(0.5, "p50", 0.9), {}};
  full.quantiles[1].gap = "too few calls";
  full.counters = {{"INSTRUCTIONS", "1", "2", "2 ×"}};
  full.diagnosis = full.why = full.listing = {"one", "two"};
  full.notices = {{"one", "key"}};
  full.numbers = {{"runs", 8}};
  full.explanation = R"({"calls": {"function": "all", "old_ns": 100, "new_ns": 150,
      "calls": [{"function": "Hash", "old_ns": 50, "new_ns": 90}]}})";
  Facts failed;
  failed.name = "BM_B";
  failed.error = "threw";
  const SuiteFacts suite = {"bench",        "1 gate failed",       1, {"CPUs"}, "0 and 1",
                            {full, failed}, {{"line", true, true}}};
  const SuiteFacts read =
      nlohmann::json::from_cbor(nlohmann::json::to_cbor(suite)).get<SuiteFacts>();
  EXPECT_EQ(PageHtml(read), PageHtml(suite));
  EXPECT_NE(PageHtml(read).find("Hash: old 50 ns, new 90 ns"), std::string::npos);
  EXPECT_EQ(nlohmann::json(read), nlohmann::json(suite)) << "what the page does not show";
}

}  // namespace
}  // namespace duetbench::page
