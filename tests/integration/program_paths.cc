// Where the build has put the programs.
#include <filesystem>
#include <map>
#include <string>

#include "tests/integration/program.h"

namespace duetbench::integration {

const std::map<std::string, std::string>& Programs() {
  static const std::map<std::string, std::string> programs = {
      {"addresses", INTEGRATION_ADDRESSES},
      {"aggregates", INTEGRATION_AGGREGATES},
      {"alone", INTEGRATION_ALONE},
      {"chains", INTEGRATION_CHAINS},
      {"counters", INTEGRATION_COUNTERS},
      {"edges", INTEGRATION_EDGES},
      {"duet_stat", INTEGRATION_DUET_STAT},
      {"empty", INTEGRATION_EMPTY},
      {"forms", INTEGRATION_FORMS},
      {"covered", INTEGRATION_COVERED},
      {"failures", INTEGRATION_FAILURES},
      {"mixed", INTEGRATION_MIXED},
      {"own_main", INTEGRATION_OWN_MAIN},
      {"gates", INTEGRATION_GATES},
      {"group", INTEGRATION_GROUP},
      {"plain_main", INTEGRATION_PLAIN_MAIN},
      {"refusing", INTEGRATION_REFUSING},
      {"suite", INTEGRATION_SUITE},
      {"special", INTEGRATION_SPECIAL},
      {"trouble", INTEGRATION_TROUBLE},
      {"twice", INTEGRATION_TWICE},
      {"wrapped", INTEGRATION_WRAPPED},
      {"duet", INTEGRATION_DUET},
      {"duet_report", INTEGRATION_DUET_REPORT},
      {"build_old", INTEGRATION_BUILD_OLD},
      {"build_new", INTEGRATION_BUILD_NEW},
      {"causes_old", INTEGRATION_CAUSES_OLD},
      {"causes_new", INTEGRATION_CAUSES_NEW},
      {"untouched_old", INTEGRATION_UNTOUCHED_OLD},
      {"untouched_new", INTEGRATION_UNTOUCHED_NEW},
#ifdef INTEGRATION_PARTS_OLD
      {"parts_old", INTEGRATION_PARTS_OLD},
      {"parts_new", INTEGRATION_PARTS_NEW},
#endif
#ifdef INTEGRATION_BARE
      {"bare", INTEGRATION_BARE},
#endif
#ifdef INTEGRATION_WITHOUT_LIBRARIES
      {"without_libraries", INTEGRATION_WITHOUT_LIBRARIES},
#endif
#ifdef INTEGRATION_LTO
      {"lto", INTEGRATION_LTO},
#endif
#ifdef INTEGRATION_CLOCK_STEPS
      {"clock_steps", INTEGRATION_CLOCK_STEPS},
#endif
  };
  return programs;
}

bool HasPath(const std::string& program) { return Programs().count(program) != 0; }

std::string PathOf(const std::string& program) {
  return std::filesystem::absolute(Programs().at(program));
}

}  // namespace duetbench::integration
