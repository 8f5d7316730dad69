// P-01: blobs whose bytes are in the home.
import { blobCases } from "./blob-cases.ts";

blobCases(async () => undefined);
