#include "tools/duet_report/explain/call_tree.h"

#include <algorithm>
#include <cstddef>
#include <map>

#include "duetbench/decide/interval.h"
#include "duetbench/decide/robust_mean.h"

namespace duetbench {
namespace {

// Chosen. Smaller nodes are not to be seen, and each widens the intervals of all.
constexpr double kSmallestNode = 0.01;
constexpr size_t kDeepest = 64;

struct Counted {
  std::vector<std::pair<double, double>> shares;  // of the moments of old and new in each run
  std::map<std::string, Counted> calls;
};

void CountCalls(const std::vector<NamedStack>& stacks, size_t run, size_t runs,
                double std::pair<double, double>::*of_variant, Counted* root) {
  double all = 0;
  for (const NamedStack& stack : stacks) all += stack.count;
  for (const NamedStack& stack : stacks) {
    const auto add = [&](Counted* node) {
      node->shares.resize(runs);
      node->shares[run].*of_variant += stack.count / all;
    };
    Counted* node = root;
    add(node);
    for (size_t i = 0; i < std::min(stack.path.size(), kDeepest); ++i) {
      if (i > 0 && stack.path[i] == stack.path[i - 1]) continue;
      node = &node->calls[stack.path[i]];
      add(node);
    }
  }
}

bool IsShown(const Counted& node) {
  double sums[2] = {0, 0};
  for (const auto& [of_old, of_new] : node.shares) {
    sums[0] += of_old;
    sums[1] += of_new;
  }
  return std::max(sums[0], sums[1]) >= kSmallestNode * static_cast<double>(node.shares.size());
}

size_t ShownNodes(const Counted& node) {
  size_t count = 1;
  for (const auto& [name, call] : node.calls) {
    if (IsShown(call)) count += ShownNodes(call);
  }
  return count;
}

CallNode NodeOf(const std::string& function, const Counted& counted, const double (&time_ns)[2],
                double alpha) {
  CallNode node;
  node.function = function;
  std::vector<std::pair<double, double>> times = counted.shares;
  for (auto& [of_old, of_new] : times) {
    of_old *= time_ns[0];
    of_new *= time_ns[1];
  }
  node.time = DifferenceOf(times, alpha);
  for (const auto& [name, call] : counted.calls) {
    if (IsShown(call)) node.calls.push_back(NodeOf(name, call, time_ns, alpha));
  }
  return node;
}

}  // namespace

CallNode CallTreeOf(const std::vector<NamedRun>& runs, const double (&time_ns)[2], double level) {
  Counted root;
  for (size_t run = 0; run < runs.size(); ++run) {
    const auto& variants = runs[run].variants;
    CountCalls(variants[0], run, runs.size(), &std::pair<double, double>::first, &root);
    CountCalls(variants[1], run, runs.size(), &std::pair<double, double>::second, &root);
  }
  const double alpha = (1 - level) / static_cast<double>(ShownNodes(root));
  return NodeOf("old and new", root, time_ns, alpha);
}

TimeDifference DifferenceOf(const std::vector<std::pair<double, double>>& times, double alpha) {
  TimeDifference result;
  std::vector<double> differences;
  for (const auto& [old_ns, new_ns] : times) {
    result.ns[0] += old_ns / static_cast<double>(times.size());
    result.ns[1] += new_ns / static_cast<double>(times.size());
    differences.push_back(new_ns - old_ns);
  }
  const stats::MeanEstimate mean = stats::MeanOfIndependent(differences);
  const double half = stats::TwoSidedT(alpha, mean.degrees_of_freedom) * mean.error;
  result.difference_ns = mean.mean;
  result.lo_ns = mean.mean - half;
  result.hi_ns = mean.mean + half;
  return result;
}

}  // namespace duetbench
