// Programs that adversary_test compares: ADVERSARY chooses one, and CHANGED alters its behavior or
// its speed, most of the time without a change of the benchmark's own code.
#include <dlfcn.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "tests/tools/duet/code/state.h"

#ifdef CHANGED
#define VALUE(before, after) (after)
#else
#define VALUE(before, after) (before)
#endif
#define NOINLINE __attribute__((noinline))

volatile int input = 3;
volatile int output = 0;

#if ADVERSARY == 0  // none: a function that nothing calls
#ifdef CHANGED
int Unrelated(int x) { return std::rand() + x; }
#endif
// Benchmarks are registered in other lines.
NOINLINE int Registered(int line) {
  output = line;
  return line;
}
const int registered = Registered(VALUE(57, 58));
NOINLINE int Work(int x) { return x + 1; }

#elif ADVERSARY == 1  // the loader calls the resolver, which chooses
extern "C" {
static int FirstChoice(int x) { return x + 1; }
static int SecondChoice(int x) { return x * 7; }
int (*Resolve())(int) { return VALUE(FirstChoice, SecondChoice); }
int Chosen(int x) __attribute__((ifunc("Resolve")));
}
NOINLINE int Work(int x) { return Chosen(x); }

#elif ADVERSARY == 2  // a constant, by way of a table of pointers
static const int kFirst = 3;
static const int kSecond = VALUE(4, 5);
static const int* const kPointers[2] = {&kFirst, &kSecond};
NOINLINE int Work(int x) { return *kPointers[x & 1]; }

#elif ADVERSARY == 3  // an initializer fills the function
static std::function<int(int)> function = [](int x) { return x + VALUE(1, 2); };
NOINLINE int Work(int x) { return function(x); }

#elif ADVERSARY == 4  // a weak function is overridden
__attribute__((weak)) NOINLINE int Weak(int x) { return x + 1; }
#ifdef CHANGED
asm(".globl strong\nstrong: lea 2(%rdi), %eax\nret\n.size strong, .-strong\n.type "
    "strong,@function");
extern "C" int strong(int);
NOINLINE int Work(int x) { return strong(x); }
#else
NOINLINE int Work(int x) { return Weak(x); }
#endif

#elif ADVERSARY == 5  // the order of initializers
struct First {
  First() { output = 1; }
};
struct Second {
  Second() { output = output * 2 + 5; }
};
__attribute__((init_priority(VALUE(200, 300)))) First first;
__attribute__((init_priority(250))) Second second;
NOINLINE int Work(int x) { return output + x; }

#elif ADVERSARY == 6  // the first value of a thread-local variable
static thread_local int in_thread = VALUE(8, 9);
NOINLINE int Work(int x) { return in_thread += x; }

#elif ADVERSARY == 7  // a constructor
static int setting = 3;
#ifdef CHANGED
__attribute__((constructor)) static void Set() { setting = 300; }
#endif
NOINLINE int Work(int x) {
  int sum = 0;
  for (int i = 0; i < setting; ++i) sum += x;
  setting += x;
  return sum;
}

#elif ADVERSARY == 8  // false sharing
#ifdef CHANGED
alignas(64) static std::atomic<int> mine{1};
alignas(64) static std::atomic<int> other{1};
#else
static std::atomic<int> mine{1};
static std::atomic<int> other{1};
#endif
NOINLINE int Work(int x) {
  mine += x;
  return other += x;
}

#elif ADVERSARY == 9  // the address of a table is taken with a large offset
static const int kTable[200] = {1, 2, 3, 4, 5, 6, 7, 8, VALUE(9, 10), 11, 12};
static const int kBefore[300] = {1, 2, 3};
static const int kAfter[300] = {1, 2, 4};
NOINLINE int Work(int x) {
  int sum = kBefore[x] + kAfter[x];
  for (long i = 100; i < 100 + x * 40; ++i) sum += kTable[i - 100] * static_cast<int>(i);
  return sum;
}

#elif ADVERSARY == 10  // the same, onto the start of another table
static const int kTable[100] = {1, 2, 3, 4, 5, 6, 7, 8, VALUE(9, 10), 11, 12};
static const int kBefore[100] = {1, 2, 3};
static const int kAfter[100] = {1, 2, 4};
NOINLINE int Work(int x) {
  int sum = 0;
  for (long i = 0; i < x; ++i) sum += kBefore[i] + kAfter[i];
  for (long i = 100; i < 100 + x * 30; ++i) sum += kTable[i - 100] * static_cast<int>(i);
  return sum;
}

#elif ADVERSARY == 11  // a pointer to a member
struct Shape {
  NOINLINE int Area(int x) { return x * x; }
  NOINLINE int Edge(int x) { return x + x; }
};
using Method = int (Shape::*)(int);
static Method method = VALUE(&Shape::Area, &Shape::Edge);
NOINLINE int Work(int x) {
  Shape shape;
  return (shape.*method)(x);
}

#elif ADVERSARY == 12  // labels as values
NOINLINE int Work(int x) {
  static void* const labels[] = {&&one, VALUE(&&two, &&three), &&three};
  goto* labels[x % 3];
one:
  return x + 1;
two:
  return x * 3;
three:
  return x - 5;
}

#elif ADVERSARY == 13  // the class that a cast finds
struct Base {
  virtual ~Base() = default;
  virtual int Get() const { return 1; }
};
struct Middle {
  virtual ~Middle() = default;
  int value = 4;
};
#ifdef CHANGED
struct Derived : Base {
  Middle middle;
};
#else
struct Derived : Base, Middle {};
#endif
NOINLINE Base* Make() { return new Derived; }
NOINLINE int Work(int x) {
  const std::unique_ptr<Base> made(Make());
  const auto* const middle = dynamic_cast<const Middle*>(made.get());
  return middle != nullptr ? middle->value * x : x;
}

#elif ADVERSARY == 14  // a function of the loader in a template of another namespace
namespace duetbench {
template <class Function>
NOINLINE int Apply(Function function, int x) {
  return function(x);
}
}  // namespace duetbench
NOINLINE int Work(int x) {
  return duetbench::Apply(
      [](int y) { return y + static_cast<int>(dlsym(RTLD_DEFAULT, "user_hook") != nullptr); }, x);
}

#elif ADVERSARY == 15  // a copy of a list
NOINLINE int Sum(const std::vector<int>& values, int x) { return values[static_cast<size_t>(x)]; }
NOINLINE int Work(int x) {
  return Sum({1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17,
              18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, VALUE(34, 35)},
             x * 11);
}

#elif ADVERSARY == 16  // the version of a function of a library
extern "C" void* Copy(void*, const void*, size_t);
#ifdef CHANGED
asm(".symver Copy,memcpy@GLIBC_2.2.5");
#else
asm(".symver Copy,memcpy@GLIBC_2.14");
#endif
NOINLINE int Work(int x) {
  char to[64];
  char from[64] = {};
  from[5] = static_cast<char>(x);
  Copy(to, from, static_cast<size_t>(x) + 10);
  return to[5];
}

#elif ADVERSARY == 17  // a table without a symbol, of which another function takes the middle
#define TEN 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
static int numbers[100] = {TEN, TEN, TEN, TEN, TEN, TEN, TEN, TEN, TEN, 1, 2, VALUE(5, 6)};
NOINLINE int* Middle() { return &numbers[50]; }
NOINLINE int Work(int x) {
  int sum = 0;
  for (int i = 0; i < x * 33; ++i) sum += numbers[i]++;
  return sum;
}

#elif ADVERSARY == 18  // the end of a text
NOINLINE int Work(int x) {
  const char* const text = VALUE("a long text", "a long next");
  return std::strcmp(text + x, "ong text");
}
#elif ADVERSARY == 19  // what is executed first
extern "C" void First() { output = VALUE(4, 5); }
NOINLINE int Work(int x) { return output + x; }
#endif

void BM_Work(benchmark::State& state) {
  while (state.Next()) output = Work(input);
}

#if ADVERSARY == 17
void BM_Middle(benchmark::State& state) {
  while (state.Next()) output = *Middle();
}
#endif

int main() {
  benchmark::State state;
  BM_Work(state);
#if ADVERSARY == 17
  BM_Middle(state);
#endif
  return 0;
}
