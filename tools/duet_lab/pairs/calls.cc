// Locks and atomics, virtual calls, exceptions, system calls.
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <stdexcept>
#include <vector>

#include "tools/duet_lab/pairs/code_pairs.h"

namespace duetbench::lab {
namespace {

class CountWithMutex {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return ++count_;
  }

 private:
  std::mutex mutex_;
  uint64_t count_ = 0;
};

class CountWithAtomic {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() { return count_.fetch_add(1) + 1; }

 private:
  std::atomic<uint64_t> count_{0};
};

template <class Mutex, class Lock>
class ReadUnder {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    const Lock lock(mutex_);
    return numbers_.Next();
  }

 private:
  Mutex mutex_;
  Cycle<uint32_t> numbers_{PairData(13).Numbers(64)};
};
using ReadUnderSharedMutex = ReadUnder<std::shared_mutex, std::shared_lock<std::shared_mutex>>;
using ReadUnderMutex = ReadUnder<std::mutex, std::lock_guard<std::mutex>>;

// The areas of 256 shapes of four kinds, in random order.
constexpr std::size_t kShapes = 256;

class Shape {
 public:
  virtual ~Shape() = default;
  virtual uint64_t Area() const = 0;
};

template <uint64_t (*kArea)(uint64_t)>
class ShapeOf final : public Shape {
 public:
  explicit ShapeOf(uint64_t a) : a_(a) {}
  uint64_t Area() const override { return kArea(a_); }

 private:
  uint64_t a_;
};
constexpr uint64_t Square(uint64_t a) { return a * a; }
constexpr uint64_t Rectangle(uint64_t a) { return a * (a + 1); }
constexpr uint64_t Triangle(uint64_t a) { return a * a / 2; }
constexpr uint64_t Circle(uint64_t a) { return 355 * a * a / 113; }

class VirtualAreas {
 public:
  VirtualAreas() {
    for (const uint32_t number : PairData(14).Numbers(kShapes)) {
      const uint64_t a = number % 1000;
      switch (number >> 30) {
        case 0:
          shapes_.push_back(std::make_unique<ShapeOf<Square>>(a));
          break;
        case 1:
          shapes_.push_back(std::make_unique<ShapeOf<Rectangle>>(a));
          break;
        case 2:
          shapes_.push_back(std::make_unique<ShapeOf<Triangle>>(a));
          break;
        default:
          shapes_.push_back(std::make_unique<ShapeOf<Circle>>(a));
      }
    }
  }
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    uint64_t sum = 0;
    for (const std::unique_ptr<Shape>& shape : shapes_) sum += shape->Area();
    return sum;
  }

 private:
  std::vector<std::unique_ptr<Shape>> shapes_;
};

class SwitchedAreas {
 public:
  SwitchedAreas() {
    for (const uint32_t number : PairData(14).Numbers(kShapes)) {
      shapes_.push_back({number >> 30, number % 1000});
    }
  }
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    uint64_t sum = 0;
    for (const auto& [kind, a] : shapes_) {
      switch (kind) {
        case 0:
          sum += Square(a);
          break;
        case 1:
          sum += Rectangle(a);
          break;
        case 2:
          sum += Triangle(a);
          break;
        default:
          sum += Circle(a);
      }
    }
    return sum;
  }

 private:
  struct PlainShape {
    uint32_t kind;
    uint64_t a;
  };
  std::vector<PlainShape> shapes_;
};

// Sixteen steps, in one of which an error occurs.
constexpr int kSteps = 16;

ABSL_ATTRIBUTE_NOINLINE uint64_t StepOrThrow(uint32_t number) {
  if (number % kSteps == 0) throw std::runtime_error("a bad number");
  return number * uint64_t{7};
}

ABSL_ATTRIBUTE_NOINLINE std::optional<uint64_t> StepOrNothing(uint32_t number) {
  if (number % kSteps == 0) return std::nullopt;
  return number * uint64_t{7};
}

class ErrorsByException {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    uint64_t sum = 0;
    for (int i = 0; i < kSteps; ++i) {
      try {
        sum += StepOrThrow(++number_);
      } catch (const std::runtime_error&) {
        sum += 1;
      }
    }
    return sum;
  }

 private:
  uint32_t number_ = 0;
};

class ErrorsByValue {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    uint64_t sum = 0;
    for (int i = 0; i < kSteps; ++i) sum += StepOrNothing(++number_).value_or(1);
    return sum;
  }

 private:
  uint32_t number_ = 0;
};

// Reads 1 KiB in parts.
template <std::size_t kPart>
class Reads {
 public:
  Reads() {
    if (file_ < 0) std::abort();
  }
  ~Reads() { close(file_); }
  Reads(const Reads&) = delete;
  Reads& operator=(const Reads&) = delete;
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    uint64_t bytes = 0;
    while (bytes < buffer_.size()) {
      const ssize_t got = read(file_, buffer_.data() + bytes, kPart);
      if (got <= 0) std::abort();
      bytes += static_cast<uint64_t>(got);
    }
    benchmark::DoNotOptimize(buffer_.data());
    return bytes;
  }

 private:
  int file_ = open("/dev/zero", O_RDONLY | O_CLOEXEC);
  std::array<char, 1024> buffer_{};
};

}  // namespace

void AddCallPairs(std::vector<CodePair>* pairs) {
  pairs->insert(
      pairs->end(),
      {
          // A counter.
          {"mutex_vs_atomic", PairSet::kTuning, SidesOf<CountWithMutex, CountWithAtomic>},
          // A read under a lock.
          {"shared_mutex_vs_plain_mutex", PairSet::kHoldOut,
           SidesOf<ReadUnderSharedMutex, ReadUnderMutex>},
          // The areas of 256 shapes.
          {"virtual_vs_switch", PairSet::kTuning, SidesOf<VirtualAreas, SwitchedAreas>},
          // One error in 16 steps.
          {"exception_vs_value", PairSet::kTuning, SidesOf<ErrorsByException, ErrorsByValue>},
          // 1 KiB in parts of 64 and of 256 bytes.
          {"many_vs_few_reads", PairSet::kTuning, SidesOf<Reads<64>, Reads<256>>},
      });
}

}  // namespace duetbench::lab
