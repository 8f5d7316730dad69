// How much data there is, which apps read it, what is running, and what needs attention. The timeline and the
// connections page show this.
import type { Activity } from "../../../contract/activity.ts";
import type { ConnectorSetup } from "../../../contract/collect.ts";
import { isDenial } from "../../../contract/errors.ts";
import { FILES_CONNECTOR } from "../../../contract/file-access.ts";
import type { GrantSummary } from "../../../contract/grant.ts";
import type { ImportJob } from "../../../contract/import.ts";
import type { Visit } from "../owner-page.ts";
import { runAddress } from "./connectors/addresses.ts";
import { type Holding, latest, spanOfAll } from "./holdings.ts";
import type { Attention, Notices, Overview } from "./overview-view.ts";
import { aboutStoredData } from "./stored-data.ts";

const READS_SHOWN = 8;
const DAY_MS = 86_400_000;
/** Older imports are no longer shown as needing attention. */
const RECENT_MS = 7 * DAY_MS;
const ENDING_MS = 3 * DAY_MS;

/** Collects items that need the owner's attention, and running imports. */
export async function noticesOf({ look, now }: Pick<Visit, "look" | "now">): Promise<Notices> {
  const [log, grants, imports, setups, stored] = await Promise.all([
    look("activity", { actor: "app", limit: 100 }),
    look("grants", {}),
    look("imports", {}),
    look("connectorSetups", {}),
    aboutStoredData({ look }),
  ]);
  return {
    running: imports.data
      .filter(({ status }) => status === "running" || status === "queued")
      .map(({ import_id, name, status, progress }) => ({
        importId: import_id,
        name,
        status,
        bytes: progress.bytes,
        totalBytes: progress.total_bytes,
        records: progress.counts.imported,
      })),
    attention: [
      ...stored,
      ...setups.data.flatMap((setup) => aboutConnector(setup, now)),
      ...deniedLately(log.data, now),
      ...aboutGrants(grants.data, now),
      ...imports.data.flatMap((job) => aboutImport(job, now)),
    ],
  };
}

/** Collects figures about all connections, and the latest reads by apps. */
export async function overviewOf({ look }: Pick<Visit, "look">, held: readonly Holding[]): Promise<Overview> {
  const [log, grants] = await Promise.all([look("activity", { actor: "app", limit: 100 }), look("grants", {})]);
  const names = new Map(grants.data.map(({ grant, words }) => [grant.client.client_id, words.app]));
  const places = new Map(held.map(({ connectionId, name }) => [connectionId, name]));
  // A disk has more files than everything else has records, so files are counted separately.
  const [disks, personal] = [held.filter(isDisk), held.filter((one) => !isDisk(one))];
  const active = grants.data.filter(({ status }) => status === "active");
  return {
    records: recordsIn(personal),
    ...(disks.length === 0 ? {} : { files: recordsIn(disks) }),
    updatedAt: latest(held.flatMap(({ updatedAt }) => updatedAt ?? [])) ?? null,
    ...spanOfAll(personal),
    apps: new Set(active.map(({ grant }) => grant.client.client_id)).size,
    reads: [...Map.groupBy(log.data, ({ request_id }) => request_id).values()]
      .slice(0, READS_SHOWN)
      .map((lines) => readOf(lines, names, places)),
  };
}

const isDisk = ({ connectorKey }: Holding): boolean => connectorKey === FILES_CONNECTOR;

const recordsIn = (held: readonly Holding[]): number => held.reduce((sum, { records }) => sum + records, 0);

/** Summarises one app request, which may have a log entry for each stream that it read. */
function readOf(
  lines: readonly Activity[],
  names: ReadonlyMap<string, string>,
  places: ReadonlyMap<string, string>,
): Overview["reads"][number] {
  const { request_id, at, action, client_id, outcome } = lines[0]!;
  const from = lines.flatMap(({ stream, connection_id }) =>
    stream === undefined || connection_id === undefined
      ? []
      : `${stream} of ${places.get(connection_id) ?? connection_id}`,
  );
  return {
    requestId: request_id,
    at,
    app: names.get(client_id ?? "") ?? client_id ?? "an app",
    action,
    from,
    records: lines.reduce((sum, { records }) => sum + records, 0),
    denied: isDenial(outcome),
  };
}

function deniedLately(calls: readonly Activity[], now: number): Attention[] {
  const denied = calls.filter(({ outcome, at }) => isDenial(outcome) && now - Date.parse(at) < DAY_MS);
  if (denied.length === 0) return [];
  const one = denied.length === 1;
  const text = `${denied.length} ${one ? "app request was" : "app requests were"} denied in the last day.`;
  const href = one
    ? `/dashboard/why/${encodeURIComponent(denied[0]!.request_id)}`
    : "/dashboard/activity?outcome=denied";
  return [{ text, action: "See why", href }];
}

function aboutGrants(grants: readonly GrantSummary[], now: number): Attention[] {
  const sleeping = grants.filter((grant) => grant.status === "active" && grant.sleeping);
  const stolen = grants.filter(({ ended_by, revoked_at }) => ended_by === "reuse" && isRecent(revoked_at, now));
  const ending = grants.filter(({ grant, status }) => {
    const left = grant.expires_at === undefined ? Number.POSITIVE_INFINITY : Date.parse(grant.expires_at) - now;
    return status === "active" && left < ENDING_MS;
  });
  const apps = (list: readonly GrantSummary[]): string => [...new Set(list.map(({ words }) => words.app))].join(", ");
  return [
    ...(stolen.length === 0
      ? []
      : [
          {
            text: `A token belonging to ${apps(stolen)} was used twice and may have been stolen, so access was revoked.`,
          },
        ]),
    ...(sleeping.length === 0 ? [] : [{ text: `Access that has not been used for a long time: ${apps(sleeping)}.` }]),
    ...(ending.length === 0 ? [] : [{ text: `Access that ends within three days: ${apps(ending)}.` }]),
  ].map((found) => ({ ...found, action: "View apps", href: "/dashboard/apps" }));
}

function aboutImport({ import_id, name, status, updated_at, progress }: ImportJob, now: number): Attention[] {
  if (!isRecent(updated_at, now)) return [];
  const href = `/dashboard/import/${encodeURIComponent(import_id)}`;
  if (status === "failed") return [{ text: `The import of ${name} failed.`, action: "See what happened", href }];
  if (status === "paused") return [{ text: `The import of ${name} is paused.`, action: "Resume", href }];
  const { failed } = progress.counts;
  return failed === 0
    ? []
    : [
        {
          text: `${failed === 1 ? "1 item" : `${failed} items`} in ${name} could not be read.`,
          action: "See the report",
          href,
        },
      ];
}

function aboutConnector({ display_name, last_run: last }: ConnectorSetup, now: number): Attention[] {
  if (last === undefined || !isRecent(last.updated_at, now)) return [];
  const href = runAddress(last.run_id);
  if (last.question !== undefined)
    return [{ text: `${display_name} needs an answer: ${last.question.message}`, action: "Answer", href }];
  if (last.status !== "failed") return [];
  return [
    {
      text: `${display_name} could not be updated: ${last.error?.message ?? "no reason was given"}.`,
      action: "See what happened",
      href,
    },
  ];
}

const isRecent = (at: string | undefined, now: number): boolean => at !== undefined && now - Date.parse(at) < RECENT_MS;
