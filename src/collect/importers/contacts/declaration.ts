// Declares the streams of contacts: people and offices, and how to reach them.
import { declareSource, field, recordSchema } from "../../../core/declare.ts";

const kind = field.text("Type", "What it is used for: home, work, cell, or a label that the owner chose.");
const blobRef = {
  ...field.object(
    {
      blob_id: field.text("Blob id", "Id of the stored file."),
      mime_type: field.text("Media type", "Media type of the file."),
      size_bytes: field.count("Size", "Size in bytes."),
      sha256: field.text("SHA-256", "SHA-256 digest of the file, in hexadecimal."),
    },
    ["blob_id", "mime_type", "size_bytes", "sha256"],
  ),
  title: "Photo",
  description: "Picture on the card.",
};

export const contactsDeclaration = declareSource("contacts", "Contacts", [
  {
    name: "contacts",
    description: "The contacts of an address book: people, organisations and groups.",
    display: {
      label: "Contacts",
      detail: "Names, email addresses, phone numbers, postal addresses, birthdays, notes and photos",
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
      id: field.text("Id", "UID of the card; otherwise derived from the names and the first address or number."),
      name: field.text("Name", "Full name."),
      given_name: field.text("Given name", "First name."),
      additional_name: field.text("Additional names", "Middle names."),
      family_name: field.text("Family name", "Last name."),
      prefix: field.text("Prefix", "Title before the name, such as Dr."),
      suffix: field.text("Suffix", "Suffix after the name, such as Jr."),
      nickname: field.text("Nickname", "Nickname of the person."),
      kind: field.choice("Kind", "Kind of contact; absent for a person.", ["group", "org", "location"]),
      organisation: field.text("Organisation", "Employer or organisation."),
      department: field.text("Department", "Department of the organisation."),
      title: field.text("Title", "Position."),
      role: field.text("Role", "What the person does there."),
      email: field.text("Email", "The preferred or first address, in lowercase."),
      phone: field.text("Phone", "The preferred or first number."),
      emails: field.list(
        "Email addresses",
        "All email addresses.",
        field.object({ address: field.text("Address", "Email address."), type: kind }, ["address"]),
      ),
      phones: field.list(
        "Phones",
        "All phone numbers.",
        field.object({ number: field.text("Number", "As written on the card."), type: kind }, ["number"]),
      ),
      addresses: field.list(
        "Addresses",
        "Postal addresses.",
        field.object(
          {
            text: field.text("Address", "The full address, on several lines."),
            street: field.text("Street", "Street, house number and PO box."),
            city: field.text("City", "City or town."),
            region: field.text("Region", "State or county."),
            postal_code: field.text("Postal code", "As written on the card."),
            country: field.text("Country", "As written on the card."),
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
        "Accounts on messengers and social networks.",
        field.object(
          {
            service: field.text("Service", "Name of the service."),
            handle: field.text("Name", "User name on the service."),
          },
          ["service", "handle"],
        ),
      ),
      relations: field.list(
        "Relations",
        "Related people.",
        field.object(
          {
            name: field.text("Name", "Name of the related person."),
            relation: field.text("Relation", "Spouse, manager, or a label that the owner chose."),
          },
          ["name", "relation"],
        ),
      ),
      birthday: field.date("Birthday", "Date of birth."),
      birthday_text: field.text("Birthday", "A birthday without its year (--02-03), or in words."),
      anniversary: field.date("Anniversary", "Wedding day or another anniversary."),
      anniversary_text: field.text("Anniversary", "An anniversary without its year, or in words."),
      categories: field.texts("Groups", "Groups and tags."),
      note: field.text("Note", "Notes that the owner wrote."),
      photo: blobRef,
      photo_url: field.text("Photo address", "Address of the picture, as given on the card; it is never fetched."),
      updated_at: field.instant("Updated", "When it was last changed, if the card says so."),
    }),
    cursor_field: "updated_at",
    views: [
      { id: "names", label: "Names only", fields: ["id", "name", "given_name", "family_name", "nickname"] },
      {
        id: "card",
        label: "Names, numbers and email addresses",
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
