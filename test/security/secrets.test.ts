// Row 20: after a full session, no token is in a log, an error, or any file in the home, and only the owner can read
// the files.
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TOKEN_PREFIX } from "../../src/contract/ids.ts";
import { type Answer, newHome, type TestServer, testServer } from "../harness.ts";
import { BOOKS, book, library } from "../library.ts";

async function story(server: TestServer): Promise<{ tokens: string[]; errors: Answer[] }> {
  await server.register("library", library);
  const first = await server.connect("library", "First");
  const second = await server.connect("library", "Second");
  await server.ingest("books", first, BOOKS);
  const upload = await server.call("POST", "/v1/blobs", {
    query: { stream: "books", connection_id: first },
    body: "bytes",
  });
  await server.ingest("books", first, [book("c", { cover: upload.body })]);
  const issued = [
    await server.grant({ selections: [{ connection_id: first, stream: "books" }] }),
    await server.grant({ selections: [{ connection_id: first }, { connection_id: second }], client_name: "Package" }),
    await server.grant({ all: true, access_mode: "single_use", expires_in_seconds: 1000 }),
  ];
  const tokens = [server.owner, ...issued.map((one) => one.access_token as string)];
  const errors: Answer[] = [];
  for (const token of tokens) {
    for (const path of [
      "/v1/schema",
      "/v1/streams",
      "/v1/streams/books/records",
      "/v1/streams/books/records?filter[x]=1",
      "/v1/streams/books/records?connection_id=nowhere",
      `/v1/streams/books/records?connection_id=${token}`,
      `/v1/streams/${token}/records`,
      `/v1/streams/books/records/${token}?connection_id=${first}`,
      `/v1/streams/books/records?surprise=${token}`,
      `/v1/blobs/${upload.body.blob_id}`,
      "/v1/grants",
      "/v1/activity",
      "/nothing",
    ]) {
      const answer = await server.get(path, { token });
      if (answer.status >= 400 && !path.includes(token)) errors.push(answer);
    }
    errors.push(await server.get("/v1/schema", { token: `${token}x` }));
    errors.push(await server.get("/v1/schema", { token: null, headers: { Authorization: `Basic ${token}` } }));
    errors.push(
      await server.get("/v1/schema", { token, headers: { "PDPP-Version": token } }).then((answer) => ({
        ...answer,
        text: answer.text.replace(JSON.stringify(JSON.stringify(token)).slice(1, -1), ""),
      })),
    );
    errors.push(await server.call("POST", "/v1/grants", { token, body: "{" }));
  }
  await server.call("POST", `/v1/grants/${issued[0].grant_id}/revoke`);
  errors.push(await server.get("/v1/schema", { token: issued[0].access_token }));
  return { tokens, errors };
}

function filesIn(folder: string): { path: string; mode: number; directory: boolean }[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return { path, mode: statSync(path).mode & 0o777, directory: entry.isDirectory() };
  });
}

test("SECURITY row 20 tokens are nowhere in plain text, not in logs, errors or files, while the server runs and afterwards", async () => {
  const home = newHome();
  const server = await testServer({ home });
  const { tokens, errors } = await story(server);
  expect(tokens.every((token) => Object.values(TOKEN_PREFIX).some((prefix) => token.startsWith(prefix)))).toBe(true);
  expect(errors.length).toBeGreaterThan(20);
  for (const { text, headers } of errors)
    for (const token of tokens) expect(`${text}${JSON.stringify([...headers])}`).not.toContain(token);
  const searched = (): void => {
    const files = filesIn(home).filter(({ directory }) => !directory);
    expect(files.length).toBeGreaterThan(4);
    for (const { path } of files) {
      const bytes = readFileSync(path);
      // Checks for the token, and for its secret part alone.
      for (const token of tokens)
        for (const text of [token, token.slice(-43)]) expect(bytes.includes(text), path).toBe(false);
    }
  };
  searched();
  for (const line of server.log) for (const token of tokens) expect(line).not.toContain(token);
  await server.close();
  searched();
  rmSync(home, { recursive: true, force: true });
});

test("SECURITY row 20 directories are 0700 and files 0600, whichever process created the home", async () => {
  const home = newHome();
  const before = process.umask(0o000);
  const server = await testServer({ home: join(home, "deep", "home") });
  await story(server);
  const look = (): void => {
    expect(statSync(server.home).mode & 0o777).toBe(0o700);
    const wrong = filesIn(server.home).filter(({ mode, directory }) => mode !== (directory ? 0o700 : 0o600));
    expect(wrong).toEqual([]);
  };
  look();
  await server.close();
  look();
  process.umask(before);
  rmSync(home, { recursive: true, force: true });
});
