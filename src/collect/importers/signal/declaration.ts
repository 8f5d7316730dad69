// Declares the streams of Signal's own export: messages, conversations, contacts.
import { declareSource, field, recordSchema } from "../../../core/declare.ts";
import { conversationsStream, messagesStream } from "../chat-streams.ts";

const parts = ["number", "handle"] as const;

export const signalDeclaration = declareSource("signal", "Signal", [
  messagesStream("Signal", { parts, without: ["edited_at"] }),
  conversationsStream("Signal", parts),
  {
    name: "contacts",
    description: "People in Signal's address book.",
    display: { label: "Contacts", detail: "Names, numbers and usernames" },
    kind: "person",
    roles: { title: "name", number: "number", handle: "handle" },
    schema: recordSchema("Signal contact", {
      id: field.text("Id", "Derived from the account's id on Signal."),
      name: field.text("Name", "Name of the person."),
      number: field.text("Number", "Phone number."),
      handle: field.text("Username", "Username on Signal."),
    }),
    search: ["name"],
  },
]);
