// Declares the streams of a Google account's My Activity: activities.
import { declareSource, field, recordSchema } from "../../../core/declare.ts";

export const googleActivityDeclaration = declareSource("google-activity", "Google activity", [
  {
    name: "activities",
    description: "Searches, visited pages, prompts and other activities in a Google account.",
    display: { label: "Activity", detail: "What you searched, opened and asked in Google's products, and when" },
    kind: "page",
    roles: { url: "url", title: "title" },
    schema: recordSchema("Activity", {
      id: field.text("Id", "Made from the time, the product and the words."),
      product: field.text("Product", "Search, Chrome, Maps, Gemini …"),
      title: field.text("Title", "The sentence that Google writes, in the account's language."),
      url: field.text("Address", "Of the page or the search."),
      details: field.texts("Details", "Further lines of the activity."),
      done_at: field.instant("Time", "When it was done."),
    }),
    time: "done_at",
    views: [{ id: "products", label: "Which products and when", fields: ["id", "product", "done_at"] }],
    search: ["title", "url"],
    aggregations: {
      group_by: ["product"],
    },
  },
]);
