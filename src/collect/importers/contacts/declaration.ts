// What the contacts source tells of itself: people and offices, and how to reach them.
import {
  choice,
  count,
  date,
  declareSource,
  instant,
  list,
  object,
  ranges,
  recordSchema,
  selectable,
  text,
} from "../declare.ts";

const kind = text("Type", "What it is for: home, work, cell, or the owner's own word.");
const blobRef = {
  ...object(
    {
      blob_id: text("Blob id", "Names the bytes."),
      mime_type: text("Media type", "What the bytes are."),
      size_bytes: count("Size", "Bytes."),
      sha256: text("SHA-256", "Hex digest of the bytes."),
    },
    ["blob_id", "mime_type", "size_bytes", "sha256"],
  ),
  title: "Photo",
  description: "Picture on the card.",
};

export const contactsDeclaration = declareSource("contacts", "Contacts", [
  {
    name: "contacts",
    description: "The cards of an address book: people, offices and groups.",
    display: {
      label: "Contacts",
      detail: "Names, mail addresses, phone numbers, postal addresses, birthdays, notes and photos",
    },
    semantics: "mutable_state",
    schema: recordSchema("Contact", {
      id: text("Id", "UID of the card, or made from names and first address or number."),
      name: text("Name", "Full name."),
      given_name: text("Given name", "First name."),
      additional_name: text("Additional names", "Middle names."),
      family_name: text("Family name", "Last name."),
      prefix: text("Prefix", "Before the name: Dr."),
      suffix: text("Suffix", "After the name: Jr."),
      nickname: text("Nickname", "What friends say."),
      kind: choice("Kind", "Absent: a person.", ["group", "org", "location"]),
      organisation: text("Organisation", "Employer or office."),
      department: text("Department", "Part of the organisation."),
      title: text("Title", "Position."),
      role: text("Role", "What the person does there."),
      email: text("E-mail", "The preferred or first address, in small letters."),
      phone: text("Phone", "The preferred or first number."),
      emails: list(
        "E-mails",
        "All addresses.",
        object({ address: text("Address", "E-mail address."), type: kind }, ["address"]),
      ),
      phones: list(
        "Phones",
        "All numbers.",
        object({ number: text("Number", "As written on the card."), type: kind }, ["number"]),
      ),
      addresses: list(
        "Addresses",
        "Postal addresses.",
        object(
          {
            text: text("Address", "All of it, in lines."),
            street: text("Street", "Street, house and box."),
            city: text("City", "Town."),
            region: text("Region", "State or county."),
            postal_code: text("Postal code", "As written."),
            country: text("Country", "As written."),
            type: kind,
          },
          ["text"],
        ),
      ),
      links: list("Links", "Web addresses.", object({ url: text("Address", "Web address."), type: kind }, ["url"])),
      accounts: list(
        "Accounts",
        "Messengers and networks.",
        object({ service: text("Service", "Which one."), handle: text("Name", "The name there.") }, [
          "service",
          "handle",
        ]),
      ),
      relations: list(
        "Relations",
        "Who belongs to them.",
        object(
          { name: text("Name", "Who."), relation: text("Relation", "Spouse, manager, or the owner's own word.") },
          ["name", "relation"],
        ),
      ),
      birthday: date("Birthday", "Day of birth."),
      birthday_text: text("Birthday", "A birthday without its year (--02-03), or in words."),
      anniversary: date("Anniversary", "Wedding day or another one."),
      anniversary_text: text("Anniversary", "One without its year, or in words."),
      categories: list("Groups", "Groups and tags.", { type: "string" }),
      note: text("Note", "What the owner wrote down."),
      photo: blobRef,
      photo_url: text("Photo address", "Where the card says its picture is; never fetched."),
      updated_at: instant("Updated", "Last change, where the card tells it."),
    }),
    primary_key: ["id"],
    cursor_field: "updated_at",
    selection: selectable,
    views: [
      { id: "names", label: "Names only", fields: ["id", "name", "given_name", "family_name", "nickname"] },
      {
        id: "card",
        label: "Names, numbers and mail addresses",
        fields: ["id", "name", "organisation", "title", "email", "phone", "emails", "phones"],
      },
    ],
    query: {
      range_filters: ranges("birthday", "updated_at"),
      search: { lexical_fields: ["name", "nickname", "organisation", "title", "note", "email"] },
      aggregations: {
        count: true,
        count_distinct: ["organisation"],
        group_by: ["organisation", "department", "title", "kind"],
        group_by_time: ["updated_at"],
      },
    },
  },
]);
