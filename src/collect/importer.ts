// The contract of an importer: what it recognises, what it would import, and the stream of its results.
import type { BlobRef } from "../contract/blob.ts";
import type { SourceDeclaration } from "../contract/declaration.ts";
import type { JsonObject, JsonValue } from "../contract/json.ts";
import type { Entry } from "./entry.ts";
import type { MakeId } from "./record-ids.ts";

/** One file that an importer says is its own. */
export interface Recognition {
  /** 1 to 100. The highest takes the entry: a format that was proven by its bytes beats one guessed from a name. */
  score: number;
  /** A description in words: "Slack export, one day of a channel". */
  reason: string;
  /** It is known and cannot be imported as it is; what to do instead: "export again as JSON". */
  advice?: string;
  /** Entries of one group are imported together. Default: the file, folder or archive that was given. */
  group?: string;
}

/** An entry as far as it is known without opening it. */
export interface EntryPreview {
  /** From the root that was given, `/` between parts. */
  path: string;
  /** Name of the root: a folder, or an archive without its extension. */
  root: string;
  size: number;
  /** Its first bytes, at most HEAD_BYTES; of a SQLite database more, because its tables are described on several pages. */
  head: Uint8Array;
  /** Whether the same root has such a path: a marker file, a folder that is always there. */
  has(path: string): boolean;
}

export const HEAD_BYTES = 4096;

/** Entries of one group, which belong together, in the order of their paths. */
export interface ImportInput {
  /** Name of the root it came from, for people. */
  name: string;
  entries: readonly Entry[];
}

/** An entry of the same root that another importer takes, or none. */
interface Other {
  entry: Entry;
  /** Its score; 0: no importer took it. */
  score: number;
}

/** A question to the owner about something that the files do not say. */
export interface ImporterQuestion {
  id: string;
  text: string;
  /** Absent: any text. */
  options?: readonly { value: string; label: string }[];
  /** Used without an answer; absent: an answer is required. */
  default?: string;
}

export type ImportAnswers = Readonly<Record<string, string>>;

/** The connection that records go to. The same key means the same account, also in a later export. */
export interface SourceAccount {
  key: string;
  name: string;
}

export interface PlannedStream {
  stream: string;
  /** Of records; counted or estimated, cheaply. */
  count?: number;
  since?: string;
  until?: string;
}

export interface ImportPlan {
  account: SourceAccount;
  declaration: SourceDeclaration;
  /** The declaration was made from these very files, and its id ends with a digest of their layout. */
  ownLayout?: boolean;
  streams: readonly PlannedStream[];
  questions?: readonly ImporterQuestion[];
  warnings?: readonly string[];
}

/** Where a run stands: everything before it is stored. `position` is the importer's own, inside the entry; none: its end. */
export interface Checkpoint {
  entry: string;
  position?: JsonValue;
}

export interface FoundRecord {
  kind: "record";
  stream: string;
  /** Stable: the same thing has the same key in every export. */
  key: string | string[];
  data: JsonObject;
  entry: Entry;
  /** Where in the entry: a byte, a line or a row. */
  offset?: number;
}

export type ImportEvent =
  | FoundRecord
  /** Left out on purpose, and why. With a count of 0: nothing was, and there is something to know. */
  | { kind: "skip"; entry: Entry; reason: string; offset?: number; count?: number }
  /** One thing that could not be read, and where. The rest continues. */
  | { kind: "error"; entry: Entry; message: string; offset?: number }
  /** All before this is settled: a run that breaks continues here, or without a position behind the entry. */
  | { kind: "checkpoint"; entry: Entry; position?: JsonValue };

export interface ImportContext {
  answers: ImportAnswers;
  /** For every id that is made of a record's content or place. Ids that the source gave may stay as they are. */
  makeId: MakeId;
  /** Where to continue. `entriesFrom` takes care of it. */
  resume?: Checkpoint;
  /** Keeps bytes as a blob; the answer goes into a record. Where they cannot be kept, the run stops here and continues later. */
  blob(bytes: Uint8Array, mimeType: string): Promise<BlobRef>;
  /** A small JPEG of a picture; undefined: it cannot be made. Absent: what makes them is not installed. */
  thumbnail?(picture: Uint8Array): Promise<Uint8Array | undefined>;
}

export interface Importer {
  /** connector_key of its source. */
  name: string;
  /** For people: "Mail (mbox, eml, maildir)". */
  title: string;
  /** Where people get it, one line for each way: "Gmail: takeout.google.com, “Mail”". */
  from: readonly string[];
  /** Looks, and opens nothing. Undefined: not mine. */
  recognise(preview: EntryPreview): Recognition | undefined;
  /**
   * Which of the others belong to what it took: files that a note or a chat names. Asked of each group when something is
   * left beside it; may read its own entries, and answers paths.
   */
  claims?(input: ImportInput, others: readonly Other[]): Promise<Iterable<string>>;
  /** Cheap: a look at the first records, a count by size. */
  plan(input: ImportInput, answers: ImportAnswers): Promise<ImportPlan>;
  run(input: ImportInput, context: ImportContext): AsyncIterable<ImportEvent>;
  /**
   * A complete export shows everything: records that an earlier import of the same account and the same group name added
   * and that this one lacks were deleted at the source. Only after a run without errors.
   */
  snapshotOf?: readonly string[];
}

/** The entries of a run, those before a checkpoint left out, with the position in the first. */
export function* entriesFrom(
  input: ImportInput,
  { resume }: Pick<ImportContext, "resume">,
): Generator<{ entry: Entry; position?: JsonValue }> {
  const { entries } = input;
  if (resume === undefined) {
    for (const entry of entries) yield { entry };
    return;
  }
  const at = entries.findIndex(({ path }) => path === resume.entry);
  if (at === -1) {
    // It broke the parser and is not given again: the one behind it is next.
    for (const entry of entries) if (entry.path > resume.entry) yield { entry };
    return;
  }
  if (resume.position !== undefined) yield { entry: entries[at]!, position: resume.position };
  for (const entry of entries.slice(at + 1)) yield { entry };
}
