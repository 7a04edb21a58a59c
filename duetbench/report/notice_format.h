#ifndef DUETBENCH_REPORT_NOTICE_FORMAT_H_
#define DUETBENCH_REPORT_NOTICE_FORMAT_H_

#include <string>

#include "duetbench/estimate/notice.h"

namespace duetbench {

// A sentence for a notice.
std::string NoticeText(const Notice& notice);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_NOTICE_FORMAT_H_
