// A dashboard page: data that is loaded for the owner, and its view. The data alone is the page's JSON form.

import type { Readable } from "node:stream";
import type { OwnerFileLens } from "../../contract/owner-file-lens.ts";
import type { Passkey, PasskeyAdded } from "../../contract/second-factor.ts";
import type { AnswerOf, CallName, QueryOf } from "../../engine/calls/calls.ts";
import type { Housekeeping } from "../../engine/housekeeping.ts";
import type { Exchange } from "../http/respond.ts";
import type { Html, Layout } from "./layout.ts";
import type { PageJobs } from "./page-jobs.ts";
import type { Snippet } from "./snippets.ts";
import type { Times } from "./times.ts";
import type { Undoable } from "./undo.ts";

/** One page request by the owner. */
export interface Visit {
  exchange: Exchange;
  /** Values of the `{name}` parts of the path. */
  params: Readonly<Record<string, string>>;
  search: URLSearchParams;
  /** The server's origin as its callers see it. */
  origin: string;
  /** The owner's time zone, which determines days and months. */
  zone: string;
  now: number;
  /** This browser's session. Absent for a program with a token. */
  sessionId?: string;
  /**
   * Creates a passkey in this browser. Absent with a token, and if browsers do not support passkeys at this address.
   */
  passkeys?: PasskeyCreator;
  house: Housekeeping;
  /** The public URL given when the server was started. */
  publicUrl?: string;
  pageJobs: PageJobs;
  /**
   * Verifies the given password and returns the hash of the owner's password. Guesses are counted like those at
   * sign-in.
   */
  verifiedPassword(given: string): Promise<string>;
  /** Reads for the owner. These reads are not logged, because they would bury what apps read. */
  look<C extends CallName>(name: C, query: QueryOf<C>): Promise<AnswerOf<C>>;
  /** Makes a change for the owner. The change is logged. */
  act<C extends CallName>(name: C, query: QueryOf<C>): Promise<AnswerOf<C>>;
  /** Opens the files lens when a page needs it. */
  files(): Promise<OwnerFileLens>;
}

export interface PasskeyCreator {
  /** Returns the options for the browser. */
  options(have: readonly Passkey[]): object;
  /** Verifies the browser's response and returns the created passkey. */
  made(answer: string, name: string): Promise<PasskeyAdded>;
}

/** The context that every page shares. */
export interface PageFrame {
  csrf: string;
  origin: string;
  /** The address of the page itself, including its query. */
  url: URL;
  now: number;
  times: Times;
  /**
   * The form that reverses the change that led here. If the page says what was done, the form is next to that sentence.
   */
  undo: Html | "";
  /** The error of a rejected form, shown above the page. */
  failed?: string;
}

export interface PageContent {
  title: string;
  body: Html;
  width?: Layout["width"];
  /** Scripts in addition to the one that every page loads. */
  scripts?: readonly string[];
  /** The same data in other forms: curl, CLI, MCP. */
  snippets?: readonly Snippet[];
}

export type DownloadRow = Readonly<Record<string, string | null>>;

/** A file that the browser saves. */
export interface SavedFile {
  name: string;
  bytes: Readable;
}

/** A form with files, read while it arrives. */
export interface SentForm {
  /** The fields before the first file. */
  fields: URLSearchParams;
  /** The size of the whole form. No file in it is larger. */
  size: number;
  /** The files, one at a time. Each must be stored before the next one is read. */
  files: AsyncIterable<SentFile>;
}

export interface SentFile {
  /** Includes folder names if a folder was chosen. */
  name: string;
  bytes: AsyncIterable<Uint8Array>;
  /** Writes the file to an upload, and returns its size. */
  keep(uploadId: string, most: number): Promise<number>;
}

export interface OwnerPage<V extends object> {
  /** Such as `/dashboard/connections/{id}`. */
  path: string;
  /** The navigation entry that the page belongs to. */
  under: string;
  load(visit: Visit): Promise<V>;
  show(view: V, frame: PageFrame): PageContent;
  /**
   * Returns all rows of the page's list, for its path with `.csv` or `.jsonl` added. Returns undefined if the page
   * shows no list.
   */
  rows?(visit: Visit): AsyncIterable<DownloadRow> | undefined;
  /**
   * Handles a form on the page. Returns where to go next, optionally with an undo, a file to save, or a view to show
   * instead, such as the form with its result.
   */
  post?(visit: Visit, form: URLSearchParams): Promise<string | Undoable | SavedFile | V>;
  /** Handles a form with files (multipart/form-data). */
  upload?(visit: Visit, form: SentForm): Promise<string>;
}

/** Any dashboard page, so that all fit in one table. Only the page itself can show its data. */
export type AnyOwnerPage = OwnerPage<object>;

export const ownerPage = <V extends object>(page: OwnerPage<V>): AnyOwnerPage => page as unknown as AnyOwnerPage;
