// An operator's settings for a server, from options or the environment.
import { isIP, isIPv6 } from "node:net";
import { resolve } from "node:path";
import type { TrustedProxies } from "../../contract/trusted-proxies.ts";
import { type OptionValues, oneOf, text, UsageError } from "./command.ts";

export interface ServeSettings {
  log: "text" | "json";
  /** If absent, there are no metrics. */
  metrics?: { token?: string };
  /** The time that the server keeps serving as "not ready" after the first signal, so that load balancers notice. */
  drainSeconds: number;
  /** Proxies whose X-Forwarded-For is trusted. */
  proxies?: TrustedProxies;
  tls?: { cert: string; key: string };
}

type Environment = Readonly<Record<string, string | undefined>>;

const DRAIN_MAX = 300;
/** Shorter tokens can be guessed. */
const TOKEN_LEAST = 16;

export function serveSettings(values: OptionValues, environment: Environment): ServeSettings {
  const log = oneOf(values, "log", ["text", "json"]) ?? chosen(environment, "PDPP_LOG", ["text", "json"]) ?? "text";
  const isMeasured = values.metrics === true || chosen(environment, "PDPP_METRICS", ["0", "1"]) === "1";
  const token = environment.PDPP_METRICS_TOKEN || undefined;
  requireToken("PDPP_METRICS_TOKEN", token);
  const drain = environment.PDPP_DRAIN_SECONDS || "0";
  if (!/^\d{1,3}$/.test(drain) || Number(drain) > DRAIN_MAX)
    throw new UsageError(
      `PDPP_DRAIN_SECONDS must be a whole number from 0 to ${DRAIN_MAX}, not ${JSON.stringify(drain)}`,
    );
  return {
    log,
    ...(isMeasured ? { metrics: token === undefined ? {} : { token } } : {}),
    drainSeconds: Number(drain),
    ...trustedProxies(values, environment),
    ...tlsFiles(values),
  };
}

function trustedProxies(values: OptionValues, environment: Environment): Pick<ServeSettings, "proxies"> {
  const token = environment.PDPP_PROXY_TOKEN || undefined;
  requireToken("PDPP_PROXY_TOKEN", token);
  const addresses =
    text(values, "trusted-proxy")
      ?.split(",")
      .map((one) => one.trim()) ?? [];
  for (const one of addresses) {
    const [address = "", bits = "0", ...more] = one.split("/");
    if (
      isIP(address) === 0 ||
      !/^\d{1,3}$/.test(bits) ||
      Number(bits) > (isIPv6(address) ? 128 : 32) ||
      more.length > 0
    )
      throw new UsageError(
        `--trusted-proxy takes addresses such as 172.18.0.2 or 10.0.0.0/8, not ${JSON.stringify(one)}`,
      );
    if (/^127\.|^::1$/.test(address))
      throw new UsageError(
        `--trusted-proxy cannot be ${address}: every program on this machine has that address; set PDPP_PROXY_TOKEN instead`,
      );
  }
  return addresses.length === 0 && token === undefined ? {} : { proxies: { addresses, token } };
}

function tlsFiles(values: OptionValues): Pick<ServeSettings, "tls"> {
  const [cert, key, publicUrl] = ["tls-cert", "tls-key", "public-url"].map((name) => text(values, name));
  if (cert === undefined && key === undefined) return {};
  if (cert === undefined || key === undefined) throw new UsageError("--tls-cert and --tls-key must be given together");
  if (!publicUrl?.startsWith("https://"))
    throw new UsageError(
      "--tls-cert needs --public-url https://NAME: browsers and apps call the server by the name in its certificate",
    );
  return { tls: { cert: resolve(cert), key: resolve(key) } };
}

/** The token is sent in a header, and must be too long to guess. */
function requireToken(name: string, token: string | undefined): void {
  if (token !== undefined && !new RegExp(`^[\\x21-\\x7e]{${TOKEN_LEAST},}$`).test(token))
    throw new UsageError(`${name} must have at least ${TOKEN_LEAST} printable characters, without spaces`);
}

function chosen<T extends string>(environment: Environment, name: string, choices: readonly T[]): T | undefined {
  const value = environment[name] || undefined;
  const found = choices.find((choice) => choice === value);
  if (found === undefined && value !== undefined)
    throw new UsageError(`${name} must be ${choices.join(" or ")}, not ${JSON.stringify(value)}`);
  return found;
}
