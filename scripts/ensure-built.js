// Before a run of vitest: threads and commands run the build, which must match these sources.
export { ensureBuilt as default } from "./checkout.js";
