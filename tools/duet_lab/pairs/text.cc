// Formatting and parsing, strings, regular expressions.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "tools/duet_lab/pairs/code_pairs.h"

namespace duetbench::lab {
namespace {

uint64_t TextDigest(absl::string_view text) {
  return text.size() * 256 + static_cast<unsigned char>(text[text.size() / 2]);
}

// Numbers of one to ten digits.
std::vector<uint32_t> NumbersOfEveryLength() {
  std::vector<uint32_t> numbers = PairData(9).Numbers(1024);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] >>= i % 29;
  return numbers;
}

class Snprintf {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    std::array<char, 16> text = {};
    const int length = std::snprintf(text.data(), text.size(), "%u", numbers_.Next());
    return TextDigest({text.data(), static_cast<std::size_t>(length)});
  }

 private:
  Cycle<uint32_t> numbers_{NumbersOfEveryLength()};
};

class ToChars {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    std::array<char, 16> text = {};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), numbers_.Next()).ptr;
    return TextDigest({text.data(), static_cast<std::size_t>(end - text.data())});
  }

 private:
  Cycle<uint32_t> numbers_{NumbersOfEveryLength()};
};

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (const uint32_t number : PairData(10).Numbers(256)) {
    names.push_back(std::string(4 + number % 20, 'n') + std::to_string(number));
  }
  return names;
}

class PlusOfStrings {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    const std::string& name = names_.Next();
    const std::string text = "/home/" + name + "/data/" + name + ".txt";
    return TextDigest(text);
  }

 private:
  Cycle<std::string> names_{Names()};
};

class StrCatOfStrings {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    const std::string& name = names_.Next();
    const std::string text = absl::StrCat("/home/", name, "/data/", name, ".txt");
    return TextDigest(text);
  }

 private:
  Cycle<std::string> names_{Names()};
};

std::vector<std::string> Digits() {
  std::vector<std::string> digits;
  for (const uint32_t number : NumbersOfEveryLength()) digits.push_back(absl::StrCat(number / 4));
  return digits;
}

class Stoi {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() { return static_cast<uint64_t>(std::stoi(texts_.Next())); }

 private:
  Cycle<std::string> texts_{Digits()};
};

class SimpleAtoi {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    int number = 0;
    return absl::SimpleAtoi(texts_.Next(), &number) ? static_cast<uint64_t>(number) : 0;
  }

 private:
  Cycle<std::string> texts_{Digits()};
};

// Lines such as "key17=1234;", a quarter of which do not match.
std::vector<std::string> Lines() {
  std::vector<std::string> lines;
  for (const uint32_t number : PairData(11).Numbers(256)) {
    lines.push_back(absl::StrCat("key", number % 100, number % 4 == 0 ? ":" : "=", number, ";"));
  }
  return lines;
}

class StdRegex {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    std::smatch match;
    return std::regex_match(lines_.Next(), match, regex_) ? TextDigest(match[2].str()) : 0;
  }

 private:
  std::regex regex_{"([a-z]+[0-9]*)=([0-9]+);"};
  Cycle<std::string> lines_{Lines()};
};

class WrittenScanner {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    const std::string& line = lines_.Next();
    std::size_t i = 0;
    while (i < line.size() && absl::ascii_islower(static_cast<unsigned char>(line[i]))) ++i;
    if (i == 0) return 0;
    while (i < line.size() && absl::ascii_isdigit(static_cast<unsigned char>(line[i]))) ++i;
    if (i == line.size() || line[i] != '=') return 0;
    const std::size_t begin = ++i;
    while (i < line.size() && absl::ascii_isdigit(static_cast<unsigned char>(line[i]))) ++i;
    if (i == begin || i + 1 != line.size() || line[i] != ';') return 0;
    return TextDigest(line.substr(begin, i - begin));
  }

 private:
  Cycle<std::string> lines_{Lines()};
};

class Ostringstream {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    const uint32_t number = numbers_.Next();
    std::ostringstream stream;
    stream << "order " << number << ": " << number % 100 << " items at " << number % 1000 / 4.0;
    return TextDigest(stream.str());
  }

 private:
  Cycle<uint32_t> numbers_{NumbersOfEveryLength()};
};

class StrFormatOfOrder {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    const uint32_t number = numbers_.Next();
    return TextDigest(
        absl::StrFormat("order %u: %u items at %g", number, number % 100, number % 1000 / 4.0));
  }

 private:
  Cycle<uint32_t> numbers_{NumbersOfEveryLength()};
};

constexpr char kNeedle[] = "the last sentence of it";

// 4 KiB of words, at the end of which the needle is.
std::string Haystack() {
  std::string text;
  for (const uint32_t number : PairData(12).Numbers(512)) {
    absl::StrAppend(&text, number % 3 == 0 ? "the " : "sentence ", number % 100, " ");
  }
  text.resize(4096);
  return text + kNeedle;
}

class FindInString {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() { return text_.find(kNeedle); }

 private:
  std::string text_ = Haystack();
};

class SearchByHorspool {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    return static_cast<uint64_t>(std::search(text_.begin(), text_.end(), searcher_) -
                                 text_.begin());
  }

 private:
  std::string text_ = Haystack();
  std::string needle_ = kNeedle;
  std::boyer_moore_horspool_searcher<std::string::const_iterator> searcher_{needle_.cbegin(),
                                                                            needle_.cend()};
};

}  // namespace

void AddTextPairs(std::vector<CodePair>* pairs) {
  pairs->insert(
      pairs->end(),
      {
          // A whole number.
          {"snprintf_vs_to_chars", PairSet::kTuning, SidesOf<Snprintf, ToChars>},
          // Five strings.
          {"plus_vs_strcat", PairSet::kTuning, SidesOf<PlusOfStrings, StrCatOfStrings>},
          // A whole number.
          {"stoi_vs_simple_atoi", PairSet::kTuning, SidesOf<Stoi, SimpleAtoi>},
          // A line of KEY=NUMBER;.
          {"regex_vs_scanner", PairSet::kTuning, SidesOf<StdRegex, WrittenScanner>},
          // A line with three numbers.
          {"ostringstream_vs_str_format", PairSet::kHoldOut,
           SidesOf<Ostringstream, StrFormatOfOrder>},
          // 23 bytes in 4 KiB of text.
          {"find_vs_horspool", PairSet::kHoldOut, SidesOf<FindInString, SearchByHorspool>},
      });
}

}  // namespace duetbench::lab
