/**
 * When the authors of ms-swift's scripts measured what their first lines say: `node scripts/layouts/swift-dates.mjs CLONE ROWS.jsonl` reads the
 * history of a clone and writes swift-dates.json beside this file: the day since which a script has its figures, and the options that were
 * changed since then without measuring anew.
 */

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { rowsOf } from "./answers.mjs";

const [clone, rows] = process.argv.slice(2);
const git = (...words) => execFileSync("git", ["-C", clone, ...words], { maxBuffer: 2 ** 28, encoding: "utf8" });

/** Newest first: [{ commit, day, path }], with earlier names. */
function versions(path) {
  const found = [];
  for (const line of git("log", "--follow", "--format=C %h %cs", "--name-only", "--", path).split("\n")) {
    if (line.startsWith("C ")) found.push({ commit: line.split(" ")[1], day: line.split(" ")[2], path });
    else if (line !== "") found.at(-1).path = line;
  }
  return found;
}

/** Options that decide about memory. */
const DECIDES =
  /^(model|max_length|packing|padding_free|group_by_length|micro_batch_size|per_device_train_batch_size|recompute_\w+|(?!vllm_)\w+_parallel_size|sequence_parallel|decoder_\w+|mtp_num_layers|moe_expert_capacity_factor|optimizer\w*|use_precision_aware_optimizer|lora_rank|target_modules|freeze_\w+|attn_impl|attention_backend|deepspeed|vit_gradient_checkpointing)$/;
/** Where these were not there, the same was meant. */
const USUAL = {
  attn_impl: "flash_attn",
  optimizer_offload_fraction: "1",
  vit_gradient_checkpointing: "false",
  freeze_aligner: "true",
};

/** Of the first command that has each. */
function optionsOf(text) {
  const options = new Map();
  for (const [, name, value] of text.matchAll(/--([a-z_0-9]+)[ =]+([^\\\n]*)/g))
    if (DECIDES.test(name) && !options.has(name)) options.set(name, value.trim());
  return options;
}

/** `model` took the place of `load`, which named the same by another name. */
function changed(then, now) {
  const [before, after] = [optionsOf(then), optionsOf(now)];
  return [...new Set([...before.keys(), ...after.keys()])].filter((name) => {
    if (name === "model" && !before.has(name)) return false;
    return (before.get(name) ?? USUAL[name]) !== (after.get(name) ?? USUAL[name]);
  });
}

const table = {};
for (const { id, source, figures } of rowsOf(rows, "", "ms-swift-examples")) {
  const path = /examples\/\S+/.exec(source)[0];
  const its = versions(path).map((version) => ({ ...version, text: git("show", `${version.commit}:${version.path}`) }));
  const other = its.findIndex(({ text }) => figures.some(({ comment }) => !text.includes(comment)));
  const first = its.slice(0, other < 0 ? its.length : other).at(-1);
  if (first === undefined) continue;
  const options = changed(first.text, its[0].text);
  table[id.replace("ms-swift/", "")] = { day: first.day, ...(options.length > 0 ? { changed: options } : {}) };
}
writeFileSync(new URL("swift-dates.json", import.meta.url), `${JSON.stringify(table, null, 2)}\n`);
