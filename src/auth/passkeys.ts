// Passkeys (WebAuthn): the options sent to the browser, and the verification of its response.
import { createHash } from "node:crypto";
import { isIP } from "node:net";
import { z } from "zod";
import { PdppError } from "../contract/errors.ts";
import type { Passkey, PasskeyAdded, PasskeyProof } from "../contract/second-factor.ts";

/** How long the owner may take before the browser cancels. */
const PROMPT_TIMEOUT_MS = 5 * 60_000;
/** ES256, EdDSA, RS256: every authenticator supports at least one of them. */
const ALGORITHMS = [-7, -8, -257];

/**
 * The relying-party id for passkeys at this origin. Undefined if browsers allow no passkeys there: at an IP address, or
 * without https.
 */
export function passkeyServer(origin: string): string | undefined {
  const { protocol, hostname } = new URL(origin);
  if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0) return undefined;
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost");
  return protocol === "https:" || isLocal ? hostname : undefined;
}

const bytesOf = (text: string): string => Buffer.from(text).toString("base64url");
const hashOf = (text: string): string => createHash("sha256").update(text).digest("base64url");

/** For `PublicKeyCredential.parseCreationOptionsFromJSON`. */
export const creationOptions = (
  server: string,
  owner: { name: string; subjectId: string },
  ticket: string,
  have: readonly Passkey[],
): object => ({
  rp: { id: server, name: "Postern" },
  user: { id: bytesOf(owner.subjectId), name: owner.name, displayName: owner.name },
  challenge: bytesOf(ticket),
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
  excludeCredentials: have.map(({ id, transports }) => ({ type: "public-key", id, transports })),
  // The passkey is discoverable without a user name and requires a PIN or a fingerprint, so it counts as two factors.
  authenticatorSelection: { residentKey: "required", userVerification: "required" },
  attestation: "none",
  timeout: PROMPT_TIMEOUT_MS,
});

/** For `PublicKeyCredential.parseRequestOptionsFromJSON`. It lists no passkeys, so it tells visitors nothing. */
export const requestOptions = (server: string, ticket: string): object => ({
  rpId: server,
  challenge: bytesOf(ticket),
  allowCredentials: [],
  userVerification: "required",
  timeout: PROMPT_TIMEOUT_MS,
});

export interface AnswerTerms {
  origin: string;
  /** Returns the expiry time of the ticket in a challenge, or undefined to refuse the ticket. */
  until(ticket: string): number | undefined;
}

const answer = z.looseObject({ id: z.string().max(1400), response: z.looseObject({ clientDataJSON: z.string() }) });

/** Verifies the passkey that a browser created. */
export async function newPasskey(given: string, name: string, { origin, until }: AnswerTerms): Promise<PasskeyAdded> {
  const { server, response, expectedChallenge, challenge } = read(given, origin, until);
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  type Registration = Parameters<typeof verifyRegistrationResponse>[0]["response"];
  const { verified, registrationInfo } = await genuine(() =>
    verifyRegistrationResponse({
      response: response as unknown as Registration,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: server,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  );
  if (!verified || registrationInfo === undefined) throw notGenuine();
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
  const public_key = Buffer.from(publicKey).toString("base64url");
  return { id, name, public_key, counter, transports, server, ...challenge };
}

/** Turns a browser's response into a proof for the engine, if the response was made with one of these passkeys. */
export async function passkeyProofOf(
  given: string,
  passkeys: readonly Passkey[],
  { origin, until }: AnswerTerms,
): Promise<PasskeyProof> {
  const { server, response, expectedChallenge, challenge } = read(given, origin, until);
  const passkey = passkeys.find(({ id }) => id === response.id);
  if (passkey === undefined) throw notGenuine("that passkey is not registered on this server");
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  type Authentication = Parameters<typeof verifyAuthenticationResponse>[0]["response"];
  const { id, counter, transports } = passkey;
  const { verified, authenticationInfo } = await genuine(() =>
    verifyAuthenticationResponse({
      response: response as unknown as Authentication,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: server,
      requireUserVerification: true,
      credential: {
        id,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, "base64url")),
        counter,
        transports: transports as never,
      },
    }),
  );
  if (!verified) throw notGenuine();
  return { kind: "passkey", id, counter: authenticationInfo.newCounter, ...challenge };
}

function read(given: string, origin: string, until: AnswerTerms["until"]) {
  const server = passkeyServer(origin);
  if (server === undefined) throw notGenuine("passkeys do not work at this address");
  try {
    const response = answer.parse(JSON.parse(given));
    const { challenge } = z
      .looseObject({ challenge: z.string() })
      .parse(JSON.parse(Buffer.from(response.response.clientDataJSON, "base64url").toString("utf8")));
    const end = until(Buffer.from(challenge, "base64url").toString("utf8"));
    if (end === undefined) throw notGenuine("the request expired, or was made for another page");
    return {
      server,
      response,
      expectedChallenge: challenge,
      challenge: { challenge: hashOf(challenge), challenge_until: end },
    };
  } catch (error) {
    if (error instanceof PdppError) throw error;
    throw notGenuine();
  }
}

async function genuine<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch {
    throw notGenuine();
  }
}

const notGenuine = (message = "the passkey's response could not be verified"): PdppError =>
  new PdppError("authentication_error", message, { next_step: "Try again." });
