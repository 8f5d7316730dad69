// Vitest setup: threads and commands under test run the build, so the build must match the sources.
export { ensureBuilt as default } from "./checkout.js";
