#include "tools/duet_lab/arguments.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace duetbench::lab {

Arguments::Arguments(const std::vector<std::string>& words) {
  const auto separator = std::find(words.begin(), words.end(), "--");
  words_.assign(words.begin(), separator);
  if (separator != words.end()) rest_.assign(separator + 1, words.end());
}

std::vector<std::string> Arguments::Texts(absl::string_view name) {
  const std::string prefix = absl::StrCat("--", name, "=");
  std::vector<std::string> values;
  std::vector<std::string> others;
  for (const std::string& word : words_) {
    absl::string_view value = word;
    if (absl::ConsumePrefix(&value, prefix)) {
      values.emplace_back(value);
    } else {
      others.push_back(word);
    }
  }
  words_ = others;
  return values;
}

std::string Arguments::Text(absl::string_view name, absl::string_view fallback) {
  const std::vector<std::string> values = Texts(name);
  return values.empty() ? std::string(fallback) : values.back();
}

int64_t Arguments::Whole(absl::string_view name, int64_t fallback, int64_t min, int64_t max) {
  const std::vector<std::string> values = Texts(name);
  if (values.empty()) return fallback;
  int64_t value = 0;
  if (absl::SimpleAtoi(values.back(), &value) && min <= value && value <= max) return value;
  SetError(name, values.back(), absl::StrCat("a whole number from ", min, " to ", max));
  return fallback;
}

double Arguments::Number(absl::string_view name, double fallback, double min, double max) {
  const std::vector<std::string> values = Texts(name);
  if (values.empty()) return fallback;
  double value = 0;
  if (absl::SimpleAtod(values.back(), &value) && min <= value && value <= max) return value;
  SetError(name, values.back(), absl::StrCat("a number from ", min, " to ", max));
  return fallback;
}

bool Arguments::Switch(absl::string_view name) {
  const auto found = std::find(words_.begin(), words_.end(), absl::StrCat("--", name));
  if (found == words_.end()) return false;
  words_.erase(found);
  return true;
}

absl::Status Arguments::Finish() const {
  if (!status_.ok() || words_.empty()) return status_;
  return absl::InvalidArgumentError(
      absl::StrCat("unknown argument '", words_.front(), "'; duet_lab --help lists what there is"));
}

void Arguments::SetError(absl::string_view name, absl::string_view value,
                         const std::string& wanted) {
  if (!status_.ok()) return;
  status_ =
      absl::InvalidArgumentError(absl::StrCat("--", name, ": '", value, "' should be ", wanted));
}

}  // namespace duetbench::lab
