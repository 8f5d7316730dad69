// The front page: what this is, how an AI app connects, where the owner goes.
import { html } from "hono/html";
import { documentOf } from "../layout.ts";

export function landingPage(origin: string): string {
  return documentOf({
    title: "Welcome",
    width: "middle",
    body: html`<h1>Postern</h1>
<p>The personal-data server of one person. Apps read here what its owner granted to them, and nothing else.</p>
<h2>Connect an AI app</h2>
<p>Give the app this address. It sends you here to sign in, and you choose what it may read.</p>
<p><code>${origin}/mcp</code></p>
<p>In a terminal: <code>pdpp connect ${origin}</code></p>
<h2>Apps and what they read</h2>
<p><a href="/dashboard/apps">Apps and grants</a>: who may read what, and how to take it back.</p>
<h2>For programs</h2>
<ul>
<li><a href="/llms.txt">llms.txt</a>: how to read here, for agents; <a href="/llms-full.txt">the whole reference</a></li>
<li><a href="/openapi.json">openapi.json</a>: every REST call; <a href="/docs/errors">errors</a>: what can go wrong</li>
<li><a href="/.well-known/oauth-authorization-server">The authorization server</a></li>
</ul>`,
  });
}
