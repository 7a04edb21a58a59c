#!/bin/bash
# prose_test.sh SOURCE_DIR: comments name their subject, and words are those of the trade.
#
# A comment that begins with What, Of, Whether or How has a pronoun or a preposition in place of its
# subject.
set -u
cd "$1" || exit 2

sources() { find duetbench tools tests samples \( -name '*.h' -o -name '*.cc' \) -print0 | sort -z; }

# The comments that begin so, as FILE:LINE: TEXT.
comments() {
  sources | xargs -0 awk '
    FNR == 1 { in_comment = 0 }
    {
      at = match($0, /(^|[ \t])\/\/ /)
      if (!at) { in_comment = 0; next }
      is_whole = ($0 ~ /^[ \t]*\/\//)
      text = substr($0, RSTART + RLENGTH)
      if (!(is_whole && in_comment) && text ~ /^(What|Of|Whether|How)[ ,]/) {
        print FILENAME ":" FNR ": " text
      }
      in_comment = is_whole
    }'
}

# 'leave' for permission is found by the words before it.
words() {
  sources | xargs -0 grep -nwE \
    'so many|so much|of its own|of their own|dear|feign|heed|ado|(needs|without|has|with) leave' \
    /dev/null
}

status=0
check() {
  [ -z "$2" ] && return
  printf '%s\n%s: %d, none is allowed\n' "$2" "$1" "$(printf '%s\n' "$2" | wc -l)"
  status=1
}

check "comments that begin with What, Of, Whether or How" "$(comments)"
check "words that have a plainer one" "$(words)"
exit $status
