// $DUETBENCH_GENERATED duets (default 20) in families of ten. In every tenth one new does 2 to 20 %
// more work, as its name says; in the others both do the same.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "duetbench/duetbench.h"

namespace {

std::uint64_t Work(int steps) {
  std::uint64_t x = 88172645463325252;
  for (int i = 0; i < steps; ++i) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
  }
  return x;
}

}  // namespace

int main(int argc, char** argv) {
  const char* const wanted = std::getenv("DUETBENCH_GENERATED");
  const int duets = wanted != nullptr ? std::atoi(wanted) : 20;
  for (int i = 0; i < duets; ++i) {
    const int percent = i % 10 == 7 ? 2 + i / 10 % 10 * 2 : 0;
    const int steps = 1000 + 100 * (i % 7);
    const int new_steps = steps + steps * percent / 100;
    const std::string name = "BM_Generated" + std::to_string(i / 10) + "/" +
                             std::to_string(i % 10) + "/slower:" + std::to_string(percent);
    duetbench::RegisterDuet(
        name, [steps] { return Work(steps); }, [new_steps] { return Work(new_steps); });
  }
  return duetbench::Main(argc, argv);
}
