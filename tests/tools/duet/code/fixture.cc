// A small program whose code same_code_test compares: compiled once for each change, which is a
// number (CHANGE).
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "tests/tools/duet/code/state.h"

// The changes, each of one part. kUnrelated: a function that nothing calls, with its own data.
#define UNRELATED 1
#define CONSTANT 2
#define CALLEE 3
#define TABLE 4
#define VTABLE 5
#define SWITCH 6
#define GLOBAL 7
#define INITIALIZER 8
#define LITERAL 9
#define INLINED 10
#define CATCH 11
#define FLOATING 12
#define THREAD_LOCAL 13
#define POINTER 14
#define SWAPPED 15
#define SEARCHED 16
#ifndef CHANGE
#define CHANGE 0
#endif
#define VALUE(change, before, after) (CHANGE == (change) ? (after) : (before))
#define NOINLINE __attribute__((noinline))

volatile int input = 3;
volatile int output = 0;

#if CHANGE == UNRELATED
int unrelated_numbers[5] = {1, 2, 3, 4, 5};
NOINLINE int Unrelated(int n) {
  std::puts("an unrelated text");
  switch (n) {
    case 0:
      return std::rand();
    case 1:
      return unrelated_numbers[std::rand() % 5];
    case 2:
      return std::rand() / 3;
    case 3:
      return 7 * std::rand();
    case 4:
      throw std::out_of_range("unrelated");
    case 5:
      return static_cast<int>(1.125 * std::rand());
    default:
      return n;
  }
}
#endif

static inline int Inlined(int x) { return x * VALUE(INLINED, 3, 5); }

NOINLINE int Scaled(int x) {
  output = x;
  return x * 11 + VALUE(CONSTANT, 1, 2);
}
NOINLINE int Shifted(int x) {
  output = x;
  return (x << 3) - 1;
}

static int first_counter = VALUE(GLOBAL, 5, 6);
static int second_counter = 50;
NOINLINE void Count(int x) {
#if CHANGE == SWAPPED
  second_counter += x;
  first_counter -= x / 2;
#else
  first_counter += x;
  second_counter -= x / 2;
#endif
  output = first_counter + second_counter;
}

static const int kTable[8] = {3, 1, 4, 1, 5, VALUE(TABLE, 9, 8), 2, 6};
NOINLINE int Looked(int x) { return kTable[x & 7]; }

// The compiler takes the address of the table with an offset, or may.
static const long kSteps[6] = {10, 20, 30, 40, VALUE(SEARCHED, 50, 51), 60};
NOINLINE long Searched(long n) {
  long sum = 0;
  for (long i = 1; i <= n; ++i) sum += kSteps[i - 1] * i;
  return sum;
}

using Function = int (*)(int);
static Function const kFunctions[2] = {Scaled, CHANGE == POINTER ? Scaled : Shifted};
NOINLINE int CalledByPointer(int x) { return kFunctions[x & 1](x); }

class Shape {
 public:
  virtual ~Shape() = default;
  virtual int Area(int x) const = 0;
  virtual int Edge(int x) const { return x + 1; }
};
class Square : public Shape {
 public:
  int Area(int x) const override { return x * x; }
#if CHANGE == VTABLE
  int Edge(int x) const override { return x + 2; }
#endif
};
NOINLINE int CalledVirtually(const Shape& shape, int x) { return shape.Area(x) + shape.Edge(x); }

NOINLINE int Switched(int x) {
  switch (x) {
    case 0:
      return Scaled(x);
    case 1:
      return Shifted(x) * 5;
    case 2:
      Count(x);
      return 1;
#if CHANGE == SWITCH
    case 4:
#else
    case 3:
#endif
      return Looked(x) - 9;
    case 5:
      return Scaled(Shifted(x));
    case 6:
      return Shifted(Scaled(x));
    case 7:
      return Scaled(Looked(x));
    default:
      return x;
  }
}

NOINLINE void MayThrow(int x) {
  if (x == 100) throw std::runtime_error("a hundred");
}
NOINLINE int Caught(int x) {
  try {
    MayThrow(x);
#if CHANGE == CATCH
  } catch (const std::logic_error& error) {
#else
  } catch (const std::runtime_error& error) {
#endif
    std::puts(error.what());
    return 1;
  }
  return 0;
}

NOINLINE double Multiplied(double x) { return x * VALUE(FLOATING, 1.5, 2.5); }

#if CHANGE == THREAD_LOCAL
thread_local int of_another_thread = 4;
#endif
thread_local int of_this_thread = 8;
NOINLINE int InThread(int x) { return of_this_thread += x; }

NOINLINE int Initial() { return std::rand() % 2 + VALUE(INITIALIZER, 1, 2); }
int initialized = Initial();

void BM_Small(benchmark::State& state) {
  while (state.Next()) output = Scaled(input);
}

void BM_All(benchmark::State& state) {
  const Square square;
  while (state.Next()) {
    const int x = input;
    output = CHANGE == CALLEE ? Shifted(x) : Scaled(x);
    output = Inlined(x) + Looked(x) + CalledByPointer(x) + CalledVirtually(square, x);
    output = Switched(x) + Caught(x) + static_cast<int>(Multiplied(x)) + InThread(x);
    Count(x);
    if (x < 0) std::puts(VALUE(LITERAL, "negative", "Negative"));
  }
}

void BM_Searched(benchmark::State& state) {
  while (state.Next()) output = static_cast<int>(Searched(input));
}

int main(int argc, char**) {
  benchmark::State state;
  (argc > 2 ? BM_Searched : argc > 1 ? BM_All : BM_Small)(state);
  return 0;
}
