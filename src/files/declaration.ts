// An approved root as a source of records (S-14): the declaration of file records.
import { FILE_TEXT_STREAM, FILES_STREAM } from "../contract/file-access.ts";
import { type DeclaredStream, declareSource, field, recordSchema } from "../core/declare.ts";

const path = field.text("Path", "From the root, printable: bytes that are no text are escaped.");
const name = field.text("Name", "The last part of the path.");
const type = field.text("Media type", "By its name.");
const modified_at = field.instant("Modified", "When its contents last changed.");

const files: DeclaredStream = {
  name: FILES_STREAM,
  description: "Files and folders of a disk: where they are, how large, how old. Not what is in them.",
  display: { label: "Files", detail: "Names, places, sizes and dates of files; not what is in them" },
  kind: "file",
  roles: { title: "name", path: "path", size: "size", media_type: "type" },
  schema: recordSchema(
    "File",
    {
      node_id: field.text("Id", "Names the record; stays while its path does."),
      handle: field.text("Handle", "Names it in the files lens, as its nodeId."),
      path,
      name,
      parent: field.text("Folder", "The path of the folder it is in; empty for the root."),
      kind: {
        ...field.text("Kind", "What it is on the disk."),
        enum: ["file", "dir", "link", "fifo", "socket", "block_device", "character_device", "other"],
      },
      type,
      ext: field.text("Extension", "In small letters, without the dot."),
      size: field.count("Size", "Bytes as it reads. Folders have none: sums over records are right as they are."),
      allocated: field.count("On disk", "Bytes taken on the disk; of a folder by its list of names alone."),
      modified_at,
      depth: field.count("Depth", "Levels below the root: what is right in it has depth 1."),
      owner: field.count("Owner", "User id on the disk."),
      permissions: field.text("Permissions", "As ls prints them: rwxr-xr-x."),
      target: field.text("Target", "Of a link: where it leads, as written."),
    },
    ["node_id"],
  ),
  time: "modified_at",
  views: [
    { id: "names", label: "Names and places", fields: ["path", "name", "kind", "type"] },
    { id: "sizes", label: "What takes room", fields: ["path", "kind", "type", "size", "allocated", "modified_at"] },
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
    "What is in files that hold text: plain text, Markdown, source code, CSV, JSON, PDF, documents of office programs, and scans. Only of disks where the owner chose it; the same node_id as in files.",
  display: { label: "Text of files", detail: "What is written in text files and documents" },
  kind: "file",
  roles: { title: "name", path: "path", size: "size", media_type: "type", text: "text" },
  schema: recordSchema(
    "Text of a file",
    {
      node_id: field.text("Id", "The file's, as in the stream files."),
      handle: field.text("Handle", "Names it in the files lens, as its nodeId."),
      path,
      name,
      type,
      size: field.count("Size", "Bytes of the file."),
      modified_at,
      text: field.text("Text", "What is written in it, from its beginning."),
      is_cut: field.flag("Cut", "Whether more is in the file than in text."),
      is_recognised: field.flag("Recognised", "Whether a program read the text off a picture: it may hold mistakes."),
    },
    ["node_id"],
  ),
  time: "modified_at",
  ranges: ["path", "name", "size"],
  search: ["text", "name"],
  aggregations: { group_by: ["type", "is_recognised"] },
};

export const filesDeclaration = declareSource("files", "Files", [files, fileText], { version: "1.3.0" });
