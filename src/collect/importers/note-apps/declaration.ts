// Declares the streams of note and journal apps: notes with their text, tags and files.
import { declareSource, field, recordSchema } from "../../../core/declare.ts";

export const noteAppsDeclaration = declareSource("note-apps", "Notes of apps", [
  {
    name: "notes",
    description: "Notes and journal entries of Keep, Evernote, Joplin, Bear, Day One and Apple Notes.",
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
      id: field.text("Id", "The app's own, or made from its beginning and title."),
      title: field.text("Title", "As written, or the first line."),
      body: field.text("Text", "Without formatting, or Markdown."),
      format: field.choice("Format", "How the text is written.", ["markdown", "plain"]),
      tags: field.texts("Tags", "Labels and tags of your own."),
      notebook: field.text("Notebook", "The notebook, folder or journal it lies in."),
      url: field.text("Address", "The page it was taken from, or that it links to."),
      place: field.text("Place", "Where it was written."),
      latitude: field.number("Latitude", "Of the place."),
      longitude: field.number("Longitude", "Of the place."),
      attachments: field.list(
        "Attachments",
        "Files that belong to it.",
        field.object({
          name: field.text("Name", "File name."),
          blob: field.blobRef("Bytes", "The file, when the export has it."),
        }),
      ),
      is_pinned: field.flag("Pinned", "Whether it is kept at the top."),
      is_archived: field.flag("Archived", "Whether it was put away."),
      is_trashed: field.flag("In the trash", "Whether it was deleted and not yet gone."),
      created_at: field.instant("Created", "When it was begun."),
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
