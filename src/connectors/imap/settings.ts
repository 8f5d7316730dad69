// The owner's settings: server, mailbox and folders. The secret is requested separately.
import type { JsonObject } from "../../contract/json.ts";
import type { Channel } from "../common/channel.ts";
import { CollectFailure } from "../common/failure.ts";
import { certificateIn, isLoopback, namesIn, quote, wordIn } from "../common/settings.ts";

export interface ImapSettings {
  host: string;
  port: number;
  security: "tls" | "starttls" | "none";
  user: string;
  /** The kind of secret. */
  login: "password" | "xoauth2";
  /** Empty means all except junk and trash. */
  folders: string[];
  /** YYYY-MM-DD. Mail that arrived earlier is not read. */
  since?: string;
  /** A certificate authority for the server's certificate, in addition to those that Node trusts. */
  ca?: string;
}

export type Secret = { password: string } | { accessToken: string };

const PORTS = { tls: 993, starttls: 143, none: 143 } as const;

export function settingsFrom(given: JsonObject): ImapSettings {
  const host = wordIn(given, "host");
  const security = wordIn(given, "security", "tls").toLowerCase();
  const login = wordIn(given, "login", "password").toLowerCase();
  const since = wordIn(given, "since", "");
  const ca = certificateIn(given);
  if (/[\s/:@]/.test(host.replace(/^\[[\da-f:]+\]$/i, "")))
    throw new CollectFailure(`host must be the name of a mail server, such as imap.example.com, not ${quote(host)}`);
  if (security !== "tls" && security !== "starttls" && security !== "none")
    throw new CollectFailure(`security must be tls, starttls or none, not ${quote(security)}`);
  if (login !== "password" && login !== "xoauth2")
    throw new CollectFailure(`login must be password or xoauth2, not ${quote(login)}`);
  if (security === "none" && !isLoopback(host))
    throw new CollectFailure(
      `with security set to none, the password would be sent unencrypted to ${host}: use tls or starttls`,
    );
  if (since !== "" && (!/^\d{4}-\d{2}-\d{2}$/.test(since) || Number.isNaN(Date.parse(since))))
    throw new CollectFailure(`since must be a date in the form YYYY-MM-DD, not ${quote(since)}`);
  const port = given.port === undefined || given.port === "" ? PORTS[security] : Number(given.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new CollectFailure(`port must be a number from 1 to 65535, not ${quote(String(given.port))}`);
  return {
    host: host.replace(/^\[|\]$/g, ""),
    port,
    security,
    user: wordIn(given, "user"),
    login,
    folders: namesIn(given, "folders"),
    ...(since === "" ? {} : { since }),
    ...(ca === undefined ? {} : { ca }),
  };
}

/** `refused` means that the first secret was not accepted. Returns undefined if there is no answer. */
export async function askSecret(
  channel: Channel,
  settings: ImapSettings,
  refused = false,
): Promise<Secret | undefined> {
  const { user, host, login } = settings;
  const [name, title] = login === "password" ? ["password", "App password"] : ["access_token", "OAuth access token"];
  const data = await channel.ask({
    request_id: refused ? "credentials-again" : "credentials",
    kind: "credentials",
    message: `${refused ? `${host} did not accept the sign-in. ` : ""}${title} for ${user} at ${host}`,
    schema: {
      type: "object",
      properties: { [name!]: { type: "string", title: title!, format: "password", writeOnly: true } },
      required: [name!],
    },
  });
  const value = data?.[name!];
  if (typeof value !== "string" || value === "") return undefined;
  return login === "password" ? { password: value } : { accessToken: value };
}

/** Returns every form of the secret that could be sent. */
export function secretForms(secret: Secret, user: string): string[] {
  if ("accessToken" in secret) {
    const line = `user=${user}\u0001auth=Bearer ${secret.accessToken}\u0001\u0001`;
    return [secret.accessToken, Buffer.from(line).toString("base64")];
  }
  const plain = Buffer.from(`\u0000${user}\u0000${secret.password}`).toString("base64");
  return [secret.password, plain, Buffer.from(secret.password).toString("base64")];
}
