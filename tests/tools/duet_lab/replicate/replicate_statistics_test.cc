#include "tools/duet_lab/replicate/replicate_statistics.h"

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace duetbench::lab {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Observation Replication(double ratio, double lo, double hi, const std::string& verdict = "") {
  Observation observation;
  observation.ratio = ratio;
  observation.lo = lo;
  observation.hi = hi;
  observation.level = 0.99;
  observation.verdict = verdict;
  return observation;
}

double QuantileOfTwentyRuns() { return boost::math::quantile(boost::math::students_t(19), 0.995); }

// An experiment of 20 runs whose interval is right for a standard error of 1 %.
Observation TwentyRuns(double log, int link = 0) {
  const double half = 0.01 * QuantileOfTwentyRuns();
  Observation observation = Replication(std::exp(log), std::exp(log - half), std::exp(log + half));
  observation.runs = 20;
  observation.link = link;
  return observation;
}

// Such experiments, whose estimates scatter by `overdispersion` %.
std::vector<PairStatistics> SimulatedPairs(int pairs, int replications, double overdispersion) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> error(0, 0.01 * overdispersion);
  std::vector<PairStatistics> result;
  for (int pair = 0; pair < pairs; ++pair) {
    std::vector<Observation> observations;
    for (int i = 0; i < replications; ++i) {
      observations.push_back(TwentyRuns(std::log(0.5) + error(random)));
    }
    result.push_back(SummarizeReplications(observations));
  }
  return result;
}

TEST(ReplicateStatistics, FindTheCoverageAndTheOverdispersionOfSimulatedExperiments) {
  const double half = QuantileOfTwentyRuns();
  const boost::math::normal normal;
  for (const double overdispersion : {1.0, 1.5, 3.0}) {
    const SetStatistics set = SummarizeSet(SimulatedPairs(300, 10, overdispersion));
    EXPECT_EQ(set.pairs, 300);
    EXPECT_NEAR(set.pooled.value, overdispersion, 0.05 * overdispersion);
    EXPECT_LT(set.pooled.lo, overdispersion);
    EXPECT_GT(set.pooled.hi, overdispersion);
    // The geometric mean of ten replications is a few percent low.
    EXPECT_NEAR(set.geometric_mean, 0.945 * overdispersion, 0.05 * overdispersion);
    EXPECT_GT(set.worst, set.pooled.value);
    const double consistent = 1 - 2 * boost::math::cdf(normal, -half / overdispersion);
    EXPECT_EQ(set.consistent.of, 3000);
    // The interval of the share is a bit too narrow, since the ten of a pair share their mean.
    const double slack = set.consistent.hi - set.consistent.lo;
    EXPECT_GT(consistent, set.consistent.lo - slack) << overdispersion;
    EXPECT_LT(consistent, set.consistent.hi + slack) << overdispersion;
    EXPECT_NEAR(set.median_half_width, 0.01 * half, 1e-9);
  }
}

// Six replications of each of two links.
PairStatistics TwoLinks(double difference, int second_link) {
  std::vector<Observation> observations;
  for (int i = 0; i < 6; ++i) {
    observations.push_back(TwentyRuns(0));
    observations.push_back(TwentyRuns(difference, second_link));
  }
  return SummarizeReplications(observations);
}

TEST(ReplicateStatistics, TellWhetherTheRatioDependsOnTheLink) {
  const PairStatistics same = TwoLinks(0, 1);
  EXPECT_EQ(same.consistent.count, 12);
  EXPECT_NEAR(same.between_links.deviation, 0, 1e-12);
  const PairStatistics other = TwoLinks(0.04, 1);
  EXPECT_EQ(other.consistent.count, 0);
  EXPECT_EQ(other.consistent.of, 12);
  EXPECT_NEAR(other.between_links.deviation, 0.04 / std::sqrt(2), 1e-12);
  EXPECT_NEAR(other.between_links.error, 0.01 / std::sqrt(6), 1e-12);
  EXPECT_NEAR(other.between_links.overdispersion.value, std::sqrt(48), 1e-9);
  const SetStatistics set = SummarizeSet({same, other});
  EXPECT_NEAR(set.between_links.deviation, 0.02 / std::sqrt(2), 1e-12);
  EXPECT_NEAR(set.between_links.overdispersion.value, std::sqrt(24), 1e-9);
  // In one program each interval is within reach of the others, half of which are like it.
  const PairStatistics one_link = TwoLinks(0.04, 0);
  EXPECT_EQ(one_link.consistent.count, 12);
  EXPECT_TRUE(std::isnan(one_link.between_links.deviation));
}

TEST(ReplicateStatistics, ErrorsAndUnboundedIntervals) {
  Observation failed;
  failed.error = "crashed";
  const PairStatistics none = SummarizeReplications({failed});
  EXPECT_EQ(none.errors, 1);
  EXPECT_EQ(none.replications, 0);
  EXPECT_TRUE(std::isnan(none.ratio));
  const PairStatistics pair =
      SummarizeReplications({failed, Replication(1, 0, kInfinity), Replication(1.2, 0, kInfinity)});
  EXPECT_EQ(pair.errors, 1);
  EXPECT_EQ(pair.replications, 2);
  EXPECT_EQ(pair.half_width, kInfinity);
  EXPECT_TRUE(std::isnan(pair.overdispersion.value));
  EXPECT_EQ(pair.contradictions.wrong_gates, 0);
}

TEST(ReplicateStatistics, ContradictingVerdictsAndGates) {
  const PairStatistics verdicts = SummarizeReplications(
      {Replication(0.9, 0.5, 2, "FASTER"), Replication(0.95, 0.5, 2, "FASTER"),
       Replication(1.05, 0.5, 2, "SLOWER"), Replication(1, 0.5, 2, "INCONCLUSIVE")});
  EXPECT_EQ(verdicts.contradictions.verdicts, 2);
  EXPECT_EQ(verdicts.contradictions.gates, 0);
  // The mean is 1: the first passes both limits, the second fails both.
  const PairStatistics gates =
      SummarizeReplications({Replication(0.95, 0.94, 0.96), Replication(1 / 0.95, 1.04, 1.06),
                             Replication(1, 0.97, 1.03)});
  EXPECT_EQ(gates.contradictions.gates, 2);
  EXPECT_EQ(gates.contradictions.wrong_gates, 2);
  EXPECT_EQ(gates.contradictions.verdicts, 0);
}

TEST(ReplicateStatistics, PlainLoops) {
  std::vector<PlainVisit> visits;
  for (int i = 1; i <= 20; ++i) visits.push_back({100, 100.0 + i});
  visits.push_back({0, 1});  // no result
  const PlainStatistics plain = SummarizePlain(visits);
  EXPECT_EQ(plain.visits, 20);
  EXPECT_NEAR(plain.ratio, 1.105, 1e-4);
  // qbinom(0.005, 20, 0.5) = 4: the order statistics 4 and 17.
  EXPECT_DOUBLE_EQ(plain.lo, 1.04);
  EXPECT_DOUBLE_EQ(plain.hi, 1.17);
  const PlainStatistics few = SummarizePlain({{100, 101}, {100, 102}, {100, 103}});
  EXPECT_DOUBLE_EQ(few.lo, 1.01);
  EXPECT_DOUBLE_EQ(few.hi, 1.03);
  EXPECT_TRUE(std::isnan(SummarizePlain({}).ratio));
}

TEST(ReplicateStatistics, AgreementNeedsBothIntervalsOrASmallDifference) {
  PairStatistics pair;
  pair.ratio = 1.05;
  pair.half_width = 0.06;
  PlainStatistics plain;
  plain.ratio = 1;
  plain.lo = 0.9;
  plain.hi = 1.1;
  EXPECT_TRUE(CompareWithPlain(pair, plain).inside);
  EXPECT_NEAR(CompareWithPlain(pair, plain).difference, 0.0488, 1e-4);
  pair.half_width = 0.04;
  EXPECT_FALSE(CompareWithPlain(pair, plain).inside);
  pair.half_width = 0.06;
  plain.hi = 1.04;
  EXPECT_FALSE(CompareWithPlain(pair, plain).inside);
  pair.ratio = 1.019;
  pair.half_width = 0;
  plain.lo = plain.hi = 1;
  EXPECT_TRUE(CompareWithPlain(pair, plain).inside);
}

}  // namespace
}  // namespace duetbench::lab
