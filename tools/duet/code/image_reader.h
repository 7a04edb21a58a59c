#ifndef TOOLS_DUET_CODE_IMAGE_READER_H_
#define TOOLS_DUET_CODE_IMAGE_READER_H_

#include "absl/status/status.h"
#include "tools/duet/code/image.h"

namespace duetbench::duet {

// Fills an image whose file is open: sections, symbols, relocations, initializers and the tables of
// landing pads. Errors: those of Image::Read.
absl::Status ReadImage(Image* image);

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_CODE_IMAGE_READER_H_
