// Checks that an app will work: the server responds and says where to sign in, and with a grant it lists its tools.
import type { ClientSetup, Gate, Program } from "../../../contract/client-setups.ts";
import { PdppError } from "../../../contract/errors.ts";
import { FILES_CONNECTOR } from "../../../contract/file-access.ts";
import { servingAddress } from "../../../engine/home-address.ts";
import type { CommandContext } from "../command.ts";
import { storedCredential } from "../credentials.ts";
import { discover } from "../oauth/discover.ts";
import { currentToken } from "../stored-token.ts";
import { type ListedTools, toolsOfProgram, toolsOverHttp, unsignedCall } from "./mcp-call.ts";

/** The grant for a check expires soon, in case revoking it fails. */
const CHECK_SECONDS = 60;

/** Checks what an app gets before it has signed in: a refusal that links to the authorization server. */
export async function checkSignIn({ url, origin, lens }: Gate, insecureHttp: boolean): Promise<void> {
  await discover(origin, { insecureHttp, lens });
  const { status, metadata } = await unsignedCall(url);
  if (status !== 401 || metadata === undefined)
    throw new PdppError("not_found", `${url} does not respond like a PDPP server (status ${status})`, {
      next_step:
        "Check the address: it must be the one that `pdpp serve` prints after `ready`. --url sets a different one.",
    });
}

/**
 * Sends initialize and tools/list, as the app would, under a grant that `pdpp connect` stored. Without a stored grant,
 * issues one for this call and revokes it afterwards, which works only on the owner's own machine. Returns undefined if
 * there is no grant either way.
 */
export async function listTools(
  context: CommandContext,
  client: ClientSetup,
  gate: Gate,
  program: Program,
): Promise<ListedTools | undefined> {
  const call = (token: string): Promise<ListedTools> =>
    client.transport === "http" ? toolsOverHttp(gate.url, token) : toolsOfProgram(program, token);
  const given = process.env.PDPP_ACCESS_TOKEN ?? (await storedToken(gate));
  if (given !== undefined) return call(given);
  if (servingAddress(context.home) !== gate.origin) return undefined;
  return withOwnGrant(context, gate, call);
}

async function storedToken({ origin, lens }: Gate): Promise<string | undefined> {
  const stored = storedCredential(origin, lens);
  return stored === undefined ? undefined : currentToken(stored).catch(() => undefined);
}

/** Issues the narrowest possible grant. Returns undefined if the home has nothing to grant yet. */
async function withOwnGrant<T>(
  { call }: CommandContext,
  { lens }: Gate,
  work: (token: string) => Promise<T>,
): Promise<T | undefined> {
  const asked = lens === "files" ? await oneRoot() : await oneStream();
  if (asked === undefined) return undefined;
  const { access_token, grant_id, grant_package_id } = await call("issueGrant", {
    ...asked,
    client_name: "pdpp setup",
    purpose_description: "Check a setup",
    expires_in_seconds: CHECK_SECONDS,
  });
  try {
    return await work(access_token);
  } finally {
    await call("revokeGrant", { id: (grant_id ?? grant_package_id)! });
  }

  async function oneStream() {
    const [first] = (await call("streams", {})).data;
    return first && { selections: [{ connection_id: first.connection_id, stream: first.name }] };
  }
  async function oneRoot() {
    const { data } = await call("connections", {});
    const root = data.find(({ connector_key }) => connector_key === FILES_CONNECTOR);
    return root && { files: { roots: [root.connection_id], may: ["navigate" as const] } };
  }
}
