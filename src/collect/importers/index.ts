// Every importer, by the source it fills.
import type { Importer } from "../importer.ts";
import { agentsImporter } from "./agents/importer.ts";
import { bookmarksImporter } from "./bookmarks/importer.ts";
import { calendarImporter } from "./calendar/importer.ts";
import { contactsImporter } from "./contacts/importer.ts";
import { mailImporter } from "./mail/importer.ts";

export const IMPORTERS: readonly Importer[] = [
  agentsImporter,
  bookmarksImporter,
  calendarImporter,
  contactsImporter,
  mailImporter,
];
