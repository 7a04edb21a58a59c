// A speed test next to a unit test, in GoogleTest: the new version must return the same count, and
// must not be slower.
#include <duetbench/gtest.h>

#include <cctype>
#include <sstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

static int OldCountWords(const std::string& text) {
  std::istringstream words(text);
  int count = 0;
  for (std::string word; words >> word;) ++count;
  return count;
}

static int NewCountWords(const std::string& text) {
  int count = 0;
  bool in_word = false;
  for (const char c : text) {
    const bool is_space = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!is_space && !in_word) ++count;
    in_word = !is_space;
  }
  return count;
}

static std::string LongText() {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "how much depends\tupon a red wheel  barrow\n";
  return text;
}

TEST(CountWords, NewCountsTheSame) {
  EXPECT_EQ(NewCountWords(LongText()), OldCountWords(LongText()));
}

TEST(CountWords, NewIsNotSlower) {
  const std::string text = LongText();
  EXPECT_THAT(
      duetbench::Compare([&] { return OldCountWords(text); }, [&] { return NewCountWords(text); }),
      duetbench::NotSlowerThan(1.05));
}

// The same in one line, for functions without arguments.
static int OldCountLine() { return OldCountWords("how much depends upon a red wheel barrow"); }
static int NewCountLine() { return NewCountWords("how much depends upon a red wheel barrow"); }
DUET_TEST(CountWords, SpeedOfALine, OldCountLine, NewCountLine).MaxRatio(1.05);
