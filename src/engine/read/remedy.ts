// Advice for the owner about a denied call: the exact command, or a note that there is nothing to allow.
import { ERRORS, type ErrorCode, isDenial } from "../../contract/errors.ts";
import type { FilePower } from "../../contract/file-access.ts";
import type { Grant, GrantedStream } from "../../contract/grant.ts";
import { WHY } from "../../contract/limits.ts";
import type { Why } from "../../contract/why.ts";
import { allPowers, rootsIn } from "../../core/file-roots.ts";
import { appName, filterWords } from "../../core/grant-words.ts";
import { issueCommand, issueFilesCommand } from "../../core/issue-command.ts";
import type { StreamShape } from "../../core/scope.ts";
import type { GrantRow } from "../../store/rows.ts";
import type { AuditRow } from "../../store/store.ts";
import type { Caller } from "../caller.ts";

export interface DeniedCall {
  entry: AuditRow;
  grants: readonly GrantRow[];
  why: Why | undefined;
  caller: Caller;
}

const STAYS =
  "issues a token for it. Or extend the grant that refused it: Apps in the dashboard, or `pdpp grants edit`.";

export function remedyFor(denied: DeniedCall): string {
  const { entry, why } = denied;
  if (!isDenial(entry.outcome))
    return `No grant needs to change: the request was not denied. ${generalStep(entry.outcome)}`;
  if (entry.actor === "owner" || why === undefined) return generalStep(entry.outcome);
  if (why.decided_by === "paused_at") {
    return `\`pdpp grants resume ${why.grant_package_id ?? why.grant_id}\` resumes it; the app needs no new token.`;
  }
  if (["revoked_at", "expires_at", "access_mode", "token", "grant_id"].includes(why.decided_by)) return renew(denied);
  switch (entry.outcome as ErrorCode) {
    case "root_not_allowed":
      return addRoot(denied);
    case "insufficient_scope":
      if (entry.asked?.power !== undefined) return addPower(denied, entry.asked.power);
      return "No grant can allow this: apps can only read. For your own tools, use an owner token: `pdpp owner token`.";
    case "field_not_granted":
      return widenFields(denied);
    case "grant_time_range_exceeded":
    case "not_found":
      return widenLine(denied);
    case "grant_stream_not_allowed":
    case "connection_not_found":
      return addStream(denied);
  }
  return generalStep(entry.outcome);
}

function widenFields({ entry, grants, why, caller }: DeniedCall): string {
  const { stream = "", connection_id = "", field = "" } = entry.asked ?? {};
  const shape = caller.catalog.streams.find((one) => one.connectionId === connection_id && one.name === stream);
  const [grant, line] = lineAt(grants, why, stream);
  if (!shape?.fields.has(field) || line === undefined) return `Nothing to allow: ${stream} has no field ${field}.`;
  const app = appName(grant!);
  const command = issueCommand({
    connectionId: connection_id,
    streams: [stream],
    app,
    line: { ...line, fields: [...line.fields, field] },
  });
  return `To allow it: \`${command}\` ${STAYS}`;
}

/** The command that removes the limits on time, values and records. */
function widenLine({ entry, grants, why }: DeniedCall): string {
  const { stream = "", connection_id = "" } = entry.asked ?? {};
  const [grant, line] = lineAt(grants, why, stream);
  if (line === undefined) return generalStep(entry.outcome);
  const command = issueCommand({
    connectionId: connection_id || line.instance_ids[0]!,
    streams: [stream],
    app: appName(grant!),
    line: { fields: line.fields },
  });
  return `To allow all of ${stream}: \`${command}\` ${STAYS}`;
}

function addStream({ entry, grants, caller }: DeniedCall): string {
  const { stream, connection_id } = entry.asked ?? {};
  const { streams, connections } = caller.catalog;
  if (connection_id !== undefined && !connections.some((row) => row.connectionId === connection_id))
    return `Nothing to allow: there is no connection ${connection_id}.`;
  const found = streams.filter(
    (shape) =>
      (stream === undefined || shape.name === stream) &&
      (connection_id === undefined || shape.connectionId === connection_id),
  );
  if (found.length === 0) return `Nothing to allow: there is no stream ${stream}.`;
  const limited = grants
    .flatMap(({ grant }) => grant.streams)
    .find((line) => line.name === stream && line.record_filter && line.instance_ids.includes(found[0]!.connectionId));
  if (limited !== undefined)
    return `The grant covers ${stream} only where ${filterWords(limited.record_filter!)}, but its source no longer declares that field as one that can limit a grant, so no record matches. Import the source again, or give the app another limit with \`pdpp grants edit\`.`;
  const app = grants[0] && appName(grants[0].grant);
  const ids = [...new Set(found.map((shape: StreamShape) => shape.connectionId))];
  const commands = ids.slice(0, WHY.closest).map((connectionId) => {
    const command = issueCommand({ connectionId, streams: stream === undefined ? [] : [stream], app });
    return `\`${command}\``;
  });
  return `To allow it: ${commands.join(", or ")} ${STAYS}`;
}

function addRoot({ entry, grants, caller }: DeniedCall): string {
  const { connection_id = "" } = entry.asked ?? {};
  const roots = rootsIn(caller.catalog.streams);
  if (!roots.some((shape) => shape.connectionId === connection_id))
    return `Nothing to allow: there is no root ${connection_id}.`;
  const { grant } = grants[0] ?? {};
  const command = issueFilesCommand([connection_id], grant?.files?.may ?? ["navigate"], grant && appName(grant));
  return `To allow it: \`${command}\` ${STAYS}`;
}

/** Adds the power for the root in question, or for all roots of the grant. */
function addPower({ entry, grants, why }: DeniedCall, power: FilePower): string {
  const meant = grants.filter(({ grant }) => why?.grant_id === undefined || grant.grant_id === why.grant_id);
  const [first] = meant;
  if (first === undefined) return generalStep(entry.outcome);
  const may = allPowers([...(first.grant.files?.may ?? []), power]);
  const command = issueFilesCommand(rootsOf(meant), may, appName(first.grant));
  return `To allow it: \`${command}\` ${STAYS}`;
}

const rootsOf = (grants: readonly Pick<GrantRow, "grant">[]): string[] =>
  grants.flatMap(({ grant }) => grant.streams.flatMap(({ instance_ids }) => instance_ids));

/** The command that issues the same grant again: whole streams together, limited ones separately. */
function renew({ entry, grants, why, caller }: DeniedCall): string {
  const { grant } = grants.find((row) => row.grant.grant_id === why?.grant_id) ?? grants[0] ?? {};
  if (grant === undefined) return generalStep(entry.outcome);
  const shown = `\`pdpp grants show ${grant.grant_id}\` shows what it read.`;
  const app = appName(grant);
  if (grant.files !== undefined) {
    return `${shown} To allow it again: \`${issueFilesCommand(rootsOf([{ grant }]), grant.files.may, app)}\`.`;
  }
  const whole = grant.streams.filter((line) => isWhole(line, caller));
  const commands = [
    ...[...Map.groupBy(whole, (line) => line.instance_ids[0]!)].map(([connectionId, lines]) =>
      issueCommand({ connectionId, streams: lines.map((line) => line.name), app }),
    ),
    ...grant.streams
      .filter((line) => !whole.includes(line))
      .map((line) => issueCommand({ connectionId: line.instance_ids[0]!, streams: [line.name], app, line })),
  ].slice(0, WHY.closest);
  return `${shown} To allow it again: ${commands.map((command) => `\`${command}\``).join(", and ")}.`;
}

function isWhole(
  { name, instance_ids, fields, time_constraint, record_filter, resources }: GrantedStream,
  { catalog }: Caller,
): boolean {
  const shape = catalog.streams.find((one) => one.name === name && one.connectionId === instance_ids[0]);
  const limits = [time_constraint, record_filter, resources];
  return limits.every((limit) => limit === undefined) && shape?.fields.size === fields.length;
}

/** The grant and stream that `why` refers to. */
function lineAt(grants: readonly GrantRow[], why: Why | undefined, stream: string): [Grant?, GrantedStream?] {
  const { grant } = grants.find((row) => row.grant.grant_id === why?.grant_id) ?? {};
  const number = /^streams\[(\d+)\]/.exec(why?.decided_by ?? "")?.[1];
  const line = number === undefined ? undefined : grant?.streams[Number(number)];
  return line?.name === stream ? [grant, line] : [];
}

const generalStep = (outcome: string): string =>
  Object.hasOwn(ERRORS, outcome) ? ERRORS[outcome as ErrorCode].next : ERRORS.api_error.next;
