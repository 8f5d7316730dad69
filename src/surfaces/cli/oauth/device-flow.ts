// Approval on another device (RFC 8628): shows a code to type there, and polls until the owner decides.
import { z } from "zod";
import { PdppError } from "../../../contract/errors.ts";
import { printable } from "../printable.ts";
import { DEVICE, type OAuthConnection, register, requestToken, type TokenAnswer } from "./client.ts";
import type { Discovered } from "./discover.ts";
import { ask, form, OAuthRefusal } from "./exchange.ts";
import { type ApprovalOptions, approvalTimedOut, waitForApproval } from "./waiting.ts";

const deviceAnswer = z.looseObject({
  device_code: z.string().min(1),
  user_code: z.string().min(1),
  verification_uri: z.string(),
  verification_uri_complete: z.string().optional(),
  expires_in: z.number().positive(),
  interval: z.number().positive().optional(),
});

/** RFC 8628 §3.2, §3.5. */
const INTERVAL_SECONDS = 5;
const SLOW_DOWN_SECONDS = 5;
/** The last two cover a brief network failure and a busy server. */
const PATIENT = ["authorization_pending", "slow_down", "store_unavailable", "rate_limit_exceeded"];

export async function connectByDevice(
  server: Discovered,
  { name, note }: { name: string; note: ApprovalOptions["note"] },
): Promise<OAuthConnection> {
  const clientId = await register(server, { name, grantType: DEVICE });
  const device = await ask(
    server.device_authorization_endpoint,
    deviceAnswer,
    form({ client_id: clientId, resource: server.resource }),
  );
  const [address, code] = [device.verification_uri, device.user_code].map((text) => printable(text, 500));
  note(`Open this in a browser, on any device:\n  ${address}\nand type this code:\n  ${code}`);
  const waiting = waitForApproval({ origin: server.origin, note }, device.expires_in);
  try {
    const asking = poll({
      intervalSeconds: device.interval ?? INTERVAL_SECONDS,
      sleep: (seconds) => Promise.race([new Promise((resolve) => setTimeout(resolve, seconds * 1000)), waiting.over]),
      ask: () =>
        requestToken(server.token_endpoint, {
          grant_type: DEVICE,
          client_id: clientId,
          device_code: device.device_code,
        }),
    });
    return { clientId, tokens: await asking };
  } catch (error) {
    throw error instanceof OAuthRefusal && error.code === "expired_token" ? approvalTimedOut(server.origin) : error;
  } finally {
    waiting.end();
  }
}

/** Polls while the approval is pending, and slows down when told to. */
export async function poll(options: {
  intervalSeconds: number;
  sleep: (seconds: number) => Promise<unknown>;
  ask: () => Promise<TokenAnswer>;
}): Promise<TokenAnswer> {
  let interval = options.intervalSeconds;
  for (;;) {
    await options.sleep(interval);
    try {
      return await options.ask();
    } catch (error) {
      const code = error instanceof OAuthRefusal || error instanceof PdppError ? error.code : undefined;
      if (code === undefined || !PATIENT.includes(code)) throw error;
      if (code !== "authorization_pending") interval += SLOW_DOWN_SECONDS;
    }
  }
}
