// This terminal as a public OAuth client. It is registered when it connects, and both flows return the same token
// format.
import { z } from "zod";
import { recordFilter } from "../../../contract/record-filter.ts";
import type { Discovered } from "./discover.ts";
import { ask, form } from "./exchange.ts";

const registered = z.looseObject({ client_id: z.string().min(1) });

const detail = z.looseObject({
  grant_id: z.string(),
  access_mode: z.string(),
  expires_at: z.string().optional(),
  /** Set for the records lens. */
  streams: z
    .array(
      z.looseObject({
        name: z.string(),
        instance_ids: z.array(z.string()),
        fields: z.array(z.string()),
        time_range: z.looseObject({ since: z.string().optional(), until: z.string().optional() }).optional(),
        record_filter: recordFilter.optional(),
        resources: z.array(z.string()).optional(),
      }),
    )
    .optional(),
});

const tokenAnswer = z.looseObject({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  expires_in: z.number().optional(),
  grant_id: z.string().optional(),
  grant_package_id: z.string().optional(),
  authorization_details: z.array(detail).optional(),
});

export type TokenAnswer = z.infer<typeof tokenAnswer>;
export type GrantedDetail = z.infer<typeof detail>;

export const CODE = "authorization_code";
export const DEVICE = "urn:ietf:params:oauth:grant-type:device_code";

export async function register(
  { registration_endpoint }: Discovered,
  client: { name: string; grantType: typeof CODE | typeof DEVICE; redirectUri?: string },
): Promise<string> {
  const metadata = {
    client_name: client.name,
    application_type: "native",
    token_endpoint_auth_method: "none",
    grant_types: [client.grantType, "refresh_token"],
    redirect_uris: client.redirectUri === undefined ? [] : [client.redirectUri],
    response_types: client.redirectUri === undefined ? [] : ["code"],
  };
  const { client_id } = await ask(registration_endpoint, registered, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify(metadata),
  });
  return client_id;
}

export function requestToken(endpoint: string, fields: Record<string, string>): Promise<TokenAnswer> {
  return ask(endpoint, tokenAnswer, form(fields));
}

/** The result of a flow. */
export interface OAuthConnection {
  clientId: string;
  tokens: TokenAnswer;
}
