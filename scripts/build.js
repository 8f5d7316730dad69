// npm run build: bundles src into dist, from scratch.
import { build, ensureInstalled, fail } from "./checkout.js";

ensureInstalled();
if (!build()) fail("the build failed; see above");
