// Runs the IMAP connector, and kills the connector or its runner at random moments. The final, uninterrupted run must
// end with the same result as if nothing had been killed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { connectorAt } from "../../src/collect/connectors/manifest-file.ts";
import { type MailServer, startMailServer } from "../../src/connectors/imap/mail-server.fixture.ts";
import { mail, settingsOf } from "../../src/connectors/imap/mailbox.fixture.ts";
import type { CollectRun } from "../../src/contract/collect.ts";
import type { RecordRead } from "../../src/contract/record.ts";
import { openHome } from "../../src/engine/home.ts";
import { HOME_OWNER } from "../harness.ts";
import { withoutIds } from "./comparable.ts";
import { type Random, randomFrom } from "./random.ts";
import { PDPP } from "./server-process.ts";

export interface ImapCrashOptions {
  seed: number;
  kills: number;
  messages: number;
  onRound?: (killed: number, summary: string) => void;
}

/** Returns the number of killed processes. */
export async function runImapCrashes({ seed, kills, messages, onRound }: ImapCrashOptions): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "postern-imap-crash-"));
  const random = randomFrom(seed);
  const server = await startMailServer({ plugins: random.next() < 0.5 ? ["ENABLE", "CONDSTORE"] : [] });
  try {
    for (let number = 0; number < messages; number++) addMail(server, random, number);
    let killed = 0;
    let number = messages;
    let lasts = 0;
    while (killed < kills) {
      const mailbox = await newMailbox(join(folder, `home-${killed}`), server);
      // A first sync, and a sync of later changes.
      for (const stage of ["first", "later"]) {
        const whole = await newMailbox(join(folder, `whole-${number}`), server);
        const begun = performance.now();
        if ((await run(whole)) !== "done") throw new Error("an uninterrupted run did not succeed");
        lasts = performance.now() - begun;
        const times = await runUntilDone(mailbox, { random, lasts });
        killed += times;
        const expected = await recordsOf(whole);
        const different = difference(await recordsOf(mailbox), expected);
        if (different !== undefined) throw new Error(`${stage} run after ${times} kills: ${different}`);
        onRound?.(killed, `${stage}: ${times} kills, ${expected.size} messages`);
        rmSync(whole.home, { recursive: true });
        for (let change = 0; change < 5; change++) changeMailbox(server, random, number++);
      }
      rmSync(mailbox.home, { recursive: true });
    }
    return killed;
  } catch (error) {
    throw new Error(`seed ${seed}: ${(error as Error).message} (again: npm run soak -- imap --seed ${seed})`, {
      cause: error,
    });
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Mailbox {
  home: string;
  connectionId: string;
}

async function newMailbox(home: string, server: MailServer): Promise<Mailbox> {
  const host = openHome(home, { create: true, note: () => undefined });
  try {
    const { manifest, place } = await connectorAt("built-in/imap");
    const settings = settingsOf(server) as Record<string, string | number>;
    const setup = { place, manifest, settings, secrets: { password: "testpass" } };
    const { connection_id } = await host.call("putSetup", setup, HOME_OWNER);
    return { home, connectionId: connection_id };
  } finally {
    await host.close();
  }
}

interface Kill {
  random: Random;
  lasts: number;
}

/** The next command cleans up after the killed one and is not refused. */
async function runUntilDone(mailbox: Mailbox, kill: Kill): Promise<number> {
  for (let times = 0; ; times++) if ((await run(mailbox, kill)) === "done") return times;
}

/** Returns "done" if the command succeeded. With `kill`, either the command or its connector is killed in most runs. */
async function run({ home, connectionId }: Mailbox, kill?: Kill): Promise<"done" | "killed"> {
  const child = spawn(process.execPath, [PDPP, "connectors", "run", connectionId, "--home", home, "--json"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  let noted = "";
  child.stdout.on("data", (part: Buffer) => (said += part.toString()));
  child.stderr.on("data", (part: Buffer) => (noted += part.toString()));
  const ended = once(child, "close");
  let shot = false;
  if (kill !== undefined && kill.random.next() < 0.7) {
    const connectorOnly = kill.random.next() < 0.5 && existsSync("/proc/self/status");
    const over = await Promise.race([ended.then(() => true), sleep(kill.random.next() * kill.lasts, false)]);
    if (!over) {
      const targets = connectorOnly ? childrenOf(child.pid!) : [child.pid!];
      for (const pid of targets) shot = endNow(pid) || shot;
    }
  }
  await ended;
  const outcome = said === "" ? undefined : (JSON.parse(said) as Partial<CollectRun>);
  if (outcome?.status === "succeeded") return "done";
  if (!shot) throw new Error(`an uninterrupted run failed: ${said} ${noted}`);
  return "killed";
}

/** Returns the command's only child, the connector, which has a separate session. */
function childrenOf(pid: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number);
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  } catch {
    return undefined;
  }
}

function endNow(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch {
    return false;
  }
}

async function recordsOf({ home, connectionId }: Mailbox): Promise<Map<string, object>> {
  const host = openHome(home, { note: () => undefined });
  try {
    const records = new Map<string, object>();
    for (let cursor: string | undefined; ; ) {
      const query = { stream: "messages", connection_id: connectionId, limit: 100, ...(cursor ? { cursor } : {}) };
      const page = await host.call("records", query, HOME_OWNER);
      for (const { data } of page.data as RecordRead[]) {
        const message = withoutIds(data);
        records.set(String(message.message_id), message);
      }
      cursor = page.next_cursor;
      if (cursor === undefined) return records;
    }
  } finally {
    await host.close();
  }
}

function difference(found: ReadonlyMap<string, object>, expected: ReadonlyMap<string, object>): string | undefined {
  for (const [key, record] of expected)
    if (!isDeepStrictEqual(found.get(key), record))
      return `${JSON.stringify(found.get(key))} is not ${JSON.stringify(record)}`;
  const more = [...found.keys()].find((key) => !expected.has(key));
  return more === undefined ? undefined : `${more} should be gone`;
}

const idOf = (number: number): string => `${number}@example.com`;

function addMail(server: MailServer, random: Random, number: number): void {
  const folders = random.next() < 0.1 ? ["INBOX", "Archive"] : [random.pick(["INBOX", "INBOX", "Archive"])];
  for (const folder of folders) server.append(folder, mail(idOf(number)), random.next() < 0.5 ? ["\\Seen"] : []);
}

function changeMailbox(server: MailServer, random: Random, number: number): void {
  const id = /<([^>]+)>/.exec(random.pick(server.folder("INBOX").messages).raw)![1]!;
  const kinds = [
    () => addMail(server, random, number),
    () => server.setFlags("INBOX", id, random.pick([["\\Seen"], ["\\Flagged"], []])),
    () => server.move("INBOX", "Archive", id),
    () => void server.remove("INBOX", id),
    () => server.renumber("INBOX"),
  ];
  random.pick(kinds)();
}
