import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 120_000,
    // before the first test of the page it may have to be built
    hookTimeout: 300_000,
    // each program runs in a worker of its own; more files at once only make them wait for the processors
    maxWorkers: 2,
  },
});
