// The one file in C++20: std::barrier for the comparison.
#include <barrier>
#include <memory>

#include "tools/duet_lab/mechanisms/barriers.h"

namespace duetbench::lab {
namespace {

class StdBarrier final : public Barrier {
 public:
  void Repeat(int side, const RendezvousSeries& series, RendezvousStamps* stamps) override {
    RecordSeries(side, series, stamps, [this] { barrier_.arrive_and_wait(); });
  }

 private:
  std::barrier<> barrier_{2};
};

}  // namespace

std::unique_ptr<Barrier> MakeStdBarrier() { return std::make_unique<StdBarrier>(); }

}  // namespace duetbench::lab
