// Finds a Chromium for the tests of the page, or installs the system's package.
import { execFileSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const PLACES = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

function runs(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Path of a Chromium: `CHROMIUM` names it, or it lies where programs lie; null where there is none. */
export function findChromium() {
  const { CHROMIUM, PATH = "" } = process.env;
  if (CHROMIUM) return CHROMIUM;
  const folders = PATH.split(delimiter).filter((folder) => folder !== "");
  return [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), ...PLACES].find(runs) ?? null;
}

/** Installs Chromium with apt, where this process may; otherwise says what to do. */
export function installChromium() {
  if (process.getuid?.() === 0 && runs("/usr/bin/apt-get")) {
    console.error("Installing Chromium for the tests of the page …");
    const apt = (...args) => execFileSync("/usr/bin/apt-get", args, { stdio: ["ignore", 2, 2] });
    try {
      apt("update", "-qq");
      apt("install", "-qq", "-y", "--no-install-recommends", "chromium");
    } catch {
      // the message below says what is left to do
    }
  }
  const found = findChromium();
  if (found !== null) return found;
  throw new Error(
    "The tests of the page need Chromium or Chrome. Install it (Debian: apt-get install chromium), or say where it is: CHROMIUM=/path/to/chromium npm test",
  );
}
