#ifndef TOOLS_DUET_MATCHING_H_
#define TOOLS_DUET_MATCHING_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "duetbench/google_benchmark/handshake.h"
#include "tools/duet/command_line.h"

// Which benchmarks of the programs are compared. Pure functions of what the programs offer.
namespace duetbench::duet {

// A benchmark of all programs.
struct MatchedBenchmark {
  std::string name;
  std::vector<OfferedBenchmark> offered;  // by each program
  int variant = 0;  // which variant of each duet is executed; 0 where it is no duet
};

struct Matching {
  std::vector<MatchedBenchmark> benchmarks;    // in the order of the second program
  std::vector<std::vector<std::string>> only;  // of each program: names that not all have
  std::vector<std::pair<std::string, std::string>> refused;  // names that all have, and why
};

// Why programs that offer this cannot be compared; `clock` is the one of this process. The message
// names the programs; `names` are those of NamesOf.
absl::Status CheckOffers(const std::vector<Offer>& offers,
                         const std::vector<ProgramCommand>& programs,
                         const std::vector<std::string>& names, const std::string& clock);

Matching Match(const std::vector<Offer>& offers, const std::vector<std::string>& names,
               ComparedVariant variant);

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_MATCHING_H_
