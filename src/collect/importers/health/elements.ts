// Streams the top-level elements of Apple Health's export.xml in constant memory, whatever its size.
import { SaxesParser } from "saxes";
import { parsedPieces } from "../xml-pieces.ts";

export interface HealthElement {
  name: string;
  attributes: Record<string, string>;
  children: HealthElement[];
  /** The number of nested points and beats, which are counted but not kept. */
  passedOver: number;
}

export type HealthItem = { element: HealthElement; offset: number } | { problem: string; offset: number };

/** Apple's document type declaration takes 12 KB. */
const PROLOG_MAX = 1024 * 1024;
const CHILDREN_MAX = 5000;
const DEPTH_MAX = 20;
const PROBLEMS_MAX = 100;
const KEPT = new Set(["MetadataEntry", "WorkoutEvent", "WorkoutStatistics", "WorkoutRoute", "FileReference", "Record"]);
/** Some apps leave control characters in names, which XML does not allow. */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

export async function* healthElements(pieces: AsyncIterable<string>): AsyncGenerator<HealthItem> {
  const parser = new SaxesParser();
  const open: HealthElement[] = [];
  const ready: HealthItem[] = [];
  let depth = 0;
  let nodes = 0;
  let problems = 0;
  let begin = 0;
  parser.on("error", ({ message }) => {
    problems++;
    ready.push({ problem: message, offset: parser.position });
    if (problems >= PROBLEMS_MAX)
      throw new Error(`more than ${PROBLEMS_MAX} errors; the rest of the file was not read`);
  });
  parser.on("opentag", ({ name, attributes }) => {
    depth++;
    if (depth > DEPTH_MAX) throw new Error(`nested more than ${DEPTH_MAX} levels deep`);
    if (depth === 1) return;
    if (depth === 2) {
      begin = parser.position;
      nodes = 0;
      open.push({ name, attributes: attributes as Record<string, string>, children: [], passedOver: 0 });
      return;
    }
    const outer = open.at(-1)!;
    const node = { name, attributes: attributes as Record<string, string>, children: [], passedOver: 0 };
    open.push(node);
    if (KEPT.has(name) && ++nodes <= CHILDREN_MAX) outer.children.push(node);
    else open[0]!.passedOver++;
  });
  parser.on("closetag", () => {
    depth--;
    const element = open.pop();
    if (element !== undefined && open.length === 0) ready.push({ element, offset: begin });
  });
  yield* parsedPieces(parser, mended(pieces), ready);
}

async function* mended(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of withoutDocumentType(pieces)) yield piece.replace(FORBIDDEN, "\ufffd");
}

/**
 * Apple writes a document type declaration that is often malformed and never needed, so it is replaced by blanks. Only
 * its entities would be dangerous. Apple declares none, so a file that declares an entity is refused.
 */
async function* withoutDocumentType(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let prolog: string | undefined = "";
  for await (const piece of pieces) {
    if (prolog === undefined) {
      yield piece;
      continue;
    }
    prolog += piece;
    const root = prolog.search(/<HealthData[\s>/]/);
    if (root === -1) {
      if (prolog.length > PROLOG_MAX) throw new Error("no HealthData in the first megabyte");
      continue;
    }
    const start = prolog.indexOf("<!DOCTYPE");
    const before = prolog.slice(0, root);
    if (/<!ENTITY/i.test(before))
      throw new Error("it declares entities, which Apple Health never does; it was refused");
    yield start === -1 || start > root
      ? prolog
      : prolog.slice(0, start) + " ".repeat(root - start) + prolog.slice(root);
    prolog = undefined;
  }
  if (prolog !== undefined) throw new Error("there is no HealthData in it");
}
