// Declares the streams of services for saved pages: pages.
import { declareSource, field, recordSchema } from "../../../core/declare.ts";

export const savedPagesDeclaration = declareSource("saved-pages", "Saved pages", [
  {
    name: "pages",
    description: "Pages that were saved to be read later, with notes and tags.",
    display: { label: "Saved pages", detail: "Pages you saved, with your notes and tags" },
    kind: "bookmark",
    roles: { url: "url", title: "title", text: ["note", "excerpt"], tags: "tags", folder: "folder" },
    schema: recordSchema("SavedPage", {
      id: field.text("Id", "The service's own, or made from the address."),
      url: field.text("Address", "Where it leads."),
      host: field.text("Site", "The address's host."),
      title: field.text("Title", "Of the page."),
      note: field.text("Note", "What you wrote about it."),
      excerpt: field.text("Excerpt", "Its beginning, or what you selected."),
      folder: field.text("Folder", "Where you keep it."),
      tags: field.texts("Tags", "Your own."),
      saved_at: field.instant("Saved", "When you saved it."),
      is_read: field.flag("Read", "Whether it was read or archived."),
      is_favorite: field.flag("Favourite", "Whether you marked it."),
    }),
    time: "saved_at",
    search: ["title", "note", "excerpt", "url"],
    aggregations: { group_by: ["host", "folder", "tags", "is_read"] },
  },
]);
