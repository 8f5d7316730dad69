// Keeps authorization errors from redirecting to an app that the owner never approved (G-10, SECURITY row 27).
import type { KoaContextWithOIDC } from "oidc-provider";
import type { EngineHost } from "../engine/host.ts";
import { AUTH_PATHS } from "./discovery.ts";

/** The redirect that was replaced by a page. */
export interface HeldRedirect {
  /** Includes the error in the query, as the app expects. */
  href: string;
  clientId: string;
  clientName?: string;
  redirectUri: string;
  code: string;
  description?: string;
}

/**
 * Anybody can register an app with any redirect address. If errors redirected there immediately, a link to this server
 * could send a browser anywhere. The owner's own decision on a page takes another path, which may redirect.
 */
export function holdFirstRedirect(host: EngineHost, page: (held: HeldRedirect) => string) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next();
    const href: string | undefined = ctx.response.get("Location");
    if (ctx.path !== AUTH_PATHS.authorization || !href) return;
    if (isOwnStep(href, ctx.oidc.issuer)) return;
    const { client, params = {} } = ctx.oidc as unknown as Authorizing;
    const { approved } = await host.call("clientApproved", { client_id: client.clientId }, { home: true });
    if (approved) return;
    const { searchParams, hash } = new URL(href);
    const answer = searchParams.has("error") ? searchParams : new URLSearchParams(hash.slice(1));
    ctx.remove("Location");
    ctx.status = 400;
    ctx.type = "html";
    ctx.body = page({
      href,
      clientId: client.clientId,
      clientName: client.clientName,
      redirectUri: params.redirect_uri ?? href,
      code: answer.get("error") ?? "invalid_request",
      description: answer.get("error_description") ?? undefined,
    });
  };
}

interface Authorizing {
  client: { clientId: string; clientName?: string };
  params?: { redirect_uri?: string };
}

/**
 * True for a redirect to our own consent page. The path is checked as well, because an app may have registered another
 * address on this server.
 */
function isOwnStep(href: string, origin: string): boolean {
  const target = new URL(href, origin);
  return target.origin === origin && target.pathname.startsWith(`${AUTH_PATHS.interaction}/`);
}
