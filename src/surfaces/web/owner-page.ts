// A page of the dashboard: data that is loaded for the owner, and how it looks. The data alone is its JSON twin.

import type { Readable } from "node:stream";
import type { FileDesk } from "../../contract/file-desk.ts";
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
  /** Of this server, as its callers name it. */
  origin: string;
  /** The owner's, for days and months. */
  zone: string;
  now: number;
  /** Of this browser; absent for a program that comes with a token. */
  sessionId?: string;
  /** Making a passkey in this browser; absent with a token, and where browsers have no passkeys. */
  passkeys?: PasskeyDesk;
  house: Housekeeping;
  /** As the server was started with. */
  publicUrl?: string;
  pageJobs: PageJobs;
  /** The hash of the owner's password, once this one proved to be it. Guesses are counted like those at sign-in. */
  presentPassword(given: string): Promise<string>;
  /** Reads by the owner are not logged: they would bury what apps read. */
  look<C extends CallName>(name: C, query: QueryOf<C>): Promise<AnswerOf<C>>;
  /** Changes by the owner are logged. */
  act<C extends CallName>(name: C, query: QueryOf<C>): Promise<AnswerOf<C>>;
  /** The files lens: opened when a page asks for it. */
  files(): Promise<FileDesk>;
}

export interface PasskeyDesk {
  /** Options for the browser. */
  options(have: readonly Passkey[]): object;
  /** The passkey that it made, once its answer was verified. */
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
  /** The error of a rejected form, shown above the page. */
  failed?: string;
}

export interface PageContent {
  title: string;
  body: Html;
  width?: Layout["width"];
  /** Scripts besides the shell's. */
  scripts?: readonly string[];
  /** The same elsewhere: curl, CLI, MCP. */
  snippets?: readonly Snippet[];
}

export type DownloadRow = Readonly<Record<string, string | null>>;

/** A file that the browser saves. */
export interface SavedFile {
  name: string;
  bytes: Readable;
}

/** A form with files, as it comes in. */
export interface SentForm {
  /** Those that stand before the first file. */
  fields: URLSearchParams;
  /** Of the whole form: no file of it is larger. */
  size: number;
  /** One after another, each to be kept before the next. */
  files: AsyncIterable<SentFile>;
}

export interface SentFile {
  /** With the folders it was in, if a folder was chosen. */
  name: string;
  bytes: AsyncIterable<Uint8Array>;
  /** Writes it to the file of an upload; answers its size. */
  keep(uploadId: string, most: number): Promise<number>;
}

export interface OwnerPage<V extends object> {
  /** `/dashboard/connections/{id}` */
  path: string;
  /** Which entry of the navigation it belongs to. */
  under: string;
  load(visit: Visit): Promise<V>;
  show(view: V, frame: PageFrame): PageContent;
  /** All that it shows a page of, as `.csv` or `.jsonl` at the end of its path; undefined when it shows no list. */
  rows?(visit: Visit): AsyncIterable<DownloadRow> | undefined;
  /** A form of the page; answers where to go then, the same with a way back, a file to save, or a view to show in its place: the form with its result. */
  post?(visit: Visit, form: URLSearchParams): Promise<string | Undoable | SavedFile | V>;
  /** The same with files (multipart/form-data). */
  upload?(visit: Visit, form: SentForm): Promise<string>;
}

/** Pages of all kinds in one table: what one loads, only itself shows. */
export type AnyOwnerPage = OwnerPage<object>;

export const ownerPage = <V extends object>(page: OwnerPage<V>): AnyOwnerPage => page as unknown as AnyOwnerPage;
