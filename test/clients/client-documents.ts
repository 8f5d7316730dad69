// Client metadata documents of hosts, as far as their requests show them: the real ones are on the internet.

/** Any port of the loopback address, as those apps listen on a new one each time (RFC 8252). */
const DOCUMENTS: Record<string, { client_name: string; redirect_uris: string[] }> = {
  "https://claude.ai/oauth/claude-code-client-metadata": {
    client_name: "Claude Code",
    redirect_uris: ["http://localhost/callback", "http://127.0.0.1/callback"],
  },
  "https://chatgpt.com/oauth/codex/client.json": {
    client_name: "Codex",
    redirect_uris: ["http://127.0.0.1/callback", "http://localhost/callback"],
  },
};

/** Stands where the server fetches such a document. */
export async function clientDocuments(input: string | URL | Request): Promise<Response> {
  const url = input instanceof Request ? input.url : String(input);
  const document = DOCUMENTS[url];
  if (document === undefined) throw new Error(`${url} is on the internet`);
  return Response.json({
    client_id: url,
    ...document,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  });
}
