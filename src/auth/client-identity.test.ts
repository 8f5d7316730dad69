// The identity that one flow proves for an app, given its id and its redirect address.
import { describe, expect, it } from "vitest";
import { clientIdentity, isLoopbackHost } from "./client-identity.ts";

const DOCUMENT = "https://claude.ai/oauth/claude-code-client-metadata";

describe("SECURITY row 7: an app's identity", () => {
  it("G-06 is the host of its metadata document if the response is sent to a redirect URI listed in that document", () => {
    expect(
      clientIdentity({ client_id: DOCUMENT, client_name: "Claude", redirect_uri: "https://claude.ai/callback" }),
    ).toEqual({ verifiedHost: "claude.ai", claimedName: "Claude", redirectHost: "claude.ai" });
  });

  it.each([
    ["http://localhost/callback", "localhost"],
    ["http://127.0.0.1:4711/callback", "127.0.0.1"],
    ["http://[::1]/callback", "[::1]"],
    ["https://localhost:8443/callback", "localhost:8443"],
    ["https://app.localhost/callback", "app.localhost"],
    ["https://127.0.0.2/callback", "127.0.0.2"],
    ["cursor://anysphere.cursor-mcp/oauth/callback", "cursor://anysphere.cursor-mcp"],
    ["com.example.app:/cb", "com.example.app:"],
  ])("G-06 is only a claim if the response is sent to %s", (redirect_uri, redirectHost) => {
    expect(clientIdentity({ client_id: DOCUMENT, client_name: "Claude Code", redirect_uri })).toEqual({
      claimedHost: "claude.ai",
      claimedName: "Claude Code",
      redirectHost,
    });
  });

  it("G-06 is only a claim in the device flow, where nothing proves which app receives the response", () => {
    expect(clientIdentity({ client_id: DOCUMENT })).toEqual({ claimedHost: "claude.ai", claimedName: "" });
  });

  it("is unknown for a self-registered app, whatever its name; the redirect host shows where the response is sent", () => {
    const claims = { client_name: "Claude (claude.ai)", redirect_uri: "https://evil.example/cb" };
    expect(clientIdentity({ client_id: "cli_abc", ...claims })).toEqual({
      claimedName: "Claude (claude.ai)",
      redirectHost: "evil.example",
    });
  });

  it.each(["http://claude.ai/client", "HTTPS//claude.ai", "https:claude.ai", "cli_https://claude.ai/", "https://"])(
    "has no host if the id is %j",
    (client_id) => {
      expect(clientIdentity({ client_id, redirect_uri: "https://claude.ai/cb" })).toEqual({
        claimedName: "",
        redirectHost: "claude.ai",
      });
    },
  );

  it("shows hosts in their ASCII form: no user part, no look-alike letters", () => {
    const hostOf = (client_id: string) =>
      clientIdentity({ client_id, redirect_uri: "https://x.example/" }).verifiedHost;
    expect(hostOf("https://claude.ai@evil.example/c")).toBe("evil.example");
    expect(hostOf("https://cl\u0430ude.ai/c")).toBe("xn--clude-5ve.ai");
    expect(hostOf("https://claude.ai\u3002evil.example/c")).toBe("claude.ai.evil.example");
    expect(clientIdentity({ client_id: "cli_abc", redirect_uri: "https://app.example:8443/cb" }).redirectHost).toBe(
      "app.example:8443",
    );
  });

  it("removes control characters from the claimed name", () => {
    const { claimedName } = clientIdentity({
      client_id: "cli_abc",
      client_name: "Cla\u200bude\u202e\n\u2713 verified",
    });
    expect(claimedName).toBe("Claude verified");
  });
});

it("recognises every name of this computer, with and without a port", () => {
  for (const host of ["localhost", "localhost:8080", "a.localhost", "127.0.0.1", "127.1.2.3:1", "[::1]", "[::1]:5"])
    expect(isLoopbackHost(host), host).toBe(true);
  for (const host of ["localhost.example", "127.0.0.1.example", "notlocalhost", "[::2]", "10.0.0.1"])
    expect(isLoopbackHost(host), host).toBe(false);
});
