// RFC 8414: what the authorization server can do and where. Written out, so that every byte is ours.
import { DATA_ACCESS_TYPE } from "../contract/data-access.ts";
import { FILE_ACCESS_TYPE } from "../contract/file-access.ts";
import { resourcesOf, SCOPE } from "./resources.ts";

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
} as const;

export const GRANT_TYPES = [
  "authorization_code",
  "refresh_token",
  "urn:ietf:params:oauth:grant-type:device_code",
] as const;
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
    scopes_supported: [SCOPE, "offline_access"],
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
    protected_resources: [resourcesOf(origin, "records")[0], resourcesOf(origin, "files")[0]],
    service_documentation: `${origin}/llms.txt`,
  };
}
