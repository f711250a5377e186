/** Workspace sizes, against section 2 of the reference. */

import { describe, expect, it } from "vitest";
import { findGpu } from "../../src/gpus/catalogue.ts";
import { rulesFor } from "../../src/torch/changes.ts";
import { type TorchVersion } from "../../src/torch/releases.ts";
import {
  cublasWorkspace,
  cublasWorkspaceBytes,
  ltWorkspace,
  parseCublasWorkspaceConfig,
} from "../../src/gpus/workspace.ts";

function gpu(name: string) {
  const found = findGpu(name);
  if (!found.ok) throw new Error(name);
  return found.value;
}
const bytes = (version: TorchVersion, name: string, env = {}) =>
  cublasWorkspaceBytes(rulesFor(version), gpu(name), env);

describe("cuBLAS", () => {
  it.each([
    ["1.13", "a100", 0],
    ["1.13", "h100", 0],
    ["2.0", "a100", 8_519_680],
    ["2.14", "a100", 8_519_680],
    ["2.14", "4090", 8_519_680],
    ["2.0", "h100", 33_554_432],
    ["2.6", "h200", 33_554_432],
    ["2.14", "h100", 33_554_432],
    ["2.10", "b200", 8_519_680],
    ["2.10", "5090", 8_519_680],
    ["2.12", "b200", 33_554_432],
    ["2.12", "5090", 33_554_432],
    ["2.13", "thor", 8_519_680],
    ["2.14", "thor", 33_554_432],
  ] as const)("PyTorch %s on %s: %i", (version, name, expected) => expect(bytes(version, name)).toBe(expected));

  it.each([
    [":4096:2:16:8", 8_519_680],
    [":4096:8", 33_554_432],
    [":16:8", 131_072],
    [":0:0", 0],
  ])("CUBLAS_WORKSPACE_CONFIG=%s is %i", (text, expected) => {
    expect(parseCublasWorkspaceConfig(text)).toBe(expected);
    expect(bytes("2.6", "h100", { CUBLAS_WORKSPACE_CONFIG: text })).toBe(expected);
    expect(bytes("1.13", "h100", { CUBLAS_WORKSPACE_CONFIG: text })).toBe(0);
  });

  it.each(["", "4096", "8M", ":x:1", ":999999999999999:999999999"])("warns of %o and takes the default", (text) => {
    expect(parseCublasWorkspaceConfig(text)).toBeNull();
    expect(cublasWorkspace(rulesFor("2.6"), gpu("a100"), { CUBLAS_WORKSPACE_CONFIG: text })).toEqual({
      bytes: 8_519_680,
      warning: { code: "bad_cublas_workspace_config", args: { value: text } },
    });
  });
});

describe("cuBLASLt", () => {
  const lt = (version: TorchVersion, env = {}) => ltWorkspace(rulesFor(version), env);
  it("by version", () => {
    expect(lt("1.13")).toEqual({ mode: "transient", bytes: 1_048_576, warning: null });
    expect(lt("2.8")).toEqual({ mode: "transient", bytes: 1_048_576, warning: null });
    expect(lt("2.9")).toEqual({ mode: "persistent", bytes: 1_048_576, warning: null });
    expect(lt("2.12")).toEqual({ mode: "shared", bytes: 0, warning: null });
  });

  it("by environment, in KiB, from 2.1 on", () => {
    expect(lt("2.6", { CUBLASLT_WORKSPACE_SIZE: "4096" }).bytes).toBe(4_194_304);
    expect(lt("2.0", { CUBLASLT_WORKSPACE_SIZE: "4096" }).bytes).toBe(1_048_576);
    expect(lt("2.6", { CUBLASLT_WORKSPACE_SIZE: "0" }).bytes).toBe(0);
    expect(lt("2.6", { CUBLASLT_WORKSPACE_SIZE: "much" })).toMatchObject({
      bytes: 1_048_576,
      warning: { code: "bad_cublaslt_workspace_size", args: { value: "much" } },
    });
    expect(lt("2.8", { TORCH_CUBLASLT_UNIFIED_WORKSPACE: "1" }).mode).toBe("shared");
    expect(lt("2.7", { TORCH_CUBLASLT_UNIFIED_WORKSPACE: "1" }).mode).toBe("transient");
  });
});
