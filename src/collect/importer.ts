// The contract of an importer: what it recognises, what it would import, and the results it streams.
import type { BlobRef } from "../contract/blob.ts";
import type { SourceDeclaration } from "../contract/declaration.ts";
import type { JsonObject, JsonValue } from "../contract/json.ts";
import type { Entry } from "./entry.ts";
import type { MakeId } from "./record-ids.ts";

/** How an importer recognised one file. */
export interface Recognition {
  /**
   * 1 to 100. The importer with the highest score gets the entry: a format proven by its bytes beats one guessed from a
   * name.
   */
  score: number;
  /** A description for people: "Slack export, one day of a channel". */
  reason: string;
  /** Set if the file is recognised but cannot be imported as it is. Says what to do instead: "export again as JSON". */
  advice?: string;
  /** Entries of one group are imported together. Defaults to the given file, folder or archive. */
  group?: string;
}

/** Facts about an entry that are known without opening it. */
export interface EntryPreview {
  /** The path from the given root, with `/` between parts. */
  path: string;
  /** The name of the root: a folder, or an archive without its extension. */
  root: string;
  size: number;
  /** The first bytes, at most HEAD_BYTES. More for a SQLite database, whose tables are described on several pages. */
  head: Uint8Array;
  /** Returns true if the same root contains this path: a marker file, or a folder that every such export contains. */
  has(path: string): boolean;
}

export const HEAD_BYTES = 4096;

/** The entries of one group, ordered by path. */
export interface ImportInput {
  /** The display name of the root that the group came from. */
  name: string;
  entries: readonly Entry[];
}

/** An entry of the same root that another importer recognised, or that no importer recognised. */
interface Other {
  entry: Entry;
  /** The recognition score, or 0 if no importer recognised the entry. */
  score: number;
}

/** A question for the owner that the files do not answer. */
export interface ImporterQuestion {
  id: string;
  text: string;
  /** Absent if any text is accepted. */
  options?: readonly { value: string; label: string }[];
  /** Used if there is no answer. If absent, an answer is required. */
  default?: string;
  /** Set if the answer is a time zone, so that a page can suggest the owner's instead of the server's. */
  asks_for?: "time_zone";
}

export type ImportAnswers = Readonly<Record<string, string>>;

/** The connection that the records are imported into. The same key means the same account, even in a later export. */
export interface SourceAccount {
  key: string;
  name: string;
}

export interface PlannedStream {
  stream: string;
  /** The number of records, counted or estimated cheaply. */
  count?: number;
  /** The number of records per sampled file. */
  files?: { path: string; count: number }[];
  since?: string;
  until?: string;
}

export interface ImportPlan {
  account: SourceAccount;
  declaration: SourceDeclaration;
  /** True if the declaration was derived from these files. Its id then ends with a digest of their layout. */
  ownLayout?: boolean;
  streams: readonly PlannedStream[];
  questions?: readonly ImporterQuestion[];
  warnings?: readonly string[];
}

/**
 * The position of a run: everything before it is stored. `position` is the importer's own position inside the entry,
 * and is absent at the entry's end.
 */
export interface Checkpoint {
  entry: string;
  position?: JsonValue;
}

export interface FoundRecord {
  kind: "record";
  stream: string;
  /** Must be stable: the same item has the same key in every export. */
  key: string | string[];
  data: JsonObject;
  entry: Entry;
  /** The position in the entry: a byte, a line or a row. */
  offset?: number;
}

export type ImportEvent =
  | FoundRecord
  /**
   * Items that were skipped on purpose, and the reason. With a count of 0, nothing was skipped and this is only a note.
   */
  | { kind: "skip"; entry: Entry; reason: string; offset?: number; count?: number }
  /** One item that could not be read, and its position. The run continues with the rest. */
  | { kind: "error"; entry: Entry; message: string; offset?: number }
  /** Everything before this is done. An interrupted run continues here or, without a position, after the entry. */
  | { kind: "checkpoint"; entry: Entry; position?: JsonValue };

export interface ImportContext {
  answers: ImportAnswers;
  /**
   * Must be used for every id that is derived from a record's content or position. Ids from the source can stay as they
   * are.
   */
  makeId: MakeId;
  /** Where to continue. `entriesFrom` applies it. */
  resume?: Checkpoint;
  /**
   * Stores bytes as a blob and returns the reference to put into a record. If they cannot be stored, the run stops here
   * and continues later.
   */
  blob(bytes: Uint8Array, mimeType: string): Promise<BlobRef>;
  /**
   * Returns a small JPEG of a picture, or undefined if it cannot be created. Absent if the package that creates it is
   * not installed.
   */
  thumbnail?(picture: Uint8Array): Promise<Uint8Array | undefined>;
}

export interface Importer {
  /** The connector_key of the importer's source. */
  name: string;
  /** The display name: "Mail (mbox, eml, maildir)". */
  title: string;
  /** Where people get the export, with one line for each way to get it: "Gmail: takeout.google.com, “Mail”". */
  from: readonly string[];
  /** Recognises an entry without opening it. Returns undefined if the entry is not recognised. */
  recognise(preview: EntryPreview): Recognition | undefined;
  /**
   * Returns the paths of other entries that belong to the group, such as files that a note or a chat refers to. Called
   * for each group if other entries remain. It may read the group's own entries.
   */
  claims?(input: ImportInput, others: readonly Other[]): Promise<Iterable<string>>;
  /** Must be cheap: reads the first records and estimates a count from the size. */
  plan(input: ImportInput, answers: ImportAnswers): Promise<ImportPlan>;
  run(input: ImportInput, context: ImportContext): AsyncIterable<ImportEvent>;
  /**
   * Streams that a complete export contains in full. Records that an earlier import of the same account and group name
   * added, and that are now missing, were deleted at the source. Applied only after a run without errors.
   */
  snapshotOf?: readonly string[];
}

/** Yields the entries of a run, starting at the checkpoint, and the position within the first one. */
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
    // The entry crashed the parser and is not passed to it again, so continue with the one after it.
    for (const entry of entries) if (entry.path > resume.entry) yield { entry };
    return;
  }
  if (resume.position !== undefined) yield { entry: entries[at]!, position: resume.position };
  for (const entry of entries.slice(at + 1)) yield { entry };
}
