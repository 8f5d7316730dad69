// The address book, as a vCard file.
import { dublin, minutes } from "../clock.ts";
import { component, escaped, fileOf, line, textLine, utcStamp } from "../formats/content-lines.ts";
import type { DemoExport } from "../home.ts";
import { type Person, people } from "../people.ts";
import { MOVING_DAY, NEW_FLAT } from "../places.ts";

const ADDRESSES: Record<string, string> = {
  orla: "Sanderstraße 19, 12047 Berlin, Germany",
  pensao: "Rua da Graça 48, Lisbon, Portugal",
  bukowska: "27 Manor Street, Apt 4, Dublin 7",
  leila: "9 Brunswick Street North, Dublin 7",
};

/** A meal box service that Nora deleted from her contacts. */
const REMOVED = "fresco";

export function contactsExport(): DemoExport {
  return {
    key: "contacts",
    display_name: "Contacts",
    *files() {
      const cards = Object.entries(people).filter(([key]) => key !== REMOVED);
      const lines = cards.flatMap(([key, person], index) => cardLines(key, person, minutes(index)));
      yield { path: "Contacts.vcf", content: fileOf(lines) };
    },
  };
}

function cardLines(key: string, person: Person, later: number): string[] {
  const hasMoved = key === "nora" || key === "mateus";
  const street = hasMoved ? NEW_FLAT : ADDRESSES[key];
  const names = person.name.split(" ");
  const place = ["", "", street ?? "", person.city ?? "", "", "", ""].map(escaped).join(";");
  return component("VCARD", [
    "VERSION:3.0",
    ...line("UID", `${key}@contacts.example`),
    ...textLine("FN", person.name),
    ...line("N", [names.slice(1).join(" "), names[0]!, "", "", ""].map(escaped).join(";")),
    ...line("EMAIL;TYPE=INTERNET", person.email),
    ...line("TEL;TYPE=CELL", person.phone),
    ...textLine("ORG", person.organisation),
    ...textLine("TITLE", person.title),
    ...line("ADR;TYPE=HOME", street === undefined && person.city === undefined ? undefined : place),
    ...line("BDAY", person.birthday),
    ...textLine("NOTE", person.remark),
    ...textLine("CATEGORIES", person.circle),
    ...line("REV", utcStamp(dublin(hasMoved ? `${MOVING_DAY} 19:00` : "2023-01-01 00:10") + later)),
  ]);
}
