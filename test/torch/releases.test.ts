/** PyTorch's version rules, against the tables of the reference. */

import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DEFAULT_TORCH, findTorch, NEWEST_TORCH, TORCH_VERSIONS } from "../../src/torch/releases.ts";
import { rulesFor, VERSION_CHANGES } from "../../src/torch/changes.ts";

describe("versions", () => {
  it("stand in order; without a word, the newest recorded one is meant", () => {
    const number = (version: string): number => {
      const [major, minor] = version.split(".").map(Number);
      return major! * 1000 + minor!;
    };
    expect(TORCH_VERSIONS[0]).toBe("1.12");
    expect([...TORCH_VERSIONS]).toEqual([...TORCH_VERSIONS].sort((a, b) => number(a) - number(b)));
    expect(NEWEST_TORCH).toBe(TORCH_VERSIONS.at(-1));
    expect(existsSync(new URL(`../releases/recorded/torch-${DEFAULT_TORCH}.json`, import.meta.url))).toBe(true);
  });

  it.each(["2.6", "2.6.0", "v2.6", "2.6.0+cu124", " 2.6.1 ", "2.6.0a0+git1234"])("understands %s", (typed) => {
    expect(findTorch(typed)).toEqual({ ok: true, value: "2.6" });
  });

  it("names the nearest one", () => {
    const nearest = (typed: string) => {
      const found = findTorch(typed);
      return found.ok ? null : found.error.args["nearest"];
    };
    expect(nearest("2.99")).toBe(NEWEST_TORCH);
    expect(nearest("1.11")).toBe("1.12");
    expect(nearest("9")).toBe(NEWEST_TORCH);
    expect(nearest("1.14")).toBe("1.13");
    expect(nearest("nightly")).toBeUndefined();
  });

  it("lists changes oldest first", () => {
    const order = VERSION_CHANGES.map((change) => TORCH_VERSIONS.indexOf(change.since));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(VERSION_CHANGES.every((change) => change.source !== "")).toBe(true);
  });
});

describe("rules", () => {
  it("before 2.0: no counted workspace, gradients set to zero, single-tensor optimizers", () => {
    expect(rulesFor("1.13")).toMatchObject({
      version: "1.13",
      cublasWorkspaceCounted: false,
      ltWorkspaceMode: "transient",
      ltWorkspaceBytes: 1_048_576,
      zeroGradSetToNone: false,
      foreachDefault: false,
      linearFlattens: "3d",
      matmulFolding: "always",
      attentionByKernel: false,
    });
  });

  it("2.6", () => {
    expect(rulesFor("2.6")).toMatchObject({
      cublasWorkspaceCounted: true,
      ltWorkspaceMode: "transient",
      zeroGradSetToNone: true,
      foreachDefault: true,
      linearFlattens: "nd",
      safeSoftmax: true,
      flashRngStateOnGpu: false,
      fusedRmsNorm: false,
      cudnnAttentionFirstOnSm: [],
      flashMaxHeadDim: 256,
    });
  });

  it("cuBLASLt's workspace: transient to 2.8, persistent to 2.11, then shared", () => {
    const modes = TORCH_VERSIONS.map((version) => rulesFor(version).ltWorkspaceMode);
    expect(modes.lastIndexOf("transient")).toBe(TORCH_VERSIONS.indexOf("2.8"));
    expect(modes.indexOf("persistent")).toBe(TORCH_VERSIONS.indexOf("2.9"));
    expect(modes.lastIndexOf("persistent")).toBe(TORCH_VERSIONS.indexOf("2.11"));
    expect(modes.indexOf("shared")).toBe(TORCH_VERSIONS.indexOf("2.12"));
  });

  it("single changes", () => {
    const since = (has: (version: (typeof TORCH_VERSIONS)[number]) => boolean) => TORCH_VERSIONS.find(has);
    expect(since((version) => rulesFor(version).safeSoftmax)).toBe("2.5");
    expect(since((version) => rulesFor(version).flashRngStateOnGpu)).toBe("2.7");
    expect(since((version) => rulesFor(version).fusedRmsNorm)).toBe("2.9");
    expect(since((version) => rulesFor(version).layerNormPartialSums)).toBe("2.7");
    expect(since((version) => rulesFor(version).ltWorkspaceVariable)).toBe("2.1");
    expect(since((version) => rulesFor(version).adamaxWritesMaximum)).toBe("2.3");
    expect(since((version) => rulesFor(version).attentionReleasesProjections)).toBe("2.12");
    expect(since((version) => rulesFor(version).attentionReshapesOutput)).toBe("2.13");
    expect(since((version) => rulesFor(version).muonCopiesGradient)).toBe("2.15");
  });
});
