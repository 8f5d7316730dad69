// One run of the connector, from START to DONE, over any two streams.

import type { Readable, Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { idMaker } from "../../collect/record-ids.ts";
import { type Channel, createChannel, isObject } from "./channel.ts";
import { type CollectWork, collectMailbox, STREAM } from "./collect.ts";
import { ledgerFrom } from "./cursor.ts";
import { CollectFailure, isLoginRefusal, isLost, redacted, words } from "./failure.ts";
import { CONNECTIONS_MAX, RETRY_MS } from "./limits.ts";
import { scopeFrom } from "./scope.ts";
import { openSession } from "./session.ts";
import { askSecret, type ImapSettings, type Secret, secretForms, settingsFrom } from "./settings.ts";

export async function connect(input: Readable, output: Writable, stop: AbortSignal): Promise<void> {
  const channel = createChannel(input, output);
  const run: ImapRun = { channel, stop, secrets: [] };
  const end = (status: "succeeded" | "failed" | "cancelled", message?: string): Promise<void> =>
    channel.end({
      type: "DONE",
      status,
      records_emitted: channel.records(),
      ...(message === undefined ? {} : { error: { message } }),
    });
  try {
    await Promise.race([collect(run), aborted(stop)]);
    await end("succeeded");
  } catch (error) {
    if (stop.aborted) return await end("cancelled");
    const place = run.settings ?? { host: "imap", port: 0, security: "tls" };
    await end("failed", redacted(words(error, place), run.secrets));
  }
}

interface ImapRun {
  channel: Channel;
  stop: AbortSignal;
  settings?: ImapSettings;
  /** What must not be told. */
  secrets: string[];
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });

async function collect(run: ImapRun): Promise<void> {
  const { channel } = run;
  const start = await channel.start();
  const scope = scopeFrom(start.scope, STREAM);
  const bindings = isObject(start.bindings) ? start.bindings : {};
  const settings = settingsFrom(isObject(bindings.settings) ? bindings.settings : {});
  run.settings = settings;
  await channel.send({ type: "PROGRESS", stream: STREAM, message: `connecting to ${settings.host}` });
  const cursors = isObject(start.state) && start.collection_mode !== "full_refresh" ? start.state : {};
  const work: CollectWork = {
    ledger: ledgerFrom(cursors[STREAM]),
    scope,
    folders: settings.folders,
    ...(settings.since === undefined ? {} : { since: settings.since }),
    send: (message) => channel.send(message),
    records: () => channel.records(),
    refused: new Set(),
    sinceState: 0,
    emittedAt: new Date().toISOString(),
    makeId: idMaker(typeof start.id_key === "string" ? start.id_key : undefined),
  };
  let secret = await secretFor(run, settings);
  if (secret === undefined)
    throw new CollectFailure(`nobody gave the password of ${settings.user} at ${settings.host}`);
  try {
    await collectWithRetries(run, settings, secret, work);
  } catch (error) {
    // A password that was changed can be told at once, if somebody is there; one more wrong one is the end.
    secret = isLoginRefusal(error) ? await secretFor(run, settings, true) : undefined;
    if (secret === undefined) throw error;
    await collectWithRetries(run, settings, secret, work);
  }
}

async function secretFor(
  { channel, secrets }: ImapRun,
  settings: ImapSettings,
  refused = false,
): Promise<Secret | undefined> {
  const secret = await askSecret(channel, settings, refused);
  if (secret !== undefined) secrets.push(...secretForms(secret, settings.user));
  return secret;
}

/** A lost connection is made again; what was written stays written. */
async function collectWithRetries(
  { channel, stop, secrets }: ImapRun,
  settings: ImapSettings,
  secret: Secret,
  work: CollectWork,
): Promise<void> {
  let failures = 0;
  for (let connections = 1; ; connections++) {
    const before = work.records();
    try {
      const session = await openSession(settings, secret, stop);
      await collectMailbox(session, work);
      // A server that does not answer a goodbye keeps nobody.
      await Promise.race([session.client.logout().catch(() => undefined), wait(2000, undefined, { ref: false })]);
      session.client.close();
      return;
    } catch (error) {
      if (work.records() > before) failures = 0;
      const pause = RETRY_MS[failures++];
      if (!isLost(error) || pause === undefined || connections === CONNECTIONS_MAX || stop.aborted) throw error;
      const message = `${redacted(words(error, settings), secrets)}; trying again in ${pause / 1000} s`;
      await channel.send({ type: "PROGRESS", stream: STREAM, message });
      await wait(pause, undefined, { signal: stop });
    }
  }
}
