// The server's app on an engine in this process. It responds like the real server, without spending a second of CPU
// time on starting threads.
import { openDatabaseHome, openHome } from "../../src/engine/home.ts";
import { openServing } from "../../src/serving/serving.ts";
import { prepareDatabase } from "../../src/store/postgres/prepare.ts";
import { partsFor } from "../../src/surfaces/cli/objects.ts";
import { listen } from "../../src/surfaces/http/serve.ts";

export interface ServerHere {
  url: string;
  close(): Promise<void>;
}

export async function openServerHere(at: string, databaseUrl?: string): Promise<ServerHere> {
  const log = (text: string): void => console.log(text);
  const database = databaseUrl === undefined ? undefined : await prepareDatabase(databaseUrl);
  // As in `pdpp serve`, each owner of a database has a folder.
  const { home, objects } = partsFor(at, database);
  const options = { objects, note: log };
  const engine = database === undefined ? openHome(home, options) : await openDatabaseHome(home, database, options);
  let port = 0;
  const serving = await openServing({ place: { home, database, objects }, engine, port: () => port, log });
  const listening = await listen(serving.app, 0);
  port = listening.port;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      await listening.close();
      await serving.close();
    },
  };
}
