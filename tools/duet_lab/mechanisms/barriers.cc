#include "tools/duet_lab/mechanisms/barriers.h"

#include <pthread.h>

#include "duetbench/loop/measuring_loop.h"
#include "duetbench/platform/rendezvous.h"

namespace duetbench::lab {
namespace {

class RendezvousBarrier : public Barrier {
 public:
  explicit RendezvousBarrier(double ns_per_tick) : ns_per_tick_(ns_per_tick) {}

 protected:
  uint64_t spin_ticks() const { return static_cast<uint64_t>(kSpinNs / ns_per_tick_); }
  Rendezvous MakeSide(int side) {
    return {&block_, side, spin_ticks(), static_cast<uint64_t>(kLeadNs / ns_per_tick_)};
  }

 private:
  const double ns_per_tick_;
  RendezvousBlock block_;
};

class AlignedRendezvous final : public RendezvousBarrier {
 public:
  using RendezvousBarrier::RendezvousBarrier;
  void Repeat(int side, const RendezvousSeries& series, RendezvousStamps* stamps) override {
    Rendezvous rendezvous = MakeSide(side);
    RecordSeries(side, series, stamps,
                 [&rendezvous] { WaitForRelease(rendezvous.Meet(0).release); });
  }
};

class FlagRendezvous final : public RendezvousBarrier {
 public:
  using RendezvousBarrier::RendezvousBarrier;
  void Repeat(int side, const RendezvousSeries& series, RendezvousStamps* stamps) override {
    Rendezvous rendezvous = MakeSide(side);
    const uint64_t spin = spin_ticks();
    RecordSeries(side, series, stamps, [&rendezvous, spin] {
      rendezvous.Publish(0, 0);
      rendezvous.Await(rendezvous.epoch(), spin);
    });
  }
};

class PthreadBarrier final : public Barrier {
 public:
  PthreadBarrier() { pthread_barrier_init(&barrier_, nullptr, 2); }
  ~PthreadBarrier() override { pthread_barrier_destroy(&barrier_); }
  PthreadBarrier(const PthreadBarrier&) = delete;
  PthreadBarrier& operator=(const PthreadBarrier&) = delete;

  void Repeat(int side, const RendezvousSeries& series, RendezvousStamps* stamps) override {
    RecordSeries(side, series, stamps, [this] { pthread_barrier_wait(&barrier_); });
  }

 private:
  pthread_barrier_t barrier_;
};

}  // namespace

std::unique_ptr<Barrier> MakeAlignedRendezvous(double ns_per_tick) {
  return std::make_unique<AlignedRendezvous>(ns_per_tick);
}

std::unique_ptr<Barrier> MakeFlagRendezvous(double ns_per_tick) {
  return std::make_unique<FlagRendezvous>(ns_per_tick);
}

std::unique_ptr<Barrier> MakePthreadBarrier() { return std::make_unique<PthreadBarrier>(); }

}  // namespace duetbench::lab
