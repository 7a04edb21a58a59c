#ifndef DUETBENCH_DUETBENCH_H_
#define DUETBENCH_DUETBENCH_H_

// The one header of duetbench. Is NEW faster than OLD?
//
//   #include <duetbench/duetbench.h>
//
//   static void BM_StdMap(duetbench::State& state) {
//     const std::map<int, int> map = MakeMap(state.range(0));
//     for (auto _ : state) benchmark::DoNotOptimize(map.find(NextKey()));
//   }
//   static void BM_BTreeMap(duetbench::State& state) { … }
//
//   DUET_BENCHMARK(BM_StdMap, BM_BTreeMap)->Range(64, 64 << 10);
//   DUET_BENCHMARK(OldParse, NewParse);  // functions without arguments are looped
//   DUET_MAIN();

#include <benchmark/benchmark.h>

#include "duetbench/api/duet_benchmark.h"
#include "duetbench/api/fixture.h"
#include "duetbench/api/macros.h"
#include "duetbench/api/main.h"
#include "duetbench/api/register_duet.h"
#include "duetbench/platform/report_tool_path.h"
#include "duetbench/variant/google_benchmark_layout.h"
#include "duetbench/variant/state.h"
#include "duetbench/version.h"

namespace duetbench::internal {
[[maybe_unused]] inline const bool knows_public_header = (public_header = __FILE__, true);
}  // namespace duetbench::internal

#endif  // DUETBENCH_DUETBENCH_H_
