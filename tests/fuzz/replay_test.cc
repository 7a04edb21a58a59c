// The work of the fuzzers, without one: the corpus of each target, and mutations of it from fixed
// seeds.

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/fuzz/targets.h"

namespace duetbench {
namespace {

struct Target {
  const char* name;  // of its corpus
  void (*fuzz)(absl::string_view input);
  int mutations;
};

const Target kTargets[] = {
    {"readers", FuzzReaders, 20000},
    {"protocol", FuzzProtocol, 50000},
    {"flags", FuzzFlags, 5000},
    {"code", FuzzMovableCode, 20000},
};

void PrintTo(const Target& target, std::ostream* stream) { *stream << target.name; }

std::vector<std::string> CorpusOf(const Target& target) {
  std::vector<std::filesystem::path> paths;
  const std::string folder = absl::StrCat(DUETBENCH_FUZZ_CORPUS, "/", target.name);
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> corpus;
  for (const std::filesystem::path& path : paths) {
    std::ifstream file(path, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return corpus;
}

class Mutator {
 public:
  explicit Mutator(const std::vector<std::string>& corpus) : corpus_(corpus) {}

  std::string Next() {
    std::string text = corpus_[Below(corpus_.size())];
    const std::size_t changes = 1 + Below(4);
    for (std::size_t change = 0; change < changes; ++change) Change(text);
    return text;
  }

 private:
  void Change(std::string& text) {
    static const char* const kPieces[] = {
        ",",         "\n",  "\r\n", "\"",    "\"\"",  "0",        "-1",
        "nan",       "inf", "1e60", "1e-60", "1e999", "4.9e-324", "9223372036854775807",
        "run,x,y\n", ".",   " ",    "1",     "0.5",   "=",        "--duet_",
        "x",         "-",   ";"};
    const std::size_t at = Below(text.size() + 1);
    switch (Below(6)) {
      case 0:  // a byte
        if (at < text.size()) text[at] = static_cast<char>(Below(256));
        break;
      case 1:  // a piece in between
        text.insert(at, kPieces[Below(std::size(kPieces))]);
        break;
      case 2:  // a piece in place of a cell
        ReplaceCell(text, at, kPieces[Below(std::size(kPieces))]);
        break;
      case 3:  // without some bytes
        text.erase(at, Below(20));
        break;
      case 4:  // cut off
        text.resize(at);
        break;
      default:  // some of it again
        text.insert(Below(text.size() + 1), text.substr(at, Below(60)));
    }
  }

  static void ReplaceCell(std::string& text, std::size_t at, const char* piece) {
    const std::size_t begin = text.find_first_of(",\n", at);
    if (begin == std::string::npos) return;
    const std::size_t end = std::min(text.find_first_of(",\n", begin + 1), text.size());
    text.replace(begin + 1, end - begin - 1, piece);
  }

  std::size_t Below(std::size_t bound) { return bound == 0 ? 0 : random_() % bound; }

  const std::vector<std::string>& corpus_;
  std::mt19937_64 random_{1};
};

class FuzzReplay : public testing::TestWithParam<Target> {};

// Both stop the program if a promise is broken, which is how they fail.
TEST_P(FuzzReplay, Corpus) {
  const std::vector<std::string> corpus = CorpusOf(GetParam());
  ASSERT_GE(corpus.size(), 5u);
  for (const std::string& text : corpus) GetParam().fuzz(text);
}

TEST_P(FuzzReplay, Mutations) {
  const std::vector<std::string> corpus = CorpusOf(GetParam());
  Mutator mutator(corpus);
  for (int i = 0; i < GetParam().mutations; ++i) {
    const std::string text = mutator.Next();
    SCOPED_TRACE(text);
    GetParam().fuzz(text);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, FuzzReplay, testing::ValuesIn(kTargets),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace duetbench
