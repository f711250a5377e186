/** What scripts/short-lines.mjs exports. */

import type { Plugin } from "vite";

export const WORDS: string;
export function read(line: string): string;
export function wordsOf(lines: readonly string[]): string[];
export function wordsModule(words: readonly string[]): string;
export function shortModule(name: string, lines: readonly string[], words: readonly string[]): string;
export function shortLines(): Plugin;
