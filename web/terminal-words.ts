/** Leaves out of the page what only commands of a terminal say: whole files of words, none of whose keys the page has. */

import type { Plugin } from "vite";

/** Files of words of `watch` and `record`, of `models`, `packages` and `cache`, of launchers, of what leads to commands, and of hints behind errors. */
const FILES = /\/src\/i18n\/(?:en|zh-CN)-(?:hints|kept|launchers|terminal|watch)\.ts$/;

export function withoutTerminalWords(): Plugin {
  const keys = new Set<string>();
  return {
    name: "without-terminal-words",
    enforce: "pre",
    transform(code, id) {
      if (!FILES.test(id)) return null;
      for (const [, key] of code.matchAll(/^ {2}(\w+):/gm)) keys.add(key!);
      return { code: code.replace(/ = \{[^]*\n\}/, " = {}"), map: null };
    },
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk") continue;
        const said = [...keys].find((key) => new RegExp(`\\b${key}\\b`).test(chunk.code));
        if (said !== undefined) this.error(`${chunk.fileName} says ${said}, whose words are left out of the page`);
      }
    },
  };
}
