// pdpp import recognition: shows the progress of text recognition in imported files, pauses, resumes or runs it, and
// includes or excludes photos.

import type { RecognitionRead } from "../../../contract/recognition.ts";
import { homeObjects, openObjects } from "../../../engine/objects-place.ts";
import { readAttachedText } from "../../../files/attached/attached-text.ts";
import { installedRecognition, recognitionWords } from "../../../files/sync/text/recognition.ts";
import { answer, type CommandContext, UsageError } from "../command.ts";
import { progress } from "../progress.ts";
import { count } from "../table.ts";
import { INTERRUPTED, interrupted } from "./import-paths.ts";

const CHANGES: Record<string, { paused?: boolean; photos?: boolean }> = {
  pause: { paused: true },
  resume: { paused: false },
  "photos on": { photos: true },
  "photos off": { photos: false },
};

export async function recognition(context: CommandContext, rest: readonly string[]): Promise<number> {
  const word = rest.join(" ");
  if (word === "run") return run(context);
  const change = word === "" ? undefined : CHANGES[word];
  if (word !== "" && change === undefined)
    throw new UsageError("pdpp import recognition takes run, pause, resume, photos on or photos off");
  const state =
    change === undefined ? await context.call("recognition", {}) : await context.call("putRecognition", change);
  answer(context, state, lines);
  return 0;
}

const lines = ({ paused, photos, looked_at, found, waiting, note }: RecognitionRead): string =>
  [
    `${paused ? "Paused" : "On"}: scans, screenshots and PDFs${photos ? ", and photos" : "; photos are skipped (`photos on` includes them)"}.`,
    `Checked ${count(looked_at, "record")} with files and found text in ${found}; ${waiting} remaining.`,
    note ?? recognitionWords(),
  ].join("\n");

async function run(context: CommandContext): Promise<number> {
  const { host, credential, objects, home } = await context.connect();
  const installed = installedRecognition();
  if (home === undefined)
    throw new UsageError("a running server recognises text automatically; run is for a home without a server (--home)");
  if (installed === undefined) throw new UsageError(recognitionWords());
  const { signal, end } = interrupted();
  const line = progress({ lines: true });
  try {
    const done = await readAttachedText({
      host,
      credential,
      objects: openObjects(objects ?? homeObjects(home)),
      recognition: installed,
      signal,
      onProgress: ({ looked, found }) =>
        line(`Checked ${count(looked, "record")} with files and found text in ${found}`),
    });
    line(undefined);
    const state = await context.call("recognition", {});
    answer(context, { ...state, ...done }, () => lines(state));
    return signal.aborted ? INTERRUPTED : 0;
  } finally {
    end();
  }
}
