/** The panels' words in the language that is chosen. */

import { wordsOf } from "../words/index.ts";
import { explainEn, type ExplainCode } from "./words-en.ts";
import { explainZh } from "./words-zh-CN.ts";

export const explainWords = wordsOf<ExplainCode>(explainEn, explainZh);
