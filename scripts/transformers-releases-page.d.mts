/** Types of what tests use of transformers-releases-page.mjs. */

export const RELEASES: readonly { transformers: string; peft: string; accelerate: string }[];
