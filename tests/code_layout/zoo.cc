// Everything that depends on where functions lie, or on how they are found. Prints a checksum for
// each feature, which is the same in each copy. The argument is the plugin; none: without it.
#include <dlfcn.h>
#include <unwind.h>

#include <algorithm>
#include <any>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <vector>

#define ZOO_NOINLINE __attribute__((noinline))

namespace {

uint64_t checksum = 1469598103934665603u;

void Mix(uint64_t value) { checksum = (checksum ^ value) * 1099511628211u; }
void Mix(const std::string& text) {
  for (const char c : text) Mix(static_cast<uint64_t>(c));
}

// Static construction in order of priorities.
struct MixedAtStart {
  explicit MixedAtStart(uint64_t value) { Mix(value); }
};
__attribute__((init_priority(200))) MixedAtStart second(2);
__attribute__((init_priority(150))) MixedAtStart first(1);
const std::map<std::string, uint64_t> table_of_names = {{"a", 1}, {"b", 2}};

void StaticObjects() {
  for (const auto& [name, value] : table_of_names) {
    Mix(name);
    Mix(value);
  }
}

// Virtual functions, virtual bases and thunks, dynamic_cast.
struct Shape {
  virtual ~Shape() = default;
  virtual uint64_t Area() const = 0;
  virtual std::string Name() const { return typeid(*this).name(); }
};
struct Tagged {
  virtual ~Tagged() = default;
  virtual uint64_t Tag() const { return 5; }
};
struct Box : Tagged, virtual Shape {
  explicit Box(uint64_t of_side) : side(of_side) {}
  uint64_t Area() const override { return side * side; }
  uint64_t Tag() const override { return 8; }
  uint64_t side;
};
struct Ball : virtual Shape, Tagged {
  uint64_t Area() const override { return 3; }
};

void VirtualFunctions() {
  std::vector<std::unique_ptr<Shape>> shapes;
  for (uint64_t i = 0; i < 8; ++i) {
    if (i % 3 == 0) {
      shapes.push_back(std::make_unique<Ball>());
    } else {
      shapes.push_back(std::make_unique<Box>(i));
    }
  }
  for (const auto& shape : shapes) {
    Mix(shape->Area());
    Mix(shape->Name());
    if (const auto* const tagged = dynamic_cast<const Tagged*>(shape.get())) Mix(tagged->Tag());
  }
}

// A jump table; one case is cold.
ZOO_NOINLINE uint64_t Switch(uint64_t key, uint64_t x) {
  switch (key) {
    case 0:
      return x + 1;
    case 1:
      return x * 3;
    case 2:
      return x ^ 77;
    case 3:
      return x / 3;
    case 4:
      return x % 11;
    case 5:
      return x - 9;
    case 6:
      return x << 2;
    case 7:
      return std::to_string(x).size();
    case 8:
      return x | 5;
    case 12:
      throw std::runtime_error("twelve");
    default:
      return 0;
  }
}

void JumpTables() {
  for (uint64_t key = 0; key < 12; ++key) Mix(Switch(key, 100 + key));
  try {
    Switch(12, 1);
  } catch (const std::runtime_error& error) {
    Mix(error.what());
  }
}

// Computed goto.
ZOO_NOINLINE uint64_t Interpret(const unsigned char* program) {
  __extension__ static void* const labels[] = {&&add, &&multiply, &&negate, &&end};
  uint64_t value = 1;
  __extension__({ goto* labels[*program++]; });
add:
  value += *program++;
  __extension__({ goto* labels[*program++]; });
multiply:
  value *= *program++;
  __extension__({ goto* labels[*program++]; });
negate:
  value = ~value;
  __extension__({ goto* labels[*program++]; });
end:
  return value;
}

void ComputedGoto() {
  const unsigned char program[] = {0, 5, 1, 7, 2, 0, 9, 3};
  Mix(Interpret(program));
}

int PlusTwo(int x) { return x + 2; }
int TimesFive(int x) { return x * 5; }
int MinusThree(int x) { return x - 3; }
int (*const constant_functions[])(int) = {PlusTwo, TimesFive, MinusThree};
int (*variable_functions[])(int) = {MinusThree, PlusTwo};

int CompareNumbers(const void* a, const void* b) {
  return *static_cast<const int*>(a) - *static_cast<const int*>(b);
}

void FunctionPointers() {
  for (auto* const function : constant_functions) Mix(static_cast<uint64_t>(function(11)));
  for (auto* const function : variable_functions) Mix(static_cast<uint64_t>(function(4)));
  const std::function<int(int)> function = TimesFive;
  Mix(static_cast<uint64_t>(function(3)));
  Mix(*function.target<int (*)(int)>() == constant_functions[1] ? 1 : 2);
  std::vector<int> numbers(1000);
  std::iota(numbers.begin(), numbers.end(), 1);
  std::shuffle(numbers.begin(), numbers.end(), std::mt19937(3));
  qsort(numbers.data(), numbers.size(), sizeof(int), CompareNumbers);
  Mix(static_cast<uint64_t>(numbers[10]));
}

// Exceptions: cleanups, rethrow, from a library, across threads.
struct MixedAtEnd {
  explicit MixedAtEnd(uint64_t of_value) : value(of_value) {}
  ~MixedAtEnd() { Mix(value); }
  uint64_t value;
};
ZOO_NOINLINE uint64_t Throw(int n) {
  const MixedAtEnd guard(static_cast<uint64_t>(n));
  if (n > 5) throw n;
  if (n == 4) throw std::out_of_range("four");
  return guard.value;
}
ZOO_NOINLINE uint64_t CallThrow(int n) {
  const MixedAtEnd guard(static_cast<uint64_t>(100 + n));
  const std::string text(50, 'x');
  return Throw(n) + text.size();
}

void Exceptions() {
  for (int n = 0; n < 9; ++n) {
    try {
      Mix(CallThrow(n));
    } catch (int thrown) {
      try {
        try {
          throw std::string("again");
        } catch (...) {
          Mix(static_cast<uint64_t>(thrown));
          throw;
        }
      } catch (const std::string& text) {
        Mix(text);
      }
    } catch (const std::exception& error) {
      Mix(error.what());
    }
  }
  try {
    Mix(static_cast<uint64_t>(std::vector<int>(3).at(7)));
  } catch (const std::exception& error) {
    Mix(error.what());
  }
}

_Unwind_Reason_Code CountFrame(_Unwind_Context* /*context*/, void* frames) {
  ++*static_cast<uint64_t*>(frames);
  return _URC_NO_REASON;
}
ZOO_NOINLINE uint64_t Depth(int calls) {
  uint64_t frames = 0;
  if (calls == 0) {
    _Unwind_Backtrace(CountFrame, &frames);
    return frames;
  }
  frames = Depth(calls - 1);
  asm volatile("" : "+r"(frames));  // no tail call
  return frames;
}

void Backtraces() { Mix(Depth(10) - Depth(0)); }

// A function that is chosen when the program starts (IFUNC).
#ifdef ZOO_TARGET_CLONES
__attribute__((target_clones("avx2", "default")))
#endif
ZOO_NOINLINE uint64_t
SumOfSquares(const uint64_t* numbers, size_t size) {
  uint64_t sum = 0;
  for (size_t i = 0; i < size; ++i) sum += numbers[i] * numbers[i];
  return sum;
}

void ChosenAtStart() {
  std::vector<uint64_t> numbers(1000);
  std::iota(numbers.begin(), numbers.end(), 1);
  Mix(SumOfSquares(numbers.data(), numbers.size()));
}

const char* plugin = nullptr;

}  // namespace

extern "C" __attribute__((visibility("default"), noinline)) int Exported(int x) { return x * 7; }

namespace {

template <class Function>
Function* FunctionIn(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

void Plugin() {
  if (plugin == nullptr) return;
  void* const library = dlopen(plugin, RTLD_NOW);
  if (library == nullptr) {
    std::puts(dlerror());
    std::exit(EXIT_FAILURE);
  }
  auto* const call_back = FunctionIn<int(int (*)(int), int)>(library, "CallBack");
  Mix(static_cast<uint64_t>(call_back(TimesFive, 4)));
  try {
    call_back([](int x) -> int { throw x + 1; }, 4);
  } catch (int thrown) {
    Mix(static_cast<uint64_t>(thrown));
  }
  Mix(static_cast<uint64_t>(FunctionIn<int(int (*)(int))>(library, "IsExported")(Exported)));
  Mix(dlsym(RTLD_DEFAULT, "Exported") == reinterpret_cast<void*>(Exported) ? 1 : 2);
  std::any any;
  FunctionIn<void(std::any*)>(library, "MakeAny")(&any);
  Mix(static_cast<uint64_t>(std::any_cast<int>(any)));
}

struct Feature {
  const char* name;
  void (*use)();
};
const Feature kFeatures[] = {
    {"static objects", StaticObjects},
    {"virtual functions", VirtualFunctions},
    {"jump tables", JumpTables},
    {"computed goto", ComputedGoto},
    {"function pointers", FunctionPointers},
    {"exceptions", Exceptions},
    {"backtraces", Backtraces},
    {"chosen at start", ChosenAtStart},
    {"plugin", Plugin},
};

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) plugin = argv[1];
  std::atexit([] { std::printf("at exit: %016llx\n", static_cast<unsigned long long>(checksum)); });
  for (const Feature& feature : kFeatures) {
    feature.use();
    std::printf("%s: %016llx\n", feature.name, static_cast<unsigned long long>(checksum));
  }
  return 0;
}
