#include "tools/duet_report/page/html.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace duetbench::page {

std::string Escaped(absl::string_view text) {
  return absl::StrReplaceAll(
      text, {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&#39;"}});
}

std::string Breakable(absl::string_view name) {
  return absl::StrReplaceAll(Escaped(name), {{"_", "_<wbr/>"}, {"/", "/<wbr/>"}, {",", ",<wbr/>"}});
}

std::string Pixels(double value) {
  // "%g" has no trailing zeros, and coordinates are far below a million.
  return absl::StrCat(std::round(value * 10) / 10);
}

const char kStyle[] = R"(:root{color-scheme:light dark;
--bg:#f6f7f9;--card:#fff;--ink:#1c2430;--soft:#5a6675;--line:#dfe4ea;--grid:#e8ecf1;
--old:#2f6db3;--new:#c85a06;--good:#17703f;--bad:#b3261e;--band:#7b61c433;--est:#5f44b0;--code:#eef1f5}
@media (prefers-color-scheme:dark){:root{
--bg:#12161c;--card:#1a2029;--ink:#e6eaf0;--soft:#9aa7b6;--line:#2d3641;--grid:#262e38;
--old:#7db4f2;--new:#f5a25b;--good:#6fcf97;--bad:#ff8a80;--band:#a48cf040;--est:#b8a4fa;--code:#232b35}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
main,header{max-width:1160px;margin:0 auto;padding:0 20px}
header{padding-top:28px}h1{margin:0;font-size:26px}h2{font-size:20px;margin:36px 0 10px}
h3{font-size:17px;margin:0;overflow-wrap:anywhere}
p{margin:6px 0}.soft,figcaption{color:var(--soft);font-size:13px}figcaption b{color:var(--ink)}
.head{font-size:18px}
a{color:inherit;text-decoration-color:var(--soft);text-underline-offset:3px}
a:focus-visible,summary:focus-visible,.scroll:focus-visible{outline:3px solid var(--est);outline-offset:2px}
.card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:16px 18px;margin:14px 0}
.lazy{content-visibility:auto;contain-intrinsic-size:auto 640px}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th{text-align:left;font-weight:600;color:var(--soft);font-size:13px;vertical-align:bottom}
td,th{padding:4px 8px;border-bottom:1px solid var(--grid)}
.forest td:first-child,.forest th[scope=row]{max-width:300px;overflow-wrap:anywhere;font-weight:400;
color:var(--ink);font-size:13.5px}
.forest .plot{width:330px;padding:0}.forest tbody .plot[headers]{background:var(--ticks)}.num{white-space:nowrap}
.forest svg{width:330px}
.q{width:auto}.q td{white-space:nowrap}
.mark{white-space:nowrap;font-weight:600}.good{color:var(--good)}.bad{color:var(--bad)}.none{color:var(--soft);font-weight:400}
.figs:first-child{margin-top:0}.figs{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,420px),1fr));gap:18px 26px;margin-top:12px}
figure{margin:0}svg{display:block;width:100%;height:auto;overflow:visible}
pre{background:var(--code);border-radius:6px;padding:8px 10px;margin:8px 0 0;font-size:13px;white-space:pre-wrap;overflow-wrap:anywhere}
.facts{display:flex;flex-wrap:wrap;gap:2px 22px;margin:6px 0}.facts b{font-weight:600}
ul{margin:6px 0;padding-left:20px;font-size:14px}.scroll{overflow-x:auto}
path{fill:none}text{font:12px system-ui,sans-serif;fill:var(--soft)}.l{fill:var(--ink)}
.middle{text-anchor:middle}.end{text-anchor:end}
.g{stroke:var(--grid)}.o{stroke:var(--old);stroke-width:1.5}.n{stroke:var(--new);stroke-width:1.5}
.d{stroke:var(--bad);stroke-width:1.5}.b{fill:var(--band)}.x{fill:var(--band)}
.e{stroke:var(--est);stroke-width:2}.r{stroke:var(--est);stroke-width:1.5}
.one{stroke:var(--ink);stroke-dasharray:4 3}.lim{stroke:var(--bad);stroke-width:1.5;stroke-dasharray:1.5 3}
.p{stroke:var(--est);stroke-width:6;stroke-linecap:round}
.code{white-space:pre;overflow-x:auto;overflow-wrap:normal}.flame{margin-top:12px}.flame svg{min-width:700px}.fl{fill:var(--grid);stroke:var(--card)}.up{fill:var(--bad)}.down{fill:var(--old)}
.fi{stroke:var(--ink);stroke-width:2.5}.fd{fill:var(--ink)}
@media screen and (max-width:760px){.forest,.forest thead,.forest tbody,.forest tr,.forest td,.forest th{display:block;border:0}
.forest thead th:not(.plot){display:none}.forest tbody tr{padding:8px 0;border-bottom:1px solid var(--grid)}
.forest td,.forest th,.forest th[scope=row]{padding:1px 0;max-width:none}.forest td:not(.plot){display:inline-block;margin-right:14px}.forest .plot,.forest svg{width:100%;max-width:none}
main,header{padding:0 12px}.card{padding:12px}}
@media print{:root{--bg:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#bbb;--grid:#ddd;--old:#1d4f8c;
--new:#b34700;--good:#0d5a2e;--bad:#99170f;--band:#7b61c433;--est:#4a3199;--code:#f2f2f2;color-scheme:light}
body{font-size:12px;print-color-adjust:exact;-webkit-print-color-adjust:exact}main,header{max-width:none;padding:0}
.lazy{content-visibility:visible}figure,tr,.keep{break-inside:avoid}.figs{grid-template-columns:1fr 1fr}
.card{border-color:#bbb}.forest .plot,.forest svg{width:205px}.forest th[scope=row]{min-width:190px;font-size:11px}.keep{break-after:avoid}h2,h3{break-after:avoid}})";

}  // namespace duetbench::page
