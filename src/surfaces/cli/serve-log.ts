// The log of a running server: text for people, or one JSON object per line for log collectors.
import { TOKEN_PREFIX } from "../../contract/ids.ts";
import type { ServerOptions } from "../../main.ts";

export interface ServeLog {
  /** Logs an unexpected error. */
  failure(text: string): void;
  note(text: string): void;
  /** If absent, requests are not logged. */
  onRequest?: NonNullable<ServerOptions["operating"]>["onRequest"];
}

const TOKENS = new RegExp(`(${Object.values(TOKEN_PREFIX).join("|")})[A-Za-z0-9_-]+`, "g");

/** Only a second line of defence: our own code never puts a secret into a message. */
const withoutTokens = (text: string): string => text.replace(TOKENS, "$1…");

export function serveLog(format: "text" | "json", write: (line: string) => void, now = () => new Date()): ServeLog {
  if (format === "text") return { failure: write, note: write };
  const say = (level: "info" | "error", rest: object): void =>
    write(JSON.stringify({ time: now().toISOString(), level, ...rest }));
  return {
    failure: (text) => say("error", { message: withoutTokens(text) }),
    note: (text) => say("info", { message: withoutTokens(text) }),
    // A failing readiness probe logs its own reason.
    onRequest: (line) =>
      say((line.status ?? 0) >= 500 && line.route !== "/readyz" ? "error" : "info", { message: "request", ...line }),
  };
}
