// Shows grants to people: the list, one grant in words with its use, and revocation.
import type { GrantSummary, GrantUse } from "../../../contract/grant.ts";
import type { GrantStatus } from "../../../contract/grant-status.ts";
import { UNUSED_GRANT } from "../../../contract/limits.ts";
import { accessSentence, endSentence, lowerFirst } from "../../../core/grant-sentence.ts";
import { identityMark, mayWords } from "../../../core/grant-words.ts";
import { localZone } from "../../../core/spoken-time.ts";
import { answer, type CommandContext, text, UsageError } from "../command.ts";
import { nextCommand } from "../next-command.ts";
import { printable } from "../printable.ts";
import { bytes, count, table } from "../table.ts";

const STATUSES = ["active", "paused", "revoked", "expired", "consumed"] as const satisfies readonly GrantStatus[];
const LINE_MAX = 4000;
const SENTENCE_MAX = 300;
const ENDED_BY = {
  owner: "by you",
  app: "by the app",
  reuse: "because one of its tokens was used twice: it may have been stolen",
};

export async function listGrants(context: CommandContext): Promise<number> {
  const { values } = context;
  const status = STATUSES.find((known) => known === text(values, "status"));
  if (values.status !== undefined && status === undefined)
    throw new UsageError(`--status must be one of ${STATUSES.join(", ")}, not ${JSON.stringify(values.status)}`);
  const query = { client_id: text(values, "client"), status };
  const body = await context.call("grants", query);
  const filtered = query.client_id !== undefined || status !== undefined;
  const none = filtered ? "No matching grants." : "No grants yet. `pdpp grants issue --all` issues one.";
  answer(
    context,
    body,
    ({ data }) =>
      data.length === 0
        ? none
        : table(
            ["grant", "app", "identity", "status", "may see", "until", "last used", "records"],
            data.map(summaryRow),
            {
              // The end of the sentence says what the grant excludes, so it must not be truncated.
              cellMax: SENTENCE_MAX,
            },
          ),
    ({ data }) => {
      const sleeper = data.find((row) => row.sleeping);
      return sleeper === undefined
        ? undefined
        : `Unused: not used for ${UNUSED_GRANT.unusedDays} days, or not at all in the first ${UNUSED_GRANT.neverUsedDays} days. Revoke one: ${nextCommand(context, ["grants", "revoke", sleeper.grant.grant_id])}`;
    },
  );
  return 0;
}

function summaryRow({ grant, status, sleeping, words, use, last_used_at, grant_package_id }: GrantSummary): string[] {
  const id = grant_package_id === undefined ? grant.grant_id : `${grant.grant_id} (of ${grant_package_id})`;
  const state = sleeping ? `${status}, sleeping` : status;
  const app = words.verified_host ?? `“${words.app}”`;
  const identity = identityMark(words.verified_host);
  return [
    id,
    app,
    identity,
    state,
    accessSentence(words.reads, localZone()),
    words.until,
    last_used_at ?? "never",
    String(use.records),
  ];
}

export async function showGrant(context: CommandContext, id: string): Promise<number> {
  const body = await context.call("grant", { id });
  answer(context, body, (found) => {
    if (found.object === "grant") return details(found, context);
    const package_ = [`${id}  ${count(found.grants.length, "grant")} together`, ...timeline(found.use)];
    return [...found.grants.map((grant) => details(grant, context)), `${package_.join("\n")}\n`].join("\n");
  });
  return 0;
}

function details(summary: GrantSummary, context: CommandContext): string {
  const { grant, status, sleeping, words, use, last_used_at, revoked_at, ended_by } = summary;
  const lines = [
    `${grant.grant_id}  ${status}${sleeping ? ", unused" : ""}${revoked_at === undefined ? "" : ` at ${revoked_at}`}${ended_by === undefined ? "" : `, ${ENDED_BY[ended_by]}`}`,
    `  app        ${appWords(summary)}`,
    `  identity   ${identityMark(words.verified_host)}`,
    `  purpose    ${printable(words.purpose, 600)}`,
    `  may see    ${printable(accessSentence(words.reads, localZone()), LINE_MAX)}, ${endSentence(grant, localZone())}`,
    `  issued     ${grant.issued_at}, ${words.until}`,
    `  last used  ${last_used_at ?? "never"}`,
    grant.files === undefined ? "  in detail" : "  may",
    ...words.reads.map(({ stream, connection, fields, time, filter, records, may }) => {
      if (may !== undefined) return `    ${printable(mayWords(may, connection), LINE_MAX)}`;
      const limits = [time, filter, records].filter((limit) => limit !== undefined);
      return `    ${printable(`${stream} of ${connection}: ${[fields, ...limits].join(", ")}`, LINE_MAX)}`;
    }),
    ...timeline(use),
    ...(status === "active" ? [`  revoke     ${nextCommand(context, ["grants", "revoke", grant.grant_id])}`] : []),
  ];
  return `${lines.join("\n")}\n`;
}

/** Returns the verified host, or the app's self-chosen name followed by its id. */
function appWords({ grant, words }: GrantSummary): string {
  const name = printable(words.app, 200);
  if (words.verified_host !== undefined) return `${printable(words.verified_host, 200)}, calls itself “${name}”`;
  return `“${name}” (${printable(grant.client.client_id, 200)})`;
}

function timeline({ calls, denied, records, bytes: size, streams, recent }: GrantUse): string[] {
  return [
    `  has read   ${count(records, "record")}, ${bytes(size)} in ${count(calls, "call")}; ${count(denied, "call")} denied`,
    ...streams.map(
      (row) =>
        `    ${printable(row.stream)} (${row.connection_id}): ${count(row.records, "record")}, ${bytes(row.bytes)} in ${count(row.reads, "read")}, last ${row.last_read_at ?? "never"}`,
    ),
    ...(recent.length === 0 ? [] : ["  last calls"]),
    ...recent.map(({ at, action, stream, asked, records: taken, outcome, request_id }) => {
      const what = [action, stream ?? asked?.stream].filter((word) => word !== undefined).join(" ");
      const result = outcome === "ok" ? count(taken, "record") : `${outcome}, ${request_id}`;
      return `    ${at}  ${printable(`${what}: ${result}`, LINE_MAX)}`;
    }),
  ];
}

function noLonger(reads: GrantSummary["words"]["reads"]): string {
  const sentence = accessSentence(reads, localZone());
  return reads.some(({ may }) => may) ? `can no longer ${lowerFirst(sentence)}` : `no longer sees: ${sentence}`;
}

export async function revokeGrant(context: CommandContext, id: string): Promise<number> {
  const before = await context.call("grant", { id });
  const body = await context.call("revokeGrant", { id });
  const others = await Promise.all((body.still_active ?? []).map((one) => context.call("grant", { id: one })));
  answer(context, body, ({ revoked }) => {
    const grants = before.object === "grant" ? [before] : before.grants;
    const reads = grants.flatMap(({ words }) => words.reads);
    const still = others.flatMap((other) => (other.object === "grant" ? [other] : []));
    return [
      `Revoked ${revoked.join(", ")}. The next request will be refused.`,
      `  ${printable(`${grants[0]!.words.app} ${noLonger(reads)}`, LINE_MAX)}`,
      ...still.map(
        ({ grant, words }) =>
          `  ${printable(`It can still see, under ${grant.grant_id}: ${accessSentence(words.reads, localZone())}`, LINE_MAX)}`,
      ),
      `Undo within a minute: ${nextCommand(context, ["grants", "undo", id])}`,
    ].join("\n");
  });
  return 0;
}
