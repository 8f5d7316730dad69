// What is known of an app, from its metadata.
import { describe, expect, it } from "vitest";
import { clientIdentity } from "./client-identity.ts";

describe("SECURITY row 7: an app's identity", () => {
  it("is the host that served its metadata document", () => {
    expect(
      clientIdentity({
        client_id: "https://claude.ai/oauth/claude-code-client-metadata",
        client_name: "Claude Code",
        redirect_uris: ["http://localhost/callback", "http://127.0.0.1/callback"],
      }),
    ).toEqual({
      verifiedHost: "claude.ai",
      claimedName: "Claude Code",
      redirectHosts: ["localhost", "127.0.0.1"],
      unverified: false,
    });
  });

  it("is unknown when it registered itself, whatever name it took; the redirect host tells where the answer goes", () => {
    const claims = { client_name: "Claude (claude.ai)", redirect_uris: ["https://evil.example/cb"] };
    expect(clientIdentity({ client_id: "cli_abc", ...claims })).toEqual({
      claimedName: "Claude (claude.ai)",
      redirectHosts: ["evil.example"],
      unverified: true,
    });
  });

  it.each(["http://claude.ai/client", "HTTPS//claude.ai", "https:claude.ai", "cli_https://claude.ai/", "https://"])(
    "is not vouched for by the id %j",
    (client_id) => {
      expect(clientIdentity({ client_id })).toEqual({ claimedName: "", redirectHosts: [], unverified: true });
    },
  );

  it("shows hosts as the network knows them: no user part, no look-alike letters", () => {
    expect(clientIdentity({ client_id: "https://claude.ai@evil.example/c" }).verifiedHost).toBe("evil.example");
    expect(clientIdentity({ client_id: "https://cl\u0430ude.ai/c" }).verifiedHost).toBe("xn--clude-5ve.ai");
    expect(clientIdentity({ client_id: "https://claude.ai\u3002evil.example/c" }).verifiedHost).toBe(
      "claude.ai.evil.example",
    );
  });

  it("lists each place an answer may go to once: host, loopback without its port, scheme of an app", () => {
    const redirect_uris = [
      "https://chatgpt.com/connector/oauth/abc",
      "https://chatgpt.com/connector_platform_oauth_redirect",
      "https://app.example:8443/cb",
      "http://127.0.0.1:1234/cb",
      "http://127.0.0.1:5678/cb",
      "http://[::1]/cb",
      "cursor://anysphere.cursor-mcp/oauth/callback",
      "com.example.app:/cb",
    ];
    expect(clientIdentity({ client_id: "cli_abc", redirect_uris }).redirectHosts).toEqual([
      "chatgpt.com",
      "app.example:8443",
      "127.0.0.1",
      "[::1]",
      "cursor://anysphere.cursor-mcp",
      "com.example.app:",
    ]);
  });

  it("cleans the claimed name of what steers the text around it", () => {
    const { claimedName } = clientIdentity({
      client_id: "cli_abc",
      client_name: "Cla\u200bude\u202e\n\u2713 verified",
    });
    expect(claimedName).toBe("Claude verified");
  });
});
