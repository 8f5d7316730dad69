// Declares the streams of note and journal apps: notes with their text, tags and files.
import { declareSource, field, recordSchema } from "../../../core/declare.ts";

export const noteAppsDeclaration = declareSource("note-apps", "Notes from apps", [
  {
    name: "notes",
    description: "Notes and journal entries from Keep, Evernote, Joplin, Bear, Day One and Apple Notes.",
    display: { label: "Notes", detail: "The text of notes, with tags and attached files" },
    kind: "note",
    roles: {
      title: "title",
      text: "body",
      time: "created_at",
      changed: "updated_at",
      tags: "tags",
      format: "format",
      attachments: "attachments",
    },
    schema: recordSchema("Note", {
      id: field.text("Id", "The app's own id; otherwise derived from the creation date and the title."),
      title: field.text("Title", "Title of the note, or its first line."),
      body: field.text("Text", "Text of the note, plain or in Markdown."),
      format: field.choice("Format", "Format of the text.", ["markdown", "plain"]),
      tags: field.texts("Tags", "Your labels and tags."),
      notebook: field.text("Notebook", "The notebook, folder or journal it is in."),
      url: field.text("Address", "The page it was taken from, or that it links to."),
      place: field.text("Place", "Where it was written."),
      latitude: field.number("Latitude", "Latitude of the place."),
      longitude: field.number("Longitude", "Longitude of the place."),
      attachments: field.list(
        "Attachments",
        "Files that belong to it.",
        field.object({
          name: field.text("Name", "File name."),
          blob: field.blobRef("Bytes", "The file, if it is part of the export."),
        }),
      ),
      is_pinned: field.flag("Pinned", "Whether it is pinned to the top."),
      is_archived: field.flag("Archived", "Whether it was archived."),
      is_trashed: field.flag("In the trash", "Whether it is in the trash."),
      created_at: field.instant("Created", "When it was created."),
      updated_at: field.instant("Updated", "When it was last changed."),
    }),
    time: "updated_at",
    views: [
      { id: "titles", label: "Titles and tags, no text", fields: ["id", "title", "tags", "notebook", "updated_at"] },
      { id: "text", label: "Text without places and files", fields: ["id", "title", "body", "tags", "updated_at"] },
    ],
    ranges: ["created_at"],
    search: ["title", "body", "place"],
    aggregations: {
      group_by: ["notebook", "tags", "is_archived", "is_trashed"],
      group_by_time: ["created_at"],
    },
  },
]);
