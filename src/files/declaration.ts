// An approved root as a source of records (S-14): the declaration of file records.
import { FILE_TEXT_STREAM, FILES_STREAM } from "../contract/file-access.ts";
import { type DeclaredStream, declareSource, field, recordSchema } from "../core/declare.ts";

const path = field.text("Path", "Path from the root. Bytes that are not text are escaped.");
const name = field.text("Name", "The last part of the path.");
const type = field.text("Media type", "Media type, guessed from the name.");
const modified_at = field.instant("Modified", "When the contents last changed.");

const files: DeclaredStream = {
  name: FILES_STREAM,
  description: "Files and folders on a disk: location, size and age, not contents.",
  display: { label: "Files", detail: "Names, locations, sizes and dates of files, not their contents" },
  kind: "file",
  roles: { title: "name", path: "path", size: "size", media_type: "type" },
  schema: recordSchema(
    "File",
    {
      node_id: field.text("Id", "The record's id. It stays the same as long as the path does."),
      handle: field.text("Handle", "The nodeId in the files lens."),
      path,
      name,
      parent: field.text("Folder", "The path of the folder that contains it; empty if it is directly below the root."),
      kind: {
        ...field.text("Kind", "File, folder, link or other."),
        enum: ["file", "dir", "link", "fifo", "socket", "block_device", "character_device", "other"],
      },
      type,
      ext: field.text("Extension", "In lower case, without the dot."),
      size: field.count(
        "Size",
        "Size of the content in bytes. Folders have no size, so sums over records are correct.",
      ),
      allocated: field.count("On disk", "Bytes used on disk. A folder counts only its own list of names."),
      modified_at,
      depth: field.count("Depth", "Levels below the root: direct children of the root have depth 1."),
      owner: field.count("Owner", "User id on the disk."),
      permissions: field.text("Permissions", "As ls prints them, such as rwxr-xr-x."),
      target: field.text("Target", "The target of a link, as written."),
    },
    ["node_id"],
  ),
  time: "modified_at",
  views: [
    { id: "names", label: "Names and locations", fields: ["path", "name", "kind", "type"] },
    { id: "sizes", label: "Disk usage", fields: ["path", "kind", "type", "size", "allocated", "modified_at"] },
  ],
  ranges: ["path", "name", "size", "allocated", "depth"],
  search: ["name", "path"],
  aggregations: {
    count_distinct: ["ext", "type", "parent"],
    group_by: ["kind", "type", "ext", "parent", "depth", "owner"],
    sum: ["size", "allocated"],
    min: ["size"],
    max: ["size"],
    avg: ["size"],
  },
};

const fileText: DeclaredStream = {
  name: FILE_TEXT_STREAM,
  description:
    "The text of files: plain text, Markdown, source code, CSV, JSON, PDF, office documents and scans. Only for disks where the owner has turned it on; node_id is the same as in the files stream.",
  display: { label: "Text of files", detail: "The text of text files and documents" },
  kind: "file",
  roles: { title: "name", path: "path", size: "size", media_type: "type", text: "text" },
  schema: recordSchema(
    "Text of a file",
    {
      node_id: field.text("Id", "The id of the file, as in the stream files."),
      handle: field.text("Handle", "The nodeId in the files lens."),
      path,
      name,
      type,
      size: field.count("Size", "Size of the file in bytes."),
      modified_at,
      text: field.text("Text", "The file's text, from the beginning."),
      is_cut: field.flag("Truncated", "True if the file has more text than this."),
      is_recognised: field.flag(
        "Recognised",
        "True if the text was recognised in a picture, so it may contain mistakes.",
      ),
    },
    ["node_id"],
  ),
  time: "modified_at",
  ranges: ["path", "name", "size"],
  search: ["text", "name"],
  aggregations: { group_by: ["type", "is_recognised"] },
};

export const filesDeclaration = declareSource("files", "Files", [files, fileText], { version: "1.3.0" });
