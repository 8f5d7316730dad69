// Address books over CardDAV. The code that imports .vcf files converts each card to a contact.
import { componentsOf } from "../../collect/importers/components.ts";
import { propertiesOf } from "../../collect/importers/contacts/card.ts";
import { contactOf } from "../../collect/importers/contacts/contact.ts";
import { entryOf } from "../dav/item-entry.ts";
import type { DavKind, ItemRecord } from "../dav/kind.ts";

const CARDDAV = "urn:ietf:params:xml:ns:carddav";
const STREAM = "contacts";

export const carddav: DavKind = {
  wellKnown: "carddav",
  noun: { one: "address book", many: "address books" },
  setting: "address_books",
  homeSet: `{${CARDDAV}}addressbook-home-set`,
  collectionType: `{${CARDDAV}}addressbook`,
  multiget: `{${CARDDAV}}addressbook-multiget`,
  data: `{${CARDDAV}}address-data`,
  streams: [{ name: STREAM, timeField: "updated_at" }],
  edition: () => "1",
  keyOf: (mark) => mark,
  async read({ href, text }, { makeId }) {
    const records: ItemRecord[] = [];
    const skipped: string[] = [];
    for await (const component of componentsOf(entryOf(href, text))) {
      if (component.name !== "VCARD") continue;
      if (component.broken !== undefined) {
        skipped.push(component.broken);
        continue;
      }
      try {
        // A connector cannot transfer bytes, so the photo stays on the server.
        const { id: identity, isGiven, data } = contactOf(propertiesOf(component));
        const id = isGiven ? identity : makeId(identity);
        records.push({ stream: STREAM, key: id, mark: id, data: { id, ...data } });
      } catch (error) {
        skipped.push((error as Error).message);
      }
    }
    if (records.length === 0 && skipped.length === 0) skipped.push("it contains no card");
    return { records, skipped };
  },
};
