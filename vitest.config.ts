// Tests sit beside their source; what crosses modules or processes is in test/.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["test/soak/**"],
    environment: "node",
    // Processes, not threads: the code under test starts threads of its own, from .ts files that Node runs as they are.
    pool: "forks",
    maxWorkers: 2,
    // End-to-end tests start servers and fill homes.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 10_000,
  },
});
