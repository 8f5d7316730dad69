// AWS Signature Version 4 for one request to S3: what proves who asks, and that nobody changed it on the way.
import { createHash, createHmac } from "node:crypto";

export interface SigningKeys {
  keyId: string;
  secret: string;
  sessionToken?: string;
  region: string;
}

export interface RequestToSign {
  method: string;
  /** Its path and query as `encoded` writes them, the query in order. */
  url: URL;
  body: Uint8Array;
  at: Date;
}

/** The headers that go with the request. The body is part of what is signed: it needs no TLS to arrive as it was sent. */
export function signedHeaders({ method, url, body, at }: RequestToSign, keys: SigningKeys): Record<string, string> {
  const stamp = at.toISOString().replace(/[-:]|\.\d{3}/g, "");
  const day = stamp.slice(0, 8);
  const digest = sha256Hex(body);
  const headers: Record<string, string> = {
    "x-amz-content-sha256": digest,
    "x-amz-date": stamp,
    ...(keys.sessionToken === undefined ? {} : { "x-amz-security-token": keys.sessionToken }),
  };
  const signed = Object.entries({ host: url.host, ...headers }).sort(([a], [b]) => (a < b ? -1 : 1));
  const names = signed.map(([name]) => name).join(";");
  const canonical = [
    method,
    url.pathname,
    url.search.slice(1),
    ...signed.map(([name, value]) => `${name}:${value}`),
    "",
    names,
    digest,
  ].join("\n");
  const scope = `${day}/${keys.region}/s3/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", stamp, scope, sha256Hex(canonical)].join("\n");
  let key: Buffer = Buffer.from(`AWS4${keys.secret}`);
  for (const part of scope.split("/")) key = hmac(key, part);
  const signature = hmac(key, toSign).toString("hex");
  return {
    ...headers,
    authorization: `AWS4-HMAC-SHA256 Credential=${keys.keyId}/${scope},SignedHeaders=${names},Signature=${signature}`,
  };
}

/** Everything but what RFC 3986 calls unreserved, as S3 wants it. */
export const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

const sha256Hex = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");
const hmac = (key: Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();
