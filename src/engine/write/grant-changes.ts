// Changes a grant: narrows or extends it, changes its expiry, pauses and resumes it, and undoes a revocation (V-07).
import { PdppError } from "../../contract/errors.ts";
import type { Grant, GrantChange, GrantedStream, GrantWords } from "../../contract/grant.ts";
import type { EditedSelection, GrantEdit, GrantSelection } from "../../contract/grant-request.ts";
import { newId } from "../../contract/ids.ts";
import { UNDO_REVOKE_MS } from "../../contract/limits.ts";
import { extendsGrants } from "../../core/grant-extent.ts";
import { grantStatusOf } from "../../core/grant-state.ts";
import { grantWords } from "../../core/grant-words.ts";
import { formatInstant, parseInstant } from "../../core/instant.ts";
import type { StreamShape } from "../../core/scope.ts";
import type { GrantRow } from "../../store/rows.ts";
import type { WriteView } from "../../store/store.ts";
import { requireRecentPassword } from "../authority/recent-password.ts";
import type { Caller } from "../caller.ts";
import { labelsOf } from "../read/grants.ts";
import { ownGrants, selectedStreams } from "./grants.ts";
import { requireConnection } from "./sources.ts";

const connectionOf = ({ streams }: Pick<Grant, "streams">): string => streams[0]!.instance_ids[0]!;

/** A change to the grants under one id: those that change, those that are new, and those that end. */
interface GrantChangePlan {
  changed: { row: GrantRow; grant: Grant }[];
  added: Grant[];
  ended: GrantRow[];
}

export async function editGrant(
  view: WriteView,
  caller: Caller,
  { id, selections, may, expires_in_seconds }: GrantEdit,
  now: number,
): Promise<GrantChange> {
  const rows = await validGrants(view, caller, id, now);
  const selected =
    selections === undefined
      ? undefined
      : selectedStreams(caller, selections, (shape, selection) => keepLimits(rows, shape, selection));
  if (selected !== undefined) requireEditable(id, rows, selected);
  if (may !== undefined && rows.some(({ grant }) => grant.files === undefined)) {
    throw new PdppError("invalid_request", "this grant is for records; only a files grant has powers", {
      param: "may",
      next_step: "Omit the may field, or use the selections field to choose what the grant reads.",
    });
  }
  const expires = (grant: Grant): Pick<Grant, "expires_at"> => {
    if (expires_in_seconds === undefined) return grant.expires_at === undefined ? {} : { expires_at: grant.expires_at };
    return expires_in_seconds === null ? {} : { expires_at: formatInstant(now + expires_in_seconds * 1000) };
  };
  const changedTo = ({ expires_at: _was, ...grant }: Grant, streams: GrantedStream[], was: Grant): Grant => ({
    ...grant,
    streams,
    ...(may === undefined ? {} : { files: { may } }),
    ...expires(was),
    changed_at: formatInstant(now),
  });
  const plan: GrantChangePlan = { changed: [], added: [], ended: [] };
  for (const row of rows) {
    const streams = selected === undefined ? row.grant.streams : selected.get(connectionOf(row.grant));
    if (streams === undefined) plan.ended.push(row);
    else plan.changed.push({ row, grant: changedTo(row.grant, streams, row.grant) });
  }
  const known = new Set(rows.map(({ grant }) => connectionOf(grant)));
  for (const [connectionId, streams] of selected ?? []) {
    if (!known.has(connectionId))
      plan.added.push(changedTo(grantFor(caller, connectionId, rows[0]!.grant), streams, rows[0]!.grant));
  }
  const after = [...plan.changed.map(({ grant }) => grant), ...plan.added];
  const before = rows.map(({ grant }) => grant);
  if (extendsGrants(before, after)) await requireRecentPassword(view, caller, now);
  return carryOut(view, caller, id, plan, now);
}

/**
 * Returns the selection, with the grant's current limits wherever the edit omits them. Otherwise an edit that omits a
 * limit would let the app see more. Null removes a limit.
 */
function keepLimits(rows: readonly GrantRow[], shape: StreamShape, edited: EditedSelection): GrantSelection {
  const held = rows
    .flatMap(({ grant }) => grant.streams)
    .find(({ name, instance_ids }) => name === shape.name && instance_ids.includes(shape.connectionId));
  const { fields, since, until, record_filter, resources, ...place } = edited;
  // A view replaces the fields. A field that the source no longer declares cannot be selected again.
  const kept = edited.view === undefined ? held?.fields.filter((name) => shape.fields.has(name)) : undefined;
  return {
    ...place,
    fields: limit(fields, kept),
    since: limit(since, held?.time_constraint?.since),
    until: limit(until, held?.time_constraint?.until),
    record_filter: limit(record_filter, held?.record_filter),
    resources: limit(resources, held?.resources),
  };
}

const limit = <T>(given: T | null | undefined, held: T | undefined): T | undefined =>
  given === undefined ? held : (given ?? undefined);

/** A package can gain and lose connections, but a single grant always covers its one connection. */
function requireEditable(id: string, rows: readonly GrantRow[], selected: ReadonlyMap<string, GrantedStream[]>): void {
  if (rows.some(({ grant }) => grant.files !== undefined)) {
    throw new PdppError("invalid_request", "this grant is for files; it has no streams", {
      param: "selections",
      next_step: "Use the parameter may to change its powers, or revoke it and issue another.",
    });
  }
  const connections = rows.map(({ grant }) => connectionOf(grant));
  if (new Set(connections).size < connections.length) {
    throw new PdppError("invalid_request", "two grants of this package read the same connection", {
      param: "id",
      next_step: "Edit each of them by its own id (GET /v1/grants lists them).",
    });
  }
  const other = [...selected.keys()].find((connection) => !connections.includes(connection));
  if (other !== undefined && rows[0]!.packageId !== id) {
    throw new PdppError("invalid_request", `this grant reads ${connections[0]}; it cannot read ${other} as well`, {
      param: "selections",
      next_step: "Connect the app again to give it another connection, or issue a second grant.",
    });
  }
}

function grantFor(caller: Caller, connectionId: string, like: Grant): Grant {
  const connection = requireConnection(caller, connectionId);
  const source = caller.catalog.sources.find((row) => row.sourceId === connection.sourceId)!;
  return {
    ...like,
    grant_id: newId("grant"),
    source: connection.source,
    source_declaration: { version: source.declaration.declaration_version },
  };
}

async function carryOut(
  view: WriteView,
  caller: Caller,
  id: string,
  { changed, added, ended }: GrantChangePlan,
  now: number,
): Promise<GrantChange> {
  const labels = labelsOf(caller.catalog);
  const host = changed[0]?.row.words?.verified_host ?? ended[0]?.words?.verified_host;
  const words = (grant: Grant): GrantWords => ({
    ...grantWords(grant, labels),
    ...(host === undefined ? {} : { verified_host: host }),
  });
  for (const { row, grant } of changed) {
    await view.changeGrant(grant, words(grant));
    const was = row.grant.expires_at;
    if (was === undefined || was === grant.expires_at) continue;
    const to = grant.expires_at === undefined ? null : parseInstant(grant.expires_at)!;
    await view.moveTokenExpiry(id, parseInstant(was)!, to);
  }
  for (const grant of added) await view.putGrant(caller.subjectId, grant, id, words(grant));
  for (const { grant } of ended) await view.revokeGrant(grant.grant_id, now, "owner");
  return {
    object: "grant_change",
    id,
    grants: [...changed.map(({ grant }) => grant), ...added],
    revoked: ended.map(({ grant }) => grant.grant_id),
  };
}

export async function pauseGrant(
  view: WriteView,
  caller: Caller,
  { id }: { id: string },
  now: number,
): Promise<GrantChange> {
  const rows = await validGrants(view, caller, id, now);
  return putChanged(view, id, rows, (grant) => ({ ...grant, paused_at: grant.paused_at ?? formatInstant(now) }));
}

export async function resumeGrant(
  view: WriteView,
  caller: Caller,
  { id }: { id: string },
  now: number,
): Promise<GrantChange> {
  const rows = await validGrants(view, caller, id, now);
  return putChanged(view, id, rows, ({ paused_at: _paused, ...grant }) => grant);
}

async function putChanged(
  view: WriteView,
  id: string,
  rows: readonly GrantRow[],
  change: (grant: Grant) => Grant,
): Promise<GrantChange> {
  const grants = rows.map(({ grant }) => change(grant));
  for (const [index, grant] of grants.entries()) await view.changeGrant(grant, rows[index]!.words);
  return { object: "grant_change", id, grants, revoked: [] };
}

/** Undoes the owner's last revocation. The grant's tokens become valid again. */
export async function restoreGrant(
  view: WriteView,
  caller: Caller,
  { id }: { id: string },
  now: number,
): Promise<GrantChange> {
  const rows = await ownGrants(view, caller, id);
  const undoable = rows.filter(
    ({ endedBy, revokedAt }) => endedBy === "owner" && revokedAt !== null && now - revokedAt <= UNDO_REVOKE_MS,
  );
  if (undoable.length === 0) {
    throw new PdppError("invalid_request", `you did not revoke ${id} within the last minute`, {
      param: "id",
      next_step: "Connect the app again, or issue a new grant.",
    });
  }
  const last = Math.max(...undoable.map(({ revokedAt }) => revokedAt!));
  const restored = undoable.filter(({ revokedAt }) => revokedAt === last);
  for (const { grant } of restored) await view.restoreGrant(grant.grant_id);
  return { object: "grant_change", id, grants: restored.map(({ grant }) => grant), revoked: [] };
}

/** Returns active or paused grants. Ended ones stay ended. */
async function validGrants(view: WriteView, caller: Caller, id: string, now: number): Promise<GrantRow[]> {
  const rows = await ownGrants(view, caller, id);
  const valid = rows.filter((row) => ["active", "paused"].includes(grantStatusOf(row, now)));
  if (valid.length > 0) return valid;
  throw new PdppError("invalid_request", `${id} has ended; only a valid grant can be changed`, {
    param: "id",
    next_step: "Connect the app again, or issue a new grant.",
  });
}
