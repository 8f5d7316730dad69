// The contract of an importer: what it recognises, what it would import, and the stream of its results.
import type { BlobRef } from "../contract/blob.ts";
import type { SourceDeclaration } from "../contract/declaration.ts";
import type { JsonObject, JsonValue } from "../contract/json.ts";
import type { Entry } from "./entry.ts";
import type { MakeId } from "./record-ids.ts";

/** One file that an importer recognises. */
export interface Recognition {
  /** 1 to 100. The highest score gets the entry: a format proven by its bytes beats one guessed from a name. */
  score: number;
  /** A description in words: "Slack export, one day of a channel". */
  reason: string;
  /** It is recognised but cannot be imported as it is; what to do instead: "export again as JSON". */
  advice?: string;
  /** Entries of one group are imported together. Default: the given file, folder or archive. */
  group?: string;
}

/** The facts about an entry that do not require opening it. */
export interface EntryPreview {
  /** From the given root, with `/` between parts. */
  path: string;
  /** Name of the root: a folder, or an archive without its extension. */
  root: string;
  size: number;
  /**
   * Its first bytes, at most HEAD_BYTES; more for a SQLite database, because its tables are described on several pages.
   */
  head: Uint8Array;
  /** Whether the same root has such a path: a marker file, or a folder that is always there. */
  has(path: string): boolean;
}

export const HEAD_BYTES = 4096;

/** Entries of one group, which belong together, ordered by path. */
export interface ImportInput {
  /** Name of the root it came from, for people. */
  name: string;
  entries: readonly Entry[];
}

/** An entry of the same root that another importer recognised, or none did. */
interface Other {
  entry: Entry;
  /** Its score; 0: no importer recognised it. */
  score: number;
}

/** A question to the owner that the files do not answer. */
export interface ImporterQuestion {
  id: string;
  text: string;
  /** Absent: any text. */
  options?: readonly { value: string; label: string }[];
  /** Used if there is no answer; absent: an answer is required. */
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
  /** The number of records; counted or estimated, cheaply. */
  count?: number;
  /** The same for each sampled file. */
  files?: { path: string; count: number }[];
  since?: string;
  until?: string;
}

export interface ImportPlan {
  account: SourceAccount;
  declaration: SourceDeclaration;
  /** The declaration was derived from these files, and its id ends with a digest of their layout. */
  ownLayout?: boolean;
  streams: readonly PlannedStream[];
  questions?: readonly ImporterQuestion[];
  warnings?: readonly string[];
}

/**
 * The position of a run: everything before it is stored. `position` is the importer's own, inside the entry; absent:
 * its end.
 */
export interface Checkpoint {
  entry: string;
  position?: JsonValue;
}

export interface FoundRecord {
  kind: "record";
  stream: string;
  /** Stable: the same item has the same key in every export. */
  key: string | string[];
  data: JsonObject;
  entry: Entry;
  /** The position in the entry: a byte, a line or a row. */
  offset?: number;
}

export type ImportEvent =
  | FoundRecord
  /** Skipped on purpose, and why. With a count of 0: nothing was skipped, and this is only a note. */
  | { kind: "skip"; entry: Entry; reason: string; offset?: number; count?: number }
  /** One item that could not be read, and where. The rest continues. */
  | { kind: "error"; entry: Entry; message: string; offset?: number }
  /** Everything before this is done: an interrupted run continues here, or without a position after the entry. */
  | { kind: "checkpoint"; entry: Entry; position?: JsonValue };

export interface ImportContext {
  answers: ImportAnswers;
  /** For every id that is derived from a record's content or position. Ids from the source may stay as they are. */
  makeId: MakeId;
  /** Where to continue. `entriesFrom` handles it. */
  resume?: Checkpoint;
  /**
   * Stores bytes as a blob; the result goes into a record. If they cannot be stored, the run stops here and continues
   * later.
   */
  blob(bytes: Uint8Array, mimeType: string): Promise<BlobRef>;
  /** A small JPEG of a picture; undefined if it cannot be created. Absent if the package for it is not installed. */
  thumbnail?(picture: Uint8Array): Promise<Uint8Array | undefined>;
}

export interface Importer {
  /** connector_key of its source. */
  name: string;
  /** For people: "Mail (mbox, eml, maildir)". */
  title: string;
  /** Where people get it, one line for each way: "Gmail: takeout.google.com, “Mail”". */
  from: readonly string[];
  /** Decides without opening anything. Undefined: not recognised. */
  recognise(preview: EntryPreview): Recognition | undefined;
  /**
   * Which of the other entries belong to its own: files that a note or a chat names. Called for each group when
   * something is left beside it; may read its own entries, and returns paths.
   */
  claims?(input: ImportInput, others: readonly Other[]): Promise<Iterable<string>>;
  /** Cheap: reads the first records and estimates a count from the size. */
  plan(input: ImportInput, answers: ImportAnswers): Promise<ImportPlan>;
  run(input: ImportInput, context: ImportContext): AsyncIterable<ImportEvent>;
  /**
   * A complete export contains everything: records that an earlier import of the same account and group name added and
   * that are missing now were deleted at the source. Only after a run without errors.
   */
  snapshotOf?: readonly string[];
}

/** The entries of a run, without those before a checkpoint, with the position in the first. */
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
    // It broke the parser and is not given again: the next one follows.
    for (const entry of entries) if (entry.path > resume.entry) yield { entry };
    return;
  }
  if (resume.position !== undefined) yield { entry: entries[at]!, position: resume.position };
  for (const entry of entries.slice(at + 1)) yield { entry };
}
