// Benchmarks, each with the lines that it is to make of a report beside it, in the manner of Google
// Benchmark's own output tests. --expected=console (or json, or csv) prints these lines, regular
// expressions, instead of a report.
#include <duetbench/duetbench.h>

#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/integration/work.h"

static std::map<std::string, std::vector<std::string>>& Lines() {
  static std::map<std::string, std::vector<std::string>> lines;
  return lines;
}

// %float, %int, %verdict, %interval (of the ratio) and %time (both times and the iterations) stand
// for what they say.
static int Expect(const char* format, std::vector<std::string> lines) {
  const std::pair<const char*, const char*> kWords[] = {
      {"%interval", "\\[%float, (%float|inf)\\]"},
      {"%float", "[0-9]+([.][0-9]+)?(e[+-][0-9]+)?"},
      {"%int", "[0-9]+"},
      {"%verdict", "(FASTER|SLOWER|EQUAL|INCONCLUSIVE)"},
      {"%time", "[0-9.]+ ns +[0-9.]+ ns +[0-9]+"}};
  for (std::string& line : lines) {
    for (const auto& [word, expression] : kWords) {
      for (size_t at = 0; (at = line.find(word, at)) != std::string::npos;) {
        line.replace(at, std::strlen(word), expression);
        at += std::strlen(expression);
      }
    }
    Lines()[format].push_back(line);
  }
  return 0;
}
#define EXPECT_LINES(number, format, ...) \
  [[maybe_unused]] static const int expect_##number##_##format = Expect(#format, __VA_ARGS__)

// ---------------------------------------------------------------------------------------------
// The head of a report.

EXPECT_LINES(0, console,
             {"^duetbench: CPU.*", "^duetbench: 2 runs, 0.2 s a benchmark, 99 % .* within 1 %$",
              "^duetbench: clock .*; --duet_seed=%int$", "^-+$",
              "^Benchmark +Time +CPU +Iterations", "^-+$"});
EXPECT_LINES(0, json,
             {"\"duet_clock\": \".+\",$", "\"duet_cpus\": \"%int(,%int)?\",$",
              "\"duet_schedule\": \"(auto|interleaved)\",$", "\"duet_seed\": \"%int\",$",
              "\"benchmarks\": \\[$"});
EXPECT_LINES(
    0, csv,
    {"^name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,"
     "label,error_occurred,error_message,\"apples\"(,\"core_runs_left_out\")?,"
     "\"kept_share\",\"pairs\",\"pairs_dropped\",\"ratio\"(,\"ratio_concurrent\")?"
     ",\"ratio_hi\",\"ratio_level\",\"ratio_lo\""
     "(,\"ratio_solo\")?,\"ratio_total\",\"ratio_total_hi\",\"ratio_total_lo\","
     "\"ratio_typical\",\"ratio_typical_hi\",\"ratio_typical_lo\",\"runs\",\"schedule\""
     "(,\"skew_ns\")?(,\"slowdown_concurrent_new\",\"slowdown_concurrent_old\")?,\"tails_p\","
     "\"wall_seconds\"$"});

// ---------------------------------------------------------------------------------------------
// An ordinary benchmark is as ever.

static void BM_Ordinary(benchmark::State& state) {
  for (auto _ : state) Steps(50);  // NOLINT(clang-analyzer-deadcode.DeadStores)
}
BENCHMARK(BM_Ordinary);
EXPECT_LINES(1, console, {"^BM_Ordinary +%time$"});
EXPECT_LINES(1, json, {"\"name\": \"BM_Ordinary\",$", "\"run_type\": \"iteration\",$"});
EXPECT_LINES(1, csv, {"^\"BM_Ordinary\",%int,%float,%float,ns,,,,,,+$"});

// ---------------------------------------------------------------------------------------------
// A duet has three rows.

static void BM_A(duetbench::State& state) {
  for (auto _ : state) Steps(50);
}
static void BM_B(duetbench::State& state) {
  for (auto _ : state) Steps(60);
}
DUET_BENCHMARK(BM_A, BM_B);
EXPECT_LINES(2, console,
             {"^BM_A_vs_BM_B/old +%time$", "^BM_A_vs_BM_B/new +%time$",
              "^BM_A_vs_BM_B +%float x +%interval(  %verdict: .* \\(2 runs.*\\))?$"});
EXPECT_LINES(2, json,
             {"\"name\": \"BM_A_vs_BM_B/old\",$",
              "\"run_name\": \"BM_A_vs_BM_B/old\",$",
              "\"run_type\": \"iteration\",$",
              "\"iterations\": %int,$",
              "\"real_time\": %float,$",
              "\"cpu_time\": %float,$",
              "\"time_unit\": \"ns\"$",
              "\"name\": \"BM_A_vs_BM_B/new\",$",
              "\"real_time\": %float,$",
              "\"name\": \"BM_A_vs_BM_B\",$",
              "\"real_time\": %float,$",
              "\"pairs\": %float,$",
              "\"pairs_dropped\": %float,$",
              "\"ratio\": %float,$",
              "\"ratio_level\": 9[.][89]+[0-9]*e-01,$",
              "\"ratio_lo\": %float,$",
              "\"ratio_total\": %float,$",
              "\"ratio_total_hi\": %float,$",
              "\"ratio_total_lo\": %float,$",
              "\"runs\": 2.*,$",
              "\"label\": \"%verdict\"$"});
EXPECT_LINES(
    2, csv,
    {"^\"BM_A_vs_BM_B/old\",%int,%float,%float,ns,,,,,,+$",
     "^\"BM_A_vs_BM_B/new\",%int,%float,%float,ns,,,,,,+$",
     "^\"BM_A_vs_BM_B\",%int,%float,%float,ns,,,\"%verdict\",,,,%float,%int,%int,"
     "%float,((%float)?,)?(%float)?,0.99,%float,((%float)?,)?%float,(%float)?,%float,"
     "%float,(%float)?,%float,2,[0-4](,(%float)?)?(,(%float)?,(%float)?)?,%float,%float$"});

// ---------------------------------------------------------------------------------------------
// Arguments, counters and labels.

static void BM_Counts(duetbench::State& state) {
  for (auto _ : state) Steps(state.range(0));
  state.counters["apples"] = 7;
  state.SetItemsProcessed(state.iterations());
  state.SetLabel("green \"apples\", 7 of them");
}
static void BM_DoesNot(duetbench::State& state) {
  for (auto _ : state) Steps(state.range(0));
}
DUET_BENCHMARK(BM_Counts, BM_DoesNot)->Name("Count")->ArgName("n")->Arg(40);
EXPECT_LINES(
    3, console,
    {"^Count/n:40/old +%time apples=7 items_per_second=[0-9.]+[kM]/s green \"apples\", 7 of "
     "them$",
     "^Count/n:40/new +%time$", "^Count/n:40 +%float x +%interval"});
EXPECT_LINES(3, json,
             {"\"name\": \"Count/n:40/old\",$", "\"apples\": 7.0+e\\+00,$",
              "\"items_per_second\": %float,$",
              "\"label\": \"green \\\\\"apples\\\\\", 7 of them\"$",
              "\"name\": \"Count/n:40/new\",$", "\"name\": \"Count/n:40\",$"});
EXPECT_LINES(3, csv,
             {"^\"Count/n:40/old\",%int,%float,%float,ns,,%float,\"green \"\"apples\"\", 7 of "
              "them\",,,7,+$",
              "^\"Count/n:40/new\",", "^\"Count/n:40\","});

// ---------------------------------------------------------------------------------------------
// Repetitions.

DUET_BENCHMARK(BM_A, BM_B)->Name("Again")->Repetitions(2);
EXPECT_LINES(4, console,
             {"^Again/repeats:2/old +%time$", "^Again/repeats:2/new +%time$",
              "^Again/repeats:2 +%float x +%interval(  %verdict: .* \\(2 runs.*\\))?$"});
EXPECT_LINES(4, json, {"\"name\": \"Again/repeats:2\",$", "\"repetitions\": 1,$"});
EXPECT_LINES(4, csv, {"^\"Again/repeats:2\""});

// ---------------------------------------------------------------------------------------------
// Errors.

static void BM_Fails(duetbench::State& state) { state.SkipWithError("no \"data\""); }
DUET_BENCHMARK(BM_A, BM_Fails);
EXPECT_LINES(5, console,
             {"^BM_A_vs_BM_Fails +ERROR OCCURRED: 'new reported an error: no \"data\" \\(in run "
              "1\\)'$"});
EXPECT_LINES(
    5, json,
    {"\"name\": \"BM_A_vs_BM_Fails\",$", "\"error_occurred\": true,$",
     "\"error_message\": \"new reported an error: no \\\\\"data\\\\\" \\(in run 1\\)\",$"});
EXPECT_LINES(5, csv,
             {"^\"BM_A_vs_BM_Fails\",+true,\"new reported an error: no \"\"data\"\" \\(in run "
              "1\\)\"$"});

int main(int argc, char** argv) {
  constexpr char kFlag[] = "--expected=";
  if (argc > 1 && std::strncmp(argv[1], kFlag, std::strlen(kFlag)) == 0) {
    for (const std::string& line : Lines()[argv[1] + std::strlen(kFlag)]) std::puts(line.c_str());
    return 0;
  }
  return duetbench::Main(argc, argv);
}
