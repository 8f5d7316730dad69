// Sets up, once per server, a connector that has an attack in every string and waits for the owner's answer.
import { addHostile, hostileManifest } from "../../connectors/hostile-connector.ts";
import type { TestServer } from "../../harness.ts";
import { HOSTILE, NAME } from "./corpus.ts";

export interface AskingConnector {
  connectionId: string;
  runId: string;
}

const asking = new WeakMap<TestServer, Promise<AskingConnector>>();

export function hostileConnector(server: TestServer): Promise<AskingConnector> {
  let found = asking.get(server);
  if (found === undefined) {
    found = set(server);
    asking.set(server, found);
  }
  return found;
}

async function set(server: TestServer): Promise<AskingConnector> {
  const manifest = hostileManifest("says");
  const { connectionId } = await addHostile(server.host, "says", {
    manifest: {
      display_name: NAME,
      command: [...manifest.command, HOSTILE[0]],
      settings: [{ name: "count", title: NAME, description: HOSTILE[1], type: "string" }],
    },
    settings: { count: HOSTILE[1] },
  });
  const { run_id } = (await server.call("POST", `/v1/connections/${connectionId}/runs`, { body: {} })).body;
  for (;;) {
    const { question } = (await server.get(`/v1/runs/${run_id}`)).body;
    if (question !== undefined) return { connectionId, runId: run_id };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
