// The routes of connectors: how they are set up, their runs, what a run asks, and its log. Adding one is done on the machine itself.
import * as collects from "../../contract/collect-request.ts";
import * as requests from "../../contract/write.ts";
import type { Route } from "./route.ts";

const ofConnection = { access: "owner", schema: requests.connectionId, parameters: {} } as const;
const ofRun = { access: "owner", schema: requests.byId, parameters: {} } as const;

export const collectRoutes = [
  {
    method: "GET",
    path: "/v1/connector-setups",
    summary: "Connectors that are set up here, with their settings, what they may do and how their last run went",
    access: "owner",
    call: "connectorSetups",
    schema: requests.nothing,
    parameters: {},
  },
  {
    ...ofConnection,
    method: "GET",
    path: "/v1/connector-setups/{connection_id}",
    summary: "The connector of one connection",
    call: "connectorSetup",
  },
  {
    ...ofConnection,
    method: "DELETE",
    path: "/v1/connector-setups/{connection_id}",
    summary: "Forget the connector of a connection, and its secrets; the connection and its records stay",
    call: "removeSetup",
  },
  {
    method: "PUT",
    path: "/v1/connections/{connection_id}/settings",
    summary: "Change settings and secrets of its connector; what is left out stays, null takes a value away",
    access: "owner",
    call: "putSettings",
    schema: collects.settingsPut,
    parameters: {},
    body: "merge",
  },
  {
    method: "POST",
    path: "/v1/connections/{connection_id}/runs",
    summary: "Collect now: run the connector of a connection",
    access: "owner",
    call: "startCollect",
    schema: collects.collectStart,
    parameters: {},
    body: "merge",
    status: 202,
  },
  {
    ...ofConnection,
    method: "GET",
    path: "/v1/connections/{connection_id}/runs",
    summary: "The last runs of a connection, newest first",
    call: "collectRuns",
  },
  {
    ...ofRun,
    method: "GET",
    path: "/v1/runs/{id}",
    summary: "One run: how far it is, its report, what it asks",
    call: "collectRun",
  },
  {
    ...ofRun,
    method: "GET",
    path: "/v1/runs/{id}/log",
    summary: "The end of what a connector wrote while it ran, without its secrets",
    call: "collectLog",
  },
  {
    ...ofRun,
    method: "POST",
    path: "/v1/runs/{id}/cancel",
    summary: "Stop a run; its records stay, its cursors are not stored",
    call: "cancelCollect",
  },
  {
    method: "POST",
    path: "/v1/runs/{id}/answers",
    summary: "Answer what a run asks; credentials are kept only with remember",
    access: "owner",
    call: "answerCollect",
    schema: collects.collectAnswer,
    parameters: {},
    body: "merge",
    status: 202,
  },
] as const satisfies readonly Route[];
