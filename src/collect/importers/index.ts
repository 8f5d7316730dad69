// Every importer, by the source it fills.
import type { Importer } from "../importer.ts";
import { agentsImporter } from "./agents/importer.ts";
import { aiChatsImporter } from "./ai-chats/importer.ts";
import { bankImporter } from "./bank/importer.ts";
import { bookmarksImporter } from "./bookmarks/importer.ts";
import { browserHistoryImporter } from "./browser-history/importer.ts";
import { calendarImporter } from "./calendar/importer.ts";
import { contactsImporter } from "./contacts/importer.ts";
import { githubImporter } from "./github/importer.ts";
import { healthImporter } from "./health/importer.ts";
import { mailImporter } from "./mail/importer.ts";
import { mediaImporter } from "./media/importer.ts";
import { notesImporter } from "./notes/importer.ts";
import { photosImporter } from "./photos/importer.ts";
import { shellImporter } from "./shell/importer.ts";
import { shelvesImporter } from "./shelves/importer.ts";
import { slackImporter } from "./slack/importer.ts";
import { tablesImporter } from "./tables/importer.ts";
import { telegramImporter } from "./telegram/importer.ts";
import { whatsappImporter } from "./whatsapp/importer.ts";
import { xImporter } from "./x/importer.ts";

export const IMPORTERS: readonly Importer[] = [
  agentsImporter,
  aiChatsImporter,
  bookmarksImporter,
  browserHistoryImporter,
  calendarImporter,
  contactsImporter,
  githubImporter,
  mailImporter,
  mediaImporter,
  notesImporter,
  photosImporter,
  shelvesImporter,
  slackImporter,
  telegramImporter,
  whatsappImporter,
  xImporter,
  bankImporter,
  healthImporter,
  shellImporter,
  tablesImporter,
];
