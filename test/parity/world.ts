// The data for the parity cases: one library in two connections, a grant that hides a field and a time range, a blob,
// and long texts.
import { type Loose, type TestServer, testServer } from "../harness.ts";
import { AUTHORS, BOOKS, book, LOANS, library } from "../library.ts";
import { longText } from "../mcp.ts";
import { MAILS, post } from "../post.ts";

export interface World {
  server: TestServer;
  /** Connections of the source `library`. */
  home: string;
  cabin: string;
  token: string;
  blobId: string;
  /** A handle for an export of all the books at home, sealed by the server. */
  exportHandle: string;
  /** The revision of the cabin's long text, for window handles. */
  revision: string;
  close(): Promise<void>;
}

/** Every field of a book except `secret`. */
const GRANTED = "id title genre pages price lent bought_on published_at author_id notes extra cover".split(" ");

export async function parityWorld(): Promise<World> {
  const server = await testServer();
  await server.register("library", library);
  const home = await server.connect("library", "Home shelf");
  const cabin = await server.connect("library", "Cabin shelf");
  await server.ingest("books", home, BOOKS);
  await server.ingest("authors", home, AUTHORS);
  await server.ingest("loans", home, LOANS);
  const query = { connection_id: cabin, stream: "books", record_key: "c01" };
  const blob = await server.call("POST", "/v1/blobs", {
    query,
    body: "a cover",
    headers: { "Content-Type": "image/png" },
  });
  const { object: _object, ...cover } = blob.body as Loose;
  await server.ingest("books", cabin, [
    book("c01", { title: "Heron diary", notes: longText(400), published_at: "2024-05-01T00:00:00Z", cover }),
    book("c02", { title: "Small heron", notes: "one heron, once", published_at: "2024-05-02T00:00:00Z" }),
    book("c03", { title: "Nested", extra: { a: [{ b: "deep down" }] }, published_at: "2024-05-03T00:00:00Z" }),
  ]);
  await server.register("post", post);
  const mailbox = await server.connect("post", "Mailbox");
  await server.ingest("mails", mailbox, MAILS);
  const token = await grantOf(server, home, cabin, mailbox);
  const handle = await server.get("/v1/export/handle", { token, query: { stream: "books", connection_id: home } });
  const window = await server.get("/v1/streams/books/records/c01/field-window", {
    token,
    query: { connection_id: cabin, field: "notes" },
  });
  return {
    server,
    home,
    cabin,
    token,
    blobId: cover.blob_id,
    exportHandle: handle.body.handle,
    revision: window.body.revision,
    close: () => server.close(),
  };
}

export async function grantOf(server: TestServer, home: string, cabin: string, mailbox?: string): Promise<string> {
  const selections = [
    { connection_id: home, stream: "books", fields: GRANTED, since: "2023-01-01T00:00:00Z" },
    { connection_id: home, stream: "authors" },
    { connection_id: home, stream: "loans" },
    { connection_id: cabin, stream: "books", fields: GRANTED },
    ...(mailbox === undefined ? [] : [{ connection_id: mailbox, stream: "mails" }]),
  ];
  return (await server.grant({ selections })).access_token;
}
