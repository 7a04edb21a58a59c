#include "tools/duet/tool_flags.h"

#include <cstdio>

#include "duetbench/api/main.h"
#include "duetbench/process/executable.h"
#include "duetbench/process/exit_status.h"

namespace duetbench::duet {

int Fail(const absl::Status& status) {
  std::fprintf(stderr, "duet: %s\n", std::string(status.message()).c_str());
  return kExitError;
}

bool TakeFlags(const std::string& program, const std::vector<std::string>& flags, bool help) {
  // The library keeps pointers to the words.
  auto* const words = new std::vector<std::string>{program};
  words->insert(words->end(), flags.begin(), flags.end());
  if (help) words->emplace_back("--help");
  std::vector<char*> argv;
  for (std::string& word : *words) argv.push_back(word.data());
  argv.push_back(nullptr);
  int argc = static_cast<int>(words->size());
  Initialize(&argc, argv.data());
  return !ReportUnrecognizedArguments(argc, argv.data());
}

void AddMark(const std::string& file, std::map<std::string, std::string>* marks) {
  const std::string mark = MarkOfFile(file);
  if (!mark.empty()) marks->emplace(file, mark);
}

}  // namespace duetbench::duet
