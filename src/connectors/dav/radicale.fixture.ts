// Starts a real Radicale on loopback, if it is installed (Debian: apt install radicale).
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { accountAt, type DavAccount } from "./account.fixture.ts";

export const RADICALE = findRadicale();

function findRadicale(): { command: string[]; version: string } | undefined {
  for (const command of [["radicale"], ["/usr/bin/python3", "-m", "radicale"], ["python3", "-m", "radicale"]]) {
    try {
      const [file, ...args] = command;
      const version = execFileSync(file!, [...args, "--version"], { stdio: ["ignore", "pipe", "ignore"] });
      return { command, version: version.toString().trim() };
    } catch {
      // Radicale is not installed.
    }
  }
  return undefined;
}

export interface Radicale extends DavAccount {
  /** The folder that contains Radicale's files. */
  store: string;
  close(): Promise<void>;
}

export async function startRadicale(): Promise<Radicale> {
  const folder = mkdtempSync(join(tmpdir(), "pdpp-radicale-"));
  const [user, password] = ["anna", "app-password-of-anna"];
  const store = join(folder, "store");
  const port = await freePort();
  writeFileSync(join(folder, "users"), `${user}:${password}\n`);
  writeFileSync(
    join(folder, "config"),
    [
      `[server]\nhosts = 127.0.0.1:${port}`,
      `[auth]\ntype = htpasswd\nhtpasswd_filename = ${join(folder, "users")}\nhtpasswd_encryption = plain\ndelay = 0`,
      `[storage]\nfilesystem_folder = ${store}`,
      "[web]\ntype = none",
      "[logging]\nlevel = error\n",
    ].join("\n"),
  );
  const [file, ...args] = RADICALE!.command;
  const child = spawn(file!, [...args, "-C", join(folder, "config")], { stdio: "ignore" });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; ; tries++) {
    if (
      await fetch(`${url}/.well-known/caldav`, { redirect: "manual" }).then(
        () => true,
        () => false,
      )
    )
      break;
    if (tries > 300 || child.exitCode !== null) throw new Error("Radicale did not start");
    await wait(100);
  }
  return {
    ...accountAt(url, user!, password!),
    store,
    async close() {
      if (child.exitCode === null) {
        const ended = once(child, "exit");
        child.kill("SIGTERM");
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
