#include "tools/duet_report/page/page.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "duetbench/report/text.h"
#include "tools/duet_report/explain/explain.h"
#include "tools/duet_report/page/html.h"
#include "tools/duet_report/page/pictures.h"

namespace duetbench::page {
namespace {

std::string Fact(const char* name, const std::string& value) {
  return absl::StrCat("<span>", name, " <b>", Escaped(value), "</b></span>");
}

std::string FactsHtml(const Facts& benchmark) {
  const stats::RatioInterval& interval = benchmark.interval;
  std::string facts =
      Fact("new/old", absl::StrCat(RatioText(interval), " ", IntervalText(interval)));
  if (benchmark.time_ns[0] > 0) {
    absl::StrAppend(&facts, Fact("old", TimeText(benchmark.time_ns[0])),
                    Fact("new", TimeText(benchmark.time_ns[1])));
  }
  if (!benchmark.gate_limit.empty()) absl::StrAppend(&facts, Fact("gate", benchmark.gate_limit));
  return absl::StrCat("<p class=\"facts\">", facts, "</p>");
}

std::string Counters(const std::vector<Facts::Counter>& counters) {
  if (counters.empty()) return "";
  std::string html =
      "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">counter</th><th "
      "scope=\"col\">old</th><th scope=\"col\">new</th><th scope=\"col\">new/old</th></tr></thead>"
      "<tbody>";
  for (const Facts::Counter& counter : counters) {
    absl::StrAppend(&html, "<tr><td>", Escaped(counter.name), "</td><td class=\"num\">",
                    Escaped(counter.old_value), "</td><td class=\"num\">",
                    Escaped(counter.new_value), "</td><td class=\"num\">", Escaped(counter.ratio),
                    "</td></tr>");
  }
  return html + "</tbody></table></div>";
}

// The verdict itself stands before it, with a mark.
std::string SentenceAfterVerdict(const Facts& benchmark) {
  const std::string verdict = absl::StrCat(stats::VerdictName(benchmark.verdict), ": ");
  return benchmark.sentence.rfind(verdict, 0) == 0 ? benchmark.sentence.substr(verdict.size())
                                                   : benchmark.sentence;
}

std::string NotesHtml(const Facts& benchmark) {
  std::vector<std::string> notes;
  const auto add = [&notes](const std::vector<std::string>& more) {
    notes.insert(notes.end(), more.begin(), more.end());
  };
  if (benchmark.error.empty()) add({benchmark.message});
  add(benchmark.diagnosis);
  add(benchmark.why);
  add({benchmark.ranking});
  for (const Facts::Notice& notice : benchmark.notices) add({notice.text});
  std::string items;
  for (const std::string& note : notes) {
    if (!note.empty()) absl::StrAppend(&items, "<li>", Escaped(note), "</li>");
  }
  return items.empty() ? "" : absl::StrCat("<ul>", items, "</ul>");
}

std::string Section(const Facts& benchmark, size_t index) {
  std::string html = absl::StrCat("<section class=\"card lazy\" id=\"b", index,
                                  "\"><div class=\"keep\"><h3>", Escaped(benchmark.name), "</h3>");
  if (!benchmark.error.empty()) {
    absl::StrAppend(&html, "<p>", GateSpan(benchmark.gate), " ", Escaped(benchmark.error),
                    "</p></div>");
  } else {
    absl::StrAppend(&html, "<p>", VerdictSpan(benchmark.verdict));
    if (benchmark.gate != GateStatus::kNoGate) {
      absl::StrAppend(&html, " &#160; gate ", GateSpan(benchmark.gate));
    }
    absl::StrAppend(&html, " &#160; ", Escaped(SentenceAfterVerdict(benchmark)), "</p>",
                    FactsHtml(benchmark), "<p class=\"soft\">", Escaped(benchmark.effort),
                    "</p></div>");
    const std::string figures = absl::StrCat(PairsOverTime(benchmark), RunRatios(benchmark));
    if (!figures.empty()) absl::StrAppend(&html, "<div class=\"figs\">", figures, "</div>");
    absl::StrAppend(&html, QuantileTable(benchmark.quantiles), Counters(benchmark.counters));
  }
  html += NotesHtml(benchmark);
  if (!benchmark.explanation.empty()) {
    const auto explanation = nlohmann::json::parse(benchmark.explanation);
    html += FlameGraph(CallsIn(explanation.value("calls", nlohmann::json::object())));
  }
  if (!benchmark.listing.empty()) {
    absl::StrAppend(&html, "<pre class=\"code\">", Escaped(absl::StrJoin(benchmark.listing, "\n")),
                    "</pre>");
  }
  if (!benchmark.repeat.empty()) {
    absl::StrAppend(&html, "<pre aria-label=\"command that measures it again\">",
                    Escaped(benchmark.repeat), "</pre>");
  }
  if (!benchmark.file.empty()) {
    absl::StrAppend(&html, "<p class=\"soft\">", Escaped(benchmark.file), ":", benchmark.line,
                    "</p>");
  }
  return html + "</section>\n";
}

std::string SummaryHtml(const std::vector<SummaryLine>& lines) {
  std::string html;
  for (size_t i = 0; i < lines.size(); ++i) {
    const char* const tag = lines[i].is_command ? "pre" : lines[i].is_detail ? "li" : "p";
    const bool is_item = lines[i].is_detail && !lines[i].is_command;
    const bool begins = is_item && (i == 0 || !lines[i - 1].is_detail);
    const bool ends = is_item && (i + 1 == lines.size() || !lines[i + 1].is_detail);
    absl::StrAppend(&html, begins ? "<ul>" : "", "<", tag, ">", Escaped(lines[i].text), "</", tag,
                    ">", ends ? "</ul>" : "", "\n");
  }
  return html;
}

}  // namespace

std::string PageHtml(const SuiteFacts& suite) {
  const std::string title = Escaped(suite.program);
  std::string html = absl::StrCat(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"/>"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"
      "img-src data:;style-src 'unsafe-inline'\"/><link rel=\"icon\" "
      "href=\"data:,\"/><title>duetbench: ",
      title, "</title>\n<style>", kStyle, "</style></head>\n<body><header><h1>", title, "</h1>");
  if (!suite.headline.empty()) {
    absl::StrAppend(&html, "<p class=\"head\">", Escaped(suite.headline), "</p>");
  }
  for (const std::string& line : suite.header) {
    absl::StrAppend(&html, "<p class=\"soft\">", Escaped(line), "</p>");
  }
  absl::StrAppend(&html, "</header>\n<main>", SummaryHtml(suite.summary), "<h2>All ratios</h2>\n");
  if (suite.duets.empty()) {
    return html + "<p>No duet was measured.</p></main></body></html>\n";
  }
  absl::StrAppend(&html,
                  "<p class=\"soft\">Time of new divided by the time of old, the largest first. A "
                  "diamond is the estimate, the bar its interval, the solid line 1: no "
                  "difference; a dotted line is the limit of a gate.</p>\n",
                  ForestTable(suite.duets));
  html += "<h2>Each benchmark</h2>\n";
  for (size_t i = 0; i < suite.duets.size(); ++i) html += Section(suite.duets[i], i);
  return html + "</main></body></html>\n";
}

}  // namespace duetbench::page
