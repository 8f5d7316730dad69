// A page of the dashboard: data that is loaded for the owner, and its view. The data alone is its JSON form.

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

/** One request of the owner for a page. */
export interface Visit {
  exchange: Exchange;
  /** Values of the `{name}` parts of the path. */
  params: Readonly<Record<string, string>>;
  search: URLSearchParams;
  /** The server's origin, as its callers see it. */
  origin: string;
  /** The owner's time zone, for days and months. */
  zone: string;
  now: number;
  /** The session of this browser; absent for a program with a token. */
  sessionId?: string;
  /** Creates a passkey in this browser; absent with a token, and where browsers have no passkeys. */
  passkeys?: PasskeyCreator;
  house: Housekeeping;
  /** As given when the server was started. */
  publicUrl?: string;
  pageJobs: PageJobs;
  /** The hash of the owner's password, once the given one was verified. Guesses are counted like those at sign-in. */
  verifiedPassword(given: string): Promise<string>;
  /** Reads by the owner are not logged: they would bury what apps read. */
  look<C extends CallName>(name: C, query: QueryOf<C>): Promise<AnswerOf<C>>;
  /** Changes by the owner are logged. */
  act<C extends CallName>(name: C, query: QueryOf<C>): Promise<AnswerOf<C>>;
  /** The files lens, opened when a page needs it. */
  files(): Promise<OwnerFileLens>;
}

export interface PasskeyCreator {
  /** Options for the browser. */
  options(have: readonly Passkey[]): object;
  /** The created passkey, once its answer was verified. */
  made(answer: string, name: string): Promise<PasskeyAdded>;
}

/** Shared context of every page. */
export interface PageFrame {
  csrf: string;
  origin: string;
  /** The address of the page itself, with its query. */
  url: URL;
  now: number;
  times: Times;
  /** Reverses the change that led here. A page that says what was done shows it beside that sentence. */
  undo: Html | "";
  /** The error of a rejected form, shown above the page. */
  failed?: string;
}

export interface PageContent {
  title: string;
  body: Html;
  width?: Layout["width"];
  /** Scripts besides the shell's. */
  scripts?: readonly string[];
  /** The same data elsewhere: curl, CLI, MCP. */
  snippets?: readonly Snippet[];
}

export type DownloadRow = Readonly<Record<string, string | null>>;

/** A file that the browser saves. */
export interface SavedFile {
  name: string;
  bytes: Readable;
}

/** A form with files, as it arrives. */
export interface SentForm {
  /** The fields before the first file. */
  fields: URLSearchParams;
  /** The size of the whole form: no file in it is larger. */
  size: number;
  /** One after another; each must be stored before the next. */
  files: AsyncIterable<SentFile>;
}

export interface SentFile {
  /** With its folders, if a folder was chosen. */
  name: string;
  bytes: AsyncIterable<Uint8Array>;
  /** Writes it to the file of an upload; returns its size. */
  keep(uploadId: string, most: number): Promise<number>;
}

export interface OwnerPage<V extends object> {
  /** `/dashboard/connections/{id}` */
  path: string;
  /** Which entry of the navigation it belongs to. */
  under: string;
  load(visit: Visit): Promise<V>;
  show(view: V, frame: PageFrame): PageContent;
  /**
   * Everything that it shows a page of, as `.csv` or `.jsonl` at the end of its path; undefined if it shows no list.
   */
  rows?(visit: Visit): AsyncIterable<DownloadRow> | undefined;
  /**
   * A form of the page; returns where to go next, the same with an undo, a file to save, or a view to show instead: the
   * form with its result.
   */
  post?(visit: Visit, form: URLSearchParams): Promise<string | Undoable | SavedFile | V>;
  /** The same with files (multipart/form-data). */
  upload?(visit: Visit, form: SentForm): Promise<string>;
}

/** Pages of all kinds in one table: only the page itself can show its data. */
export type AnyOwnerPage = OwnerPage<object>;

export const ownerPage = <V extends object>(page: OwnerPage<V>): AnyOwnerPage => page as unknown as AnyOwnerPage;
