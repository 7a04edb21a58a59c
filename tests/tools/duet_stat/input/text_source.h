#ifndef DUETBENCH_TESTS_TOOLS_DUET_STAT_INPUT_TEXT_SOURCE_H_
#define DUETBENCH_TESTS_TOOLS_DUET_STAT_INPUT_TEXT_SOURCE_H_

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "tools/duet_stat/input/byte_source.h"

namespace duetbench::duet_stat {

// A file that holds `text` and gives at most `chunk` bytes at a time, as pipes do.
inline ByteSource TextSource(std::string text, std::size_t chunk = 1 << 20) {
  const auto rest = std::make_shared<std::string>(std::move(text));
  return [rest, chunk](char* buffer, std::size_t size) -> absl::StatusOr<std::size_t> {
    const std::size_t count = std::min({size, chunk, rest->size()});
    rest->copy(buffer, count);
    rest->erase(0, count);
    return count;
  };
}

// `start`, and then `line(0)`, `line(1)`, ... without end: a file larger than any machine.
inline ByteSource EndlessSource(std::string start,
                                const std::function<std::string(std::size_t)>& line) {
  const auto rest = std::make_shared<std::string>(std::move(start));
  const auto next = std::make_shared<std::size_t>(0);
  return [=](char* buffer, std::size_t size) -> absl::StatusOr<std::size_t> {
    while (rest->size() < size) *rest += line((*next)++);
    rest->copy(buffer, size);
    rest->erase(0, size);
    return size;
  };
}

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TESTS_TOOLS_DUET_STAT_INPUT_TEXT_SOURCE_H_
