// /dashboard/settings/sign-in: the owner's passkeys, authenticator app and recovery codes (V-13).
import { randomBytes } from "node:crypto";
import { PdppError } from "../../../contract/errors.ts";
import type { SecondFactors } from "../../../contract/second-factor.ts";
import { authenticatorUri, base32 } from "../../../core/totp.ts";
import { sentence } from "../format.ts";
import { ownerPage, type Visit } from "../owner-page.ts";
import { SIGN_IN_SETTINGS, showSecondFactor } from "./second-factor-view.ts";

/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20;

/** Messages shown after a redirect. */
const DONE = {
  removed: "Removed.",
  added: "Added. The password alone is no longer enough to sign in.",
} as const;

export interface SecondFactorView {
  factors: SecondFactors;
  /** Options for creating a passkey. Absent if browsers do not support passkeys at this address. */
  passkeyOptions?: object;
  /** The authenticator app that is being set up. */
  setup?: { secret: string; uri: string };
  /** Shown only once. */
  codes?: readonly string[];
  done?: string;
  error?: string;
}

async function load({ look, passkeys, search }: Visit): Promise<SecondFactorView> {
  const factors = await look("secondFactors", {});
  const done = search.get("done") ?? "";
  return {
    factors,
    ...(passkeys === undefined ? {} : { passkeyOptions: passkeys.options(factors.passkeys) }),
    ...(Object.hasOwn(DONE, done) ? { done: DONE[done as keyof typeof DONE] } : {}),
  };
}

export const secondFactorPage = ownerPage<SecondFactorView>({
  path: SIGN_IN_SETTINGS,
  under: "settings",
  load,
  show: showSecondFactor,
  async post(visit, form) {
    const what = form.get("do") ?? "";
    if (!Object.hasOwn(FORMS, what)) throw new PdppError("invalid_request", "the form has no action", { param: "do" });
    return FORMS[what as keyof typeof FORMS](visit, form);
  },
});

type Done = string | SecondFactorView;

/** Recovery codes are shown once, without a redirect, because reloading the target page would show them again. */
const shown = async (visit: Visit, codes: readonly string[] | undefined): Promise<Done> =>
  codes === undefined ? `${SIGN_IN_SETTINGS}?done=added` : { ...(await load(visit)), codes };

const FORMS = {
  async start(visit: Visit): Promise<Done> {
    await visit.look("recentPassword", {});
    return { ...(await load(visit)), setup: await setupOf(visit, base32(randomBytes(SECRET_BYTES))) };
  },
  async authenticator(visit: Visit, form: URLSearchParams): Promise<Done> {
    const [secret, code] = [form.get("secret") ?? "", form.get("code") ?? ""];
    try {
      const { recovery_codes } = await visit.act("addAuthenticator", { secret, code });
      return await shown(visit, recovery_codes);
    } catch (error) {
      if (!(error instanceof PdppError) || error.details.param !== "code") throw error;
      // The authenticator app already has the secret, so the secret is kept. Otherwise the owner would have to scan a
      // new one.
      const message = `${sentence(error.message)} ${error.details.next_step}`;
      return { ...(await load(visit)), setup: await setupOf(visit, secret), error: message };
    }
  },
  async passkey(visit: Visit, form: URLSearchParams): Promise<Done> {
    if (visit.passkeys === undefined)
      throw new PdppError("invalid_request", "passkeys do not work at this address", {
        next_step: "Browsers support passkeys only at https addresses with a host name.",
      });
    // Checked before the passkey response, because asking for the password afterwards would use the response up.
    await visit.look("recentPassword", {});
    const made = await visit.passkeys.made(form.get("passkey") ?? "", form.get("name")?.trim() || "Passkey");
    const { recovery_codes } = await visit.act("addPasskey", made);
    return shown(visit, recovery_codes);
  },
  async remove({ act }: Visit, form: URLSearchParams): Promise<Done> {
    await act("removeSecondFactor", { id: form.get("id") ?? "" });
    return `${SIGN_IN_SETTINGS}?done=removed`;
  },
  async codes(visit: Visit): Promise<Done> {
    const { recovery_codes } = await visit.act("newRecoveryCodes", {});
    return shown(visit, recovery_codes);
  },
};

async function setupOf({ look, origin }: Visit, secret: string): Promise<{ secret: string; uri: string }> {
  const { name = "" } = await look("ownerAccount", {});
  return { secret, uri: authenticatorUri(secret, `${name} at ${new URL(origin).host}`, "Postern") };
}
