// PostgreSQL as an engine: the exports of this folder.

export { openChangeCounter } from "./change-counter.ts";
export { sharedDatabase } from "./connection.ts";
export { lead } from "./leadership.ts";
export { requestJobCheck } from "./owners.ts";
export { openPostgresStore } from "./postgres-store.ts";
