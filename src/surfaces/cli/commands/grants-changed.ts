// pdpp grants edit, pause, resume and undo: change a grant and print the sentence that describes the result.
import { FILE_POWERS } from "../../../contract/file-access.ts";
import type { GrantSummary } from "../../../contract/grant.ts";
import type { EditedSelection } from "../../../contract/grant-request.ts";
import { accessSentence, endSentence } from "../../../core/grant-sentence.ts";
import { localZone } from "../../../core/spoken-time.ts";
import { answer, type CommandContext, duration, instant, list, text, UsageError } from "../command.ts";
import { nextCommand } from "../next-command.ts";
import { printable } from "../printable.ts";
import { recordFilterIn } from "../record-filter.ts";

type Limits = Omit<EditedSelection, "connection_id" | "stream">;

const LINE_MAX = 4000;

export async function editGrant(context: CommandContext, id: string): Promise<number> {
  const { values } = context;
  const limits: Limits = {
    fields: removes(values, "fields") ? null : list(values, "fields"),
    view: text(values, "view"),
    since: removes(values, "since") ? null : instant(values, "since"),
    until: removes(values, "until") ? null : instant(values, "until"),
    record_filter: removes(values, "filter") ? null : recordFilterIn(values),
    resources: removes(values, "resources") ? null : list(values, "resources"),
  };
  const [connections, streams] = [list(values, "connection"), list(values, "stream")];
  const narrows = [connections, streams, ...Object.values(limits)].some((value) => value !== undefined);
  const may = list(values, "may")?.map((word) => {
    const power = FILE_POWERS.find((known) => known === word);
    if (power === undefined)
      throw new UsageError(
        `--may takes a comma-separated list of ${FILE_POWERS.join(", ")}, not ${JSON.stringify(word)}`,
      );
    return power;
  });
  const expires = values.expires === "never" ? null : duration(values, "expires");
  if (!narrows && may === undefined && expires === undefined) {
    throw new UsageError(
      "nothing to change: specify --stream, --fields, --since, --until, --filter, --resources, --connection, --may or --expires",
    );
  }
  const found = await context.call("grant", { id });
  const present = found.object === "grant" ? [found] : found.grants.filter(({ status }) => status !== "revoked");
  const body = await context.call("editGrant", {
    id,
    ...(narrows ? { selections: selectionsOf(present, connections, streams, limits) } : {}),
    ...(may === undefined ? {} : { may }),
    ...(expires === undefined ? {} : { expires_in_seconds: expires }),
  });
  return showChanged(context, id, body, "Changed");
}

/** The word that removes a limit, by option. */
const REMOVES = { fields: "all", since: "none", until: "none", filter: "none", resources: "all" } as const;
const removes = (values: CommandContext["values"], option: keyof typeof REMOVES): boolean =>
  [values[option]].flat().join() === REMOVES[option];

/** The server keeps every limit for which no option is given. A stream that the grant does not include yet is added. */
function selectionsOf(
  grants: readonly GrantSummary[],
  connections: readonly string[] | undefined,
  streams: readonly string[] | undefined,
  limits: Limits,
): EditedSelection[] {
  const held = grants.flatMap(({ grant }) =>
    grant.streams.flatMap(({ name, instance_ids }) => instance_ids.map((id) => ({ connection_id: id, stream: name }))),
  );
  const wanted = connections ?? [...new Set(held.map(({ connection_id }) => connection_id))];
  return wanted.flatMap((connection_id) => {
    const own = held.filter((line) => line.connection_id === connection_id).map(({ stream }) => stream);
    const names = streams ?? (own.length === 0 ? [undefined] : own);
    return names.map((stream) => ({ connection_id, stream, ...limits }));
  });
}

export async function pauseGrant(context: CommandContext, id: string): Promise<number> {
  const body = await context.call("pauseGrant", { id });
  return showChanged(context, id, body, "Paused");
}

export async function resumeGrant(context: CommandContext, id: string): Promise<number> {
  const body = await context.call("resumeGrant", { id });
  return showChanged(context, id, body, "Resumed");
}

export async function restoreGrant(context: CommandContext, id: string): Promise<number> {
  const body = await context.call("restoreGrant", { id });
  return showChanged(context, id, body, "Undone: the grant is valid again.");
}

async function showChanged(context: CommandContext, id: string, body: object, done: string): Promise<number> {
  const found = await context.call("grant", { id });
  const grants = (found.object === "grant" ? [found] : found.grants).filter(({ status }) =>
    ["active", "paused"].includes(status),
  );
  const sentence = accessSentence(
    grants.flatMap(({ words }) => words.reads),
    localZone(),
  );
  const [first] = grants;
  answer(context, body, () => {
    const paused = first?.status === "paused";
    const app = first?.words.app ?? "the app";
    return [
      paused
        ? `${done} ${id}. The next request under it will be refused.`
        : done.endsWith(".")
          ? done
          : `${done} ${id}.`,
      `  ${printable(`${app} ${paused ? "sees nothing while paused; once resumed, it can see" : "may see"}: ${sentence}`, LINE_MAX)}`,
      ...(first === undefined ? [] : [`  ${endSentence(first.grant, localZone())}`]),
      ...(paused ? [`Resume it with: ${nextCommand(context, ["grants", "resume", id])}`] : []),
    ].join("\n");
  });
  return 0;
}
