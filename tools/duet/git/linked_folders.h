#ifndef TOOLS_DUET_GIT_LINKED_FOLDERS_H_
#define TOOLS_DUET_GIT_LINKED_FOLDERS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/duet/git/sources.h"

// The folders of --link: parts of the working tree that are built with each commit.
namespace duetbench::duet {

// The submodules that are neither there nor linked. An error if the working tree has one of them.
absl::StatusOr<std::vector<std::string>> CheckMissing(const std::vector<std::string>& links,
                                                      const SourcePlan& plan);

// Makes the folders in the checkout `tree`, as links to those of the working tree `top`.
absl::Status LinkFolders(const std::vector<std::string>& links, const std::string& top,
                         const std::string& tree);

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_GIT_LINKED_FOLDERS_H_
