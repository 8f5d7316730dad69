// Every importer, by the source it fills.
import type { Importer } from "../importer.ts";
import { bookmarksImporter } from "./bookmarks/importer.ts";

export const IMPORTERS: readonly Importer[] = [bookmarksImporter];
