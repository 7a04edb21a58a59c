#ifndef DUETBENCH_REGISTRY_SUITE_END_H_
#define DUETBENCH_REGISTRY_SUITE_END_H_

#include "absl/status/status.h"

namespace duetbench {

class Session;

// Whether the files of --duet_summary and --duet_junit can be written: better known before hours of
// measuring than after. They exist from then on.
absl::Status CheckSuiteFiles(const Session& session);

// What comes after the table: how the gates came out, annotations under GitHub Actions
// (GITHUB_ACTIONS=true), the files of --duet_summary (appended to: GitHub shows what all steps of a
// job have appended) and --duet_junit (replaced), the reports of --duet_aa and --duet_calibrate.
// Text goes to stdout where that is for people, to stderr where it is JSON or CSV. Returns the exit
// status (SuiteStatus).
int EndSuite(Session& session);

}  // namespace duetbench

#endif  // DUETBENCH_REGISTRY_SUITE_END_H_
