// Authorization server metadata (RFC 8414). Written by hand, so that we control every byte.
import { DATA_ACCESS_TYPE } from "../contract/data-access.ts";
import { FILE_ACCESS_TYPE } from "../contract/file-access.ts";
import { OFFLINE_SCOPE, RESOURCE_PATHS, SCOPES } from "../core/resources.ts";

export const AUTH_PATHS = {
  authorization: "/oauth/authorize",
  token: "/oauth/token",
  registration: "/oauth/register",
  pushed: "/oauth/par",
  device: "/oauth/device",
  verification: "/device",
  revocation: "/oauth/revoke",
  introspection: "/oauth/introspect",
  interaction: "/oauth/interaction",
  /** Not part of OAuth: the reference CLI uses these JSON calls instead of the device flow (agent-connect.ts). */
  agentConnect: "/oauth/agent-connect",
} as const;

/** Nothing is signed for clients, so the key set is empty. */
export const KEYS_PATH = "/oauth/jwks";
export const NO_KEYS = { keys: [] } as const;

export const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
export const GRANT_TYPES = ["authorization_code", "refresh_token", DEVICE_GRANT] as const;
export const CLIENT_AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"] as const;

export function authorizationServer(origin: string): object {
  const at = (path: string): string => `${origin}${path}`;
  return {
    issuer: origin,
    authorization_endpoint: at(AUTH_PATHS.authorization),
    token_endpoint: at(AUTH_PATHS.token),
    registration_endpoint: at(AUTH_PATHS.registration),
    pushed_authorization_request_endpoint: at(AUTH_PATHS.pushed),
    device_authorization_endpoint: at(AUTH_PATHS.device),
    revocation_endpoint: at(AUTH_PATHS.revocation),
    introspection_endpoint: at(AUTH_PATHS.introspection),
    scopes_supported: [...Object.values(SCOPES), OFFLINE_SCOPE],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: GRANT_TYPES,
    token_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
    introspection_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    authorization_details_types_supported: [DATA_ACCESS_TYPE, FILE_ACCESS_TYPE],
    protected_resources: [origin, ...RESOURCE_PATHS.map(at)],
    agent_connect_endpoint: at(AUTH_PATHS.agentConnect),
    pdpp_registration_modes_supported: ["dynamic"],
    service_documentation: `${origin}/llms.txt`,
  };
}

/**
 * The same document at OpenID's address, for clients that look only there. Their parsers require three more fields,
 * which describe ID tokens. We issue none, as the list of scopes shows, so no keys are published.
 */
export function openIdConfiguration(origin: string): object {
  return {
    ...authorizationServer(origin),
    jwks_uri: `${origin}${KEYS_PATH}`,
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
  };
}
