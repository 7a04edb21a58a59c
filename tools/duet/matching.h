#ifndef TOOLS_DUET_MATCHING_H_
#define TOOLS_DUET_MATCHING_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "duetbench/main/handshake.h"
#include "tools/duet/command_line.h"

// Which benchmarks of two programs are compared. Pure functions of what the programs offer.
namespace duetbench::duet {

// A benchmark of both programs.
struct MatchedBenchmark {
  std::string name;
  OfferedBenchmark offered[2];  // by the old program, and by the new one
  int variant = 0;              // which variant of either duet is executed; 0 where it is no duet
};

struct Matching {
  std::vector<MatchedBenchmark> benchmarks;  // in the order of the new program
  std::vector<std::string> only[2];          // names that only the old, or the new, program has
  std::vector<std::string> refused;          // "NAME: why", of those that both have
};

// Why programs that offer this cannot be compared; `clock` is the one of this process. The message
// names both programs.
absl::Status CheckOffers(const Offer (&offers)[2], const ProgramCommand (&programs)[2],
                         const std::string& clock);

Matching Match(const Offer& old_offer, const Offer& new_offer, ComparedVariant variant);

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_MATCHING_H_
