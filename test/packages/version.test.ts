/** Versions and requirements, by the examples of PEP 440 and PEP 508. */

import { describe, expect, it } from "vitest";
import { applies, parseRequirement } from "../../src/packages/requirement.ts";
import { fromProject, fromRequirementsText, fromScript } from "../../src/packages/requirement-files.ts";
import { compareVersions, parseSpecifiers, parseVersion, satisfies } from "../../src/packages/version.ts";

/** PEP 440, "Summary of permitted suffixes and relative ordering", and the examples of its sections. */
const ORDERED =
  `1.dev0 1.0.dev456 1.0a1 1.0a2.dev456 1.0a12.dev456 1.0a12 1.0b1.dev456 1.0b2 1.0b2.post345.dev456 1.0b2.post345
1.0rc1.dev456 1.0rc1 1.0 1.0+abc.5 1.0+abc.7 1.0+5 1.0.post456.dev34 1.0.post456 1.0.15 1.1.dev1 2013.10 1!0.1`.split(
    /\s+/,
  );

const version = (text: string) => parseVersion(text)!;
const fits = (text: string, specifiers: string) =>
  parseSpecifiers(specifiers)!.every((one) => satisfies(version(text), one));

describe("versions", () => {
  it("have the order of PEP 440", () => {
    const plain = ORDERED.filter((text) => !text.includes("+"));
    expect(
      plain
        .toReversed()
        .map(version)
        .toSorted(compareVersions)
        .map(({ text }) => text),
    ).toEqual(plain);
    for (const [same, other] of [
      ["1.0", "1.0.0"],
      ["1.0-1", "1.0.post1"],
      ["1.0ALPHA1", "1.0a1"],
      ["v1.0c1", "1.0rc1"],
    ])
      expect(compareVersions(version(same!), version(other!))).toBe(0);
  });

  it.each([
    ["1.1.post1", "==1.1", false],
    ["1.1.post1", "==1.1.*", true],
    ["1.1a1", "==1.1.*", true],
    ["1.1", "!=1.1.*", false],
    ["2.3", "~=2.2", true],
    ["3.0", "~=2.2", false],
    ["2.2.1", "~=2.2.0", true],
    ["2.3", "~=2.2.0", false],
    ["1.7.1", ">1.7", true],
    ["1.7.0.post1", ">1.7", false],
    ["3.1.dev0", "<3.1", false],
    ["1.0+local", "==1.0", true],
    ["1.0+other", "==1.0+local", false],
    ["0.9", ">=1.0,<2", false],
  ])("%s against %s: %s", (text, specifiers, expected) => expect(fits(text, specifiers)).toBe(expected));

  it("are refused where they are none", () => {
    for (const text of ["", "1.0.x", "one", "1..0", "1.0+", "9".repeat(200)]) expect(parseVersion(text)).toBeNull();
  });
});

describe("requirements", () => {
  it("are read as PEP 508 writes them", () => {
    const { name, extras, specifiers } = parseRequirement("Some.Name_x [A, b_c] (>=1.0,<2); python_version >= '3.8'")!;
    expect([name, extras, specifiers.map(({ operator, text }) => operator + text)]).toEqual([
      "some-name-x",
      ["a", "b-c"],
      [">=1.0", "<2"],
    ]);
    for (const text of ["", "-e .", "a @ https://example.org/a.whl", "a>=", "../a", "a b"])
      expect(parseRequirement(text)).toBeNull();
  });

  it.each([
    ["a; sys_platform == 'win32'", [], false],
    ["a; sys_platform != 'win32' and python_version >= '3.9'", [], true],
    ["a; python_version < '3.11'", [], false],
    ["a; extra == 'torch'", [], false],
    ["a; extra == 'torch'", ["torch"], true],
    ["a; (os_name == 'nt' or extra == 'x') and python_version > '3'", ["x"], true],
    ["a; 'linux' in sys_platform", [], true],
    ["a; platform_machine not in 'arm64 aarch64'", [], true],
  ])("%s with extras %j: %s", (text, extras, expected) =>
    expect(applies(parseRequirement(text)!, extras)).toBe(expected),
  );
});

describe("files", () => {
  const names = ({ requirements }: { requirements: readonly { text: string }[] }) =>
    requirements.map(({ text }) => text);

  it("name packages", () => {
    const read = fromRequirementsText(
      "# all\na==1  # one\n-r more.txt\n--index-url x\nb>=2 \\\n  --hash=sha256:00\ngit+https://x/y\n",
    );
    expect([names(read), read.files, read.ignored]).toEqual([
      ["a==1", "b>=2"],
      ["more.txt"],
      ["--index-url x", "git+https://x/y"],
    ]);
    const project =
      '[build-system]\nrequires = ["no"]\n[project]\nname = "x"\ndependencies = [\n  "a[b]>=1", # c\n  \'d\',\n]\n[tool.x]\ndependencies = ["no"]\n';
    expect(names(fromProject(project))).toEqual(["a[b]>=1", "d"]);
    expect(
      names(
        fromScript(
          'import x\n# /// script\n# requires-python = ">=3.9"\n# dependencies = [\n#   "a<3",\n#   "b",\n# ]\n# ///\n',
        ),
      ),
    ).toEqual(["a<3", "b"]);
    expect(names(fromScript("# dependencies = ['a']\n"))).toEqual([]);
  });
});
