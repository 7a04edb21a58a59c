#ifndef DUETBENCH_TESTS_TOOLS_DUET_REPORT_PAGE_SHOWN_SUITES_H_
#define DUETBENCH_TESTS_TOOLS_DUET_REPORT_PAGE_SHOWN_SUITES_H_

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "duetbench/report/suite_facts.h"
#include "tools/duet_report/page/page.h"

// Benchmarks as a page shows them, and what is counted in one.
namespace duetbench::page {

// Times that the page `text` has `part`.
inline size_t CountOf(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

inline Facts ShownWithRatio(const std::string& name, double ratio, double half = 0.01) {
  Facts shown;
  shown.name = name;
  shown.interval = {ratio, ratio * std::exp(-half), ratio * std::exp(half), 0.99};
  shown.verdict = stats::Decide(shown.interval, 0.01);
  shown.sentence = "what the interval means";
  shown.effort = "10 runs";
  shown.time_ns[0] = 100;
  shown.time_ns[1] = 100 * ratio;
  for (int run = 0; run < 10; ++run) {
    shown.run_log_ratios.push_back(std::log(ratio) + 0.002 * (run % 3 - 1));
  }
  return shown;
}

// With the pairs of a run that move together; every 17th is disturbed.
inline Facts ShownWithPairs(const std::string& name, double ratio) {
  Facts shown = ShownWithRatio(name, ratio);
  std::vector<ShownPair> pairs;
  for (int i = 0; i < 500; ++i) {
    const double time = 100 + 20 * std::sin(i / 30.0) + i % 7;
    pairs.push_back({{time, time * ratio + i % 3}, i % 17 == 0});
  }
  shown.picture = PictureOfRun(1, pairs, 160);
  return shown;
}

inline Facts::Quantile ShownQuantileOf(double quantile, const std::string& name, double ratio,
                                       double half = 0.01) {
  Facts::Quantile shown;
  shown.quantile = quantile;
  shown.name = name;
  shown.interval = ShownWithRatio("", ratio, half).interval;
  shown.time_ns[0] = 1500;
  shown.time_ns[1] = 1500 * ratio;
  return shown;
}

inline std::string PageOf(const std::vector<Facts>& duets) {
  SuiteFacts suite;
  suite.program = "bench";
  suite.duets = duets;
  return PageHtml(suite);
}

}  // namespace duetbench::page

#endif  // DUETBENCH_TESTS_TOOLS_DUET_REPORT_PAGE_SHOWN_SUITES_H_
