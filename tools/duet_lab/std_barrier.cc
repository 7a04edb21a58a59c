// The one file in C++20: std::barrier for the comparison.
#include <barrier>

#include "tools/duet_lab/meeting_place.h"

namespace duetbench::lab {
namespace {

class StdBarrier final : public MeetingPlace {
 public:
  void MeetManyTimes(int side, const MeetingSeries& series, MeetingStamps* stamps) override {
    RecordMeetings(side, series, stamps, [this] { barrier_.arrive_and_wait(); });
  }

 private:
  std::barrier<> barrier_{2};
};

}  // namespace

std::unique_ptr<MeetingPlace> MakeStdBarrier() { return std::make_unique<StdBarrier>(); }

}  // namespace duetbench::lab
