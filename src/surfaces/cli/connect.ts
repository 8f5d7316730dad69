// The engine a command works on: a local home in this process, or a server over HTTP.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { PdppError } from "../../contract/errors.ts";
import type { EngineHost } from "../../engine/host.ts";
import { httpHost } from "../rest/http-host.ts";
import type { Connected, ConnectOptions, Values } from "./command.ts";

export async function connect(home: string, values: Values, options: ConnectOptions & { note: (text: string) => void }): Promise<Connected> {
  const server = values.server as string | undefined;
  const token = (values.token as string | undefined) ?? process.env.PDPP_ACCESS_TOKEN;
  if (server !== undefined) {
    if (token === undefined) {
      throw new PdppError("authentication_error", "--server needs a token", { next_step: "Give --token TOKEN or set PDPP_ACCESS_TOKEN." });
    }
    if (!/^https?:$/.test(URL.parse(server)?.protocol ?? "")) {
      throw new PdppError("invalid_request", `--server is an http or https address, not ${JSON.stringify(server)}`, { param: "server" });
    }
    return { host: httpHost(server), credential: { token } };
  }
  const { FILES, openSqliteStore, prepareHome } = await import("../../store/sqlite/sqlite-store.ts");
  if (!existsSync(join(home, FILES.records))) {
    if (options.create) {
      prepareHome(home);
      options.note(`Made a new home at ${home}.`);
    } else throw new PdppError("not_found", `there is no home at ${home}`, { next_step: "`pdpp serve --demo` makes one with example data, `pdpp serve` an empty one." });
  }
  const { localHost } = await import("../../engine/local-host.ts");
  const { tryLockHome } = await import("../../engine/home-lock.ts");
  // Beside a running server this process reads projections and saves none.
  const lock = tryLockHome(home);
  const host = localHost(openSqliteStore(home), {
    persist: lock !== undefined,
    onFailure: (error) => options.note(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  });
  const closing: EngineHost = {
    ...host,
    async close() {
      await host.close();
      lock?.release();
    },
  };
  // With a token even the owner of the home reads as that client would.
  return { host: closing, credential: values.token === undefined ? { home: true } : { token: values.token as string } };
}
