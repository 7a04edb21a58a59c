#ifndef DUETBENCH_TESTS_TOOLS_DUET_REPORT_EXPLAIN_FAKE_CODE_NAMES_H_
#define DUETBENCH_TESTS_TOOLS_DUET_REPORT_EXPLAIN_FAKE_CODE_NAMES_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tools/duet_report/explain/code_names.h"

namespace duetbench {

// Names that a test gives to addresses, of whatever file.
class FakeCodeNames final : public CodeNames {
 public:
  explicit FakeCodeNames(std::map<uint64_t, std::vector<NamedFrame>> frames)
      : frames_(std::move(frames)) {}
  const std::vector<NamedFrame>& FramesAt(const std::string& /*file*/, uint64_t address) override {
    return frames_.try_emplace(address, std::vector<NamedFrame>(1)).first->second;
  }

 private:
  std::map<uint64_t, std::vector<NamedFrame>> frames_;
};

}  // namespace duetbench

#endif  // DUETBENCH_TESTS_TOOLS_DUET_REPORT_EXPLAIN_FAKE_CODE_NAMES_H_
