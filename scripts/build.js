// npm run build: bundles src into dist from scratch. With --clean, used for packaging, it also removes everything from
// earlier builds.
import { build, ensureInstalled, fail } from "./checkout.js";

ensureInstalled();
if (!build({ clean: process.argv.includes("--clean") })) fail("the build failed; see above");
