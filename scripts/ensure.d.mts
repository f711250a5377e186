/** Types of what tests use of ensure.mjs. */

export function ensurePage(): void;
/** @throws where none is found and none can be installed */
export function ensureChromium(): string;
/** null where none is found and none can be installed */
export function ensureFirefox(): string | null;
