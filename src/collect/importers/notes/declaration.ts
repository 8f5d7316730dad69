// Declares the streams of folders of notes: notes and their notebooks.
import { declareSource, field, hasMany, hasOne, recordSchema } from "../../../core/declare.ts";

export const notesDeclaration = declareSource("notes", "Notes", [
  {
    name: "notes",
    description: "Notes with their text in Markdown, tags, links, properties and attached files.",
    display: { label: "Notes", detail: "The text of notes, with tags, links and attached files" },
    kind: "note",
    roles: {
      title: "title",
      text: "body",
      time: "created_at",
      changed: "updated_at",
      tags: "tags",
      attachments: "attachments",
    },
    schema: recordSchema("Note", {
      id: field.text("Id", "Made from its path in the vault; of Notion the page's id."),
      title: field.text("Title", "From its properties, its first heading or its file name."),
      path: field.text("Path", "Where it lies, from the root."),
      notebook_id: field.text("Notebook id", "The folder it lies in; absent at the root."),
      origin: field.choice("Origin", "Which kind of folder it came from.", ["markdown", "obsidian", "notion"]),
      body: field.text("Text", "Markdown, without properties."),
      tags: field.texts("Tags", "Without #, from properties and text."),
      aliases: field.texts("Aliases", "Other names that links may use."),
      links: field.list(
        "Links",
        "Other notes that it points at.",
        field.object({
          target: field.text("Target", "As written."),
          note_id: field.text("Note", "The note that is meant, when it is there."),
        }),
      ),
      urls: field.texts("Web links", "Addresses in its text and properties."),
      attachments: field.list(
        "Attachments",
        "Files that it shows or points at.",
        field.object({
          name: field.text("Name", "File name."),
          blob: field.blobRef("Bytes", "The file, when it is there."),
        }),
      ),
      properties: {
        type: "object",
        title: "Properties",
        description: "Front matter, or the columns of a database in Notion; as written.",
      },
      created_at: field.instant("Created", "As its properties or its name tell; UTC when they name no zone."),
      updated_at: field.instant(
        "Updated",
        "As its properties tell, else when it was created. Never the file's own time.",
      ),
    }),
    time: "updated_at",
    views: [
      { id: "titles", label: "Titles and tags, no text", fields: ["id", "title", "path", "tags", "updated_at"] },
      { id: "text", label: "Text without properties and files", fields: ["id", "title", "body", "tags", "updated_at"] },
    ],
    related: { notebook: hasOne("notebooks", "notebook_id") },
    ranges: ["created_at"],
    search: ["title", "body"],
    aggregations: {
      count_distinct: ["notebook_id"],
      group_by: ["notebook_id", "origin", "tags"],
      group_by_time: ["created_at"],
    },
  },
  {
    name: "notebooks",
    description: "Folders of notes; of Notion pages and databases that have pages in them.",
    display: { label: "Notebooks", detail: "Names of folders" },
    schema: recordSchema("Notebook", {
      id: field.text("Id", "Made from its path; of Notion the page's id."),
      name: field.text("Name", "Of the folder."),
      path: field.text("Path", "From the root."),
      parent_id: field.text("Parent", "The notebook it lies in."),
    }),
    related: { notes: hasMany("notes", "notebook_id"), notebooks: hasMany("notebooks", "parent_id") },
    search: ["name"],
    aggregations: { group_by: ["parent_id"] },
  },
]);
