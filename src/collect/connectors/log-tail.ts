// The tail of a connector's standard error: bounded, and with its secrets removed.
import { COLLECT } from "../../contract/limits.ts";
import type { Redactor } from "./redact.ts";

export interface LogTail {
  add(part: Uint8Array): void;
  read(): { text: string; truncated: boolean };
}

export function logTail(redact: Redactor, maxBytes: number = COLLECT.logBytes): LogTail {
  let parts: Buffer[] = [];
  let size = 0;
  let truncated = false;

  /** Keeps a little more than is shown, because a secret that was cut in two could no longer be found. */
  function shorten(): void {
    const whole = Buffer.concat(parts);
    const room = maxBytes + redact.longest() * 4;
    truncated ||= whole.length > room;
    parts = [whole.length > room ? Buffer.from(whole.subarray(whole.length - room)) : whole];
    size = parts[0]!.length;
  }

  return {
    add(part) {
      parts.push(Buffer.from(part));
      size += part.length;
      if (size > maxBytes * 2 + redact.longest() * 8) shorten();
    },
    read() {
      shorten();
      const text = redact(parts[0]!.toString("utf8"));
      const from = truncated ? redact.longest() : 0;
      const end = Buffer.from(text.slice(from).toWellFormed());
      if (end.length <= maxBytes) return { text: end.toString("utf8"), truncated };
      // Do not cut in the middle of a character.
      return {
        text: end
          .subarray(end.length - maxBytes)
          .toString("utf8")
          .replace(/^\uFFFD+/, ""),
        truncated: true,
      };
    },
  };
}
