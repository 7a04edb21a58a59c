#ifndef DUETBENCH_TOOLS_DUET_LAB_ARGUMENTS_H_
#define DUETBENCH_TOOLS_DUET_LAB_ARGUMENTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace duetbench::lab {

// The arguments of one measurement: --name=value in any order, and after a "--" arguments for other
// programs. A measurement takes its flags, and then calls Finish():
//
//   Arguments arguments({"--meetings=500"});
//   const int64_t meetings = arguments.Whole("meetings", 10'000, 100, 10'000'000);
//   if (const absl::Status status = arguments.Finish(); !status.ok()) return status;
//
// A bad value gives the fallback and is remembered; the first one becomes the status of Finish().
class Arguments {
 public:
  explicit Arguments(const std::vector<std::string>& words);

  // The last value of a repeated flag counts, except for Texts().
  std::string Text(absl::string_view name, absl::string_view fallback);
  std::vector<std::string> Texts(absl::string_view name);
  int64_t Whole(absl::string_view name, int64_t fallback, int64_t min, int64_t max);
  // min <= value <= max.
  double Number(absl::string_view name, double fallback, double min, double max);
  // --name alone is true.
  bool Switch(absl::string_view name);

  // The arguments after "--".
  const std::vector<std::string>& rest() const { return rest_; }

  // InvalidArgument names the first bad value, or the first unknown argument.
  absl::Status Finish() const;

 private:
  void SetError(absl::string_view name, absl::string_view value, const std::string& wanted);

  std::vector<std::string> words_;
  std::vector<std::string> rest_;
  absl::Status status_;
};

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_ARGUMENTS_H_
