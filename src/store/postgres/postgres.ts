// PostgreSQL as an engine: what a place in a database needs of this folder.
export { sharedDatabase } from "./connection.ts";
export { lead } from "./leadership.ts";
export { lookAfter } from "./owners.ts";
export { openPostgresStore } from "./postgres-store.ts";
export { openPulse } from "./pulse.ts";
