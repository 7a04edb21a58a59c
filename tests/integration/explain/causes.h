// Planted causes: causes_old_program.cc and causes_new_program.cc define kNew. Each benchmark has
// one reason why new is slower; causes_test.cc has the function and the line that an explanation
// should name.
#include <duetbench/duetbench.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

#define NOINLINE __attribute__((noinline))

namespace {

using benchmark::DoNotOptimize;

std::vector<int> Numbers(int count) {
  std::mt19937 random(1);
  std::vector<int> numbers(static_cast<size_t>(count));
  for (int& number : numbers) number = static_cast<int>(random() % 1'000'000);
  return numbers;
}

// Work that both builds do alike, about half of each benchmark.
NOINLINE uint64_t Common(int steps) {
  uint64_t x = 1;
  for (int i = 0; i < steps; ++i) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    DoNotOptimize(x);
  }
  return x;
}

// The loop of each benchmark: the common work, and `body`.
#define PLANTED_BENCHMARK(Name, steps, ...) \
  void Name(benchmark::State& state) {      \
    for (auto _ : state) {                  \
      DoNotOptimize(Common(steps));         \
      __VA_ARGS__;                          \
    }                                       \
  }                                         \
  BENCHMARK(Name)

// --- A copy by value ---
NOINLINE int SumOf(std::conditional_t<kNew, std::vector<int>, const std::vector<int>&> numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0);
}
const std::vector<int> numbers_1000 = Numbers(1000);
PLANTED_BENCHMARK(CopyByValue, 300, DoNotOptimize(SumOf(numbers_1000)));

// --- An extra allocation ---
NOINLINE size_t Trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(' ');
  if (!kNew) return text.substr(begin).size();
  const std::string copy(text.substr(begin));
  DoNotOptimize(copy.data());
  return copy.size();
}
PLANTED_BENCHMARK(ExtraAllocation, 30,
                  DoNotOptimize(Trim("      a text that is longer than sixteen")));

// --- Inlining that is lost ---
#define MIX_BODY            \
  x ^= x >> 33;             \
  x *= 0xff51afd7ed558ccdu; \
  x ^= x >> 29;             \
  return x
inline __attribute__((always_inline)) uint64_t MixInlined(uint64_t x) { MIX_BODY; }
NOINLINE uint64_t Mix(uint64_t x) { MIX_BODY; }
NOINLINE uint64_t MixAll() {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < 200; ++i) sum += kNew ? Mix(i) : MixInlined(i);
  return sum;
}
PLANTED_BENCHMARK(LostInlining, 100, DoNotOptimize(MixAll()));

// --- A branch that cannot be predicted ---
std::vector<int> BranchNumbers() {
  std::vector<int> numbers = Numbers(20'000);
  if (!kNew) std::sort(numbers.begin(), numbers.end());
  return numbers;
}
const std::vector<int> branch_numbers = BranchNumbers();
NOINLINE int64_t SumOfLarge() {
  int64_t sum = 0;
  for (const int number : branch_numbers) {
    if (number > 500'000) {
      sum += number;
      DoNotOptimize(sum);
    }
  }
  return sum;
}
PLANTED_BENCHMARK(UnpredictableBranch, 5000, DoNotOptimize(SumOfLarge()));

// --- A stride ---
std::vector<int> matrix(512 * 512, 1);
NOINLINE int64_t SumMatrix() {
  int64_t sum = 0;
  for (size_t i = 0; i < 512; ++i) {
    for (size_t j = 0; j < 512; ++j) {
      sum += matrix[kNew ? j * 512 + i : i * 512 + j];
      DoNotOptimize(sum);
    }
  }
  return sum;
}
PLANTED_BENCHMARK(Stride, 100'000, DoNotOptimize(SumMatrix()));

// --- Collisions in a hash table ---
struct PoorHash {
  size_t operator()(int x) const {
    return kNew ? static_cast<size_t>(x % 64) : static_cast<size_t>(x);
  }
};
std::unordered_map<int, int, PoorHash> MakeTable() {
  std::unordered_map<int, int, PoorHash> table;
  for (const int number : Numbers(1000)) table[number] = number;
  return table;
}
const auto table = MakeTable();
const std::vector<int> keys = Numbers(1000);
NOINLINE int LookUp() {
  int found = 0;
  for (size_t i = 0; i < 100; ++i) found += table.find(keys[i])->second;
  return found;
}
PLANTED_BENCHMARK(Collisions, 300, DoNotOptimize(LookUp()));

// --- Formatting ---
NOINLINE int Format(int number) {
  char text[32];
  int length = 0;
  if (kNew) {
    length = std::snprintf(text, sizeof text, "%d", number);
  } else {
    length = static_cast<int>(std::to_chars(text, text + 32, number).ptr - text);
  }
  DoNotOptimize(text);
  return length;
}
PLANTED_BENCHMARK(Formatting, 60, DoNotOptimize(Format(123'456)));

// --- A mathematical function ---
NOINLINE double Polynomial(double x) {
  double sum = 0;
  for (int i = 0; i < 20; ++i) {
    DoNotOptimize(x);
    sum += kNew ? std::pow(x, 1.5) : x * x;
  }
  return sum;
}
PLANTED_BENCHMARK(Power, 200, DoNotOptimize(Polynomial(1.7)));

// --- A check that is new ---
NOINLINE bool IsValid(std::string_view text) {
  for (char c : text) {
    if (c == '\0') return false;
    DoNotOptimize(c);
  }
  return true;
}
const std::string long_text(1000, 'x');
NOINLINE size_t Store(std::string_view text) {
  if (kNew && !IsValid(text)) return 0;
  return Common(400) % 2 + text.size();
}
PLANTED_BENCHMARK(Check, 400, DoNotOptimize(Store(long_text)));

// --- strlen in the condition of a loop ---
char text_1000[1001];
NOINLINE size_t Vowels() {
  std::memset(text_1000, 'a', 1000);
  size_t count = 0;
  const size_t length = std::strlen(text_1000);
  for (size_t i = 0; i < (kNew ? std::strlen(text_1000) : length); ++i) {
    count += text_1000[i] == 'e' ? 1 : 0;
    benchmark::ClobberMemory();
  }
  return count;
}
PLANTED_BENCHMARK(Strlen, 3000, DoNotOptimize(Vowels()));

// --- A vector that grows ---
NOINLINE size_t Collect() {
  std::vector<int> numbers;
  if (!kNew) numbers.reserve(1000);
  for (int i = 0; i < 1000; ++i) numbers.push_back(i);
  DoNotOptimize(numbers.data());
  return numbers.size();
}
PLANTED_BENCHMARK(Growth, 500, DoNotOptimize(Collect()));

// --- Recursion without a memory ---
NOINLINE int Fibonacci(int n) { return n < 2 ? n : Fibonacci(n - 1) + Fibonacci(n - 2); }
PLANTED_BENCHMARK(Recursion, 1000, DoNotOptimize(Fibonacci(kNew ? 15 : 11)));

}  // namespace

DUET_MAIN();
