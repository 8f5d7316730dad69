// Apps register with the scopes that discovery lists. Some apps stop if that registration is refused.
import { expect, test } from "vitest";
import { testServer } from "../harness.ts";

test("X-05 an app can register with every scope that discovery lists", async () => {
  const server = await testServer();
  try {
    const discovered = await fetch(`${server.url}/.well-known/oauth-authorization-server`);
    const { scopes_supported, registration_endpoint } = (await discovered.json()) as {
      scopes_supported: string[];
      registration_endpoint: string;
    };
    for (const scope of [...scopes_supported, scopes_supported.join(" ")]) {
      const registered = await fetch(registration_endpoint, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({
          client_name: "Terminal app",
          redirect_uris: ["http://127.0.0.1:6276/callback"],
          token_endpoint_auth_method: "none",
          scope,
        }),
      });
      expect(registered.status, `${scope}: ${await registered.text()}`).toBe(201);
    }
  } finally {
    await server.close();
  }
});
