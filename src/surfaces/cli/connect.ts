// Connects a command to its engine: a local home in this process, or a server over HTTP.
import { PdppError } from "../../contract/errors.ts";
import { databaseNamed } from "../../engine/database.ts";
import type { EngineHost } from "../../engine/host.ts";
import type { ReadableHome } from "../../engine/readable-home.ts";
import { httpHost } from "../rest/http-host.ts";
import type { Connected, ConnectOptions, OptionValues } from "./command.ts";
import { partsFor } from "./objects.ts";

export async function connect(
  at: string,
  values: OptionValues,
  options: ConnectOptions & { note: (text: string) => void },
): Promise<Connected> {
  const server = values.server as string | undefined;
  const token = (values.token as string | undefined) ?? process.env.PDPP_ACCESS_TOKEN;
  if (server !== undefined) {
    const url = URL.parse(server);
    if (url === null || !/^https?:$/.test(url.protocol)) {
      throw new PdppError(
        "invalid_request",
        `--server must be an http or https address, not ${JSON.stringify(server)}`,
        {
          param: "server",
        },
      );
    }
    return token === undefined
      ? connectAsStored(server, url.origin)
      : { host: httpHost(server), credential: { token } };
  }
  const { openHome, openDatabaseHome } = await import("../../engine/home.ts");
  const { checkHomeDirectory } = await import("../../engine/home-directory.ts");
  const database = await databaseNamed({ home: at, create: options.create, note: options.note });
  if (database === undefined) checkHomeDirectory(at, options);
  const readable = database === undefined && options.readOnly === true ? await readableOf(at, options.note) : undefined;
  const { home, objects } = partsFor(readable?.home ?? at, database);
  const how = { ...options, objects };
  const opened = database === undefined ? openHome(home, how) : await openDatabaseHome(home, database, how);
  const host = readable === undefined ? opened : closingBoth(opened, readable);
  // With a token, even the owner of the home reads as the token's app.
  const credential = values.token === undefined ? ({ home: true } as const) : { token: values.token as string };
  return { host, home, objects, credential };
}

async function readableOf(home: string, note: (text: string) => void): Promise<ReadableHome> {
  const { readableHome } = await import("../../engine/readable-home.ts");
  const readable = readableHome(home);
  if (readable.isCopy) note((await import("./own-place.ts")).READ_ONLY_NOTE);
  return readable;
}

const closingBoth = (host: EngineHost, readable: ReadableHome): EngineHost => ({
  ...host,
  async close() {
    await host.close();
    readable.close();
  },
});

/** Connects with the grant from `pdpp connect`. It never looks for an owner's credential (E-07). */
async function connectAsStored(server: string, origin: string): Promise<Connected> {
  const { storedCredential } = await import("./credentials.ts");
  const { currentToken, noCredential, storedHost } = await import("./stored-token.ts");
  const stored = storedCredential(origin);
  if (stored === undefined) throw noCredential(origin);
  return { host: storedHost(server, stored), credential: { token: await currentToken(stored) } };
}
