// The real server as a process that can be killed at any moment, and a client that gives each request an id.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export const PDPP = fileURLToPath(new URL("../../bin/pdpp.js", import.meta.url));

export interface ServerProcess {
  url: string;
  pid: number;
  /** Sends SIGKILL, so no handler runs and nothing is flushed. */
  kill(): Promise<void>;
  /** Pauses the process at any point until it is resumed. */
  pause(): void;
  resume(): void;
  stop(): Promise<number | null>;
}

export async function startServerProcess(home: string, env: Record<string, string> = {}): Promise<ServerProcess> {
  const child = spawn(process.execPath, [PDPP, "serve", "--home", home, "--port", "0"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  const end = async (signal: "SIGKILL" | "SIGTERM"): Promise<number | null> => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const exited = once(child, "exit");
    child.kill(signal);
    return (await exited)[0] as number | null;
  };
  return {
    url: await readyUrl(child),
    pid: child.pid!,
    async kill() {
      await end("SIGKILL");
    },
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
    stop: () => end("SIGTERM"),
  };
}

function readyUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    const hear = (part: Buffer): void => {
      said += part.toString();
      const url = /^ready (\S+)$/m.exec(said)?.[1];
      if (url !== undefined) resolve(url);
    };
    child.stdout!.on("data", hear);
    child.stderr!.on("data", hear);
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
  });
}

/** Runs a pdpp command to its end. */
export async function pdpp(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; out: string }> {
  const child = spawn(process.execPath, [PDPP, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  let out = "";
  for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (part: Buffer) => (out += part.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, out };
}

export interface Answer {
  status: number;
  body: string;
}

export interface Sent {
  method?: string;
  body?: string | Uint8Array<ArrayBuffer>;
  type?: string;
  headers?: Record<string, string>;
}

/** The request did not get a complete response, so it is unknown whether it took effect. */
export class Unanswered extends Error {}

export async function request(url: string, token: string, requestId: string, init: Sent = {}): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method: init.method ?? "GET",
      headers: {
        Authorization: `Bearer ${token}`,
        "Request-Id": requestId,
        // A server can close an idle connection, which would look as if it had died.
        Connection: "close",
        ...(init.type === undefined ? {} : { "Content-Type": init.type }),
        ...init.headers,
      },
      body: init.body,
    });
    return { status: response.status, body: await response.text() };
  } catch (error) {
    throw new Unanswered(`${init.method ?? "GET"} ${url}`, { cause: error });
  }
}
