// Declares the streams of note folders: notes and their notebooks.
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
      id: field.text("Id", "Derived from its path in the vault; for Notion, the page's id."),
      title: field.text("Title", "From its properties, its first heading or its file name."),
      path: field.text("Path", "Path from the root."),
      notebook_id: field.text("Notebook id", "Id of its folder; absent at the root."),
      origin: field.choice("Origin", "Kind of folder it came from.", ["markdown", "obsidian", "notion"]),
      body: field.text("Text", "Text in Markdown, without properties."),
      tags: field.texts("Tags", "Tags from the properties and the text, without #."),
      aliases: field.texts("Aliases", "Other names that links may use."),
      links: field.list(
        "Links",
        "Links to other notes.",
        field.object({
          target: field.text("Target", "Target of the link, as written."),
          note_id: field.text("Note", "Id of the linked note, if it was found."),
        }),
      ),
      urls: field.texts("Web links", "Addresses in its text and properties."),
      attachments: field.list(
        "Attachments",
        "Files that it shows or links to.",
        field.object({
          name: field.text("Name", "File name."),
          blob: field.blobRef("Bytes", "The file, if it was found."),
        }),
      ),
      properties: {
        type: "object",
        title: "Properties",
        description: "Front matter, or the columns of a Notion database, as written.",
      },
      created_at: field.instant("Created", "From its properties or its name; UTC if they state no time zone."),
      updated_at: field.instant(
        "Updated",
        "From its properties; otherwise when it was created. The file's own date is never used.",
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
    description: "Folders of notes; for Notion, pages and databases that contain other pages.",
    display: { label: "Notebooks", detail: "Names of folders" },
    schema: recordSchema("Notebook", {
      id: field.text("Id", "Derived from its path; for Notion, the page's id."),
      name: field.text("Name", "Name of the folder."),
      path: field.text("Path", "Path from the root."),
      parent_id: field.text("Parent", "Id of the notebook that contains it."),
    }),
    related: { notes: hasMany("notes", "notebook_id"), notebooks: hasMany("notebooks", "parent_id") },
    search: ["name"],
    aggregations: { group_by: ["parent_id"] },
  },
]);
