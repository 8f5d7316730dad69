// RFC 8628 §3.5: a device that polls too often is told to slow down.
import type { KoaContextWithOIDC } from "oidc-provider";
import type { EngineHost } from "../engine/host.ts";
import { ownerLimiter } from "./rate-limit.ts";

/** A device waits five seconds between polls (§3.2). The limit is a little lower, to allow for fast clocks. */
const SECONDS = 4;

export function slowDevicesDown(shared: EngineHost | undefined) {
  const asked = ownerLimiter("device", { points: 1, seconds: SECONDS }, shared);
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next();
    const body = ctx.body as { error?: string } | undefined;
    const { route, params } = ctx.oidc ?? {};
    const code = params?.device_code;
    if (route !== "token" || body?.error !== "authorization_pending" || typeof code !== "string") return;
    if (!(await asked.take(code)).ok)
      ctx.body = { error: "slow_down", error_description: "add five seconds to the polling interval" };
  };
}
