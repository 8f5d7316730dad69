// Where events may be sent: https to a name of the public internet, or wherever the owner allowed (SECURITY row 6).
import { isIP } from "node:net";
import { PdppError } from "../contract/errors.ts";

/** What is wrong with an address can be seen without asking for its host's addresses; those are looked at when it is connected to. */
export function webhookUrl(text: string, allowed: ReadonlySet<string>): URL {
  const url = URL.parse(text);
  const hosts = allowed.size === 0 ? "" : ", or an address at a host that the owner allowed";
  if (url === null || !["https:", "http:"].includes(url.protocol))
    throw wrong(`url is an https address${hosts}, not ${JSON.stringify(text.slice(0, 200))}`);
  if (url.username !== "" || url.password !== "")
    throw wrong("url carries credentials; what is sent is signed instead");
  if (text.includes("#")) throw wrong("url carries a fragment, which is never sent");
  if (url.hostname.endsWith(".")) throw wrong("the host of url ends with a dot");
  if (url.port === "0") throw wrong("there is no port 0");
  if (isAllowedHost(url, allowed)) return url;
  if (url.protocol === "http:")
    throw wrong("url is http: events are sent over https alone, unless the owner allowed its host", url);
  if (isIP(bare(url.hostname)) !== 0)
    throw wrong("url names an address, not a host: without a name there is nothing to check", url);
  if (!url.hostname.includes(".") || /\.(localhost|local|internal|home\.arpa|lan)$/.test(url.hostname))
    throw wrong(`${url.hostname} is no host of the public internet`, url);
  return url;
}

/** Whether the owner allowed this host, by name alone or with its port. */
export function isAllowedHost(url: URL, allowed: ReadonlySet<string>): boolean {
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return allowed.has(url.hostname) || allowed.has(`${url.hostname}:${port}`);
}

/** `HOST` or `HOST:PORT`, as addresses name it. */
export function hostRule(text: string): string {
  const url = /^[^\s/?#@\\]+$/.test(text) ? URL.parse(`http://${text}`) : null;
  const port = /:(\d+)$/.exec(text.replace(/^\[.*\]/, ""))?.[1];
  if (url === null || url.hostname === "" || port === "0" || url.hostname.endsWith(".")) {
    throw new PdppError(
      "invalid_request",
      `a host is a name or an address, with a port if only that: not ${JSON.stringify(text)}`,
      {
        param: "host",
        next_step: "For example: `pdpp events allow 192.168.1.20:8123`, or `pdpp events allow automation.lan`.",
      },
    );
  }
  return port === undefined ? url.hostname : `${url.hostname}:${Number(port)}`;
}

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, "");

function wrong(message: string, private_?: URL): PdppError {
  return new PdppError("invalid_request", message, {
    param: "url",
    ...(private_ === undefined
      ? {}
      : {
          next_step: `Give an https address with a public name; or the owner allows this one: \`pdpp events allow ${private_.host}\`.`,
        }),
  });
}
