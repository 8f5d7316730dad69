// /dashboard/connect: how to connect an AI app to the records or the disks (E-23, C-09), with an address, links,
// commands, and the result.
import type { Audience } from "../../../contract/auth.ts";
import { CLIENTS, type ClientSetup, gateOf, genericSetup, shellSetup } from "../../../contract/client-setups.ts";
import { ownerPage } from "../owner-page.ts";
import { clientOfAll } from "./app-grants.ts";
import { type ConnectView, showConnect } from "./connect-view.ts";

/** An approval this recent is the one that the owner is waiting for. */
const JUST_NOW_MS = 15 * 60_000;

export const connectPage = ownerPage<ConnectView>({
  path: "/dashboard/connect",
  under: "connect",
  async load({ look, origin, now, search }) {
    const lens: Audience = search.get("lens") === "files" ? "files" : "records";
    const active = (await look("grants", { status: "active" })).data;
    const grants = active.filter(({ grant }) => (grant.files === undefined) === (lens === "records"));
    const fresh = grants.filter(({ grant }) => now - Date.parse(grant.issued_at) < JUST_NOW_MS);
    const byApp = Map.groupBy(fresh, ({ grant, grant_package_id }) => grant_package_id ?? grant.grant_id);
    const gate = gateOf(origin, lens);
    return {
      lens,
      mcp: gate.url,
      // A visitor who opened this page under a loopback address gets an address that works only on this computer.
      local: ["127.0.0.1", "localhost", "[::1]"].includes(new URL(origin).hostname),
      links: (CLIENTS as readonly ClientSetup[]).flatMap(({ name, link }) =>
        link === undefined ? [] : [{ name, href: link(gate) }],
      ),
      commands: { "Claude Code": shellSetup("claude-code", gate), Codex: shellSetup("codex", gate) },
      more: { "Gemini CLI": shellSetup("gemini", gate), opencode: shellSetup("opencode", gate) },
      setups: CLIENTS.map(({ id, name }) => ({ name, command: setupCommand(id, lens, origin) })),
      generic: genericSetup(gate).http,
      terminal: `pdpp connect ${origin}${lens === "files" ? " --files" : ""}`,
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

/** Includes the address, because the app may be on a different computer from the home. */
const setupCommand = (id: string, lens: Audience, origin: string): string =>
  `pdpp setup ${id}${lens === "files" ? " --files" : ""} --url ${origin}`;
