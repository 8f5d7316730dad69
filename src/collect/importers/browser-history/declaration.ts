// What a browser's history holds, declared: visits.
import { choice, declareSource, instant, number, ranges, recordSchema, selectable, text } from "../declare.ts";

export const TRANSITIONS = [
  "link",
  "typed",
  "bookmark",
  "frame",
  "generated",
  "start_page",
  "form",
  "reload",
  "keyword",
  "embed",
  "redirect",
  "download",
] as const;

export const browserHistoryDeclaration = declareSource("browser-history", "Browser history", [
  {
    name: "visits",
    description: "Pages that were opened, each time they were.",
    display: { label: "Visits", detail: "Every page you opened, with address, title and time" },
    semantics: "mutable_state",
    schema: recordSchema("Visit", {
      id: text("Id", "Made from the time of the visit and its address."),
      url: text("Address", "Of the page."),
      host: text("Site", "The address's host."),
      title: text("Title", "Of the page, as it was called last."),
      visited_at: instant("Visited", "When it was opened."),
      transition: choice("Transition", "How you got there.", TRANSITIONS),
      referrer_url: text("From", "The page that led there."),
      duration_seconds: number("Seconds", "How long it stayed open, where the browser keeps it."),
      browser: text("Browser", "Which browser."),
      profile: text("Profile", "Which profile of the browser."),
    }),
    primary_key: ["id"],
    cursor_field: "visited_at",
    consent_time_field: "visited_at",
    selection: selectable,
    views: [
      { id: "sites", label: "Which sites and when, no pages", fields: ["id", "host", "visited_at", "browser"] },
      { id: "pages", label: "Which pages and when", fields: ["id", "url", "host", "title", "visited_at"] },
    ],
    query: {
      range_filters: ranges("visited_at", "duration_seconds"),
      search: { lexical_fields: ["title", "url"] },
      aggregations: {
        count: true,
        count_distinct: ["url", "host"],
        group_by: ["host", "transition", "browser", "profile"],
        group_by_time: ["visited_at"],
        sum: ["duration_seconds"],
        avg: ["duration_seconds"],
        min: ["visited_at"],
        max: ["visited_at"],
      },
    },
  },
]);
