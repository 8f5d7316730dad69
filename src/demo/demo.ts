// The demo home: Nora Keane of Dublin, her sources, connections and records, the same on every machine.
import type { DemoConnection, DemoSource } from "./home.ts";
import { bank, bankConnections } from "./sources/bank.ts";
import { calendar, calendarConnections } from "./sources/calendar.ts";
import { contacts, contactsConnections } from "./sources/contacts.ts";
import { journal, journalConnections } from "./sources/journal.ts";
import { listening, listeningConnections } from "./sources/listening.ts";
import { mail, mailConnections } from "./sources/mail.ts";
import { notes, notesConnections } from "./sources/notes.ts";
import { shopping, shoppingConnections } from "./sources/shopping.ts";
import { slack, slackConnections } from "./sources/slack.ts";
import { tasks, tasksConnections } from "./sources/tasks.ts";
import { whatsapp, whatsappConnections } from "./sources/whatsapp.ts";

export type { DemoConnection, DemoSource } from "./home.ts";

export interface DemoWorld {
  sources: DemoSource[];
  connections: DemoConnection[];
}

/**
 * Nothing is generated before a stream's `batches()` or `blobs()` is read; each connection generates once.
 *
 * @example
 * for (const connection of demoWorld().connections)
 *   for (const stream of connection.streams)
 *     for (const batch of stream.batches()) ingest(connection.key, stream.name, batch);
 */
export function demoWorld(): DemoWorld {
  return {
    sources: [mail, whatsapp, slack, calendar, contacts, notes, bank, shopping, listening, journal, tasks],
    connections: [
      ...mailConnections(),
      ...whatsappConnections(),
      ...slackConnections(),
      ...calendarConnections(),
      ...contactsConnections(),
      ...notesConnections(),
      ...bankConnections(),
      ...shoppingConnections(),
      ...listeningConnections(),
      ...journalConnections(),
      ...tasksConnections(),
    ],
  };
}
