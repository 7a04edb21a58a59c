#ifndef DUETBENCH_PAGE_STYLE_H_
#define DUETBENCH_PAGE_STYLE_H_

namespace duetbench::page {

// The style sheet of the page: light and dark by the reader's setting, one column on narrow
// screens, black on white when printed. Old is blue and new is orange, which the color-blind tell
// apart; no color says anything that a word or a mark does not say too.
extern const char kStyle[];

}  // namespace duetbench::page

#endif  // DUETBENCH_PAGE_STYLE_H_
