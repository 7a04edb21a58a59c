#ifndef DUETBENCH_STATS_CLIFFS_DELTA_H_
#define DUETBENCH_STATS_CLIFFS_DELTA_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace duetbench::stats {

// How much an effect matters, in the words of Romano et al. (2006) for Cliff's delta.
enum class Magnitude {
  kNegligible,  // |delta| < 0.147
  kSmall,       // |delta| < 0.33
  kMedium,      // |delta| < 0.474
  kLarge,
};

// "negligible", "small", "medium" or "large".
absl::string_view MagnitudeName(Magnitude magnitude);

// The class of one delta in [-1, 1], either sign.
Magnitude MagnitudeOf(double delta);

// Cliff's delta (Cliff 1993): P(X > Y) - P(X < Y) over all n m pairs of a value of x and one of y;
// 1 when every x is above every y. Equals 2 U / (n m) - 1 with the U of WilcoxonRankSum. It says
// how separable two samples are, not how far apart they are: on a quiet machine a difference of
// 0.01 % is 'large'. Empty samples stop the program. O((n+m) log(n+m)) by sorting, not O(n m).
double CliffsDelta(absl::Span<const double> x, absl::Span<const double> y);

}  // namespace duetbench::stats

#endif  // DUETBENCH_STATS_CLIFFS_DELTA_H_
