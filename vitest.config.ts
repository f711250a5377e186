import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 120_000,
    // each program runs in a worker of its own; more files at once only make them wait for the processors
    maxWorkers: 2,
  },
});
