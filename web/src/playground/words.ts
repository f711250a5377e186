/** The playground's words in the language that is chosen. */

import { wordsOf } from "../words/index.ts";
import { playgroundEn, type PlaygroundCode } from "./words-en.ts";
import { playgroundZh } from "./words-zh-CN.ts";

export const playgroundWords = wordsOf<PlaygroundCode>(playgroundEn, playgroundZh);
