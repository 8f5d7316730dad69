// Approved roots in the files lens: which ones a caller may open, and what it may do there.
import { PdppError } from "../contract/errors.ts";
import { FILE_POWERS, FILES_SOURCE, FILES_STREAM, type FilePower } from "../contract/file-access.ts";
import type { OpenRoot } from "../contract/file-calls.ts";
import { isOwner, type Scope, type ScopeRow, type StreamShape } from "./scope.ts";
import { whyNotPower, whyNotRoot } from "./why.ts";

const isRoot = ({ source, name }: StreamShape): boolean => source.id === FILES_SOURCE.id && name === FILES_STREAM;

/** Returns every approved root, sorted by path. */
export const rootsIn = (streams: readonly StreamShape[]): StreamShape[] => streams.filter(isRoot).sort(byPath);

function byPath(one: StreamShape, other: StreamShape): number {
  const [a, b] = [one, other].map(({ displayName, connectionId }) => `${displayName}\n${connectionId}`) as [
    string,
    string,
  ];
  return a < b ? -1 : 1;
}

/** Returns powers in the order in which they are always listed; every other power includes `navigate`. */
export const allPowers = (may: readonly FilePower[]): FilePower[] =>
  FILE_POWERS.filter((power) => power === "navigate" || may.includes(power));

/** Finds roots by connection_id or path, ignoring a trailing slash. */
export function rootsNamed(roots: readonly StreamShape[], named: string): StreamShape[] {
  const path = withoutSlash(named);
  return roots.filter(({ connectionId, displayName }) => connectionId === named || withoutSlash(displayName) === path);
}

const withoutSlash = (path: string): string => path.replace(/(?<=.)\/+$/, "");

/** Returns the roots that this caller can open now. */
export function fileRoots({ rows }: Scope): OpenRoot[] {
  return rootRows(rows).map((row) => ({
    connection_id: row.stream.connectionId,
    path: row.stream.displayName,
    ...(row.grantId === undefined ? {} : { grant_id: row.grantId }),
    may: powersOf(row),
  }));
}

const rootRows = (rows: readonly ScopeRow[]): ScopeRow[] =>
  rows.filter(({ stream }) => isRoot(stream)).sort((one, other) => byPath(one.stream, other.stream));

/** The owner has every power. */
const powersOf = (row: ScopeRow): readonly FilePower[] => (row.grantId === undefined ? FILE_POWERS : (row.may ?? []));

/** A root that is not granted causes the same error as one that does not exist. */
export function rootRow(scope: Scope, connectionId: string): ScopeRow {
  const row = rootRows(scope.rows).find(({ stream }) => stream.connectionId === connectionId);
  if (row !== undefined) return row;
  throw new PdppError("root_not_allowed", `there is no root ${JSON.stringify(connectionId)} that you can read`, {
    param: "connection_id",
    ...(isOwner(scope) ? {} : { why: whyNotRoot(scope, connectionId) }),
  });
}

/** Checks the given root. Without a connection_id, it is enough that any root allows the power. */
export function requirePower(scope: Scope, power: FilePower, connectionId?: string): void {
  const rows = connectionId === undefined ? rootRows(scope.rows) : [rootRow(scope, connectionId)];
  if (isOwner(scope) || rows.some((row) => powersOf(row).includes(power))) return;
  throw new PdppError("insufficient_scope", `this grant may not ${power} here`, {
    why: whyNotPower(scope, rows, power),
    next_step: `Continue without it, or ask the owner for a grant that may ${power}: sign in again at /files/mcp, or \`pdpp grants issue --files --may ${power}\`.`,
  });
}
