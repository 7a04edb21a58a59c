// Identical functions under two names, in both forms: what differs between the two is where their
// code lies. Measure it with `duet_lab aa --binary=duet_lab_twins`.
#include <cstddef>
#include <vector>

#include "duetbench/duetbench.h"
#include "tests/tools/duet_lab/twins.h"

int main(int argc, char** argv) {
  const std::vector<duetbench::Twin> once = duetbench::lab::Twins();
  const std::vector<duetbench::Twin> again = duetbench::lab_again::Twins();
  for (std::size_t i = 0; i < once.size(); ++i) {
    duetbench::RegisterDuet(once[i].name, once[i].duet, again[i].duet);
    duetbench::RegisterDuet(once[i].name + "/plain", once[i].plain, again[i].plain);
  }
  return duetbench::Main(argc, argv);
}
