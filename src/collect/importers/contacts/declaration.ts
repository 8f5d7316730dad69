// The declaration of the contacts source: people and offices, and how to reach them.
import { declareSource, field, recordSchema } from "../../../core/declare.ts";

const kind = field.text("Type", "What it is for: home, work, cell, or the owner's own word.");
const blobRef = {
  ...field.object(
    {
      blob_id: field.text("Blob id", "Names the bytes."),
      mime_type: field.text("Media type", "What the bytes are."),
      size_bytes: field.count("Size", "Bytes."),
      sha256: field.text("SHA-256", "Hex digest of the bytes."),
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
    kind: "person",
    roles: {
      title: "name",
      address: ["email", "emails"],
      number: ["phone", "phones"],
      birthday: "birthday",
      organisation: "organisation",
      picture: "photo",
      text: "note",
      time: "updated_at",
    },
    schema: recordSchema("Contact", {
      id: field.text("Id", "UID of the card, or made from names and first address or number."),
      name: field.text("Name", "Full name."),
      given_name: field.text("Given name", "First name."),
      additional_name: field.text("Additional names", "Middle names."),
      family_name: field.text("Family name", "Last name."),
      prefix: field.text("Prefix", "Before the name: Dr."),
      suffix: field.text("Suffix", "After the name: Jr."),
      nickname: field.text("Nickname", "What friends say."),
      kind: field.choice("Kind", "Absent: a person.", ["group", "org", "location"]),
      organisation: field.text("Organisation", "Employer or office."),
      department: field.text("Department", "Part of the organisation."),
      title: field.text("Title", "Position."),
      role: field.text("Role", "What the person does there."),
      email: field.text("E-mail", "The preferred or first address, in small letters."),
      phone: field.text("Phone", "The preferred or first number."),
      emails: field.list(
        "E-mails",
        "All addresses.",
        field.object({ address: field.text("Address", "E-mail address."), type: kind }, ["address"]),
      ),
      phones: field.list(
        "Phones",
        "All numbers.",
        field.object({ number: field.text("Number", "As written on the card."), type: kind }, ["number"]),
      ),
      addresses: field.list(
        "Addresses",
        "Postal addresses.",
        field.object(
          {
            text: field.text("Address", "All of it, in lines."),
            street: field.text("Street", "Street, house and box."),
            city: field.text("City", "Town."),
            region: field.text("Region", "State or county."),
            postal_code: field.text("Postal code", "As written."),
            country: field.text("Country", "As written."),
            type: kind,
          },
          ["text"],
        ),
      ),
      links: field.list(
        "Links",
        "Web addresses.",
        field.object({ url: field.text("Address", "Web address."), type: kind }, ["url"]),
      ),
      accounts: field.list(
        "Accounts",
        "Messengers and networks.",
        field.object({ service: field.text("Service", "Which one."), handle: field.text("Name", "The name there.") }, [
          "service",
          "handle",
        ]),
      ),
      relations: field.list(
        "Relations",
        "Who belongs to them.",
        field.object(
          {
            name: field.text("Name", "Who."),
            relation: field.text("Relation", "Spouse, manager, or the owner's own word."),
          },
          ["name", "relation"],
        ),
      ),
      birthday: field.date("Birthday", "Day of birth."),
      birthday_text: field.text("Birthday", "A birthday without its year (--02-03), or in words."),
      anniversary: field.date("Anniversary", "Wedding day or another one."),
      anniversary_text: field.text("Anniversary", "One without its year, or in words."),
      categories: field.texts("Groups", "Groups and tags."),
      note: field.text("Note", "What the owner wrote down."),
      photo: blobRef,
      photo_url: field.text("Photo address", "Where the card says its picture is; never fetched."),
      updated_at: field.instant("Updated", "Last change, where the card tells it."),
    }),
    cursor_field: "updated_at",
    views: [
      { id: "names", label: "Names only", fields: ["id", "name", "given_name", "family_name", "nickname"] },
      {
        id: "card",
        label: "Names, numbers and mail addresses",
        fields: ["id", "name", "organisation", "title", "email", "phone", "emails", "phones"],
      },
    ],
    ranges: ["birthday", "updated_at"],
    search: ["name", "nickname", "organisation", "title", "note", "email"],
    aggregations: {
      count_distinct: ["organisation"],
      group_by: ["organisation", "department", "title", "kind", "categories"],
      group_by_time: ["updated_at"],
    },
  },
]);
