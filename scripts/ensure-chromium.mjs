// `node scripts/ensure-chromium.mjs`: a Chromium for the tests of the page; prints its path.
import { ensureChromium } from "./ensure.mjs";

try {
  console.log(ensureChromium());
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
