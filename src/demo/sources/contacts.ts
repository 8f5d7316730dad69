// The address book.
import type { JsonObject } from "../../contract/record.ts";
import { recordSchema } from "../../core/declare.ts";
import { dublin, iso, minutes } from "../clock.ts";
import { declareSource, field } from "../declare.ts";
import { type DemoConnection, type DemoRecord, type DemoSource, stream } from "../home.ts";
import { type Person, people } from "../people.ts";
import { MOVING_DAY, NEW_FLAT, OLD_FLAT } from "../places.ts";

export const contacts: DemoSource = {
  connector_key: "contacts",
  declaration: declareSource("contacts", "Contacts", [
    {
      name: "contacts",
      description: "People and offices Nora knows.",
      display: { label: "Contacts", detail: "Names, numbers, addresses and remarks" },
      schema: recordSchema("Contact", {
        id: field.text("Id", "Stable id of the contact."),
        name: field.text("Name", "Full name."),
        circle: field.choice("Circle", "How Nora knows them.", [
          "self",
          "family",
          "friend",
          "colleague",
          "client",
          "service",
        ]),
        email: field.text("E-mail", "Mail address."),
        phone: field.nullable(field.text("Phone", "International number.")),
        organisation: field.nullable(field.text("Organisation", "Employer or office.")),
        title: field.nullable(field.text("Title", "What the person does.")),
        city: field.nullable(field.text("City", "Where the person lives.")),
        address: field.nullable(field.text("Address", "Postal address.")),
        birthday: field.nullable(field.date("Birthday", "Day of birth.")),
        remark: field.nullable(field.text("Remark", "What to remember.")),
        updated_at: field.instant("Updated", "Last change."),
      }),
      cursor_field: "updated_at",
      views: [
        { id: "names", label: "Names only", fields: ["id", "name", "circle"] },
        { id: "card", label: "Names and numbers", fields: ["id", "name", "email", "phone", "organisation"] },
      ],
      ranges: ["birthday", "updated_at"],
      search: ["name", "remark", "organisation", "title", "address"],
      aggregations: {
        count_distinct: ["city"],
        group_by: ["circle", "city", "organisation"],
        group_by_time: ["updated_at"],
      },
    },
  ]),
};

export function contactsConnections(): DemoConnection[] {
  return [{ ...contacts, key: "contacts", display_name: "Contacts", streams: [stream("contacts", contactLines)] }];
}

const ADDRESSES: Record<string, string> = {
  orla: "Sanderstraße 19, 12047 Berlin, Germany",
  pensao: "Rua da Graça 48, Lisbon, Portugal",
  bukowska: "27 Manor Street, Apt 4, Dublin 7",
  leila: "9 Brunswick Street North, Dublin 7",
};

function contactLines(): DemoRecord[] {
  const start = dublin("2023-01-01 00:10");
  const lines = Object.entries(people).map(([key, person], index) =>
    line(key, person, start + minutes(index), key === "nora" || key === "mateus" ? OLD_FLAT : ADDRESSES[key]),
  );
  const moved = dublin(`${MOVING_DAY} 19:00`);
  lines.push(line("nora", people.nora, moved, NEW_FLAT), line("mateus", people.mateus, moved + minutes(1), NEW_FLAT));
  // The meal box people are not missed.
  lines.push({ id: "fresco", at: dublin("2023-09-05 09:00") });
  return lines;
}

function line(id: string, person: Person, at: number, address: string | undefined): DemoRecord {
  const data: JsonObject = {
    id,
    name: person.name,
    circle: person.circle,
    email: person.email,
    phone: person.phone ?? null,
    organisation: person.organisation ?? null,
    title: person.title ?? null,
    city: person.city ?? null,
    address: address ?? null,
    birthday: person.birthday ?? null,
    remark: person.remark ?? null,
    updated_at: iso(at),
  };
  return { id, at, data };
}
