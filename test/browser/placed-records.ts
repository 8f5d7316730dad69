// Nora's location history and photos, imported into the demo home: records with a place, for the map and the photo grid.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openParser } from "../../src/collect/parser.ts";
import { runImport } from "../../src/collect/run.ts";
import { HOME_OWNER, type TestServer } from "../harness.ts";
import { placesExport } from "./location-history.ts";
import { photosExport } from "./photo-export.ts";

export async function addPlaces({ home, host }: TestServer): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "pdpp-places-"));
  for (const { key, files } of [placesExport(), photosExport()])
    for (const { path, content } of files()) {
      const file = join(folder, key, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
  const parser = openParser({ home, given: ["places", "photos"].map((key) => join(folder, key)) });
  try {
    for (const group of (await parser.plan({})).groups)
      await runImport({ host, credential: HOME_OWNER, parser, answers: {} }, group);
  } finally {
    await parser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
