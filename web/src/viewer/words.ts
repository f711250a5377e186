/** The viewer's words in the language that is chosen. */

import { wordsOf } from "../words/index.ts";
import { viewerEn, type ViewerCode } from "./words-en.ts";
import { viewerZh } from "./words-zh-CN.ts";

export const viewerWords = wordsOf<ViewerCode>(viewerEn, viewerZh);
