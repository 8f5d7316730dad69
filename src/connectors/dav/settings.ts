// Settings of the CalDAV and CardDAV connectors: the server, the account, and the collections.
import type { JsonObject } from "../../contract/json.ts";
import type { Channel } from "../common/channel.ts";
import { CollectFailure } from "../common/failure.ts";
import { certificateIn, isLoopback, namesIn, quote, wordIn } from "../common/settings.ts";

export interface DavSettings {
  url: URL;
  user: string;
  /** Names of collections. Empty means all. */
  collections: string[];
  ca?: string;
}

/** `list` is the setting that lists collections. */
export function settingsFrom(given: JsonObject, list: string): DavSettings {
  const ca = certificateIn(given);
  return {
    url: addressFrom(wordIn(given, "url")),
    user: wordIn(given, "user"),
    collections: namesIn(given, list),
    ...(ca === undefined ? {} : { ca }),
  };
}

/** "cloud.example.org" means https://cloud.example.org. */
function addressFrom(typed: string): URL {
  const url = URL.parse(/^[a-z]+:\/\//i.test(typed) ? typed : `https://${typed}`);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:"))
    throw new CollectFailure(
      `url must be the address of a server, such as https://cloud.example.org, not ${quote(typed)}`,
    );
  if (url.username !== "" || url.password !== "")
    throw new CollectFailure("url has a user name or a password in it: set them as user and password");
  if (!mayCarryPassword(url))
    throw new CollectFailure(`http would send the password unencrypted to ${url.hostname}: use https`);
  return url;
}

/** Without TLS, a password is sent only to a server on this machine. */
export const mayCarryPassword = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" || (protocol === "http:" && isLoopback(hostname));

/** `refused` means that the first password was not accepted. Returns undefined if there is no answer. */
export async function askPassword(
  channel: Channel,
  { user, url }: DavSettings,
  refused = false,
): Promise<string | undefined> {
  const data = await channel.ask({
    request_id: refused ? "credentials-again" : "credentials",
    kind: "credentials",
    message: `${refused ? `${url.hostname} did not accept the password. ` : ""}App password for ${user} at ${url.hostname}`,
    schema: {
      type: "object",
      properties: { password: { type: "string", title: "App password", format: "password", writeOnly: true } },
      required: ["password"],
    },
  });
  const password = data?.password;
  return typeof password === "string" && password !== "" ? password : undefined;
}

/** The password in every encoding in which it is sent. */
export const secretForms = (user: string, password: string): string[] => [
  password,
  Buffer.from(`${user}:${password}`).toString("base64"),
];
