// Converts one SMS, MMS or call to a message: participants, time, content, and the files of an MMS.
import type { ChatPerson, ConversationMessage } from "../chat-streams.ts";
import { digestOf } from "../replay.ts";
import { addressesIn, conversationKey } from "./address-book.ts";
import type { SmsElement } from "./elements.ts";

/** The app writes "null" for missing values. */
const written = (text: string | undefined): string | undefined =>
  text === undefined || text === "" || text === "null" ? undefined : text.toWellFormed();

/** Times are in milliseconds, or in seconds in some versions. Milliseconds have exceeded this value since 1973. */
const MILLISECONDS_FROM = 100_000_000_000;

function millisOf(text: string | undefined): number | undefined {
  const value = /^\d{1,16}$/.test(text ?? "") ? Number(text) : 0;
  const millis = value >= MILLISECONDS_FROM ? value : value * 1000;
  return millis > 0 && millis < 253_402_300_800_000 ? millis : undefined;
}

export interface SmsFile {
  name: string | undefined;
  type: string;
  /** Base64. Absent if the backup was made without media. */
  data: string | undefined;
}

export interface SmsMessage {
  /** Identifies the message, and is the same in every backup. */
  identity: string;
  addresses: string[];
  /** The name of the other person, if known. */
  contact: string | undefined;
  millis: number;
  kind: NonNullable<ConversationMessage["kind"]>;
  isSent: boolean;
  /** The sender, if there are several addresses. */
  sender: string | undefined;
  text: string | undefined;
  subject: string | undefined;
  duration: number | undefined;
  files: SmsFile[];
}

const CALLS: Readonly<Record<string, string>> = {
  1: "Incoming call",
  2: "Outgoing call",
  3: "Missed call",
  4: "Voicemail",
  5: "Rejected call",
  6: "Blocked call",
};
/**
 * Values of `type` for messages: 1 is the inbox and 2 is sent. Messages of all other types, except those in the outbox,
 * never left the phone.
 */
const DRAFT = "3";
const RECEIVED = "1";

/** Returns undefined if the element has no time. */
export function smsMessage({ name, attributes, parts, addresses }: SmsElement): SmsMessage | undefined {
  const millis = millisOf(attributes.date);
  if (millis === undefined) return undefined;
  const contact = written(attributes.contact_name);
  const all = addressesIn(written(attributes.address ?? attributes.number) ?? "");
  const shared = {
    addresses: all,
    contact: contact === "(Unknown)" ? undefined : contact,
    millis,
    subject: written(attributes.subject ?? attributes.sub),
    duration: undefined,
    sender: undefined,
    files: [],
  };
  const key = conversationKey(all);
  if (name === "call") {
    const type = attributes.type ?? "";
    const duration = /^\d{1,9}$/.test(attributes.duration ?? "") ? Number(attributes.duration) : undefined;
    const identity = digestOf("call", key, String(millis), type, String(duration));
    const text = CALLS[type] ?? "Call";
    return { ...shared, identity, kind: "call", isSent: type === "2", text, duration };
  }
  if (name === "sms") {
    const type = attributes.type ?? "";
    const text = written(attributes.body);
    const identity = digestOf("sms", key, String(millis), type, text ?? "");
    return { ...shared, identity, kind: type === DRAFT ? "draft" : "message", isSent: type !== RECEIVED, text };
  }
  const box = attributes.msg_box ?? "";
  const text = parts.flatMap((part) => (part.ct === "text/plain" ? (written(part.text) ?? []) : [])).join("\n");
  const files = parts.filter(isFile).map((part) => ({
    name: written(part.cl) ?? written(part.fn) ?? written(part.name),
    type: written(part.ct) ?? "application/octet-stream",
    data: written(part.data),
  }));
  const from = addresses.find(({ type }) => type === FROM)?.address;
  return {
    ...shared,
    identity: digestOf(
      "mms",
      key,
      String(millis),
      box,
      text,
      ...files.map(({ type, name: file }) => `${type} ${file}`),
    ),
    kind: box === DRAFT ? "draft" : "message",
    isSent: box !== RECEIVED,
    sender: from === undefined || from === "insert-address-token" ? undefined : written(from),
    text: text || undefined,
    files,
  };
}

/** The `type` of an `addr` that marks the sender. The phone's own number is often written as a token. */
const FROM = "137";
/** SMIL is only the layout of the parts, not a file. */
const isFile = ({ ct }: Readonly<Record<string, string>>): boolean => ct !== "text/plain" && ct !== "application/smil";

/** Returns the other person for a received message. For a sent message, only an MMS shows the owner's number. */
export function senderOf(message: SmsMessage, person: (address: string) => ChatPerson): ChatPerson | undefined {
  const { sender, isSent, addresses } = message;
  const address = sender ?? (isSent ? undefined : addresses[0]);
  return address === undefined ? undefined : person(address);
}
