/** The languages that VRAMScope speaks. */

export { isMessageCode, LOCALES, localeOf, message, messageOrCode } from "./messages.ts";
export type { Locale, MessageCode, Messages } from "./messages.ts";
