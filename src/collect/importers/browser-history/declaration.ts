// Declares the stream of a browser's history: visits.
import { declareSource, field, recordSchema } from "../../../core/declare.ts";

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
    description: "Visits to web pages, one record for each visit.",
    display: { label: "Visits", detail: "Every page you opened, with address, title and time" },
    kind: "page",
    roles: { url: "url", title: "title" },
    schema: recordSchema("Visit", {
      id: field.text("Id", "Derived from the time of the visit and its address."),
      url: field.text("Address", "Address of the page."),
      host: field.text("Site", "Host name of the page."),
      title: field.text("Title", "Latest title of the page."),
      visited_at: field.instant("Visited", "When it was opened."),
      transition: field.choice("Transition", "How you got there.", TRANSITIONS),
      referrer_url: field.text("From", "The page that linked to it."),
      duration_seconds: field.number("Seconds", "How long it stayed open, if the browser recorded it."),
      browser: field.text("Browser", "Name of the browser."),
      profile: field.text("Profile", "Profile of the browser."),
    }),
    time: "visited_at",
    views: [
      { id: "sites", label: "Which sites and when, no pages", fields: ["id", "host", "visited_at", "browser"] },
      { id: "pages", label: "Which pages and when", fields: ["id", "url", "host", "title", "visited_at"] },
    ],
    ranges: ["duration_seconds"],
    search: ["title", "url"],
    aggregations: {
      count_distinct: ["url", "host"],
      group_by: ["host", "transition", "browser", "profile"],
      sum: ["duration_seconds"],
      avg: ["duration_seconds"],
    },
  },
]);
