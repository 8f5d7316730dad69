// Plans each group: its importer looks at a sample of the entries.
import { createHash } from "node:crypto";
import type { LeftOut } from "../../contract/import-request.ts";
import { answersFor, withGroupNames } from "../answers.ts";
import { placeName } from "../batcher.ts";
import type { Entry } from "../entry.ts";
import type { ImportAnswers, PlannedStream } from "../importer.ts";
import type { PlannedGroup, PlanTask } from "../messages.ts";
import type { Recognised, RecognisedGroup } from "../recognise.ts";
import { SECRETS_ADVICE, SECRETS_ANSWER } from "../secrets.ts";
import { reasonOf } from "../walk.ts";
import type { Reporter } from "./reporter.ts";
import { watchedEntry } from "./watched-entry.ts";

export async function planGroups(
  { groups, left }: Recognised,
  { answers, broken: unreadable }: PlanTask,
  report: Reporter,
): Promise<{ groups: PlannedGroup[]; left: LeftOut[] }> {
  const planned: PlannedGroup[] = [];
  const broken: LeftOut[] = [];
  for (const group of groups) {
    const { id, importer, reason, input, secrets } = group;
    if (secrets !== undefined && ownAnswers(group, answers)[SECRETS_ANSWER.id] !== SECRETS_ANSWER.value) {
      const why = { reason: `it contains ${secrets}`, advice: SECRETS_ADVICE };
      broken.push(...input.entries.map(({ path }) => ({ path, ...why })));
      continue;
    }
    try {
      const readable = input.entries.filter(({ path }) => !unreadable.includes(path));
      if (readable.length === 0) continue;
      const entries = readable.map((entry) => lookedAt(watchedEntry(entry, report)));
      const plan = await importer.plan({ ...input, entries }, ownAnswers(group, answers));
      planned.push({
        questions: [],
        warnings: [],
        ...plan,
        streams: plan.streams.map((stream) => withFiles(stream, input.entries)),
        group: id,
        importer: importer.name,
        reason,
        name: input.name,
        files: input.entries.length,
        bytes: input.entries.reduce((sum, { size }) => sum + Math.max(0, size), 0),
        fingerprint: fingerprint(group),
        ...(await contentOf(group)),
        snapshotOf: importer.snapshotOf ?? [],
      });
    } catch (error) {
      broken.push(
        ...input.entries.map(({ path }) => ({ path, reason: `${reason}: ${reasonOf(error)}`, failed: true as const })),
      );
    }
  }
  return { groups: withGroupNames(planned), left: [...left, ...broken] };
}

/** As many files as a report lists. Those with the most records are shown. */
const FILES_MAX = 1000;

/** If there is only one file, the estimate is that file's. */
function withFiles({ files, ...stream }: PlannedStream, entries: readonly Entry[]): PlannedStream {
  const { count } = stream;
  const own = files ?? (count === undefined || entries.length > 1 ? [] : [{ path: entries[0]!.path, count }]);
  const named = own
    .filter((file) => file.count > 0)
    .sort((one, other) => other.count - one.count)
    .slice(0, FILES_MAX)
    .map((file) => ({ ...file, path: placeName(file.path) }));
  return named.length === 0 ? stream : { ...stream, files: named };
}

export const ownAnswers = ({ importer, input }: RecognisedGroup, answers: ImportAnswers): ImportAnswers =>
  answersFor({ importer: importer.name, name: input.name }, answers);

function fingerprint({ input }: RecognisedGroup): string {
  const hash = createHash("sha256");
  for (const { path, size, modifiedAt } of input.entries) hash.update(JSON.stringify([path, size, modifiedAt]));
  return hash.digest("base64url").slice(0, 22);
}

/** Computing digests of more data would take longer than people are willing to wait for a plan. */
const CONTENT_BYTES_MAX = 2 * 1024 ** 3;

/** Combines the digests of the files on disk. Each is computed only once, and records contain the same digests. */
async function contentOf({ input }: RecognisedGroup): Promise<Pick<PlannedGroup, "content">> {
  if (input.entries.reduce((sum, { size }) => sum + Math.max(0, size), 0) > CONTENT_BYTES_MAX) return {};
  const hash = createHash("sha256");
  for (const { path, size, digest } of input.entries) {
    if (digest === undefined) return {};
    hash.update(JSON.stringify([path, size, await digest()]));
  }
  return { content: hash.digest("base64url") };
}

/**
 * A plan uses what can be read, so that one truncated entry does not exclude its whole group. The run reports the
 * truncation.
 */
const lookedAt = (entry: Entry): Entry => ({
  ...entry,
  async *open(options) {
    try {
      yield* entry.open(options);
    } catch {
      // The part that was read so far is enough for a plan.
    }
  },
});
