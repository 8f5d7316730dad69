// The exports of the PostgreSQL engine.

export { openChangeCounter } from "./change-counter.ts";
export { sharedDatabase } from "./connection.ts";
export { lead } from "./leadership.ts";
export { requestJobCheck } from "./owners.ts";
export { openPostgresStore } from "./postgres-store.ts";
