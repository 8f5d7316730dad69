// The environment for the clients: a real server with the demo home, an owner who approves every request, and a
// separate home for each client.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { demoFiller } from "../../src/demo/fill.ts";
import { startServer } from "../../src/main.ts";
import { newSetupLink } from "../../src/surfaces/web/sign-in.ts";
import { HOME_OWNER } from "../harness.ts";
import { ownerBrowser, setUp } from "../oauth/owner-browser.ts";
import { type Ran, type RunOptions, run } from "./command.ts";
import { approve } from "./owner.ts";
import { type Exchange, noWayOut, wireTo } from "./wire.ts";

export interface Environment {
  /** The MCP address that clients receive. */
  url: string;
  /** A grant for everything, for clients that cannot sign in. */
  token: string;
  /** A demo connection with long records. */
  mail: string;
  /** The folder with the installed packages. */
  packages: string;
  /** Makes every issued access token expire. */
  expireTokens(): void;
  /** If false, the server does not announce support for client metadata documents, so clients register. */
  documents(on: boolean): void;
  /** Creates a home and a working folder for one client. */
  workspace(name: string): Workspace;
  close(): Promise<void>;
}

export interface Workspace {
  home: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
  run(line: string, options?: Partial<RunOptions>): Promise<Ran>;
  /** Runs a line that opens a browser, where the owner approves every request. Returns the app's callback address. */
  runWithOwner(line: string, options?: Partial<RunOptions>): Promise<{ ran: Ran; opened?: string; back?: string }>;
  /** Every line that ran here. */
  lines: string[];
  /** This client's requests and responses since it started. */
  exchanges(): Exchange[];
  /** Other hosts that the client tried to reach. */
  outside(): string[];
}

const SECONDS = 60;
const PDPP = fileURLToPath(new URL("../../bin/pdpp.js", import.meta.url));
const OPENERS = ["xdg-open", "open", "sensible-browser", "x-www-browser", "www-browser", "wslview"];
const POLL_MS = 100;

const DOCUMENTS_SUPPORTED = '"client_id_metadata_document_supported":true,';

/**
 * Makes the first token expire immediately. Clients that check the expiry refresh before they use it; others find out
 * from a 401 (expireTokens).
 */
const expiringAtOnce = (answer: string, asked: string): string =>
  asked.includes("grant_type=authorization_code") ? answer.replace(/("expires_in":)\d+/, "$11") : answer;

export async function openEnvironment(packages: string): Promise<Environment> {
  const folder = mkdtempSync(join(tmpdir(), "postern-clients-"));
  const home = join(folder, "server");
  let port = 0;
  let documents = true;
  const wire = await wireTo(
    () => port,
    (answer, asked) => expiringAtOnce(documents ? answer : answer.replace(DOCUMENTS_SUPPORTED, ""), asked),
  );
  const proxy = await noWayOut();
  const origin = `http://127.0.0.1:${wire.port}`;
  const server = await startServer({
    home,
    port: 0,
    publicUrl: origin,
    clientFetch: () => Promise.reject(new Error("this server has no internet")),
    log: (text) => process.stderr.write(`${text}\n`),
    prepare: demoFiller(home, () => undefined),
  });
  port = Number(new URL(server.url).port);
  const call = async (method: "issueGrant" | "connections", query: object): Promise<unknown> =>
    await server.host.call(method, query, HOME_OWNER);
  const { access_token: token } = (await call("issueGrant", { all: true, client_name: "Clients" })) as {
    access_token: string;
  };
  const { data } = (await call("connections", {})) as { data: { connection_id: string; display_name: string }[] };
  const mail = data.find((row) => row.display_name === "Personal mail")!.connection_id;
  const browser = ownerBrowser(origin);
  await setUp(browser, await newSetupLink(server.host, origin));

  function workspace(name: string): Workspace {
    const own = join(folder, name.replace(/\W+/g, "-").toLowerCase());
    const [userHome, cwd, bin, opened] = ["home", "work", "bin", "opened"].map((part) => join(own, part)) as [
      string,
      string,
      string,
      string,
    ];
    for (const path of [userHome, cwd, bin]) mkdirSync(path, { recursive: true });
    for (const opener of OPENERS)
      writeFileSync(join(bin, opener), `#!/bin/sh\nprintf '%s\\n' "$1" >> '${opened}'\n`, { mode: 0o755 });
    writeFileSync(join(bin, "pdpp"), `#!/bin/sh\nexec node '${PDPP}' "$@"\n`, { mode: 0o755 });
    const env = environment({ userHome, bin, packages, proxy: `http://127.0.0.1:${proxy.port}` });
    const [firstExchange, firstWanted] = [wire.exchanges.length, proxy.wanted.length];
    const lines: string[] = [];
    const runHere: Workspace["run"] = (line, options) => {
      lines.push(line);
      return run(line, { cwd, env, seconds: SECONDS, ...options });
    };
    return {
      home: userHome,
      cwd,
      env,
      lines,
      run: runHere,
      async runWithOwner(line, options) {
        rmSync(opened, { force: true });
        let over = false;
        const running = runHere(line, options).finally(() => {
          over = true;
        });
        let url: string | undefined;
        while (!over && url === undefined) {
          await sleep(POLL_MS);
          if (existsSync(opened)) url = /^http\S+/m.exec(readFileSync(opened, "utf8"))?.[0];
        }
        const back = url === undefined ? undefined : await approve(browser, url).catch((error: Error) => error.message);
        return { ran: await running, opened: url, back };
      },
      exchanges: () => wire.exchanges.slice(firstExchange),
      outside: () => [...new Set(proxy.wanted.slice(firstWanted))].sort(),
    };
  }

  return {
    url: `${origin}/mcp`,
    token,
    mail,
    packages,
    expireTokens: wire.expireTokens,
    documents: (on) => {
      documents = on;
    },
    workspace,
    async close() {
      await server.close();
      await Promise.all([wire.close(), proxy.close()]);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Uses nothing from the person who runs this: no home, settings, keys, internet access or telemetry. */
function environment(at: { userHome: string; bin: string; packages: string; proxy: string }): NodeJS.ProcessEnv {
  const path = [at.bin, join(at.packages, "node_modules", ".bin"), dirname(process.execPath), "/usr/bin", "/bin"];
  return {
    PATH: path.join(delimiter),
    HOME: at.userHome,
    XDG_CONFIG_HOME: join(at.userHome, ".config"),
    XDG_DATA_HOME: join(at.userHome, ".local", "share"),
    XDG_STATE_HOME: join(at.userHome, ".local", "state"),
    XDG_CACHE_HOME: join(at.userHome, ".cache"),
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
    DISPLAY: ":99",
    BROWSER: join(at.bin, "xdg-open"),
    HTTP_PROXY: at.proxy,
    HTTPS_PROXY: at.proxy,
    http_proxy: at.proxy,
    https_proxy: at.proxy,
    NO_PROXY: "127.0.0.1,localhost",
    no_proxy: "127.0.0.1,localhost",
    NODE_USE_ENV_PROXY: "1",
    DO_NOT_TRACK: "1",
    npm_config_update_notifier: "false",
  };
}
