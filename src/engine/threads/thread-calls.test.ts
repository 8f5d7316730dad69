// The protocol between threads: replies, failures, notifications, calls in both directions, and the effects of a
// stopped thread.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CalledThread } from "./thread-calls.ts";

let folder: string;
let program: URL;

/** A thread that does what each request says. */
const SOURCE = `
  import { PdppError } from ERRORS;
  import { answerCalls } from CALLS;
  const thread = answerCalls({
    async answer(request) {
      if (request === "fail") throw new PdppError("not_found", "nothing here", { param: "id" });
      if (request === "throw") throw new TypeError("a mistake");
      if (request === "exit") process.exit(1);
      if (request === "never") return new Promise(() => undefined);
      if (request === "ask") return thread.call("the way");
      if (request instanceof Uint8Array) return request.length;
      thread.tell("heard " + request);
      return request + "!";
    },
    onNews: (news) => thread.tell("back: " + news),
    onClose: () => thread.tell("closing"),
  });`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pdpp-thread-"));
  const path = join(folder, "thread.ts");
  const from = (name: `./${string}`): string => JSON.stringify(new URL(`${name}.ts`, import.meta.url).href);
  writeFileSync(
    path,
    SOURCE.replace("ERRORS", from("./../../contract/errors")).replace("CALLS", from("./thread-calls")),
  );
  program = pathToFileURL(path);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start() {
  const news: string[] = [];
  const failures: string[] = [];
  const thread = new CalledThread<string | Uint8Array, unknown, string, string>({
    program,
    name: "test",
    onNews: (one) => news.push(one),
    answer: async (request) => `${request}: left`,
    onFailure: (text) => failures.push(text),
  });
  return { thread, news, failures };
}

describe("calls between threads", () => {
  test("answers each call, sends notifications in order, and closes its resources", async () => {
    const { thread, news } = start();
    thread.tell("first");
    expect(await Promise.all([thread.call("one"), thread.call("two")])).toEqual(["one!", "two!"]);
    expect(await thread.call("ask")).toBe("the way: left");
    expect(thread.isBusy).toBe(false);
    await thread.close();
    expect(news).toEqual(["back: first", "heard one", "heard two", "closing"]);
  });

  test("failures keep their code and details, and bugs keep their stack", async () => {
    const { thread } = start();
    await expect(thread.call("fail")).rejects.toMatchObject({
      code: "not_found",
      message: "nothing here",
      details: { param: "id" },
    });
    await expect(thread.call("throw")).rejects.toThrow(/TypeError: a mistake\n.*thread\.ts/s);
    await thread.close();
  });

  test("transfers bytes without copying them", async () => {
    const { thread } = start();
    const bytes = new Uint8Array(1000);
    expect(await thread.call(bytes, [bytes.buffer])).toBe(1000);
    expect(bytes.length).toBe(0);
    await thread.close();
  });

  test("a stopped thread's open calls and all later ones fail", async () => {
    const { thread } = start();
    const waiting = thread.call("never");
    const meant = thread.answered((request) => request === "never");
    await expect(thread.call("exit")).rejects.toMatchObject({ code: "store_unavailable" });
    await expect(waiting).rejects.toMatchObject({ code: "store_unavailable" });
    await meant;
    await expect(thread.call("one")).rejects.toMatchObject({ code: "store_unavailable" });
    await thread.close();
  });
});
