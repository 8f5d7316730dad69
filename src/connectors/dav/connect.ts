// One run of a CalDAV or CardDAV connector, from START to DONE, over any two streams.
import type { Readable, Writable } from "node:stream";
import { idMaker } from "../../collect/record-ids.ts";
import { isObject } from "../common/channel.ts";
import { CollectFailure } from "../common/failure.ts";
import { type RunFrame, runOver } from "../common/run.ts";
import { scopeFrom } from "../common/scope.ts";
import { collectAccount, type DavWork } from "./collect.ts";
import { discoverCollections } from "./discover.ts";
import { isLoginRefusal, words } from "./failure.ts";
import type { DavKind } from "./kind.ts";
import { ledgerFrom, newLedger } from "./ledger.ts";
import { createClient, type DavClient } from "./request.ts";
import { askPassword, type DavSettings, secretForms, settingsFrom } from "./settings.ts";

export async function connectDav(
  kind: DavKind,
  input: Readable,
  output: Writable,
  stop: AbortSignal,
  now = new Date(),
): Promise<void> {
  let url: URL | undefined;
  const own = (run: RunFrame): Promise<void> =>
    collect(kind, run, now, (settings) => {
      url = settings.url;
    });
  await runOver(input, output, stop, own, (error) => words(error, { url, what: kind.noun.many }));
}

async function collect(
  kind: DavKind,
  run: RunFrame,
  now: Date,
  onSettings: (settings: DavSettings) => void,
): Promise<void> {
  const { channel } = run;
  const start = await channel.start();
  const bindings = isObject(start.bindings) ? start.bindings : {};
  const settings = settingsFrom(isObject(bindings.settings) ? bindings.settings : {}, kind.setting);
  onSettings(settings);
  const [first] = kind.streams;
  await channel.send({ type: "PROGRESS", message: `connecting to ${settings.url.host}` });
  if (start.collection_mode === "check")
    return signedIn(run, settings, async (client) => {
      const found = await discoverCollections(client, settings.url, kind);
      await channel.send({
        type: "PROGRESS",
        message: checkedWords(
          kind,
          settings,
          found.map(({ name }) => name),
        ),
      });
    });
  const cursors = isObject(start.state) && start.collection_mode !== "full_refresh" ? start.state : {};
  const scopes = kind.streams.flatMap(({ name, timeField }) => {
    const scope = scopeFrom(start.scope, name, timeField);
    return scope === undefined ? [] : [[name, scope] as const];
  });
  if (scopes.length === 0)
    throw new CollectFailure(
      `no stream was requested: this connector has the streams ${kind.streams.map(({ name }) => name).join(", ")}`,
    );
  const work: DavWork = {
    kind,
    settings,
    ledger: newLedger(),
    scopes: new Map(scopes),
    makeId: idMaker(typeof start.id_key === "string" ? start.id_key : undefined),
    now,
    send: (message) => channel.send(message),
  };
  await signedIn(run, settings, (client) =>
    collectAccount(client, { ...work, ledger: ledgerFrom(cursors[first!.name]) }),
  );
}

/**
 * If the password was changed and the owner is present, a new one can be entered at once. A second wrong password ends
 * the run.
 */
async function signedIn(
  run: RunFrame,
  settings: DavSettings,
  work: (client: DavClient) => Promise<void>,
): Promise<void> {
  for (let refusal: unknown; ; ) {
    const password = await askPassword(run.channel, settings, refusal !== undefined);
    if (password === undefined)
      throw refusal ?? new CollectFailure(`no password was given for ${settings.user} at ${settings.url.host}`);
    run.secrets.push(...secretForms(settings.user, password));
    const client = createClient(settings, password, run.stop);
    try {
      return await work(client);
    } catch (error) {
      if (!isLoginRefusal(error) || refusal !== undefined) throw error;
      refusal = error;
    } finally {
      client.close();
    }
  }
}

const NAMES_SHOWN = 5;

function checkedWords({ noun }: DavKind, { user, url }: DavSettings, names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN).join(", ");
  const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : "";
  return `Signed in to ${url.host} as ${user}: ${names.length} ${names.length === 1 ? noun.one : noun.many} (${shown}${more})`;
}
