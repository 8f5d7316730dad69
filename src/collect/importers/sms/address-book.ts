// Names and spellings of the numbers in a backup, collected before the first record, so that every run shows a person
// in the same way, whichever file comes first.
import { type ChatPerson, type Conversation, namedAfter, personOf } from "../chat-streams.ts";

/** Countries and apps write the same number with different prefixes, but its last digits are the same. */
const NUMBER_END = 9;

function addressKey(address: string): string {
  const digits = address.replace(/\D/g, "");
  return !address.includes("@") && digits.length >= 7 ? digits.slice(-NUMBER_END) : address.toLowerCase();
}

/** Several addresses are joined by a tilde. */
export const addressesIn = (text: string): string[] =>
  text
    .split("~")
    .map((one) => one.trim())
    .filter((one) => one !== "");

/** Identifies a conversation by its people, in any order and spelling. */
export const conversationKey = (addresses: readonly string[]): string =>
  [...new Set(addresses.map(addressKey))].sort().join("~");

/** Ranks the spellings of a number: one with the country code is best, and sorts highest. */
const spellingRank = (address: string): string =>
  `${address.startsWith("+") ? 1 : 0}${String(address.replace(/\D/g, "").length).padStart(4, "0")}${address}`;

interface BookEntry {
  address: string;
  name?: string;
  /** The date of the message that contains this name. */
  date: number;
}

export interface AddressBook {
  note(address: string, name: string | undefined, date: number): void;
  person(address: string): ChatPerson;
  conversation(id: string, addresses: readonly string[]): Conversation;
}

export function createAddressBook(): AddressBook {
  const entries = new Map<string, BookEntry>();
  const person = (address: string): ChatPerson => {
    const { address: spelled, name } = entries.get(addressKey(address)) ?? { address };
    return { ...personOf(spelled), ...(name === undefined ? {} : { name }) };
  };
  return {
    note(address, name, date) {
      const key = addressKey(address);
      const known = entries.get(key) ?? { address, date: -1 };
      // The newest name is the current one.
      const isNewer =
        name !== undefined &&
        (known.name === undefined || date > known.date || (date === known.date && name > known.name));
      entries.set(key, {
        address: spellingRank(address) > spellingRank(known.address) ? address : known.address,
        ...(isNewer
          ? { name, date }
          : known.name === undefined
            ? { date: -1 }
            : { name: known.name, date: known.date }),
      });
    },
    person,
    conversation(id, addresses) {
      const keys = [...new Map(addresses.map((address) => [addressKey(address), address]))].sort();
      const participants = keys.map(([, address]) => person(address));
      return {
        id,
        name: namedAfter(participants) ?? "Unknown",
        kind: keys.length > 1 ? "group" : "direct",
        participants,
      };
    },
  };
}
