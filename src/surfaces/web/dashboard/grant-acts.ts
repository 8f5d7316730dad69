// The buttons of apps and grants: revoke, pause, resume and undo. The next page shows the effect (V-07).
import { PdppError } from "../../../contract/errors.ts";
import type { GrantSummary } from "../../../contract/grant.ts";
import { UNDO_REVOKE_MS } from "../../../contract/limits.ts";
import type { Visit } from "../owner-page.ts";
import type { ReadWords } from "../pages/receipt.ts";
import { appNames, grantsOf, isValid, lastUse } from "./app-grants.ts";

const ACTS = {
  revoke: { call: "revokeGrant", done: "revoked" },
  pause: { call: "pauseGrant", done: "paused" },
  resume: { call: "resumeGrant", done: "resumed" },
  undo: { call: "restoreGrant", done: "restored" },
} as const;

export interface GrantEffect {
  done: (typeof ACTS)[keyof typeof ACTS]["done"] | "changed";
  /** The app's name. */
  name: string;
  /** The ids of the changed grants or packages. */
  ids: readonly string[];
  reads: readonly ReadWords[];
  lastUsedAt?: string;
  records: number;
  /** A revocation can be undone until this time. */
  undoUntil?: string;
  /** Other active grants of the same app, or of an app with the same name. */
  still: readonly { id: string; name: string; reads: readonly ReadWords[] }[];
}

/**
 * Changes a grant or a package by its id, or all valid grants of an app. Returns the address where the effect is shown.
 */
export async function changeGrants(visit: Visit, form: URLSearchParams, back: string): Promise<string> {
  const { call, done } = ACTS[(form.get("do") ?? "revoke") as keyof typeof ACTS] ?? ACTS.revoke;
  const clientId = form.get("client_id");
  const ids = clientId === null ? form.getAll("id") : await validIds(visit, clientId);
  const changed = new URLSearchParams();
  try {
    for (const id of new Set(ids)) {
      await visit.act(call, { id });
      changed.append("id", id);
    }
  } catch (error) {
    if (!(error instanceof PdppError) || error.code !== "not_found") throw error;
  }
  return changed.size === 0 ? `${back}?done=gone` : `${back}?done=${done}&${changed}`;
}

async function validIds(visit: Visit, clientId: string): Promise<string[]> {
  const grants = await grantsOf(visit);
  return grants
    .filter((one) => one.grant.client.client_id === clientId && isValid(one))
    .map(({ grant, grant_package_id }) => grant_package_id ?? grant.grant_id);
}

const idOf = ({ grant, grant_package_id }: GrantSummary): string => grant_package_id ?? grant.grant_id;

/** Returns the effect that an address describes, if the grants are still in that state. */
export function effectOf(
  search: URLSearchParams,
  grants: readonly GrantSummary[],
  now: number,
): GrantEffect | "nothing" | undefined {
  const done = search.get("done");
  if (done === "gone") return "nothing";
  if (!isDone(done)) return undefined;
  const ids = new Set(search.getAll("id"));
  const meant = grants.filter((one) => ids.has(one.grant.grant_id) || ids.has(one.grant_package_id ?? ""));
  const changed = meant.filter((one) => isIn(one, done));
  if (changed.length === 0) return "nothing";
  const names = appNames(grants);
  const undoEnds = Math.min(...changed.map(({ revoked_at }) => Date.parse(revoked_at ?? "") + UNDO_REVOKE_MS));
  return {
    done,
    name: names.get(changed[0]!.grant.client.client_id)!,
    ids: [...ids],
    reads: changed.flatMap(({ words }) => words.reads),
    ...lastUse(changed),
    records: changed.reduce((sum, { use }) => sum + use.records, 0),
    ...(done === "revoked" && undoEnds > now ? { undoUntil: new Date(undoEnds).toISOString() } : {}),
    still: done === "revoked" || done === "paused" ? stillActive(grants, changed, names) : [],
  };
}

const isDone = (text: string | null): text is GrantEffect["done"] =>
  text === "changed" || Object.values(ACTS).some(({ done }) => done === text);

function isIn({ status, ended_by }: GrantSummary, done: GrantEffect["done"]): boolean {
  if (done === "revoked") return ended_by === "owner";
  if (done === "changed") return status === "active" || status === "paused";
  return done === "paused" ? status === "paused" : status === "active";
}

/** Compares by name too, because each registration of an app has its own id. */
function stillActive(
  grants: readonly GrantSummary[],
  changed: readonly GrantSummary[],
  names: ReadonlyMap<string, string>,
): GrantEffect["still"] {
  const clients = new Set(changed.map(({ grant }) => grant.client.client_id));
  const called = new Set(changed.map(({ words }) => words.app));
  const active = grants.filter(
    (one) =>
      one.status === "active" &&
      !changed.includes(one) &&
      (clients.has(one.grant.client.client_id) || called.has(one.words.app)),
  );
  return [...Map.groupBy(active, idOf)].map(([id, own]) => ({
    id,
    name: names.get(own[0]!.grant.client.client_id)!,
    reads: own.flatMap(({ words }) => words.reads),
  }));
}
