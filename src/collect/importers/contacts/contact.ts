// Converts one card to a record: names, addresses and numbers, dates, and the photo.
import type { JsonObject } from "../../../contract/json.ts";
import { splitEscaped } from "../content-line.ts";
import { digestOf } from "../replay.ts";
import { type CardProperty, partsOf, plain } from "./card.ts";

const LIST_MAX = 200;
const TEXT_MAX = 100_000;

export interface Contact {
  id: string;
  /** True if the id is the card's UID, false if it was derived from the card's content. */
  isGiven: boolean;
  /** REV, if the card has one. */
  updatedAt?: string;
  /** Without id and photo. */
  data: JsonObject;
  photo?: { bytes: Buffer; mimeType: string };
}

/** Throws with a reason if the card names no one. */
export function contactOf(properties: readonly CardProperty[]): Contact {
  const all = (...names: string[]): CardProperty[] =>
    properties
      .filter(({ name, value, bytes }) => names.includes(name) && (value.trim() !== "" || bytes !== undefined))
      .slice(0, LIST_MAX);
  const say = (...names: string[]): string => plain(all(...names)[0]?.value ?? "").slice(0, TEXT_MAX);
  const [family = "", given = "", additional = "", prefix = "", suffix = ""] = partsOf(all("N")[0]?.value ?? "");
  const [organisation = "", ...departments] = partsOf(all("ORG")[0]?.value ?? "");
  const emails = preferredFirst(all("EMAIL")).map((one) => ({
    address: plain(one.value)
      .replace(/^mailto:/i, "")
      .slice(0, 500),
    ...typeOf(one),
  }));
  const phones = preferredFirst(all("TEL")).map((one) => ({
    number: plain(one.value).replace(/^tel:/i, "").slice(0, 200),
    ...typeOf(one),
  }));
  const addresses = all("ADR")
    .map(addressOf)
    .filter(({ text }) => text !== "");
  const spoken = [prefix, given, additional, family, suffix].filter((part) => part !== "").join(" ");
  const name = say("FN") || spoken || say("NICKNAME") || organisation || emails[0]?.address || phones[0]?.number || "";
  if (name === "") throw new Error("a card with neither a name nor an address");
  const uid = say("UID")
    .replace(/^urn:uuid:/i, "")
    .slice(0, 500);
  const updatedAt = instantOf(say("REV"));
  const birthday = say("BDAY", "BIRTHDAY");
  const photo = properties.find(({ name: one, bytes }) => one === "PHOTO" && bytes !== undefined && bytes.length > 0);
  const kind = say("KIND", "X-ADDRESSBOOKSERVER-KIND").toLowerCase();
  const fields: JsonObject = {
    name: name.slice(0, 1000),
    ...texts({
      given_name: given,
      additional_name: additional,
      family_name: family,
      prefix,
      suffix,
      nickname: say("NICKNAME"),
    }),
    ...texts({ kind: ["group", "org", "location"].includes(kind) ? kind : "" }),
    ...texts({
      organisation,
      department: departments.filter((part) => part !== "").join(", "),
      title: say("TITLE"),
      role: say("ROLE"),
    }),
    ...texts({ email: (emails[0]?.address ?? "").toLowerCase(), phone: phones[0]?.number ?? "" }),
    emails,
    phones,
    addresses,
    links: all("URL").map((one) => ({ url: plain(one.value).slice(0, 2000), ...typeOf(one) })),
    accounts: accountsOf(properties),
    relations: all(
      "X-ABRELATEDNAMES",
      "RELATED",
      "X-SPOUSE",
      "X-EVOLUTION-SPOUSE",
      "X-MANAGER",
      "X-EVOLUTION-MANAGER",
      "X-ASSISTANT",
      "X-EVOLUTION-ASSISTANT",
    ).map(relationOf),
    ...dateField("birthday", birthday),
    ...dateField(
      "anniversary",
      say("ANNIVERSARY", "X-ANNIVERSARY", "X-EVOLUTION-ANNIVERSARY", "X-MS-ANNIVERSARY") ||
        appleAnniversary(properties),
    ),
    categories: all("CATEGORIES")
      .flatMap(({ value }) =>
        splitEscaped(value, ",")
          .map(plain)
          .filter((one) => one !== ""),
      )
      .slice(0, LIST_MAX),
    ...texts({
      note: all("NOTE")
        .map(({ value }) => plain(value))
        .join("\n\n")
        .slice(0, TEXT_MAX),
    }),
    ...texts({ photo_url: photo === undefined && /^https?:/i.test(say("PHOTO")) ? say("PHOTO").slice(0, 2000) : "" }),
    ...(updatedAt === undefined ? {} : { updated_at: updatedAt }),
  };
  // Without a UID, the id is derived from the name and the first email address or phone number. Adding a second number
  // later does not change it.
  const reach = (emails[0]?.address ?? phones[0]?.number ?? JSON.stringify(fields)).toLowerCase();
  const id = uid || `sha256:${digestOf(name, family, given, organisation, reach)}`;
  return {
    id,
    isGiven: uid !== "",
    ...(updatedAt === undefined ? {} : { updatedAt }),
    data: fields,
    ...(photo === undefined ? {} : { photo: { bytes: photo.bytes!, mimeType: imageType(photo) } }),
  };
}

const texts = (fields: Record<string, string>): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
const preferredFirst = (list: CardProperty[]): CardProperty[] =>
  [...list].sort((one, other) => Number(other.preferred) - Number(one.preferred));
const typeOf = ({ types }: CardProperty): { type?: string } =>
  types.length === 0 ? {} : { type: types.join(", ").slice(0, 200) };

function addressOf(property: CardProperty): { text: string } & JsonObject {
  const [box = "", extended = "", street = "", city = "", region = "", postalCode = "", country = ""] = partsOf(
    property.value,
  );
  const lines = [box, extended, street].filter((part) => part !== "").join("\n");
  const town = [postalCode, city, region].filter((part) => part !== "").join(" ");
  return {
    text: [lines, town, country].filter((part) => part !== "").join("\n"),
    ...texts({ street: lines, city, region, postal_code: postalCode, country }),
    ...typeOf(property),
  };
}

const SERVICES =
  /^X-(AIM|ICQ|JABBER|MSN|YAHOO|SKYPE|GTALK|GOOGLE-TALK|QQ|TWITTER|MS-IMADDRESS|EVOLUTION-BLOG-URL|GADUGADU|GROUPWISE|SOCIALPROFILE)$/;

function accountsOf(properties: readonly CardProperty[]): { service: string; handle: string }[] {
  return properties
    .flatMap(({ name, value, types }) => {
      const handle = plain(value).slice(0, 500);
      if (handle === "") return [];
      if (name === "IMPP")
        return [
          {
            service: /^([a-z][a-z0-9+.-]{1,20}):/i.exec(handle)?.[1]?.toLowerCase() ?? types[0] ?? "im",
            handle: handle.replace(/^[a-z][a-z0-9+.-]{1,20}:/i, ""),
          },
        ];
      const service = SERVICES.exec(name)?.[1]?.toLowerCase();
      return service === undefined
        ? []
        : [{ service: service === "socialprofile" ? (types[0] ?? "profile") : service, handle }];
    })
    .slice(0, LIST_MAX);
}

function relationOf({ name, value, types }: CardProperty): { name: string; relation: string } {
  const own = /^X-(?:EVOLUTION-)?(SPOUSE|MANAGER|ASSISTANT)$/.exec(name)?.[1]?.toLowerCase();
  return { name: plain(value).slice(0, 500), relation: own ?? types[0] ?? "related" };
}

const appleAnniversary = (properties: readonly CardProperty[]): string =>
  plain(properties.find(({ name, types }) => name === "X-ABDATE" && types.includes("anniversary"))?.value ?? "");

/**
 * A full date becomes a date; one without a year stays as written: "--02-03". Apple writes the year 1604 if the year is
 * unknown.
 */
function dateField(name: string, value: string): JsonObject {
  const whole = /^(\d{4})-?(\d{2})-?(\d{2})(?:$|[T ])/.exec(value);
  if (whole !== null && whole[1] !== "1604") {
    const [, year, month, day] = whole;
    const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
    if (Number(year) > 0 && date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day))
      return { [name]: `${year}-${month}-${day}` };
  }
  const yearless = whole ?? /^(--)(\d{2})-?(\d{2})/.exec(value);
  if (yearless !== null) return { [`${name}_text`]: `--${yearless[2]}-${yearless[3]}` };
  return value === "" ? {} : { [`${name}_text`]: value.slice(0, 100) };
}

function instantOf(value: string): string | undefined {
  const found =
    /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ](\d{2}):?(\d{2}):?(\d{2})?(?:\.\d+)?(?:Z|([+-]\d{2}):?(\d{2})?)?)?$/.exec(value);
  if (found === null) return undefined;
  const [, year, month, day, hour = "00", minute = "00", second = "00", zoneHour, zoneMinute = "00"] = found;
  const time = Date.parse(
    `${year}-${month}-${day}T${hour}:${minute}:${second}${zoneHour === undefined ? "Z" : `${zoneHour}:${zoneMinute}`}`,
  );
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** Detected from the first bytes, because the type given on a card is often wrong. */
function imageType({ bytes, mimeType }: CardProperty): string {
  const head = bytes!.subarray(0, 12).toString("latin1");
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (head.startsWith("\x89PNG")) return "image/png";
  if (head.startsWith("GIF8")) return "image/gif";
  if (head.startsWith("RIFF") && head.endsWith("WEBP")) return "image/webp";
  return /^image\/[\w.+-]{1,60}$/.test(mimeType ?? "") ? mimeType! : "application/octet-stream";
}
