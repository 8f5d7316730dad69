// The declaration of the stream with the text of a connection's pictures and PDFs, and how it is added to a source.
import type { SourceDeclaration, StreamDeclaration } from "../contract/declaration.ts";
import { ATTACHED_TEXT_STREAM } from "../contract/recognition-request.ts";
import { declareSource, field, recordSchema } from "./declare.ts";

const attachedText: StreamDeclaration = declareSource("attached-text", "Text of attached files", [
  {
    name: ATTACHED_TEXT_STREAM,
    description:
      "Text in scans, screenshots and PDFs that are attached to records of this connection; one text record for each of those records.",
    display: { label: "Text of attached files", detail: "Text in scans, screenshots and PDFs" },
    kind: "file",
    roles: { title: "name", size: "size_bytes", time: "at", text: "text" },
    schema: recordSchema("Text of attached files", {
      id: field.text("Id", "Derived from the record that the files belong to."),
      name: field.text("Name", "File names, as given in the record."),
      record_stream: field.text("Stream", "Stream of the record that the files belong to."),
      record_id: field.text("Record", "Id of that record."),
      size_bytes: field.count("Size", "Size of the files in bytes."),
      at: field.instant("Date", "Date of that record."),
      text: field.text("Text", "The text of all the files, one after another."),
      is_cut: field.flag("Cut", "True if the files contain more text than this."),
      is_recognised: field.flag("Recognised", "True if the text was recognised in a picture: it can contain mistakes."),
    }),
    time: "at",
    ranges: ["at", "size_bytes"],
    search: ["text", "name"],
    aggregations: { group_by: ["record_stream", "is_recognised"], group_by_time: ["at"] },
  },
]).streams[0]!;

/** Keeps this stream in a source that already has it, even if the importer or connector does not declare it. */
export function keepAttachedText(
  declaration: SourceDeclaration,
  before: SourceDeclaration | undefined,
): SourceDeclaration {
  return before !== undefined && hasAttachedText(before) ? withAttachedText(declaration) : declaration;
}

export const hasAttachedText = ({ streams }: SourceDeclaration): boolean =>
  streams.some(({ name }) => name === ATTACHED_TEXT_STREAM);

export const withAttachedText = (declaration: SourceDeclaration): SourceDeclaration =>
  hasAttachedText(declaration) ? declaration : { ...declaration, streams: [...declaration.streams, attachedText] };
