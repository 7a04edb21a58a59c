#include "tools/duet_stat/input/run_locator.h"

namespace duetbench::duet_stat {
namespace {

// Memory of a name and of a run besides their text and pairs: entries of the tables here and of
// those that hold what was read, rounded up.
constexpr std::size_t kBytesOfName = 256;
constexpr std::size_t kBytesOfRun = 256;

}  // namespace

void RunLocator::BeginFile() {
  run_of_.clear();
  has_last_ = false;
}

std::size_t RunLocator::NumberOf(absl::string_view name, Numbers& numbers,
                                 std::vector<std::string>& names) {
  const auto [it, is_new] = numbers.try_emplace(name, names.size());
  if (is_new) {
    names.emplace_back(name);
    bytes_ += 2 * name.size() + kBytesOfName;
  }
  return it->second;
}

RunLocator::Place RunLocator::Find(absl::string_view benchmark, absl::string_view machine,
                                   std::int64_t number) {
  if (has_last_ && number == last_number_ && benchmark == benchmarks_[last_.benchmark] &&
      machine == machines_[static_cast<std::size_t>(last_.machine)]) {
    last_.is_new_benchmark = false;
    last_.is_new_run = false;
    return last_;
  }
  last_.benchmark = NumberOf(benchmark, benchmark_of_, benchmarks_);
  last_.is_new_benchmark = last_.benchmark == run_count_.size();
  if (last_.is_new_benchmark) run_count_.push_back(0);
  last_.machine = static_cast<int>(NumberOf(machine, machine_of_, machines_));
  std::size_t& count = run_count_[last_.benchmark];
  const auto [it, is_new] = run_of_.try_emplace({{last_.benchmark, last_.machine}, number}, count);
  last_.run = it->second;
  last_.is_new_run = is_new;
  if (is_new) {
    ++count;
    bytes_ += kBytesOfRun;
  }
  has_last_ = true;
  last_number_ = number;
  return last_;
}

}  // namespace duetbench::duet_stat
