// An approved root as a source of records (S-14): what a file record is, declared.
import type { JsonSchema, RangeOperator, SourceDeclaration } from "../contract/declaration.ts";
import { FILE_TEXT_STREAM, FILES_SOURCE, FILES_STREAM } from "../contract/file-access.ts";

const typed =
  (type: string, format?: string) =>
  (title: string, description: string): JsonSchema => ({ type, ...(format ? { format } : {}), title, description });
const text = typed("string");
const instant = typed("string", "date-time");
const count = typed("integer");

const EVERY: RangeOperator[] = ["gte", "gt", "lte", "lt"];

export const filesDeclaration: SourceDeclaration = {
  protocol_version: "0.1.0",
  source: FILES_SOURCE,
  declaration_version: "1.1.0",
  publisher: { id: "https://postern.dev" },
  display: { name: "Files" },
  streams: [
    {
      name: FILES_STREAM,
      description: "Files and folders of a disk: where they are, how large, how old. Not what is in them.",
      display: { label: "Files", detail: "Names, places, sizes and dates of files; not what is in them" },
      semantics: "mutable_state",
      schema: {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        title: "File",
        type: "object",
        additionalProperties: false,
        required: ["node_id"],
        properties: {
          node_id: text("Node", "Names it in the files lens; stays while its path does."),
          path: text("Path", "From the root, printable: bytes that are no text are escaped."),
          name: text("Name", "The last part of the path."),
          parent: text("Folder", "The path of the folder it is in; empty for the root."),
          kind: {
            ...text("Kind", "What it is on the disk."),
            enum: ["file", "dir", "link", "fifo", "socket", "block_device", "character_device", "other"],
          },
          type: text("Media type", "By its name."),
          ext: text("Extension", "In small letters, without the dot."),
          size: count("Size", "Bytes as it reads. Folders have none: sums over records are right as they are."),
          allocated: count("On disk", "Bytes taken on the disk; of a folder by its list of names alone."),
          modified_at: instant("Modified", "When its contents last changed."),
          depth: count("Depth", "Levels below the root: what is right in it has depth 1."),
          owner: count("Owner", "User id on the disk."),
          permissions: text("Permissions", "As ls prints them: rwxr-xr-x."),
          target: text("Target", "Of a link: where it leads, as written."),
        },
      },
      primary_key: ["node_id"],
      cursor_field: "modified_at",
      consent_time_field: "modified_at",
      selection: { fields: true, resources: true },
      views: [
        { id: "names", label: "Names and places", fields: ["path", "name", "kind", "type"] },
        { id: "sizes", label: "What takes room", fields: ["path", "kind", "type", "size", "allocated", "modified_at"] },
      ],
      query: {
        range_filters: { path: EVERY, name: EVERY, size: EVERY, allocated: EVERY, modified_at: EVERY, depth: EVERY },
        search: { lexical_fields: ["name", "path"] },
        aggregations: {
          count: true,
          count_distinct: ["ext", "type", "parent"],
          group_by: ["kind", "type", "ext", "parent", "depth", "owner"],
          group_by_time: ["modified_at"],
          sum: ["size", "allocated"],
          min: ["size", "modified_at"],
          max: ["size", "modified_at"],
          avg: ["size"],
        },
      },
    },
    {
      name: FILE_TEXT_STREAM,
      description:
        "What is in files that hold text: plain text, Markdown, source code, CSV, JSON, and documents of office programs. Only of disks where the owner chose it; the same node_id as in files.",
      display: { label: "Text of files", detail: "What is written in text files and documents" },
      semantics: "mutable_state",
      schema: {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        title: "Text of a file",
        type: "object",
        additionalProperties: false,
        required: ["node_id"],
        properties: {
          node_id: text("Node", "The file's, as in the stream files."),
          path: text("Path", "From the root, printable: bytes that are no text are escaped."),
          name: text("Name", "The last part of the path."),
          type: text("Media type", "By its name."),
          size: count("Size", "Bytes of the file."),
          modified_at: instant("Modified", "When its contents last changed."),
          text: text("Text", "What is written in it, from its beginning."),
          is_cut: { type: "boolean", title: "Cut", description: "Whether more is in the file than in text." },
        },
      },
      primary_key: ["node_id"],
      cursor_field: "modified_at",
      consent_time_field: "modified_at",
      selection: { fields: true, resources: true },
      query: {
        range_filters: { path: EVERY, name: EVERY, size: EVERY, modified_at: EVERY },
        search: { lexical_fields: ["text", "name"] },
        aggregations: { count: true, group_by: ["type"], group_by_time: ["modified_at"] },
      },
    },
  ],
};
