/** The words of layouts in the language that is chosen. */

import { wordsOf } from "../../words/index.ts";
import { layoutsEn, type LayoutsCode } from "./words-en.ts";
import { layoutsZh } from "./words-zh-CN.ts";

export const layoutWords = wordsOf<LayoutsCode>(layoutsEn, layoutsZh);
