#ifndef DUETBENCH_REPORT_RANKING_FORMAT_H_
#define DUETBENCH_REPORT_RANKING_FORMAT_H_

#include <string>

#include "duetbench/decide/ranking.h"

namespace duetbench {

// "fastest: flat_map; btree_map ties within 0.8 %; std::map takes 1.8 x". A variant whose interval
// is too wide for a tie "is between 0.97 and 1.12 x". "fastest: not known: flat_map runs at two
// speeds".
std::string RankingSentence(const Ranking& ranking);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_RANKING_FORMAT_H_
