// Every importer, by the source it fills.
import type { Importer } from "../importer.ts";

export const IMPORTERS: readonly Importer[] = [];
