// Serves the pages under test as the server does, with the real content security policy.
import { Hono } from "hono";
import { html } from "hono/html";
import { listen } from "../../src/surfaces/http/serve.ts";
import { asset } from "../../src/surfaces/web/assets.ts";
import { PAGE_POLICY } from "../../src/surfaces/web/page-response.ts";

export interface PageServer {
  url: string;
  /** The submitted forms, oldest first. */
  answers: URLSearchParams[];
  close(): Promise<void>;
}

export async function servePages(pages: Record<string, () => string>): Promise<PageServer> {
  const answers: URLSearchParams[] = [];
  const document = (text: string): Response =>
    new Response(text, {
      headers: { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": PAGE_POLICY },
    });
  const app = new Hono();
  app.get("/assets/*", (context) => {
    const found = asset(context.req.path);
    if (found === undefined) return context.notFound();
    return new Response(found.body, { headers: { "Content-Type": found.type, "Cache-Control": found.cacheControl } });
  });
  app.get("/pages/:name", (context) => {
    const page = pages[context.req.param("name")];
    return page === undefined ? context.notFound() : document(page());
  });
  // Another site's page, without a policy, that shows our page in a frame.
  app.get("/frame", (context) => {
    const of = context.req.query("of") ?? "";
    return context.html(html`<!doctype html><title>Frame</title><iframe src="${of}"></iframe>`);
  });
  app.post("*", async (context) => {
    answers.push(new URLSearchParams(await context.req.text()));
    return document("<!doctype html><html lang=en><title>Answered</title><h1>Answered</h1>");
  });
  const listening = await listen(app.fetch, 0);
  return { url: `http://127.0.0.1:${listening.port}`, answers, close: () => listening.close() };
}
