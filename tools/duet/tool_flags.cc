#include "tools/duet/tool_flags.h"

#include <cstdio>
#include <deque>

#include "duetbench/api/main.h"
#include "duetbench/experiment/interrupt.h"
#include "duetbench/platform/executable.h"
#include "duetbench/platform/exit_status.h"

namespace duetbench::duet {

int Fail(const absl::Status& status) {
  std::fprintf(stderr, "duet: %s\n", std::string(status.message()).c_str());
  return absl::IsCancelled(status) ? ExitStatusOfSignal(*InterruptSignal()) : kExitError;
}

bool TakeFlags(const std::string& program, const std::vector<std::string>& flags, bool help) {
  // The library keeps pointers to the words of each call.
  static auto* const calls = new std::deque<std::vector<std::string>>;
  std::vector<std::string>& words = calls->emplace_back(flags);
  words.insert(words.begin(), program);
  if (help) words.emplace_back("--help");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  int argc = static_cast<int>(words.size());
  Initialize(&argc, argv.data());
  return !ReportUnrecognizedArguments(argc, argv.data());
}

void AddMark(const std::string& file, std::map<std::string, std::string>* marks) {
  const std::string mark = MarkOfFile(file);
  if (!mark.empty()) marks->emplace(file, mark);
}

}  // namespace duetbench::duet
