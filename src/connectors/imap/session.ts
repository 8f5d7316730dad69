// A connection to the mail server, and the server's capabilities.
import { ImapFlow } from "imapflow";
import { CollectFailure } from "../common/failure.ts";
import { tlsOptions } from "../common/settings.ts";
import type { ImapSettings, Secret } from "./settings.ts";

const CONNECT_MS = 30_000;
const GREETING_MS = 60_000;
/** Servers that search a large folder are silent for a while. */
const SILENCE_MS = 4 * 60_000;
/** Larger than the largest message that is requested. */
const LITERAL_BYTES_MAX = 64 * 1024 * 1024;

export interface Session {
  client: ImapFlow;
  /** True if the server can report what changed since a given moment. */
  condstore: boolean;
  /** True if the server has Gmail's labels and threads. */
  gmail: boolean;
}

export async function openSession(settings: ImapSettings, secret: Secret, signal: AbortSignal): Promise<Session> {
  const { host, port, security, user, ca } = settings;
  const client = new ImapFlow({
    host,
    port,
    secure: security === "tls",
    doSTARTTLS: security === "starttls" ? true : security === "none" ? false : undefined,
    auth: "password" in secret ? { user, pass: secret.password } : { user, accessToken: secret.accessToken },
    tls: tlsOptions(ca),
    // The logger would log what is sent, and mail does not belong in a log.
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: GREETING_MS,
    socketTimeout: SILENCE_MS,
    maxLiteralSize: LITERAL_BYTES_MAX,
    maxResponseSize: LITERAL_BYTES_MAX + 1024 * 1024,
    clientInfo: { name: "Postern" },
  });
  // Every running command is rejected too, so the event needs no handling. Without a listener, the process would end
  // here.
  client.on("error", () => undefined);
  const stop = (): void => client.close();
  signal.addEventListener("abort", stop, { once: true });
  client.on("close", () => signal.removeEventListener("abort", stop));
  signal.throwIfAborted();
  await client.connect();
  if (security !== "none" && !client.secureConnection)
    throw new CollectFailure(`${host} did not switch to TLS: nothing was read`);
  return {
    client,
    condstore: client.enabled.has("CONDSTORE"),
    gmail: client.capabilities.has("X-GM-EXT-1"),
  };
}
