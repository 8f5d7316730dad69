// Addresses of connectors and their runs in the dashboard.
import { connectionAddress } from "../explore/addresses.ts";

export const connectorAddress = (connectionId: string): string => `${connectionAddress(connectionId)}/connector`;
export const runAddress = (runId: string): string => `/dashboard/runs/${encodeURIComponent(runId)}`;
