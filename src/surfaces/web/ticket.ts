// Signed tickets that a page contains and sends back. A ticket is valid for one purpose, in one browser, for a limited
// time. The server stores nothing.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

export interface TicketTerms {
  secret: string;
  purpose: string;
  /** A value that only this browser can present again. */
  bound: string;
}

const mac = ({ secret, purpose, bound }: TicketTerms, text: string): string =>
  createHmac("sha256", secret).update(`ticket\n${purpose}\n${bound}\n${text}`).digest("base64url");

export function newTicket(terms: TicketTerms, until: number): string {
  const text = `${until}.${randomBytes(16).toString("base64url")}`;
  return `${text}.${mac(terms, text)}`;
}

/** Returns when the ticket expires, or undefined if it has expired or was made for another purpose or browser. */
export function ticketUntil(terms: TicketTerms, ticket: string, now: number): number | undefined {
  const [, text, until, given] = /^((\d{1,15})\.[\w-]{22})\.([\w-]{43})$/.exec(ticket) ?? [];
  if (text === undefined || !timingSafeEqual(Buffer.from(given!), Buffer.from(mac(terms, text)))) return undefined;
  return now < Number(until) ? Number(until) : undefined;
}

/** Signs a text that a page contains, so that it comes back unchanged, and only from this browser. */
export const signText = (terms: TicketTerms, text: string): string =>
  `${Buffer.from(text).toString("base64url")}.${mac(terms, text)}`;

/** Returns the text, or undefined if it was altered or signed for another purpose. */
export function signedText(terms: TicketTerms, signed: string): string | undefined {
  const [, body, given] = /^([\w-]+)\.([\w-]{43})$/.exec(signed) ?? [];
  if (body === undefined) return undefined;
  const text = Buffer.from(body, "base64url").toString("utf8");
  return timingSafeEqual(Buffer.from(given!), Buffer.from(mac(terms, text))) ? text : undefined;
}
