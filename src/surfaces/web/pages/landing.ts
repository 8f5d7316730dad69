// The front page: what this is, how an AI app connects, and where the owner signs in.
import { html } from "hono/html";
import { documentOf } from "../layout.ts";

export function landingPage(origin: string): string {
  return documentOf({
    title: "Welcome",
    width: "narrow",
    body: html`<h1>Postern</h1>
<p class="lead">A server for one person’s data. Apps can read what the owner allows, and nothing else.</p>
<section class="card stack">
<h2>Connect an AI app</h2>
<p>Give the app this address. It sends you here to sign in, and you choose what it may read.</p>
<pre tabindex="0">${origin}/mcp</pre>
<p>In a terminal:</p>
<pre tabindex="0">pdpp connect ${origin}</pre>
</section>
<p><a class="button primary" href="/dashboard">Open your dashboard</a></p>
<p class="note">For programs: <a href="/llms.txt">llms.txt</a> and <a href="/llms-full.txt">the whole reference</a> for agents,
<a href="/openapi.json">openapi.json</a>, <a href="/docs/errors">errors</a>,
<a href="/.well-known/oauth-authorization-server">the authorization server</a>.</p>`,
  });
}
