// Declares the stream of saved pages.
import { declareSource, field, recordSchema } from "../../../core/declare.ts";

export const savedPagesDeclaration = declareSource("saved-pages", "Saved pages", [
  {
    name: "pages",
    description: "Pages saved to read later, with notes and tags.",
    display: { label: "Saved pages", detail: "Pages you saved, with your notes and tags" },
    kind: "bookmark",
    roles: { url: "url", title: "title", text: ["note", "excerpt"], tags: "tags", folder: "folder" },
    schema: recordSchema("SavedPage", {
      id: field.text("Id", "The service's own id; otherwise derived from the address."),
      url: field.text("Address", "Web address of the page."),
      host: field.text("Site", "Host name of the page."),
      title: field.text("Title", "Title of the page."),
      note: field.text("Note", "What you wrote about it."),
      excerpt: field.text("Excerpt", "Beginning of the page, or the text that you selected."),
      folder: field.text("Folder", "Folder or collection it is in."),
      tags: field.texts("Tags", "Your tags."),
      saved_at: field.instant("Saved", "When you saved it."),
      is_read: field.flag("Read", "Whether it was read or archived."),
      is_favorite: field.flag("Favourite", "Whether you marked it as a favourite."),
    }),
    time: "saved_at",
    search: ["title", "note", "excerpt", "url"],
    aggregations: { group_by: ["host", "folder", "tags", "is_read"] },
  },
]);
