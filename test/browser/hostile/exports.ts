// For each importer an export in its own format in which everything that is text attacks. SECURITY row 17 goes through this table.
import { agents, aiChats, browserHistory, github, media, slack, telegram, whatsapp, x } from "./accounts.ts";
import {
  bank,
  bookmarks,
  calendar,
  contacts,
  health,
  mail,
  notes,
  photos,
  shell,
  shelves,
  tables,
} from "./documents.ts";
import { googleActivity, kindle, noteApps, savedPages } from "./kept-things.ts";
import { discord, facebook, googleChat, imessage, instagram, signal, skype, sms } from "./messengers.ts";
import { bluesky, linkedin, mastodon, reddit } from "./networks.ts";
import { googleLocation, strava, tracks } from "./places.ts";

export interface HostileExport {
  /** By path; the folder around them has a hostile name, too. */
  files: Record<string, string | Uint8Array>;
  /** Of that folder, where the name says something. */
  folder?: string;
  answers?: Record<string, string>;
  /** Stream and field that hold every text of the corpus, letter by letter. */
  whole: readonly [stream: string, field: string];
  /** How the export itself names its accounts. Absent: the owner calls the connection something hostile. */
  accounts?: readonly string[];
  /** Fields of text into which no export can put words: digests, codes, numbers as text. */
  tame: readonly string[];
}

/** By importer. The house is not in order without one for each (test/house.test.ts). */
export const EXPORTS: Record<string, HostileExport> = {
  agents,
  "ai-chats": aiChats,
  bank,
  bluesky,
  bookmarks,
  "browser-history": browserHistory,
  calendar,
  contacts,
  discord,
  facebook,
  github,
  "google-chat": googleChat,
  "google-location": googleLocation,
  health,
  imessage,
  instagram,
  linkedin,
  "google-activity": googleActivity,
  kindle,
  mail,
  mastodon,
  media,
  "note-apps": noteApps,
  notes,
  photos,
  reddit,
  "saved-pages": savedPages,
  shell,
  shelves,
  signal,
  skype,
  slack,
  strava,
  sms,
  tables,
  telegram,
  tracks,
  whatsapp,
  x,
};
