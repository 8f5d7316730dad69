// One run of the connector, from START to DONE, over any two streams.

import type { Readable, Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { idMaker } from "../../collect/record-ids.ts";
import { isObject } from "../common/channel.ts";
import { CollectFailure, redacted } from "../common/failure.ts";
import { type RunFrame, runOver } from "../common/run.ts";
import { scopeFrom } from "../common/scope.ts";
import { type CollectWork, collectMailbox, STREAM } from "./collect.ts";
import { ledgerFrom } from "./cursor.ts";
import { isLoginRefusal, isLost, words } from "./failure.ts";
import { chooseFolders } from "./folders.ts";
import { CONNECTIONS_MAX, RETRY_MS } from "./limits.ts";
import { openSession } from "./session.ts";
import { askSecret, type ImapSettings, type Secret, secretForms, settingsFrom } from "./settings.ts";

export async function connect(input: Readable, output: Writable, stop: AbortSignal): Promise<void> {
  let settings: ImapSettings | undefined;
  const own = (run: RunFrame): Promise<void> =>
    collect(run, (given) => {
      settings = given;
    });
  await runOver(input, output, stop, own, (error) =>
    words(error, settings ?? { host: "imap", port: 0, security: "tls" }),
  );
}

async function collect(run: RunFrame, onSettings: (settings: ImapSettings) => void): Promise<void> {
  const { channel } = run;
  const start = await channel.start();
  const scope = scopeFrom(start.scope, STREAM, "sent_at");
  if (scope === undefined) throw new CollectFailure(`no stream was requested: this connector has the stream ${STREAM}`);
  const bindings = isObject(start.bindings) ? start.bindings : {};
  const settings = settingsFrom(isObject(bindings.settings) ? bindings.settings : {});
  onSettings(settings);
  await channel.send({ type: "PROGRESS", stream: STREAM, message: `connecting to ${settings.host}` });
  if (start.collection_mode === "check") return check(run, settings);
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
  if (secret === undefined) throw new CollectFailure(`no password was given for ${settings.user} at ${settings.host}`);
  try {
    await collectWithRetries(run, settings, secret, work);
  } catch (error) {
    // If the password was changed and the owner is present, a new one can be entered at once. A second wrong password
    // ends the run.
    secret = isLoginRefusal(error) ? await secretFor(run, settings, true) : undefined;
    if (secret === undefined) throw error;
    await collectWithRetries(run, settings, secret, work);
  }
}

/** Signs in, counts the folders and the messages in the inbox, but reads no message. */
async function check(run: RunFrame, settings: ImapSettings): Promise<void> {
  const secret = await secretFor(run, settings);
  if (secret === undefined) throw new CollectFailure("enter the app password");
  const { client, gmail } = await openSession(settings, secret, run.stop);
  const { chosen } = await chooseFolders(client, settings.folders, gmail);
  const inbox = await client.status("INBOX", { messages: true });
  const messages = inbox ? (inbox.messages ?? 0) : 0;
  client.close();
  const folders = `${chosen.length} ${chosen.length === 1 ? "folder" : "folders"}`;
  await run.channel.send({
    type: "PROGRESS",
    message: `Signed in to ${settings.host} as ${settings.user}: ${folders}, ${messages} ${messages === 1 ? "message" : "messages"} in the inbox`,
  });
}

async function secretFor(
  { channel, secrets }: RunFrame,
  settings: ImapSettings,
  refused = false,
): Promise<Secret | undefined> {
  const secret = await askSecret(channel, settings, refused);
  if (secret !== undefined) secrets.push(...secretForms(secret, settings.user));
  return secret;
}

/** Reconnects after a lost connection. Records that were already written are kept. */
async function collectWithRetries(
  { channel, stop, secrets }: RunFrame,
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
      // A server that does not respond to the logout must not delay the end.
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
