// What folders of notes hold, declared: notes and the notebooks they lie in.
import {
  blobRef,
  choice,
  declareSource,
  instant,
  list,
  object,
  ranges,
  recordSchema,
  selectable,
  text,
} from "../declare.ts";

const texts = (title: string, description: string) => list(title, description, { type: "string" });

export const notesDeclaration = declareSource("notes", "Notes", [
  {
    name: "notes",
    description: "Notes with their text in Markdown, tags, links, properties and attached files.",
    display: { label: "Notes", detail: "The text of notes, with tags, links and attached files" },
    semantics: "mutable_state",
    schema: recordSchema("Note", {
      id: text("Id", "Made from its path in the vault; of Notion the page's id."),
      title: text("Title", "From its properties, its first heading or its file name."),
      path: text("Path", "Where it lies, from the root."),
      notebook_id: text("Notebook id", "The folder it lies in; absent at the root."),
      origin: choice("Origin", "Which kind of folder it came from.", ["markdown", "obsidian", "notion"]),
      body: text("Text", "Markdown, without properties."),
      tags: texts("Tags", "Without #, from properties and text."),
      aliases: texts("Aliases", "Other names that links may use."),
      links: list(
        "Links",
        "Other notes that it points at.",
        object({
          target: text("Target", "As written."),
          note_id: text("Note", "The note that is meant, when it is there."),
        }),
      ),
      urls: texts("Web links", "Addresses in its text and properties."),
      attachments: list(
        "Attachments",
        "Files that it shows or points at.",
        object({ name: text("Name", "File name."), blob: blobRef("Bytes", "The file, when it is there.") }),
      ),
      properties: {
        type: "object",
        title: "Properties",
        description: "Front matter, or the columns of a database in Notion; as written.",
      },
      created_at: instant("Created", "As its properties or its name tell; UTC when they name no zone."),
      updated_at: instant("Updated", "As its properties tell, else when it was created. Never the file's own time."),
    }),
    primary_key: ["id"],
    cursor_field: "updated_at",
    consent_time_field: "updated_at",
    selection: selectable,
    views: [
      { id: "titles", label: "Titles and tags, no text", fields: ["id", "title", "path", "tags", "updated_at"] },
      { id: "text", label: "Text without properties and files", fields: ["id", "title", "body", "tags", "updated_at"] },
    ],
    relationships: [{ name: "notebook", stream: "notebooks", foreign_key: "notebook_id", cardinality: "has_one" }],
    query: {
      range_filters: ranges("created_at", "updated_at"),
      expand: [{ name: "notebook" }],
      search: { lexical_fields: ["title", "body"] },
      aggregations: {
        count: true,
        count_distinct: ["notebook_id"],
        group_by: ["notebook_id", "origin"],
        group_by_time: ["created_at", "updated_at"],
        min: ["updated_at"],
        max: ["updated_at"],
      },
    },
  },
  {
    name: "notebooks",
    description: "Folders of notes; of Notion pages and databases that have pages in them.",
    display: { label: "Notebooks", detail: "Names of folders" },
    semantics: "mutable_state",
    schema: recordSchema("Notebook", {
      id: text("Id", "Made from its path; of Notion the page's id."),
      name: text("Name", "Of the folder."),
      path: text("Path", "From the root."),
      parent_id: text("Parent", "The notebook it lies in."),
    }),
    primary_key: ["id"],
    selection: selectable,
    relationships: [
      { name: "notes", stream: "notes", foreign_key: "notebook_id", cardinality: "has_many" },
      { name: "notebooks", stream: "notebooks", foreign_key: "parent_id", cardinality: "has_many" },
    ],
    query: {
      expand: [
        { name: "notes", default_limit: 10, max_limit: 50 },
        { name: "notebooks", default_limit: 10, max_limit: 50 },
      ],
      search: { lexical_fields: ["name"] },
      aggregations: { count: true, group_by: ["parent_id"] },
    },
  },
]);
