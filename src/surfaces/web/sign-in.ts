// Owner setup, sign-in and sign-out. Guesses are limited per address, and for all addresses together.
import { AUTH_PATHS } from "../../auth/discovery.ts";
import { newOneTimeCode, oneTimeCodeHash } from "../../auth/one-time-code.ts";
import { hashPassword, PASSWORD_MIN, verifyPassword } from "../../auth/password.ts";
import { PdppError } from "../../contract/errors.ts";
import type { FactorProof } from "../../contract/second-factor.ts";
import type { EngineHost } from "../../engine/host.ts";
import type { Exchange } from "../http/respond.ts";
import { sentence } from "./format.ts";
import { type Html, hidden } from "./layout.ts";
import { page, seeOther } from "./page-response.ts";
import { loginPage } from "./pages/login.ts";
import { messagePage } from "./pages/message.ts";
import { setupPage } from "./pages/setup.ts";
import { signedOutPage } from "./pages/signed-out.ts";
import { passkeyForm, passkeyOffer } from "./passkey-form.ts";
import type { PasswordGuesses } from "./password-guesses.ts";
import { askSecondStep, isPending, proofIn } from "./second-step.ts";
import { noSessionCookie, postedForm, sessionIn, visitorOf } from "./visitor.ts";

const HOME = { home: true } as const;
/** Omits the app's name, because an app's claims are shown only next to what is verified. */
const AN_APP_WAITS = "An app is asking to read your data. Sign in to see which app it is and what it is asking for.";
const AN_APP = new RegExp(`^(?:${AUTH_PATHS.authorization}|${AUTH_PATHS.interaction}/)`);

export interface SignIn {
  setup(exchange: Exchange): Promise<Response>;
  login(exchange: Exchange): Promise<Response>;
  /** Shown instead of a page that only the owner may see. It then leads to that page. */
  first(exchange: Exchange, reason?: string): Promise<Response>;
  logout(exchange: Exchange): Promise<Response>;
}

interface SignInAccount {
  exists: boolean;
  name?: string;
  password?: string;
}

/** Creates a link that works once and makes its holder the owner. */
export async function newSetupLink(host: EngineHost, origin: string): Promise<string> {
  const code = newOneTimeCode();
  await host.call("putSetupCode", { code: oneTimeCodeHash(code) }, HOME);
  return `${origin}/setup?code=${code}`;
}

export async function ownerExists(host: EngineHost): Promise<boolean> {
  return (await host.call("ownerAccount", {}, HOME)).exists;
}

export interface SignInOptions {
  host: EngineHost;
  secret: () => Promise<string>;
  guesses: PasswordGuesses;
  /** True if the owner has access to the server's terminal. Otherwise only the operator does. */
  hasTerminal: boolean;
}

export function signIn({ host, secret, guesses, hasTerminal }: SignInOptions): SignIn {
  const account = async (): Promise<SignInAccount> => await host.call("ownerAccount", {}, HOME);

  async function open(
    exchange: Exchange,
    returnTo: string,
    how: { checked?: string; proof?: FactorProof },
  ): Promise<Response> {
    const label = (exchange.request.headers.get("user-agent") ?? "").slice(0, 200);
    const { session, max_age_seconds } = await host.call("openSession", { label, ...how }, HOME);
    const { key, cookies } = sessionIn(exchange, await secret(), session, max_age_seconds);
    return seeOther({ ...exchange, key }, returnTo, cookies);
  }

  /** Offered to an owner who has passkeys at this address. */
  async function passkeyPart(exchange: Exchange, csrf: string, returnTo: string): Promise<{ passkey?: Html }> {
    const options = await passkeyOffer(host, exchange, { secret: await secret(), csrf }, "sign in");
    if (options === undefined) return {};
    const fields = hidden({ csrf, return_to: returnTo });
    return { passkey: passkeyForm({ options, action: "/login", fields, button: "Sign in with a passkey" }) };
  }

  return {
    async setup(exchange) {
      const posted = exchange.request.method === "POST" ? await postedForm(exchange, await secret()) : undefined;
      const visitor = await visitorOf(exchange, host, await secret());
      const view = { action: "/setup", csrf: visitor.csrf, passwordMinLength: PASSWORD_MIN };
      const fields = posted ?? exchange.url.searchParams;
      const [code = "", name = "", password = ""] = ["code", "name", "password"].map(
        (field) => fields.get(field) ?? "",
      );
      // Codes cannot be guessed, so attempts are not counted. Password guesses therefore cannot keep the owner from a
      // reset.
      const { valid } = await host.call("checkSetupCode", { code: oneTimeCodeHash(code) }, HOME);
      if (!valid) return deadLink(exchange, hasTerminal);
      if (posted === undefined) return page(exchange, setupPage({ ...view, code }), 200, visitor.cookies);
      let stored: string;
      try {
        if (name.trim() === "") throw new PdppError("invalid_request", "enter a name", { param: "name" });
        stored = await hashPassword(password, exchange.origin);
        await host.call("setOwner", { code: oneTimeCodeHash(code), name, password: stored }, HOME);
      } catch (error) {
        if (!(error instanceof PdppError)) throw error;
        if (error.code === "authentication_error") return deadLink(exchange, hasTerminal);
        const again = setupPage({ ...view, code, error: sentence(error.message), values: { name } });
        return page(exchange, again, 400, visitor.cookies);
      }
      return open(exchange, "/dashboard", { checked: stored });
    },

    async login(exchange) {
      const posted = exchange.request.method === "POST" ? await postedForm(exchange, await secret()) : undefined;
      const visitor = await visitorOf(exchange, host, await secret());
      const returnTo = ownPath((posted ?? exchange.url.searchParams).get("return_to"));
      const view = {
        action: "/login",
        csrf: visitor.csrf,
        returnTo,
        hasTerminal,
        findsKey: exchange.key === undefined && posted === undefined,
        ...(AN_APP.test(returnTo) ? { reason: AN_APP_WAITS } : {}),
      };
      const owner = await account();
      if (!owner.exists) return noOwnerYet(exchange, hasTerminal);
      if (posted === undefined && visitor.owner !== undefined) return seeOther(exchange, returnTo);
      const offered = await passkeyPart(exchange, visitor.csrf, returnTo);
      if (posted === undefined) return page(exchange, loginPage({ ...view, ...offered }), 200, visitor.cookies);
      const again = (error: string): Response =>
        page(exchange, loginPage({ ...view, ...offered, error }), 401, visitor.cookies);
      const wait = await guesses.take(exchange);
      if (wait !== undefined) {
        const answer = page(exchange, loginPage({ ...view, retryAfterSeconds: wait }), 429, visitor.cookies);
        answer.headers.set("Retry-After", String(wait));
        return answer;
      }
      const [passkey, pending] = [posted.get("passkey") ?? "", posted.get("pending") ?? ""];
      const step = {
        host,
        exchange,
        visitor,
        secret: await secret(),
        password: owner.password!,
        returnTo,
        hasTerminal,
      };
      if (passkey === "" && pending === "") {
        const named = sameName(posted.get("name") ?? "", owner.name!);
        // A wrong name takes as long to check as a wrong password.
        const stored = named ? owner.password : undefined;
        const { ok } = await verifyPassword(posted.get("password") ?? "", stored, exchange.origin);
        if (!ok) return again("The name or the password is wrong.");
        const { required } = await host.call("secondFactors", {}, HOME);
        if (required) {
          await guesses.give(exchange);
          return askSecondStep(step);
        }
      } else if (passkey === "" && !isPending(step.secret, visitor, step.password, pending))
        return again("That took too long. Enter the password again.");
      let opened: Response;
      try {
        const proof = await proofIn(posted, host, exchange, { secret: step.secret, csrf: visitor.csrf });
        // A passkey alone is enough; a code also needs a correct password.
        const checked = passkey === "" ? { checked: step.password } : {};
        opened = await open(exchange, returnTo, { ...checked, ...(proof === undefined ? {} : { proof }) });
      } catch (error) {
        if (!(error instanceof PdppError) || error.status !== 401) throw error;
        const message = sentence(error.message);
        return passkey === "" && pending !== ""
          ? askSecondStep(step, { pending, error: message, status: 401 })
          : again(message);
      }
      await guesses.give(exchange);
      return opened;
    },

    async first(exchange, reason) {
      const { csrf, cookies } = await visitorOf(exchange, host, await secret());
      if (!(await account()).exists) return noOwnerYet(exchange, hasTerminal);
      const { pathname, search } = exchange.url;
      const returnTo = ownPath(pathname + search);
      const findsKey = exchange.key === undefined;
      const view = {
        action: "/login",
        csrf,
        returnTo,
        reason: reason ?? (AN_APP.test(returnTo) ? AN_APP_WAITS : undefined),
        hasTerminal,
        findsKey,
        ...(await passkeyPart(exchange, csrf, returnTo)),
      };
      return page(exchange, loginPage(view), 401, cookies);
    },

    async logout(exchange) {
      await postedForm(exchange, await secret());
      const { owner } = await visitorOf(exchange, host, await secret());
      if (owner !== undefined) await host.call("closeSession", { hash: owner.sessionHash }, owner.credential);
      return page(exchange, signedOutPage({ loginUrl: "/login" }), 200, noSessionCookie(exchange));
    },
  };
}

/** Accepts only our own paths, so that a sign-in never redirects elsewhere. */
function ownPath(path: string | null): string {
  return path !== null && /^\/(?![/\\~])[\x21-\x7e]*$/.test(path) && !path.includes("\\") ? path : "/dashboard";
}

const sameName = (one: string, other: string): boolean =>
  one.normalize("NFKC").trim().toLowerCase() === other.normalize("NFKC").trim().toLowerCase();

const ASK_FOR_A_LINK = "The operator of this server can send you a link to set a new name and password.";

function deadLink(exchange: Exchange, hasTerminal: boolean): Response {
  return page(
    exchange,
    messagePage({
      title: "This link no longer works",
      text: `A setup link works only once, and expires after a day. ${hasTerminal ? "Run `pdpp owner reset` in the server's terminal to get a new one." : ASK_FOR_A_LINK}`,
      status: 403,
      requestId: exchange.requestId,
      next: { label: "Sign in", href: "/login" },
    }),
    403,
  );
}

function noOwnerYet(exchange: Exchange, hasTerminal: boolean): Response {
  return page(
    exchange,
    messagePage({
      title: hasTerminal ? "This server has no owner yet" : "Nobody has signed up here yet",
      text: hasTerminal
        ? "Open the setup link that the server printed when it started, or run `pdpp owner reset` in its terminal for a new one."
        : ASK_FOR_A_LINK,
      status: 403,
      requestId: exchange.requestId,
    }),
    403,
  );
}
