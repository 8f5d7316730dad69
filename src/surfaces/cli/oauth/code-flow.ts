// Approval in this machine's browser: the authorization code flow with PKCE, which returns to the loopback listener.
import { hash, randomBytes } from "node:crypto";
import { PdppError } from "../../../contract/errors.ts";
import { openBrowser } from "./browser.ts";
import { CODE, type OAuthConnection, register, requestToken } from "./client.ts";
import type { Discovered } from "./discover.ts";
import { listenOnLoopback } from "./loopback.ts";
import { deniedByOwner } from "./refusals.ts";
import { type ApprovalOptions, waitForApproval } from "./waiting.ts";

/** Enough time to find the password. */
const WAIT_SECONDS = 600;

const random = (): string => randomBytes(32).toString("base64url");

export async function connectByCode(
  server: Discovered,
  { name, open, note }: { name: string; open: boolean; note: ApprovalOptions["note"] },
): Promise<OAuthConnection> {
  const [state, verifier] = [random(), random()];
  const loopback = await listenOnLoopback(state);
  try {
    const { redirectUri } = loopback;
    const clientId = await register(server, { name, grantType: CODE, redirectUri });
    const url = new URL(server.authorization_endpoint);
    const asked = {
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUri,
      code_challenge: hash("sha256", verifier, "base64url"),
      code_challenge_method: "S256",
      state,
      resource: server.resource,
    };
    for (const [parameter, value] of Object.entries(asked)) url.searchParams.set(parameter, value);
    note(
      `${open ? "Approve it in your browser. If no page opened:" : "Approve it in a browser on this machine:"}\n  ${url}`,
    );
    if (open) openBrowser(url.href, () => note("No browser could be started: open the address yourself."));
    const waiting = waitForApproval({ origin: server.origin, note }, WAIT_SECONDS);
    const { parameters, tell } = await Promise.race([loopback.returned, waiting.over]).finally(waiting.end);
    try {
      const code = codeFrom(parameters, server);
      const tokens = await requestToken(server.token_endpoint, {
        grant_type: CODE,
        client_id: clientId,
        code,
        code_verifier: verifier,
        redirect_uri: redirectUri,
      });
      await tell("Connected", "You can close this page and go back to the terminal.");
      return { clientId, tokens };
    } catch (error) {
      await tell("Not connected", "The terminal shows the reason. You can close this page.");
      throw error;
    }
  } finally {
    loopback.close();
  }
}

/** RFC 9207: a response from another server is rejected, whether it grants or denies. */
function codeFrom(parameters: URLSearchParams, { issuer, origin }: Discovered): string {
  const only = (name: string): string | undefined => {
    const values = parameters.getAll(name);
    return values.length === 1 ? values[0] : undefined;
  };
  if (only("iss") !== issuer)
    throw new PdppError("authentication_error", "the response came from a different server", {
      next_step: `Nothing was stored. Try again: \`pdpp connect ${origin}\`.`,
    });
  const error = only("error");
  const code = only("code");
  if (error === undefined && code !== undefined) return code;
  throw deniedByOwner(origin, error ?? "no code was returned", only("error_description"));
}
