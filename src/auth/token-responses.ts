// Adds the granted scope, read from the grants themselves, to token responses and introspection.
import type { KoaContextWithOIDC } from "oidc-provider";
import { DATA_ACCESS_TYPE } from "../contract/data-access.ts";
import { FILE_ACCESS_TYPE } from "../contract/file-access.ts";
import type { Grant } from "../contract/grant.ts";
import type { EngineHost } from "../engine/host.ts";

export function addGrantedScope(host: EngineHost) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next();
    const { oidc } = ctx;
    const body = ctx.body as Record<string, unknown> | undefined;
    if (ctx.status !== 200 || typeof body !== "object" || oidc === undefined) return;
    const issued = oidc.route === "token" && "access_token" in body;
    const active = oidc.route === "introspection" && body.active === true;
    const id = oidc.entities.Grant?.jti as string | undefined;
    if (!(issued || active) || id === undefined) return;
    const grants = await host.call("grantedDetails", { id }, { home: true });
    const single = grants.length === 1 && grants[0]!.grant_id === id;
    Object.assign(body, single ? { grant_id: id } : { grant_package_id: id });
    body.authorization_details = grants.map(detailOf);
    if (active) {
      Object.assign(body, {
        pdpp_token_kind: single ? "client" : "mcp_package",
        subject_id: grants[0]?.subject.id,
      });
    }
  };
}

/** A grant in the format of the request that led to it. */
function detailOf(grant: Grant): object {
  const { grant_id, source, purpose_code, access_mode, streams, files, expires_at } = grant;
  const terms = { purpose_code, access_mode, ...(expires_at === undefined ? {} : { expires_at }) };
  if (files !== undefined) {
    const roots = streams.flatMap(({ instance_ids }) => instance_ids);
    return { type: FILE_ACCESS_TYPE, grant_id, roots, may: files.may, ...terms };
  }
  return {
    type: DATA_ACCESS_TYPE,
    grant_id,
    source,
    streams: streams.map(({ time_constraint, record_filter, ...stream }) => ({
      ...stream,
      // The app learns the filter's values only if it may read the field.
      ...(record_filter !== undefined && stream.fields.includes(record_filter.field) ? { record_filter } : {}),
      ...(time_constraint === undefined
        ? {}
        : { time_range: { since: time_constraint.since, until: time_constraint.until } }),
    })),
    ...terms,
  };
}
