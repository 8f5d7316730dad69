// P-01: blobs with their bytes in the home.
import { blobCases } from "./blob-cases.ts";

blobCases(async () => undefined);
