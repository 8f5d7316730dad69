// Declares the stream of Google's My Activity.
import { declareSource, field, recordSchema } from "../../../core/declare.ts";

export const googleActivityDeclaration = declareSource("google-activity", "Google activity", [
  {
    name: "activities",
    description: "Searches, visited pages, prompts and other activities in a Google account.",
    display: { label: "Activity", detail: "What you searched for, opened and asked in Google's products, and when" },
    kind: "page",
    roles: { url: "url", title: "title" },
    schema: recordSchema("Activity", {
      id: field.text("Id", "Derived from the time, the product and the text."),
      product: field.text("Product", "Search, Chrome, Maps, Gemini …"),
      title: field.text("Title", "Google's description of the activity, in the account's language."),
      url: field.text("Address", "Address of the page or the search."),
      details: field.texts("Details", "Further details of the activity."),
      done_at: field.instant("Time", "When it happened."),
    }),
    time: "done_at",
    views: [{ id: "products", label: "Which products and when", fields: ["id", "product", "done_at"] }],
    search: ["title", "url"],
    aggregations: {
      group_by: ["product"],
    },
  },
]);
