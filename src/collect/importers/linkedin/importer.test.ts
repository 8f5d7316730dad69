// LinkedIn downloads, modelled on those in test/samples/messengers.test.ts.
import { describe, expect, it } from "vitest";
import { collect, memoryEntry, recognised, recordsOf, refusals } from "../../importer.fixture.ts";
import { hostileTogether, repeatsAndResumes } from "../hostile.fixture.ts";
import { linkedinImporter } from "./importer.ts";

const CONNECTIONS = `\ufeffNotes:
"When exporting your connection data, you may notice that some of the email addresses are missing."

First Name,Last Name,URL,Email Address,Company,Position,Connected On
José,García,https://www.linkedin.com/in/jose,,"Acme, Inc.",Engineer,15 Jan 2024
,,,,,,
`;
const OLD_MESSAGES =
  'From,To,Date,Subject,Content,Direction,Folder\nAna Li,Pedro,"6/19/18, 5:54 AM",Roles,"Hi Pedro, I&rsquo;d like&nbsp;to ask",INCOMING,INBOX\nPedro,Ana Li,"6/19/18, 3:25 PM",,,OUTGOING,SENT\nPedro,Bo Ek,"2/24/18, 12:51 PM",,hi,OUTGOING,SENT\n';
const HEADER =
  "CONVERSATION ID,CONVERSATION TITLE,FROM,SENDER PROFILE URL,TO,RECIPIENT PROFILE URLS,DATE,SUBJECT,CONTENT,FOLDER";
const ROWS = `c1,,Ana,https://www.linkedin.com/in/ana,Pedro,https://www.linkedin.com/in/pedro,2024-03-15 09:30:00 UTC,Coffee?,"Hey,
Tuesday?",INBOX
c1,,Pedro,https://www.linkedin.com/in/pedro,Ana,https://www.linkedin.com/in/ana,2024-03-15 10:00:00,,<p>Sure &amp; yes</p>,INBOX
BADROW
c2,Team,Pedro,https://www.linkedin.com/in/pedro,"Bo,Cy",,2024-03-16 10:00:00 UTC,,Hi all,INBOX`;
const entries = [
  memoryEntry("Connections.csv", CONNECTIONS),
  memoryEntry("Email Addresses.csv", "Email Address,Confirmed,Primary,Updated On\nPedro@example.com,Yes,Yes,1/1/24\n"),
  memoryEntry(
    "Shares.csv",
    'Date,ShareLink,ShareCommentary,SharedUrl,MediaUrl,Visibility\n2024-01-02 03:04:05,https://l.example/1,"Read, this",https://a.example/,,PUBLIC\n',
  ),
  memoryEntry("messages.csv", `${HEADER}\n${ROWS}\n`),
];

describe("LinkedIn", () => {
  it("I-06 reads an export from 2018: messages without ids, times in US format, member names instead of addresses", async () => {
    const old = [
      memoryEntry(
        "Connections.csv",
        'First Name,Last Name,Email Address,Company,Position,Connected On\nAna,Li,Ana@example.com,Acme,CEO,"12/2/17, 11:38 PM"\nBo,Ek,urn:li:member:12,,,"7/10/18, 12:01 AM"\n',
      ),
      memoryEntry("Messages.csv", OLD_MESSAGES),
    ];
    expect(recognised(linkedinImporter, "Messages.csv", OLD_MESSAGES)).toMatchObject({
      reason: "LinkedIn, old messages",
    });
    const events = await collect(linkedinImporter, old, { idKey: "A".repeat(43) });
    const plain = (stream: string) => recordsOf(events, stream).map(({ data }) => data);
    expect(plain("connections")).toMatchObject([
      { name: "Ana Li", address: "ana@example.com", connected_on: "2017-12-02" },
      { name: "Bo Ek", connected_on: "2018-07-10" },
    ]);
    expect(plain("connections")[1]).not.toHaveProperty("address");
    expect(plain("messages")).toMatchObject([
      {
        direction: "received",
        sent_at: "2018-06-19T05:54:00.000Z",
        subject: "Roles",
        text: "Hi Pedro, I’d like\u00a0to ask",
      },
      { direction: "sent", sent_at: "2018-06-19T15:25:00.000Z" },
      { direction: "sent", sent_at: "2018-02-24T12:51:00.000Z", text: "hi" },
    ]);
    expect(plain("conversations")).toMatchObject([
      { name: "Ana Li", kind: "direct" },
      { name: "Bo Ek", kind: "direct" },
    ]);
    expect(await refusals(linkedinImporter, old)).toEqual([]);
  });

  it("I-06 reads the quoting of exports from 2022 to 2026: quotes around each line of a share, and backslashes in comments", async () => {
    const recent = [
      memoryEntry(
        "Shares.csv",
        'Date,ShareLink,ShareCommentary,SharedURL,MediaURL,Visibility\n2025-07-01 14:33:22,https://l.example/2,"Called ""retreat"" by some.""\n""""\n""Ten days:""\n""no phone.",https://a.example/,"",MEMBER_NETWORK\n2022-03-29 01:05:08,https://l.example/1,One line,,,MEMBER_NETWORK\n',
      ),
      memoryEntry(
        "Comments_10203040.csv",
        'Date,Link,Message\n2026-05-11 05:34:03,https://l.example/3,"They promised new jobs.\n\\"You are welcome.\\" 😅"\n2026-05-07 09:30:47,https://l.example/4,"Ask better questions than: \\"Is it?\\""\n2026-05-07 09:05:53,https://l.example/5,A shrug ¯\\_(ツ)_/¯\n2020-06-08 08:11:20,https://l.example/6,Yes\n\n2020-06-07 05:23:35,https://l.example/7,"Thanks, all"\n',
      ),
    ];
    const events = await collect(linkedinImporter, recent, { idKey: "A".repeat(43) });
    expect(recordsOf(events, "posts").map(({ data: { text, shared_url } }) => [text, shared_url])).toEqual([
      ['Called "retreat" by some.\n\nTen days:\nno phone.', "https://a.example/"],
      ["One line", undefined],
      ['They promised new jobs.\n"You are welcome." 😅', undefined],
      ['Ask better questions than: "Is it?"', undefined],
      ["A shrug ¯\\_(ツ)_/¯", undefined],
      ["Yes", undefined],
      ["Thanks, all", undefined],
    ]);
    expect(events.filter(({ kind }) => kind === "error")).toEqual([]);
    expect(await refusals(linkedinImporter, recent)).toEqual([]);
  });

  it("I-06 a comma in a name does not create a second person, and attachments keep their addresses", async () => {
    const header = `"${HEADER.split(",").join('","')}","ATTACHMENTS"`;
    const row = (...cells: string[]) => cells.map((cell) => `"${cell}"`).join(",");
    const [ana, bo] = ["https://www.linkedin.com/in/ana", "https://www.linkedin.com/in/bo"];
    const messages = [
      header,
      row("c1", "", "Ana Li, MBA", ana, "Bo Ek", bo, "2026-05-11 10:00:00 UTC", "", "Hi", "INBOX", ""),
      row(
        "c1",
        "",
        "Bo Ek",
        bo,
        "Ana Li, MBA",
        ana,
        "2026-05-11 11:00:00 UTC",
        "",
        "",
        "INBOX",
        "https://l.example/f.pdf",
      ),
      row("c2", "", "Bo Ek", bo, "Cy Fo, PhD,Ana Li, MBA", "", "2026-05-11 12:00:00 UTC", "", "Both", "INBOX", ""),
    ];
    const connections =
      'First Name,Last Name,URL,Email Address,Company,Position,Connected On\nCy,"Fo, PhD",https://www.linkedin.com/in/cy,,,,15 Jan 2024\n';
    const recent = [
      memoryEntry("Connections.csv", connections),
      memoryEntry("Profile.csv", "First Name,Last Name,Maiden Name\nBo,Ek,\n"),
      memoryEntry("messages.csv", `${messages.join("\n")}\n`),
    ];
    const events = await collect(linkedinImporter, recent, { idKey: "A".repeat(43) });
    expect(recordsOf(events, "conversations").map(({ data }) => data)).toMatchObject([
      { name: "Ana Li, MBA", kind: "direct", participants: [{ handle: "ana" }, { handle: "bo" }] },
      { kind: "group", participants: [{ name: "Bo Ek" }, { name: "Cy Fo, PhD" }, { name: "Ana Li, MBA" }] },
    ]);
    expect(recordsOf(events, "messages").map(({ data: { attachments } }) => attachments)).toEqual([
      undefined,
      [{ url: "https://l.example/f.pdf" }],
      undefined,
    ]);
    expect(await refusals(linkedinImporter, recent)).toEqual([]);
  });

  it("I-06 reads messages, shares, and a list of connections that starts with a note", async () => {
    const events = await collect(linkedinImporter, entries, { idKey: "A".repeat(43) });
    const plain = (stream: string) => recordsOf(events, stream).map(({ data: { id, ...data } }) => data);
    expect(plain("connections")).toEqual([
      {
        name: "José García",
        handle: "jose",
        company: "Acme, Inc.",
        position: "Engineer",
        url: "https://www.linkedin.com/in/jose",
        connected_on: "2024-01-15",
      },
    ]);
    expect(plain("messages")).toMatchObject([
      {
        conversation_name: "Ana",
        direction: "received",
        sender_name: "Ana",
        sender_handle: "ana",
        text: "Hey,\nTuesday?",
        sent_at: "2024-03-15T09:30:00.000Z",
        subject: "Coffee?",
      },
      { direction: "sent", text: "Sure & yes", sent_at: "2024-03-15T10:00:00.000Z" },
      { conversation_name: "Team", direction: "sent" },
    ]);
    expect(plain("conversations")).toMatchObject([
      { name: "Ana", kind: "direct" },
      {
        name: "Team",
        kind: "group",
        participants: [{ name: "Pedro", handle: "pedro" }, { name: "Bo" }, { name: "Cy" }],
      },
    ]);
    expect(plain("posts")).toEqual([
      {
        kind: "post",
        text: "Read, this",
        created_at: "2024-01-02T03:04:05.000Z",
        url: "https://l.example/1",
        shared_url: "https://a.example/",
      },
    ]);
    expect(events.filter(({ kind }) => kind === "error" || kind === "skip")).toMatchObject([
      { message: "the connection has neither a name nor a profile" },
      { reason: "it only identifies the account" },
      { message: "the row has no conversation or no time" },
    ]);
    expect((await linkedinImporter.plan({ name: "x", entries }, {})).account).toEqual({
      key: "pedro@example.com",
      name: "LinkedIn (Pedro)",
    });
    expect(await refusals(linkedinImporter, entries)).toEqual([]);
  });

  it("I-04 produces the same records in every run, resumes from every checkpoint, and survives damaged files", async () => {
    await repeatsAndResumes(linkedinImporter, entries);
    await hostileTogether(linkedinImporter, entries);
  });

  it("is recognised by its columns", () => {
    expect(recognised(linkedinImporter, "any.csv", CONNECTIONS)?.score).toBe(93);
    expect(recognised(linkedinImporter, "any.csv", `${HEADER}\n`)?.score).toBe(93);
    expect(recognised(linkedinImporter, "any.csv", "First Name,Last Name,Phone\n")).toBeUndefined();
  });
});
