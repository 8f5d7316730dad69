// Declares the streams of a LinkedIn download: connections, messages, posts.
import { declareSource, field, recordSchema } from "../../../core/declare.ts";
import { conversationsStream, messagesStream } from "../chat-streams.ts";
import { postsStream } from "../post-streams.ts";

const parts = ["handle"] as const;

export const linkedinDeclaration = declareSource("linkedin", "LinkedIn", [
  {
    name: "connections",
    description: "People you are connected with on LinkedIn.",
    display: { label: "Connections", detail: "Names, companies, positions and, where shown, addresses" },
    kind: "person",
    roles: { title: "name", address: "address", handle: "handle", organisation: "company" },
    schema: recordSchema("LinkedIn connection", {
      id: field.text("Id", "Derived from the profile, or from the name."),
      name: field.text("Name", "Full name."),
      handle: field.text("Profile", "Name of the profile, as in its web address."),
      address: field.text("Email", "Email address, if the person shares it."),
      company: field.text("Company", "Where the person works."),
      position: field.text("Position", "What the person does there."),
      url: field.text("Address", "Web address of the profile."),
      connected_on: field.date("Connected", "Date on which you connected."),
    }),
    ranges: ["connected_on"],
    search: ["name", "company", "position"],
    aggregations: { group_by: ["company"] },
  },
  messagesStream("LinkedIn", {
    parts,
    without: ["edited_at", "reply_to_id", "reactions"],
    extra: { subject: field.text("Subject", "Subject line.") },
  }),
  conversationsStream("LinkedIn", parts),
  postsStream("LinkedIn", {
    fields: ["url"],
    extra: { shared_url: field.text("Shared", "Address of the page that the post shares.") },
  }),
]);
