// For each importer, an export in its format with an attack in every string. SECURITY row 17 uses this table.
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
  /** Files by path. Their folder has a hostile name too. */
  files: Record<string, string | Uint8Array>;
  /** The folder's name, if the importer uses it. */
  folder?: string;
  answers?: Record<string, string>;
  /** The stream and field that contain every text of the corpus unchanged. */
  whole: readonly [stream: string, field: string];
  /** The account names in the export. If absent, the owner gives the connection a hostile name. */
  accounts?: readonly string[];
  /** Text fields that an export cannot control: digests, codes, numbers as text. */
  tame: readonly string[];
}

/** Exports by importer. test/house.test.ts fails if one is missing. */
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
