import { defineConfig } from "vitest/config";

/** Tests whose result is a time. */
const TIMED = "test/**/*.timed.test.ts";

export default defineConfig({
  test: {
    testTimeout: 120_000,
    // before the first test of the page it may have to be built
    hookTimeout: 300_000,
    projects: [
      {
        extends: true,
        test: {
          name: "answers",
          include: ["test/**/*.test.ts"],
          exclude: [TIMED],
          // each program runs in a worker of its own; more files at once only make them wait for the processors
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        // behind all others and one by one, since a time beside other work says nothing
        test: { name: "times", include: [TIMED], maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
