// The common form of a note from any app.
import type { Entry } from "../../entry.ts";

export const APPS = {
  keep: "Google Keep",
  evernote: "Evernote",
  joplin: "Joplin",
  bear: "Bear",
  dayone: "Day One",
  applenotes: "Apple Notes",
  journal: "Apple Journal",
} as const;
export type NoteApp = keyof typeof APPS;

/** A file that belongs to a note: next to it, inside the export, or only mentioned by name. */
export interface AppFile {
  name: string;
  entry?: Entry;
  inline?: { base64: string; type: string };
}

export interface AppNote {
  app: NoteApp;
  /**
   * The app's own id. If absent, the note is identified by `fallbackKey`, and also by its text if several notes have
   * the same fallback key.
   */
  id?: string;
  fallbackKey?: string;
  title?: string;
  body: string;
  format: "markdown" | "plain";
  created_at?: string;
  updated_at?: string;
  tags?: readonly string[];
  notebook?: string;
  url?: string;
  place?: { name?: string; latitude?: number; longitude?: number };
  is_pinned?: boolean;
  is_archived?: boolean;
  is_trashed?: boolean;
  files: readonly AppFile[];
  /** Parts of the note that were skipped, and the reason. */
  left?: readonly string[];
  offset?: number;
}

export type FoundNote = AppNote | { problem: string; offset?: number } | { skip: string; offset?: number };

/** Reads the notes in one entry. `beside` finds other entries of the same export by path. */
export type NoteReader = (entry: Entry, beside: (path: string) => Entry | undefined) => AsyncIterable<FoundNote>;

/** A record is limited to four megabytes, and its text is stored as JSON. */
export const NOTE_BYTES_MAX = 3 * 1024 * 1024;

/** Returns the first non-empty line, for a note without a title. */
export const firstLine = (text: string): string | undefined =>
  text
    .slice(0, 2000)
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(/^[#>*\-\s]+(?:\[[ x]\]\s)?/, "").trim())
    .find((line) => line !== "")
    ?.slice(0, 200);

/** Finds tags in the text: words after #, or `#two words#` in Bear. */
export function tagsIn(text: string): string[] {
  const found = text.matchAll(
    /(?:^|\s)#(?:([^\s#!?.,;:()[\]{}"'][^#\n]{0,98}[^\s#])#(?=[\s.,;:!?)]|$)|([\p{L}\p{N}_][\p{L}\p{N}_/-]{0,99}))/gu,
  );
  return [...new Set([...found].map(([, long, short]) => long ?? short!).filter((tag) => !/^\d+$/.test(tag)))];
}
