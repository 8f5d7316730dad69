// The demo home (X-10, K-02): the files that Nora Keane of Dublin exported, the same on every machine.
import type { DemoExport } from "./home.ts";
import { bankExports } from "./sources/bank.ts";
import { booksExport } from "./sources/books.ts";
import { browsingExport } from "./sources/browsing.ts";
import { calendarExport } from "./sources/calendar.ts";
import { commandsExport } from "./sources/commands.ts";
import { contactsExport } from "./sources/contacts.ts";
import { healthExport } from "./sources/health.ts";
import { listeningExport } from "./sources/listening.ts";
import { locationsExport } from "./sources/locations.ts";
import { mailExports } from "./sources/mail.ts";
import { notesExport } from "./sources/notes.ts";
import { ordersExport } from "./sources/orders.ts";
import { photosExport } from "./sources/photos.ts";
import { postsExport } from "./sources/posts.ts";
import { repositoryExport } from "./sources/repository.ts";
import { slackExport } from "./sources/slack.ts";
import { walksExport } from "./sources/walks.ts";
import { whatsappExport } from "./sources/whatsapp.ts";

/**
 * @example
 * for (const { key, files } of demoExports()) for (const { path, content } of files()) writeFileSync(join(key, path), content);
 */
export const demoExports = (): DemoExport[] => [
  ...mailExports(),
  whatsappExport(),
  slackExport(),
  calendarExport(),
  contactsExport(),
  notesExport(),
  ...bankExports(),
  ordersExport(),
  listeningExport(),
  photosExport(),
  locationsExport(),
  walksExport(),
  healthExport(),
  postsExport(),
  browsingExport(),
  booksExport(),
  repositoryExport(),
  commandsExport(),
];
