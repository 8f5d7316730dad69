// The two requests of the consent screen: showing the request, and accepting the owner's answer. A digest binds them
// together.
import type Provider from "oidc-provider";
import { itemHash } from "../../auth/adapter.ts";
import type { ClientDocuments } from "../../auth/client-documents.ts";
import { clientIdentity, documentHost } from "../../auth/client-identity.ts";
import { AUTH_PATHS } from "../../auth/discovery.ts";
import { CONSENT_REQUEST } from "../../contract/consent.ts";
import { PdppError } from "../../contract/errors.ts";
import { accessSentence } from "../../core/grant-sentence.ts";
import { audienceOfResource } from "../../core/resources.ts";
import type { Credential } from "../../engine/caller.ts";
import type { EngineHost } from "../../engine/host.ts";
import { type Exchange, json } from "../http/respond.ts";
import { askForPassword, takePassword } from "./confirm-password.ts";
import { connectedBefore, earlierGrants } from "./connected-before.ts";
import type { CaseParts } from "./consent-case.ts";
import type { ConsentForm, ConsentRequester } from "./consent-view-of.ts";
import { filesCase } from "./files-consent.ts";
import { sentence } from "./format.ts";
import { page, seeOther } from "./page-response.ts";
import { consentPage } from "./pages/consent.ts";
import { type ConsentAnswer, consentAnswer } from "./pages/consent-view.ts";
import { messagePage } from "./pages/message.ts";
import { deniedPage, receiptPage } from "./pages/receipt.ts";
import type { PasswordGuesses } from "./password-guesses.ts";
import { recordsCase } from "./records-consent.ts";
import type { SignIn } from "./sign-in.ts";
import { zoneOf } from "./times.ts";
import { ownerShown, postedForm, type SignedIn, visitorOf } from "./visitor.ts";

export interface ConsentFlowOptions {
  host: EngineHost;
  secret: () => Promise<string>;
  signInFirst: SignIn["first"];
  guesses: PasswordGuesses;
  documents: ClientDocuments;
}

export async function consentFlow(
  { host, secret, signInFirst, guesses, documents }: ConsentFlowOptions,
  provider: Provider,
  exchange: Exchange,
): Promise<Response> {
  const { incoming, outgoing } = exchange.node!;
  const interaction = await provider.interactionDetails(incoming, outgoing).catch(() => undefined);
  if (interaction === undefined || exchange.url.pathname !== `${AUTH_PATHS.interaction}/${interaction.uid}`) {
    return expired(exchange);
  }
  if (interaction.result !== undefined) return expired(exchange);
  const posted = exchange.request.method === "POST" ? await postedForm(exchange, await secret()) : undefined;
  const visitor = await visitorOf(exchange, host, await secret());
  const lens = audienceOfResource(provider.issuer, String([interaction.params.resource].flat()[0])) ?? "records";
  if (visitor.owner === undefined) {
    const what = lens === "files" ? "browse your files" : "read your data";
    return signInFirst(
      exchange,
      `An app is asking to ${what}. Sign in to see which app it is and what it is asking for.`,
    );
  }
  const { owner, csrf, cookies } = visitor;

  const client = await provider.Client.find(interaction.params.client_id as string);
  if (client === undefined) return expired(exchange);
  const asked: ConsentRequester = {
    identity: clientIdentity({
      ...(client.metadata() as { client_id: string }),
      client_name:
        (client.metadata().client_name as string | undefined) ?? displayedName(interaction.params.client_display),
      ...(typeof interaction.params.redirect_uri === "string" ? { redirect_uri: interaction.params.redirect_uri } : {}),
      copy: documents.copyFor(client.clientId),
    }),
    clientUri: client.metadata().client_uri as string | undefined,
    lens,
    device: interaction.deviceCode !== undefined,
  };
  const kept = { kind: CONSENT_REQUEST, hash: itemHash(CONSENT_REQUEST, interaction.uid) };
  const parts = partsOf(host, owner, kept.hash, client.clientId, asked, interaction.params);
  const request = asked.lens === "files" ? await filesCase(parts) : await recordsCase(parts);

  const zone = owner.preferences.time_zone ?? zoneOf(exchange);
  const earlier = await earlierGrants(host, owner.credential, client.clientId, asked);
  const show = async (note: Pick<ConsentForm, "stale" | "errors" | "answer" | "allows">): Promise<Response> => {
    const frame = { owner: ownerShown(owner), csrf, action: exchange.url.pathname, zone };
    const connected = earlier === undefined ? {} : { connected: connectedBefore(earlier, zone) };
    const view = await request.view({ ...frame, ...connected, ...note });
    return page(exchange, consentPage(view), note.errors || note.stale ? 409 : 200, cookies);
  };
  /** Describes before the decision what would be allowed: as JSON for the page's script, or on the page itself. */
  const inWords = async (answer: ConsentAnswer): Promise<Response> => {
    const forScript = !(exchange.request.headers.get("accept") ?? "").includes("text/html");
    try {
      const allows = accessSentence((await request.words?.(answer)) ?? [], zone);
      return forScript ? json(exchange, JSON.stringify({ allows })) : show({ answer, allows });
    } catch (error) {
      if (!(error instanceof PdppError) || error.code !== "invalid_request") throw error;
      const problem = sentence(error.message);
      return forScript ? json(exchange, JSON.stringify({ problem })) : show({ answer, errors: [problem] });
    }
  };
  if (posted === undefined) return show({});

  const answer = consentAnswer(posted);
  const finish = (result: object, merge: boolean): Promise<string> =>
    provider.interactionResult(incoming, outgoing, result as never, { mergeWithLastSubmission: merge });
  if (answer.decision === "deny") {
    const { consumed } = await host.call("consumeAuthItem", kept, { home: true });
    if (!consumed) return expired(exchange);
    const why = request.blocked
      ? { error: "invalid_authorization_details", error_description: "the requested data is not here" }
      : { error: "access_denied", error_description: "the owner denied the request" };
    const next = await finish(why, false);
    if (asked.device) return seeOther(exchange, next);
    return page(exchange, deniedPage({ client: asked.identity, continue: { href: next }, owner: ownerShown(owner) }));
  }
  if (answer.decision === undefined) return show({ errors: ["Choose Allow or Deny."], answer });
  if (answer.decision === "look") return inWords(answer);
  if (request.blocked)
    return show({ errors: ["The data that the app needs is not here. You can only deny the request."], answer });
  try {
    await takePassword({ host, guesses, secret }, exchange, visitor, owner, posted);
    const id = await request.approve(answer);
    const replaced = answer.replaces ? (earlier?.ids ?? []) : [];
    for (const old of replaced) await host.call("revokeGrant", { id: old }, owner.credential, exchange.requestId);
    await host.call("keepAuthItem", { kind: "Client", hash: itemHash("Client", client.clientId) }, { home: true });
    if (documentHost(client.clientId) !== undefined) await documents.keep(client.metadata() as { client_id: string });
    const next = await finish(
      { login: { accountId: owner.subjectId, remember: false }, consent: { grantId: id } },
      true,
    );
    if (asked.device) return seeOther(exchange, next);
    const receipt = receiptPage({
      client: asked.identity,
      ...(await receiptOf(host, owner.credential, id)),
      zone,
      replaced: replaced.length,
      continue: { href: next },
      appsUrl: "/dashboard/apps",
      owner: ownerShown(owner),
    });
    return page(exchange, receipt);
  } catch (error) {
    if (!(error instanceof PdppError)) throw error;
    if (error.code === "password_required")
      return askForPassword({ host, secret }, exchange, visitor, posted, error, { owner: ownerShown(owner) });
    if (error.code === "already_exists") return expired(exchange);
    if (error.code === "stale_handle") return show({ stale: true, answer });
    if (error.code === "invalid_request") return show({ errors: [sentence(error.message)], answer });
    throw error;
  }
}

/** Returns a grant or a package in the form of its receipt. */
export async function receiptOf(host: EngineHost, credential: Credential, id: string) {
  const found = await host.call("grant", { id }, credential);
  const summaries = found.object === "grant_package" ? found.grants : [found];
  const { grant } = summaries[0]!;
  return {
    reads: summaries.flatMap(({ words }) => words.reads),
    grantIds: summaries.map((summary) => summary.grant.grant_id),
    ...(found.object === "grant_package" ? { packageId: id } : {}),
    ...(grant.expires_at === undefined ? {} : { expiresAt: grant.expires_at }),
    once: grant.access_mode === "single_use",
    issuedAt: grant.issued_at,
  };
}

/**
 * Reads the app's name from the request: JSON with a name, or just the name. It is an unverified claim, and is cleaned
 * like any other.
 */
function displayedName(display: unknown): string | undefined {
  if (typeof display !== "string" || display.trim() === "") return undefined;
  try {
    const { name } = JSON.parse(display) as { name?: unknown };
    return typeof name === "string" ? name : undefined;
  } catch {
    return display;
  }
}

function partsOf(
  host: EngineHost,
  owner: SignedIn,
  request: string,
  clientId: string,
  asked: ConsentRequester,
  params: Record<string, unknown>,
): CaseParts {
  const details = params.authorization_details as string | undefined;
  const { claimedName, verifiedHost, claimedHost } = asked.identity;
  return {
    host,
    owner,
    asked,
    request,
    client: {
      client_id: clientId,
      name: claimedName || verifiedHost || claimedHost || "an app without a name",
      redirect_uri: (params.redirect_uri as string | undefined) ?? "",
      ...(verifiedHost === undefined ? {} : { verified_host: verifiedHost }),
    },
    details: details === undefined ? undefined : (JSON.parse(details) as unknown[]),
  };
}

function expired(exchange: Exchange): Response {
  return page(
    exchange,
    messagePage({
      title: "This request has ended",
      text: "It has expired, has already been answered, or was started in another browser. Go back to the app and connect again.",
      status: 400,
      code: "invalid_request",
      requestId: exchange.requestId,
    }),
    400,
  );
}
