/** Files that are not there and whose parts a program takes by name. */

import { describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";

const { run } = vramscope;

describe("a file that nobody has", () => {
  it("is an object where a program takes names out of what json.load gave, and attributes of faces by their names", async () => {
    const source = `
import json
with open("transforms.json") as file:
    meta = json.load(file)
angle = float(meta["angle"])
print(angle, len([frame["text"] for frame in meta["frames"]]))
records = json.load(open("records.json"))
print(len(records), records[0]["text"][:3])
lines = [line.rstrip() for line in open("data/list_attr_celeba.txt")]
names = lines[1].split()
print(lines[0], len(names), names.index("Black_Hair"), len(lines[2].split()), lines[-1][:10])
`;
    const result = await run({ script: "p.py", source });
    expect([result.errorText, result.stdout]).toEqual([null, "0.0 1000\n1000 the\n202599 40 8 41 202599.jpg\n"]);
  });
});
