#include "duetbench/report/workflow_commands.h"

namespace duetbench {

bool WithoutWorkflowCommands::Put(char character) {
  return out_->sputc(character) != traits_type::eof();
}

int WithoutWorkflowCommands::overflow(int character) {
  if (character == traits_type::eof()) return traits_type::not_eof(character);
  const char next = traits_type::to_char_type(character);
  // A colon at the begin is held back until the next character tells whether there are two.
  if (is_at_begin_ && next == ':' && colons_ == 0) {
    colons_ = 1;
    return character;
  }
  if (colons_ == 1) {
    colons_ = 0;
    is_at_begin_ = false;
    if (next == ':' && !Put('\\')) return traits_type::eof();
    if (!Put(':')) return traits_type::eof();
  }
  if (next == '[' && hashes_ >= 2 && !Put('\\')) return traits_type::eof();
  hashes_ = next == '#' ? hashes_ + 1 : 0;
  is_at_begin_ = next == '\n' || next == '\r' || (is_at_begin_ && (next == ' ' || next == '\t'));
  return Put(next) ? character : traits_type::eof();
}

// A colon that is held back stays so: the line goes on.
int WithoutWorkflowCommands::sync() { return out_->pubsync(); }

}  // namespace duetbench
