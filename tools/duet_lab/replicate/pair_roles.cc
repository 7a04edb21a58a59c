#include "tools/duet_lab/replicate/pair_roles.h"

#include <unistd.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "duetbench/duetbench.h"
#include "tools/duet_lab/pairs/code_pairs.h"
#include "tools/duet_lab/program_run.h"
#include "tools/duet_lab/roles.h"

namespace duetbench::lab {
namespace {

// The real time of an iteration in the only benchmark of a JSON file.
absl::StatusOr<double> NanosecondsOf(const std::string& json) {
  const nlohmann::json file = nlohmann::json::parse(json, nullptr, /*allow_exceptions=*/false);
  try {
    const nlohmann::json& row = file.at("benchmarks").at(0);
    if (row.at("time_unit") == "ns") return row.at("real_time").get<double>();
  } catch (const nlohmann::json::exception& error) {
    return absl::InternalError(absl::StrCat("no result of a plain loop: ", error.what()));
  }
  return absl::InternalError("a plain loop has another unit than nanoseconds");
}

}  // namespace

std::vector<std::string> GroupPairs() {
  const std::vector<GroupVariant> variants = CodeGroup();
  std::vector<std::string> pairs;
  for (size_t i = 1; i < variants.size(); ++i) {
    pairs.push_back(absl::StrCat("group/", variants[0].name, "_vs_", variants[i].name));
  }
  return pairs;
}

int RunPairsRole(int argc, char** argv) {
  const std::vector<GroupVariant> group = CodeGroup();
  RegisterDuet("group", {{group[0].name, group[0].side.duet},
                         {group[1].name, group[1].side.duet},
                         {group[2].name, group[2].side.duet},
                         {group[3].name, group[3].side.duet}});
  for (const CodePair& pair : CodePairs()) {
    const PairSides sides = pair.sides();
    RegisterDuet(pair.name, sides.old_side.duet, sides.new_side.duet);
  }
  return Main(argc, argv);
}

int RunPlainRole(int argc, char** argv) {
  for (const CodePair& pair : CodePairs()) {
    const PairSides sides = pair.sides();
    benchmark::RegisterBenchmark(absl::StrCat(pair.name, "/old").c_str(), sides.old_side.plain);
    benchmark::RegisterBenchmark(absl::StrCat(pair.name, "/new").c_str(), sides.new_side.plain);
  }
  const std::vector<std::string> names = GroupPairs();
  const std::vector<GroupVariant> group = CodeGroup();
  for (size_t i = 0; i < names.size(); ++i) {
    benchmark::RegisterBenchmark((names[i] + "/old").c_str(), group[0].side.plain);
    benchmark::RegisterBenchmark((names[i] + "/new").c_str(), group[i + 1].side.plain);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

ChildRequest PairsProgram(const std::vector<std::string>& pairs,
                          const std::vector<std::string>& arguments) {
  ChildRequest request = RoleProgram(
      kPairsRole, {absl::StrCat("--benchmark_filter=^(", absl::StrJoin(pairs, "|"), ")$")});
  request.argv.insert(request.argv.end(), arguments.begin(), arguments.end());
  return request;
}

absl::StatusOr<PlainVisit> MeasurePlain(const std::string& pair, double seconds, bool new_first) {
  PlainVisit visit;
  for (const bool is_new : {new_first, !new_first}) {
    const absl::StatusOr<ProgramResult> result = RunBenchmarkProgram(RoleProgram(
        kPlainRole, {absl::StrCat("--benchmark_filter=^", pair, is_new ? "/new$" : "/old$"),
                     absl::StrCat("--benchmark_min_time=", seconds)}));
    if (!result.ok()) return result.status();
    const absl::StatusOr<double> ns = NanosecondsOf(result->json);
    if (!ns.ok())
      return absl::InternalError(absl::StrCat(ns.status().message(), "\n", result->output));
    (is_new ? visit.new_ns : visit.old_ns) = *ns;
    visit.wall_seconds += result->wall_seconds;
  }
  return visit;
}

}  // namespace duetbench::lab
