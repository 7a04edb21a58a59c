#include "tools/duet_report/explain/instruction_counts.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "tools/duet_report/explain/stack_site.h"

namespace duetbench {
namespace {

struct Function {
  std::string name;  // ShortFunction
  bool is_system = false;
};

class Reader {
 public:
  explicit Reader(double iterations) : iterations_(iterations) {}

  void ReadLine(absl::string_view line) {
    if (absl::ConsumePrefix(&line, "ob=")) {
      object_ = std::string(line);
    } else if (absl::ConsumePrefix(&line, "cob=")) {
      called_object_ = std::string(line);
    } else if (absl::ConsumePrefix(&line, "fn=")) {
      function_ = FunctionOf(line, object_);
    } else if (absl::ConsumePrefix(&line, "cfn=")) {
      called_ = FunctionOf(line, called_object_.empty() ? object_ : called_object_);
      called_object_.clear();
    } else if (absl::ConsumePrefix(&line, "calls=")) {
      calls_ = Number(line, 0);
    } else if (!line.empty() && line[0] >= '0' && line[0] <= '9') {
      // A position, and instructions.
      ReadCost(Number(line, 1));
    }
  }

  FunctionTable Take() {
    counts_.functions.insert(inner_.begin(), inner_.end());
    counts_.allocations /= iterations_;
    counts_.calls /= iterations_;
    counts_.instructions /= iterations_;
    for (auto& [name, function] : counts_.functions) {
      function.calls /= iterations_;
      function.instructions /= iterations_;
    }
    return std::move(counts_);
  }

 private:
  static double Number(absl::string_view line, size_t word) {
    const std::vector<absl::string_view> words = absl::StrSplit(line, ' ');
    double number = 0;
    if (word >= words.size() || !absl::SimpleAtod(words[word], &number)) return 0;
    return number;
  }

  static Function FunctionOf(absl::string_view name, const std::string& object) {
    NamedFrame frame;
    frame.function = std::string(name);
    return {ShortFunction(name), IsSystemCode(frame, object)};
  }

  void ReadCost(double instructions) {
    if (calls_ == 0) {
      counts_.instructions += instructions;
      if (!function_.is_system) counts_.functions[function_.name].instructions += instructions;
      return;
    }
    counts_.calls += calls_;
    if (Allocates(called_.name) && !Allocates(function_.name)) counts_.allocations += calls_;
    const bool is_inner = called_.is_system && function_.is_system;
    FunctionCounts& called = (is_inner ? inner_ : counts_.functions)[called_.name];
    called.calls += calls_;
    if (called_.is_system) called.instructions += instructions;
    calls_ = 0;
  }

  const double iterations_;
  std::string object_;
  std::string called_object_;
  Function function_;
  Function called_;
  double calls_ = 0;  // not 0: the next line is the cost of these calls
  FunctionTable counts_;
  std::map<std::string, FunctionCounts> inner_;  // system code that system code calls
};

}  // namespace

bool IsSameCount(double a, double b) {
  constexpr double kSameCount = 0.005;  // chosen
  return std::abs(a - b) <= kSameCount * std::max(a, b);
}

bool Allocates(absl::string_view function) {
  static const auto* const kNames = new std::set<absl::string_view>(
      {"malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign", "memalign"});
  return kNames->count(function) != 0 || absl::StartsWith(function, "operator new");
}

FunctionTable ReadCallgrind(const CallgrindFile& file) {
  Reader reader(file.iterations);
  for (const absl::string_view line : absl::StrSplit(file.text, '\n')) reader.ReadLine(line);
  return reader.Take();
}

}  // namespace duetbench
