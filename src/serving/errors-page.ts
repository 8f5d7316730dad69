// /docs/errors lists every error code with its status and next step, straight from the table.
import { ERRORS } from "../contract/errors.ts";
import { baseHeaders, type Exchange } from "../surfaces/http/respond.ts";

const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

export function errorsPage(exchange: Exchange): Response {
  const rows = Object.entries(ERRORS).map(
    ([code, { status, type, next }]) => `<h2 id="${code}">${code}</h2>\n<p>${status}, ${type}. ${escapeHtml(next)}</p>`,
  );
  const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>Errors · Postern</title></head>
<body><main><h1>Errors</h1>
<p>Every failure is <code>{"error": {type, code, message, next_step, request_id, …}}</code>, the same on REST, CLI and MCP.</p>
${rows.join("\n")}
</main></body></html>`;
  return new Response(page, {
    headers: { ...baseHeaders(exchange.requestId), "Content-Type": "text/html; charset=utf-8" },
  });
}
