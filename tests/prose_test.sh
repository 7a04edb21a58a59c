#!/bin/bash
# prose_test.sh SOURCE_DIR: comments name their subject, and words are those of the trade.
#
# A comment that begins with What, Of, Whether or How has a pronoun or a preposition in place of its
# subject. Folders in `clean` have none of these; elsewhere their number may only fall: whoever
# mends some lowers the bound.
set -u
cd "$1" || exit 2

clean=(duetbench/report duetbench/page)
most_comments=430
most_words=145

sources() { find "$@" \( -name '*.h' -o -name '*.cc' \) -print0 | sort -z; }

# The comments that begin so, as FILE:LINE: TEXT.
comments() {
  sources "$@" | xargs -0 awk '
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

words() {
  sources "$@" | xargs -0 grep -nwE \
    'so many|so much|of its own|of their own|dear|feign|heed|ado' /dev/null
}

status=0
check() {
  local what=$1 most=$2 found=$3 count
  count=$(printf '%s' "$found" | grep -c '')
  [ "$count" -le "$most" ] && return
  printf '%s\n%s: %d, at most %d are allowed\n' "$found" "$what" "$count" "$most"
  status=1
}

all=(duetbench tools tests samples)
check "comments that begin with What, Of, Whether or How in ${clean[*]}" 0 \
  "$(comments "${clean[@]}")"
check "comments that begin with What, Of, Whether or How" "$most_comments" "$(comments "${all[@]}")"
check "words that have a plainer one in ${clean[*]}" 0 "$(words "${clean[@]}")"
check "words that have a plainer one" "$most_words" "$(words "${all[@]}")"
exit $status
