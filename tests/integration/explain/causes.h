// Planted causes: causes_old_program.cc and causes_new_program.cc define kNew. Each benchmark has
// one reason why new is slower; causes_test.cc has the function and the line that an explanation
// should name. The last ten, after 'The hold-out', were not run while the explanation was written.
#include <duetbench/duetbench.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#define NOINLINE __attribute__((noinline))

namespace {

using benchmark::DoNotOptimize;

std::vector<int> Numbers(int count, unsigned seed = 1) {
  std::mt19937 random(seed);
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

// --- A lock ---
std::mutex mutex;
int counter = 0;
NOINLINE void Increment() {
  if (kNew) {
    const std::lock_guard<std::mutex> lock(mutex);
    ++counter;
  } else {
    ++counter;
  }
}
PLANTED_BENCHMARK(Lock, 10, Increment());

// --- Virtual calls ---
struct Shape {
  virtual ~Shape() = default;
  virtual double Area() const = 0;
};
struct Square final : Shape {
  explicit Square(double s) : side(s) {}
  NOINLINE double Area() const override { return side * side; }
  double side;
};
struct Circle final : Shape {
  explicit Circle(double r) : radius(r) {}
  NOINLINE double Area() const override { return 3.14159 * radius * radius; }
  double radius;
};
std::vector<std::unique_ptr<Shape>> MakeShapes() {
  std::vector<std::unique_ptr<Shape>> shapes;
  for (const int number : Numbers(2000)) {
    if (number % 2 != 0) {
      shapes.push_back(std::make_unique<Square>(number));
    } else {
      shapes.push_back(std::make_unique<Circle>(number));
    }
  }
  return shapes;
}
const auto shapes = MakeShapes();
std::vector<double> sides(2000, 2.0);
NOINLINE double AreaOfAll() {
  double sum = 0;
  for (size_t i = 0; i < shapes.size(); ++i) {
    sum += kNew ? shapes[i]->Area() : sides[i] * sides[i];
  }
  return sum;
}
PLANTED_BENCHMARK(VirtualCall, 3000, DoNotOptimize(AreaOfAll()));

// --- Less optimization ---
std::vector<float> floats(4096, 0.5f);
#if defined(__GNUC__) && !defined(__clang__)
#define AS_NEW __attribute__((optimize("O0")))
#else
#define AS_NEW __attribute__((optnone))
#endif
NOINLINE float DotFast() {
  float sum = 0;
  for (size_t i = 0; i < floats.size(); ++i) sum += floats[i] * floats[i];
  return sum;
}
NOINLINE AS_NEW float DotSlow() {
  const float* const data = floats.data();
  float sum = 0;
  for (size_t i = 0; i < 4096; ++i) sum += data[i] * data[i];
  return sum;
}
PLANTED_BENCHMARK(LessOptimized, 2000, DoNotOptimize(kNew ? DotSlow() : DotFast()));

// --- Another algorithm ---
std::vector<int> SortedNumbers() {
  std::vector<int> numbers = Numbers(2000);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}
const std::vector<int> sorted = SortedNumbers();
NOINLINE bool Contains(int x) {
  if (!kNew) return std::binary_search(sorted.begin(), sorted.end(), x);
  for (int number : sorted) {
    if (number == x) return true;
    DoNotOptimize(number);
  }
  return false;
}
PLANTED_BENCHMARK(Algorithm, 500, DoNotOptimize(Contains(-1)));

// --- Strings put together ---
const std::string part = "a part of twenty-six chars";
NOINLINE size_t Join() {
  std::string text;
  text.reserve(200);
  for (int i = 0; i < 6; ++i) {
    if (kNew) {
      text = text + part;
    } else {
      text.append(part);
    }
  }
  DoNotOptimize(text.data());
  return text.size();
}
PLANTED_BENCHMARK(Concatenation, 100, DoNotOptimize(Join()));

// --- Divisions ---
NOINLINE uint64_t Slots() {
  uint64_t size = 1024;
  DoNotOptimize(size);
  uint64_t sum = 0;
  for (uint64_t i = 0; i < 300; ++i) {
    sum += kNew ? (sum + i * 977) % size : (sum + i * 977) & 1023;
    DoNotOptimize(sum);
  }
  return sum;
}
PLANTED_BENCHMARK(Division, 300, DoNotOptimize(Slots()));

// --- Exceptions ---
NOINLINE int ParseDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (kNew) throw std::invalid_argument("no digit");
  return -1;
}
NOINLINE int Digits(std::string_view text) {
  int sum = 0;
  for (const char c : text) {
    try {
      const int digit = ParseDigit(c);
      sum += digit < 0 ? 0 : digit;
    } catch (const std::invalid_argument&) {
    }
  }
  return sum;
}
PLANTED_BENCHMARK(Exception, 1000, DoNotOptimize(Digits("1234a6789")));

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

// --- A list in place of a vector ---
std::list<int> MakeList() {
  const std::vector<int> numbers = Numbers(20'000);
  std::list<int> list(numbers.begin(), numbers.end());
  list.sort();
  return list;
}
const std::list<int> list = MakeList();
const std::vector<int> vector_of_list(list.begin(), list.end());
template <class Container>
NOINLINE int64_t Walk(const Container& container) {
  int64_t sum = 0;
  for (const int number : container) {
    sum += number;
    DoNotOptimize(sum);
  }
  return sum;
}
PLANTED_BENCHMARK(List, 10'000, if (kNew) DoNotOptimize(Walk(list));
                  else DoNotOptimize(Walk(vector_of_list)));

// --- A larger buffer to clear ---
char buffer[16 << 10];
NOINLINE void ClearBuffer() {
  size_t size = kNew ? sizeof buffer : sizeof buffer / 4;
  DoNotOptimize(size);
  std::memset(buffer, 0, size);
  benchmark::ClobberMemory();
}
PLANTED_BENCHMARK(Clearing, 100, ClearBuffer());

// --- A stable sort ---
NOINLINE int SortNumbers() {
  static std::vector<int> work;
  work = numbers_1000;
  if (kNew) {
    std::stable_sort(work.begin(), work.end(), std::greater<>());
  } else {
    std::nth_element(work.begin(), work.begin() + 500, work.end(), std::greater<>());
  }
  return work[500];
}
PLANTED_BENCHMARK(StableSort, 10'000, DoNotOptimize(SortNumbers()));

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

// --- System calls ---
NOINLINE long Tick() {
  if (kNew) return getppid();
  return 1;
}
PLANTED_BENCHMARK(SystemCall, 200, DoNotOptimize(Tick()));

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

// --- A map in place of a hash table ---
const std::map<int, int> tree(table.begin(), table.end());
NOINLINE int LookUpInTree() {
  int found = 0;
  for (size_t i = 0; i < 100; ++i) {
    found += kNew ? tree.find(keys[i])->second : table.at(keys[i]);
  }
  return found;
}
PLANTED_BENCHMARK(Tree, 1000, DoNotOptimize(LookUpInTree()));

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

// --- A string stream ---
NOINLINE int ReadNumber(const std::string& text) {
  if (!kNew) return std::atoi(text.c_str());
  std::istringstream stream(text);
  int number = 0;
  stream >> number;
  return number;
}
const std::string digits = "12345";
PLANTED_BENCHMARK(Stream, 200, DoNotOptimize(ReadNumber(digits)));

// --- A regular expression ---
const std::regex pattern("[0-9]+");
NOINLINE bool IsNumber(const std::string& text) {
  if (kNew) return std::regex_match(text, pattern);
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}
PLANTED_BENCHMARK(Regex, 500, DoNotOptimize(IsNumber(digits)));

// --- Denormals ---
NOINLINE float Filter() {
  float value = kNew ? 1e-39f : 1.0f;
  DoNotOptimize(value);
  float sum = 0;
  for (int i = 0; i < 300; ++i) {
    sum = value * 0.5f + sum * 0.5f;
    DoNotOptimize(sum);
  }
  return sum;
}
PLANTED_BENCHMARK(Denormals, 600, DoNotOptimize(Filter()));

// --- Copies of shared pointers ---
const auto shared = std::make_shared<std::string>("text");
NOINLINE size_t UseShared(
    std::conditional_t<kNew, std::shared_ptr<std::string>, const std::shared_ptr<std::string>&> p) {
  DoNotOptimize(p.get());
  return p->size();
}
NOINLINE size_t UseSharedOften() {
  size_t sum = 0;
  for (int i = 0; i < 100; ++i) sum += UseShared(shared);
  return sum;
}
PLANTED_BENCHMARK(SharedPointer, 150, DoNotOptimize(UseSharedOften()));

// --- std::function ---
const std::function<int(int)> function = [](int x) { return x * 3 + 1; };
NOINLINE int Apply() {
  int x = 1;
  for (int i = 0; i < 300; ++i) {
    x = kNew ? function(x) : x * 3 + 1;
    DoNotOptimize(x);
  }
  return x;
}
PLANTED_BENCHMARK(Function, 300, DoNotOptimize(Apply()));

// --- Words of a text as a set ---
const std::vector<std::string> words = {"this", "is",  "a",     "short", "text",
                                        "with", "ten", "words", "in",    "it"};
NOINLINE size_t Distinct() {
  if (kNew) {
    return std::set<std::string>(words.begin(), words.end()).size();
  }
  std::string_view views[10];
  std::copy(words.begin(), words.end(), views);
  std::sort(views, views + 10);
  return static_cast<size_t>(std::unique(views, views + 10) - views);
}
PLANTED_BENCHMARK(Set, 300, DoNotOptimize(Distinct()));

// ======== The hold-out. ========
// --- Insertion at the front ---
NOINLINE int PushFront() {
  std::vector<int> numbers;
  numbers.reserve(300);
  for (int i = 0; i < 200; ++i) {
    numbers.insert(kNew ? numbers.begin() : numbers.end(), i);
  }
  return numbers[7];
}
PLANTED_BENCHMARK(Front, 300, DoNotOptimize(PushFront()));

// --- A copy of a map ---
const std::map<int, int> small_map = {{1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}};
NOINLINE int SumOfMap() {
  int sum = 0;
  std::conditional_t<kNew, const std::map<int, int>, const std::map<int, int>&> map = small_map;
  for (const auto& [key, value] : map) sum += key * value;
  return sum;
}
PLANTED_BENCHMARK(MapCopy, 100, DoNotOptimize(SumOfMap()));

// --- A checksum byte by byte ---
NOINLINE uint64_t Checksum() {
  uint64_t sum = 0;
  if (kNew) {
    for (size_t i = 0; i < 4096; ++i) {
      sum = sum * 31 + static_cast<unsigned char>(buffer[i]);
      DoNotOptimize(sum);
    }
  } else {
    for (size_t i = 0; i < 4096; i += 8) {
      uint64_t word = 0;
      std::memcpy(&word, buffer + i, 8);
      sum = sum * 31 + word;
      DoNotOptimize(sum);
    }
  }
  return sum;
}
PLANTED_BENCHMARK(Bytes, 3000, DoNotOptimize(Checksum()));

// --- Sine in place of a table ---
const std::vector<double> sines = [] {
  std::vector<double> values;
  for (int i = 0; i < 256; ++i) values.push_back(std::sin(i / 256.0));
  return values;
}();
NOINLINE double Wave() {
  double sum = 0;
  for (size_t i = 0; i < 64; ++i) {
    double x = static_cast<double>(i) / 256;
    DoNotOptimize(x);
    sum += kNew ? std::sin(x) : sines[static_cast<size_t>(x * 256)];
  }
  return sum;
}
PLANTED_BENCHMARK(Sine, 500, DoNotOptimize(Wave()));

// --- A search that begins anew ---
NOINLINE size_t CountOccurrences(const std::string& text, const char* word) {
  size_t count = 0;
  const size_t length = std::strlen(word);
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + length)) {
    ++count;
    if (kNew) DoNotOptimize(std::string(text).size());
  }
  return count;
}
const std::string repeated = [] {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "word and ";
  return text;
}();
PLANTED_BENCHMARK(TextCopy, 500, DoNotOptimize(CountOccurrences(repeated, "word")));

// --- A deque that is built and thrown away ---
NOINLINE int Queue() {
  if (!kNew) return 1;
  std::deque<int> queue(4, 1);
  DoNotOptimize(&queue);
  return queue.front();
}
PLANTED_BENCHMARK(Deque, 80, DoNotOptimize(Queue()));

// --- Comparison of strings in place of numbers ---
const std::vector<std::string> names(100, "a_name_with_a_long_common_prefix_1");
const std::string wanted = "a_name_with_a_long_common_prefix_2";
NOINLINE int IndexOf() {
  int last = 0;
  for (size_t i = 0; i < names.size(); ++i) {
    if (kNew ? names[i] == wanted : names[i].back() == wanted.back()) last = 1;
    DoNotOptimize(last);
  }
  return last;
}
PLANTED_BENCHMARK(Comparison, 300, DoNotOptimize(IndexOf()));

// --- A square root that is not needed ---
NOINLINE int Near() {
  int count = 0;
  for (int i = 0; i < 200; ++i) {
    double square = i;
    DoNotOptimize(square);
    count += kNew ? (std::sqrt(square) < 7.0 ? 1 : 0) : (square < 49.0 ? 1 : 0);
    DoNotOptimize(count);
  }
  return count;
}
PLANTED_BENCHMARK(Root, 150, DoNotOptimize(Near()));

// --- A sort of what is sorted ---
NOINLINE int Median() {
  static std::vector<int> work;
  work = numbers_1000;
  if (kNew) std::sort(work.begin(), work.end());
  return work[500];
}
PLANTED_BENCHMARK(Resort, 15'000, DoNotOptimize(Median()));

// --- An environment variable read each time ---
NOINLINE int Level() {
  if (!kNew) return 1;
  const char* const level = std::getenv("CAUSES_LEVEL_THAT_IS_NOT_SET");
  return level == nullptr ? 0 : 1;
}
PLANTED_BENCHMARK(Environment, 50, DoNotOptimize(Level()));

}  // namespace

DUET_MAIN();
