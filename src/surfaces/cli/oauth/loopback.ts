// The listener that the browser returns to. It accepts one response, on this machine only, on its own port (RFC 8252
// §7.3).
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface RedirectAnswer {
  parameters: URLSearchParams;
  /** Shows the result in the browser, which waits for it. */
  tell(title: string, text: string): Promise<void>;
}

export interface Loopback {
  redirectUri: string;
  /** Resolves with the first request that has our state. Every other request is refused. */
  returned: Promise<RedirectAnswer>;
  close(): void;
}

const PATH = "/callback";

export async function listenOnLoopback(state: string): Promise<Loopback> {
  let settle: ((returned: RedirectAnswer) => void) | undefined;
  const returned = new Promise<RedirectAnswer>((resolve) => {
    settle = resolve;
  });
  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? "", "http://127.0.0.1");
    const ours = request.method === "GET" && url?.pathname === PATH && url.searchParams.get("state") === state;
    if (!ours || settle === undefined) {
      void show(response, 404, "Nothing here", "This is not the page that the terminal is waiting for.");
      return;
    }
    settle({ parameters: url.searchParams, tell: (title, text) => show(response, 200, title, text) });
    settle = undefined;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    redirectUri: `http://127.0.0.1:${port}${PATH}`,
    returned,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function show(response: ServerResponse, status: number, title: string, text: string): Promise<void> {
  const page = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1rem}</style>
<h1>${escaped(title)}</h1>
<p>${escaped(text)}</p>
`;
  response.writeHead(status, {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    Connection: "close",
  });
  await new Promise<void>((resolve) => {
    response.once("close", resolve);
    response.end(page);
  });
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
