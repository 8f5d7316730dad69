// /dashboard/connect: how an AI app is connected (E-23): the address of the gate, commands to paste, and whether it worked.
import { clientSetups, genericSetup } from "../../../contract/client-setups.ts";
import { ownerPage } from "../owner-page.ts";
import { clientOfAll } from "./app-grants.ts";
import { type ConnectView, showConnect } from "./connect-view.ts";

/** What was approved within this time is what the owner is doing now. */
const JUST_NOW_MS = 15 * 60_000;

export const connectPage = ownerPage<ConnectView>({
  path: "/dashboard/connect",
  under: "connect",
  async load({ look, origin, now }) {
    const grants = (await look("grants", { status: "active" })).data;
    const fresh = grants.filter(({ grant }) => now - Date.parse(grant.issued_at) < JUST_NOW_MS);
    const byApp = Map.groupBy(fresh, ({ grant, grant_package_id }) => grant_package_id ?? grant.grant_id);
    const setups = clientSetups(origin);
    return {
      mcp: `${origin}/mcp`,
      // Whoever came by a name of this computer itself reads an address that is good on it alone.
      local: ["127.0.0.1", "localhost", "[::1]"].includes(new URL(origin).hostname),
      commands: { "Claude Code": setups["Claude Code"], Codex: setups.Codex },
      more: { "Gemini CLI": setups["Gemini CLI"], opencode: setups.opencode },
      generic: genericSetup(origin).http,
      terminal: `pdpp connect ${origin}`,
      llms: `${origin}/llms.txt`,
      connected: [...byApp.values()].map((own) => ({
        client: clientOfAll(grants.filter(({ grant }) => grant.client.client_id === own[0]!.grant.client.client_id)),
        clientId: own[0]!.grant.client.client_id,
        at: own[0]!.grant.issued_at,
        streams: own.flatMap(({ words }) => words.reads).length,
        readAt:
          own
            .flatMap(({ last_used_at }) => last_used_at ?? [])
            .sort()
            .at(-1) ?? null,
      })),
    };
  },
  show: showConnect,
});
