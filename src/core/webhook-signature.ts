// Standard Webhooks: secrets and message signatures.
import { createHmac, randomBytes } from "node:crypto";
import { PdppError } from "../contract/errors.ts";
import { EVENTS } from "../contract/limits.ts";

const PREFIX = "whsec_";

export const newSecret = (): string => PREFIX + randomBytes(EVENTS.secretBytes.made).toString("base64");

/** Checks a secret provided by an app, because a short one could be guessed. */
export function checkedSecret(text: string): string {
  const { min, max } = EVENTS.secretBytes;
  const bytes = Buffer.from(text.slice(PREFIX.length), "base64");
  const whole = text.startsWith(PREFIX) && bytes.toString("base64") === text.slice(PREFIX.length);
  if (!whole || bytes.length < min || bytes.length > max) {
    throw new PdppError(
      "invalid_request",
      `secret must be ${PREFIX} followed by the base64 of ${min} to ${max} random bytes`,
      {
        param: "secret",
        next_step: "Leave secret out: one is then generated and shown once.",
      },
    );
  }
  return text;
}

/** Returns one signature for each secret, so that a receiver can verify with any of them. */
export function signatureOf(secrets: readonly string[], id: string, timestamp: number, body: string): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), "base64");
      return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
    })
    .join(" ");
}
