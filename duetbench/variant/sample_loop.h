#ifndef DUETBENCH_VARIANT_SAMPLE_LOOP_H_
#define DUETBENCH_VARIANT_SAMPLE_LOOP_H_

#include <cstdint>

namespace duetbench {

// Drives the loop of a State: decides how many iterations each sample has, and times them. A State
// calls it between samples and where its user pauses the clock, never in each iteration.
class SampleLoop {
 public:
  // Closes the sample that was running (if any) and opens the next one. `stop` is the time of the
  // last iteration (ticks.h), `iterations` the number executed since the last call. Returns the
  // number of iterations to execute next; 0 ends the loop.
  virtual uint64_t NextSample(uint64_t stop, uint64_t iterations) = 0;

  // Makes NextSample return 0 from now on.
  virtual void EndEarly() {}

  // Stops and restarts the clock within a sample; without effect outside of one, or twice in a row.
  virtual void Pause() {}
  virtual void Resume() {}

  // Adds to the time that the variant itself reports for the running sample.
  virtual void AddManualTime(double /*seconds*/) {}

  // For variants that are called anew for each sample (google_benchmark_loop.h), with set-up before
  // the loop of each call: NextCall in place of NextSample, and the clock runs from EnterLoop to
  // LeaveLoop only. A loop that drives no such variant has these defaults.
  //
  // IsCalibrating(): true if the number of iterations of a sample is still to be found. Then the
  // variant may ask for one before its first call; both variants get the larger of what
  // both have asked for. least_iterations(): what the partner has asked for, if it was set up
  // before this variant, else 0.
  virtual bool IsCalibrating() const { return false; }
  virtual void AskForIterations(uint64_t /*least*/) {}
  virtual uint64_t least_iterations() const { return 0; }
  // Returns the number of iterations of the next call; 0 ends the calls.
  virtual uint64_t NextCall() { return 0; }
  // Waits until the partner has come to its loop too, and starts the clocks of both at once.
  virtual void EnterLoop() {}
  // `iterations` are over since the instant `stop`.
  virtual void LeaveLoop(uint64_t /*stop*/, uint64_t /*iterations*/) {}

  virtual uint64_t seed() const { return 0; }  // of the run, for the inputs of its variants

  // The number of iterations that the loop executes in all; 0: as many as the time allows.
  virtual uint64_t fixed_iterations() const { return 0; }

 protected:
  ~SampleLoop() = default;
};

}  // namespace duetbench

#endif  // DUETBENCH_VARIANT_SAMPLE_LOOP_H_
