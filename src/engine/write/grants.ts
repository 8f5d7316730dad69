// Issues and revokes grants. grant-changes.ts changes them.
import { PdppError } from "../../contract/errors.ts";
import type { Grant, GrantedStream, IssuedGrant, Revocation } from "../../contract/grant.ts";
import type { EditedSelection, GrantRequest, GrantSelection } from "../../contract/grant-request.ts";
import { newId, newToken } from "../../contract/ids.ts";
import { GRANT_VERSION, UNDO_REVOKE_MS } from "../../contract/limits.ts";
import { audienceOf, grantStatusOf } from "../../core/grant-state.ts";
import { appName, grantWords } from "../../core/grant-words.ts";
import { formatInstant, parseInstant } from "../../core/instant.ts";
import { filterFieldsOf, resolvedFilter } from "../../core/record-filter.ts";
import type { StreamShape } from "../../core/scope.ts";
import { alwaysOf } from "../../core/stream-parts.ts";
import type { GrantRow } from "../../store/rows.ts";
import type { ReadView, WriteView } from "../../store/store.ts";
import { type Caller, hashToken } from "../caller.ts";
import { grantNotFound, labelsOf } from "../read/grants.ts";
import { grantedPowers, selectedRoots } from "./file-grants.ts";
import { requireConnection } from "./sources.ts";

/** A single-use grant yields only one token. By default, the grant expires after an hour. */
const SINGLE_USE_SECONDS = 3600;

export async function issueGrant(
  view: WriteView,
  caller: Caller,
  request: GrantRequest,
  now: number,
): Promise<IssuedGrant> {
  const { files } = request;
  const perConnection =
    files === undefined
      ? selectedStreams(caller, requestedSelections(caller, request), (_shape, selection) => selection)
      : selectedRoots(caller, files);
  const clientName = request.client_name ?? "pdpp";
  const clientId = newId("client");
  const accessMode = request.access_mode ?? "continuous";
  const seconds = request.expires_in_seconds ?? (accessMode === "single_use" ? SINGLE_USE_SECONDS : undefined);
  const expiresAt = seconds === undefined ? null : now + seconds * 1000;
  const grants = [...perConnection].map(([connectionId, streams]): Grant => {
    const connection = requireConnection(caller, connectionId);
    const source = caller.catalog.sources.find((row) => row.sourceId === connection.sourceId)!;
    return {
      version: GRANT_VERSION,
      grant_id: newId("grant"),
      issued_at: formatInstant(now),
      subject: { id: caller.subjectId },
      client: { client_id: clientId, client_display: { name: clientName } },
      source: connection.source,
      source_declaration: { version: source.declaration.declaration_version },
      purpose_code: "https://pdpp.dev/purpose/personal_assistance",
      ...(request.purpose_description === undefined ? {} : { purpose_description: request.purpose_description }),
      access_mode: accessMode,
      streams,
      ...(files === undefined ? {} : { files: grantedPowers(files) }),
      ...(expiresAt === null ? {} : { expires_at: formatInstant(expiresAt) }),
    };
  });
  const packageId = grants.length > 1 ? newId("package") : null;
  const token = newToken("client");
  await view.putClient(caller.subjectId, clientId, clientName, now);
  const labels = labelsOf(caller.catalog);
  for (const grant of grants) {
    await view.putGrant(caller.subjectId, grant, packageId, grantWords(grant, labels));
    // A single-use grant yields no second token.
    if (accessMode === "single_use") await view.consumeGrant(grant.grant_id, now);
  }
  const grantId = packageId === null ? grants[0]!.grant_id : null;
  await view.putToken(
    hashToken(token),
    {
      kind: "client",
      subjectId: caller.subjectId,
      grantId,
      packageId,
      expiresAt,
      audience: audienceOf(grants[0]!),
      label: null,
    },
    now,
  );
  return {
    access_token: token,
    token_type: "Bearer",
    ...(packageId === null ? { grant_id: grantId! } : { grant_package_id: packageId }),
    grants,
    ...(expiresAt === null ? {} : { expires_at: formatInstant(expiresAt) }),
  };
}

function requestedSelections(caller: Caller, { all, selections }: GrantRequest): GrantSelection[] {
  const found = all
    ? caller.catalog.connections.map(({ connectionId }) => ({ connection_id: connectionId }))
    : (selections ?? []);
  if (found.length > 0) return found;
  throw new PdppError("invalid_request", all ? "there are no connections yet" : "a grant must say what it can read", {
    param: "selections",
    next_step: all
      ? "Add data first: register a source (PUT /v1/connectors/KEY) and create a connection (POST /v1/connections)."
      : "Choose a connection_id (GET /v1/connections lists them), or set all.",
  });
}

/**
 * One grant per connection, so that each can be revoked separately. `limits` returns the selection with the limits of
 * one stream.
 */
export function selectedStreams<Selection extends EditedSelection>(
  caller: Caller,
  selections: readonly Selection[],
  limits: (shape: StreamShape, selection: Selection) => GrantSelection,
): Map<string, GrantedStream[]> {
  const found = new Map<string, GrantedStream[]>();
  for (const selection of selections) {
    requireConnection(caller, selection.connection_id);
    const streams = caller.catalog.streams.filter(
      (shape) =>
        shape.connectionId === selection.connection_id &&
        (selection.stream === undefined || shape.name === selection.stream),
    );
    if (streams.length === 0) {
      throw new PdppError("not_found", `no stream ${JSON.stringify(selection.stream)} in ${selection.connection_id}`, {
        param: "stream",
      });
    }
    const granted = streams.flatMap((shape) => resolveStream(shape, limits(shape, selection)) ?? []);
    const existing = found.get(selection.connection_id) ?? [];
    const twice = granted.find((stream) => existing.some((other) => other.name === stream.name));
    if (twice) throw new PdppError("invalid_request", `${twice.name} is selected twice`, { param: "stream" });
    found.set(selection.connection_id, [...existing, ...granted]);
  }
  for (const [connectionId, streams] of found) {
    if (streams.length > 0) continue;
    const filter = selections.find((one) => one.connection_id === connectionId)?.record_filter;
    throw filter === undefined || filter === null
      ? new PdppError("invalid_request", `no stream of ${connectionId} can be limited by time`, {
          param: "since",
        })
      : new PdppError("invalid_request", `no stream of ${connectionId} can be limited by ${filter.field} in this way`, {
          param: "record_filter",
          next_step:
            "Request one stream at a time; the error message then lists the fields by which that stream can be limited.",
        });
  }
  return found;
}

/**
 * Returns undefined if the selection covers a whole connection and this stream lacks the time or field that the
 * selection is limited by. The stream is then omitted.
 */
function resolveStream(shape: StreamShape, selection: GrantSelection): GrantedStream | undefined {
  const { declaration } = shape;
  const { record_filter: filter } = selection;
  const isFiled = filter === undefined || filterFieldsOf(shape).some(({ name }) => name === filter.field);
  if (selection.stream === undefined && !isFiled) return undefined;
  const timed = selection.since !== undefined || selection.until !== undefined;
  if (timed && declaration.consent_time_field === undefined) {
    if (selection.stream === undefined) return undefined;
    throw new PdppError("invalid_request", `${shape.name} has no consent time, so it cannot be limited by time`, {
      param: "since",
    });
  }
  const since = selection.since === undefined ? undefined : parseInstant(selection.since)!;
  const until = selection.until === undefined ? undefined : parseInstant(selection.until)!;
  if (since !== undefined && until !== undefined && since >= until) {
    throw new PdppError("invalid_request", "since must be before until", { param: "until" });
  }
  return {
    name: shape.name,
    instance_ids: [shape.connectionId],
    fields: resolveFields(shape, selection),
    ...(timed
      ? {
          time_constraint: {
            field: declaration.consent_time_field!,
            ...(selection.since === undefined ? {} : { since: selection.since }),
            ...(selection.until === undefined ? {} : { until: selection.until }),
          },
        }
      : {}),
    ...(filter === undefined ? {} : { record_filter: resolvedFilter(shape, filter) }),
    ...(selection.resources === undefined ? {} : { resources: selection.resources }),
  };
}

/** Keys and fields required by the schema are always included. */
function resolveFields(shape: StreamShape, { fields, view }: GrantSelection): string[] {
  if (fields !== undefined && view !== undefined) {
    throw new PdppError("invalid_request", "specify either fields or view, not both", { param: "view" });
  }
  const all = [...shape.fields.keys()];
  let chosen = fields;
  if (view !== undefined) {
    chosen = shape.declaration.views?.find((candidate) => candidate.id === view)?.fields;
    if (chosen === undefined)
      throw new PdppError("invalid_request", `${shape.name} has no view ${JSON.stringify(view)}`, { param: "view" });
  }
  if (chosen === undefined) return all;
  const unknown = chosen.find((name) => !shape.fields.has(name));
  if (unknown !== undefined) {
    throw new PdppError(
      "unknown_field",
      `${shape.name} has no field ${JSON.stringify(unknown)}; it has ${all.join(", ")}`,
      { param: "fields" },
    );
  }
  const always = alwaysOf(shape);
  return all.filter((name) => always.has(name) || chosen.includes(name));
}

/** Returns a grant by id, or every grant of a package. Any other id is not found. */
export async function ownGrants(view: ReadView, caller: Caller, id: string): Promise<GrantRow[]> {
  const single = await view.grant(id);
  const rows = single ? [single] : await view.grantsOfPackage(id);
  const own = rows.filter((row) => row.grant.subject.id === caller.subjectId);
  if (own.length === 0) throw grantNotFound(id);
  return own;
}

export async function revokeGrants(
  view: WriteView,
  caller: Caller,
  args: { id: string },
  now: number,
): Promise<Revocation> {
  const own = await ownGrants(view, caller, args.id);
  for (const { grant } of own) await view.revokeGrant(grant.grant_id, now, "owner");
  return {
    object: "revocation",
    id: args.id,
    revoked: own.map((row) => row.grant.grant_id),
    revoked_at: formatInstant(now),
    still_active: await stillActive(view, caller, own, now),
    undo_until: formatInstant(now + UNDO_REVOKE_MS),
  };
}

/**
 * An app that was connected twice can still read with its other grant. Apps are also matched by name, because each
 * registration has its own id.
 */
async function stillActive(
  view: ReadView,
  { subjectId }: Caller,
  revoked: readonly GrantRow[],
  now: number,
): Promise<string[]> {
  const ids = new Set(revoked.map(({ grant }) => grant.grant_id));
  const clients = new Set(revoked.map(({ grant }) => grant.client.client_id));
  const names = new Set(revoked.map(({ grant }) => appName(grant)));
  return (await view.unrevokedGrants(subjectId))
    .filter((row) => !ids.has(row.grant.grant_id) && grantStatusOf(row, now) === "active")
    .filter(({ grant }) => clients.has(grant.client.client_id) || names.has(appName(grant)))
    .map(({ grant }) => grant.grant_id);
}
