#!/usr/bin/env bash
# Looks at the page of --duet_report in a headless Chromium: nothing in its console, every link and
# picture there, nothing wider than the window, also in a narrow one. Leaves screenshots (light, dark,
# narrow, printed) in FOLDER. Without a browser it is skipped: exit status 77.
#
#   tests/tools/duet_report/page/browser_test.sh PROGRAM FOLDER [ARGUMENT of PROGRAM]...
set -euo pipefail
program=$1 folder=$2
shift 2
unset "${!DUET_@}" "${!BENCHMARK_@}"

find_browser() {
  local name
  for name in chromium chromium-browser google-chrome google-chrome-stable chrome; do
    if command -v "$name"; then return; fi
  done
  compgen -G "$HOME/.cache/ms-playwright/chromium-*/chrome-linux*/chrome" | tail -n 1
}
browser=$(find_browser || true)
if [[ -z $browser ]]; then
  echo "skipped: no chromium, google-chrome or browser of playwright is installed"
  exit 77
fi

rm -rf "$folder"
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  printf 'browser_test: %s\n' "$*" >&2
  exit 1
}

# browse OPTION… FILE: what the browser prints; its messages go to $work/messages.
browse() {
  timeout 90 "$browser" --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage \
    --no-first-run --disable-extensions --hide-scrollbars --enable-logging=stderr --v=0 \
    --user-data-dir="$work/profile" --virtual-time-budget=3000 "${@:1:$#-1}" "file://${!#}" \
    2>"$work/messages" || fail "$browser fails: $(tail -n 5 "$work/messages")"
}
console() { grep -a 'CONSOLE' "$work/messages" || true; }

page=$folder/page.html
"$program" --duet_report="$page" "$@" >"$work/out" 2>&1 || true
[[ -s $page ]] || fail "no page: $(cat "$work/out")"
page=$(realpath "$page")

# The page as it is.
browse --dump-dom "$page" >"$work/dom.html"
[[ -z $(console) ]] || fail "the console is not empty: $(console)"
for part in '<table class="forest"' 'id="ratios"' '<section class="card lazy" id="b0"' '<figure' '</html>'; do
  grep -qaF "$part" "$work/dom.html" || fail "has no $part"
done
# The console is heard at all: the policy of the page forbids pictures of others.
sed 's|</header>|<img src="http://127.0.0.1:9/x.png"></header>|' "$page" >"$work/loads.html"
browse --dump-dom "$work/loads.html" >/dev/null
[[ -n $(console) ]] || fail "an error is not noticed"

# A copy with a script that measures the page.
cat >"$work/script" <<'END'
<script>addEventListener('load', () => {
  const bad = [];
  const width = document.documentElement.scrollWidth;
  if (width > innerWidth) bad.push(`${width} px wide in a window of ${innerWidth}`);
  for (const a of document.querySelectorAll('a[href^="#"]'))
    if (!document.getElementById(a.hash.slice(1))) bad.push(`${a.hash} leads nowhere`);
  for (const section of document.querySelectorAll('.lazy')) section.style.contentVisibility = 'visible';
  for (const svg of document.querySelectorAll('svg'))
    if (svg.getBoundingClientRect().width < 100) bad.push('a picture has no width');
  for (const text of document.querySelectorAll('figure svg text')) {
    const at = text.getBoundingClientRect(), svg = text.ownerSVGElement.getBoundingClientRect();
    if (at.left < svg.left - 12 || at.right > svg.right + 12) bad.push('outside of its picture: ' + text.textContent);
  }
  const rows = document.querySelectorAll('.forest tbody tr').length;
  const sections = document.querySelectorAll('section').length;
  if (rows === 0 || rows !== sections) bad.push(`${rows} rows, ${sections} sections`);
  const ms = Math.round(performance.timing.domComplete - performance.timing.responseEnd);
  document.title = `measured: ${bad.length} faults in ${ms} ms: ` + bad.join('; ');
});</script>
END
sed 's|<meta http-equiv="Content-Security-Policy"[^>]*>||' "$page" | sed "/<\/body>/{
  r $work/script
}" >"$work/measured.html"
for size in 1200,900 500,900; do
  browse --window-size="$size" --dump-dom "$work/measured.html" >"$work/dom.html"
  title=$(grep -aoE '<title>measured[^<]*' "$work/dom.html") || fail "the script did not run"
  echo "$size: ${title#<title>}"
  [[ $title == *"measured: 0 faults"* ]] || fail "${title#<title>}"
done

# To look at.
browse --window-size=1200,2400 --screenshot="$folder/light.png" "$page"
browse --window-size=1200,2400 --blink-settings=preferredColorScheme=0 \
  --screenshot="$folder/dark.png" "$page"
browse --window-size=500,2400 --screenshot="$folder/narrow.png" "$page"
browse --print-to-pdf="$folder/print.pdf" --no-pdf-header-footer "$page"
for picture in light dark narrow; do
  [[ $(head -c 4 "$folder/$picture.png" | tail -c 3) == PNG ]] || fail "no $picture.png"
done
if cmp -s "$folder/light.png" "$folder/dark.png"; then fail "dark is as light"; fi
[[ $(head -c 4 "$folder/print.pdf") == %PDF ]] || fail "no print.pdf"
