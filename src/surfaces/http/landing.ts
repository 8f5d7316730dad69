// GET /: a page for people, an index for programs.
import { baseHeaders, type Exchange, json } from "./respond.ts";

export function landing(exchange: Exchange): Response {
  const { request, origin } = exchange;
  const index = {
    object: "discovery",
    name: "Postern",
    schema: `${origin}/v1/schema`,
    openapi: `${origin}/openapi.json`,
    errors: `${origin}/docs/errors`,
    protected_resource: `${origin}/.well-known/oauth-protected-resource/v1`,
  };
  if (!(request.headers.get("accept") ?? "").includes("text/html")) return json(exchange, JSON.stringify(index));
  const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>Postern</title></head>
<body><main><h1>Postern</h1>
<p>A personal-data server with one small gate. Apps read here what its owner granted, and nothing else.</p>
<p>In a terminal: <code>pdpp grants issue --all --json</code> gives a token,
<code>curl -H "Authorization: Bearer TOKEN" ${origin}/v1/schema</code> shows what it reads.</p>
<p><a href="/openapi.json">openapi.json</a> lists every call, <a href="/docs/errors">errors</a> what can go wrong.</p>
</main></body></html>`;
  return new Response(page, {
    headers: { ...baseHeaders(exchange.requestId), "Content-Type": "text/html; charset=utf-8" },
  });
}
