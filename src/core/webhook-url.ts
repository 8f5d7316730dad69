// Decides where events can be sent: to https hosts with a public name, and to addresses that the owner allowed for the
// app (SECURITY row 6).
import { isIP } from "node:net";
import { PdppError } from "../contract/errors.ts";

/** Checks a URL without resolving its host; the resolved addresses are checked when connecting. */
export function webhookUrl(text: string, allowed: ReadonlySet<string>): URL {
  const url = URL.parse(text);
  const hosts = allowed.size === 0 ? "" : ", or an address that the owner allowed for this app";
  if (url === null || !["https:", "http:"].includes(url.protocol))
    throw wrong(`url must be an https address${hosts}, not ${JSON.stringify(text.slice(0, 200))}`);
  if (url.username !== "" || url.password !== "")
    throw wrong("url must not have credentials; events are signed instead");
  if (text.includes("#")) throw wrong("url contains a fragment, which is never sent");
  if (url.hostname.endsWith(".")) throw wrong("the host in url ends with a dot");
  if (url.port === "0") throw wrong("port 0 cannot be used");
  if (allowed.has(webhookAddress(url))) return url;
  if (url.protocol === "http:")
    throw wrong("url is http: events are sent over https, unless the owner allowed this address for this app", url);
  if (isIP(bare(url.hostname)) !== 0)
    throw wrong("url has an IP address instead of a host name, so there is no certificate name to verify", url);
  if (!url.hostname.includes(".") || /\.(localhost|local|internal|home\.arpa|lan)$/.test(url.hostname))
    throw wrong(`${url.hostname} is not a host on the public internet`, url);
  return url;
}

/** `HOST:PORT`, including the port even if it is the default. */
export const webhookAddress = (url: URL): string =>
  `${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`;

/** Returns true if a host-wide rule from version 0.1, `HOST` or `HOST:PORT`, covers this URL. */
export const hostRuleCovers = (rule: string, url: URL): boolean =>
  rule === url.hostname || rule === webhookAddress(url);

/** Returns `HOST:PORT` in the same form as `webhookAddress`. */
export function checkedAddress(text: string): string {
  const url = /^[^\s/?#@\\]+$/.test(text) ? URL.parse(`http://${text}`) : null;
  const port = Number(/:(\d+)$/.exec(text.replace(/^\[.*\]/, ""))?.[1] ?? 0);
  if (url === null || url.hostname === "" || port === 0 || url.hostname.endsWith("."))
    throw new PdppError("invalid_request", `${JSON.stringify(text)} is not HOST:PORT`, {
      param: "host",
      next_step: "Specify a host name or an address, with its port, for example 192.168.1.20:8123.",
    });
  return `${url.hostname}:${port}`;
}

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, "");

function wrong(message: string, private_?: URL): PdppError {
  return new PdppError("invalid_request", message, {
    param: "url",
    ...(private_ === undefined
      ? {}
      : {
          next_step: `Use an https address with a public host name, or have the owner allow this one for the app: \`pdpp events allow ${webhookAddress(private_)} --app CLIENT\`.`,
        }),
  });
}
