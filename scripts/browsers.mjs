// Finds the browsers that the tests of the page use, or installs the system's packages of them.
import { execFileSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** For each: the variable that names one, what it is called where programs lie, other places, its package on Debian. */
const BROWSERS = {
  chromium: {
    title: "Chromium or Chrome",
    variable: "CHROMIUM",
    names: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"],
    places: [
      "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
      "/Applications/Chromium.app/Contents/MacOS/Chromium",
      "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    ],
    debian: "chromium",
  },
  firefox: {
    title: "Firefox",
    variable: "FIREFOX",
    names: ["firefox-esr", "firefox"],
    places: ["/Applications/Firefox.app/Contents/MacOS/firefox", "C:\\Program Files\\Mozilla Firefox\\firefox.exe"],
    debian: "firefox-esr",
  },
};

function runs(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Path of the browser: its variable names it, or it lies where programs lie; null where there is none. */
export function findBrowser(id) {
  const { variable, names, places } = BROWSERS[id];
  const named = process.env[variable];
  if (named) return named;
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return [...folders.flatMap((folder) => names.map((name) => join(folder, name))), ...places].find(runs) ?? null;
}

/** Installs the browser with apt, where this process may; otherwise says what to do. */
export function installBrowser(id) {
  const { title, variable, debian } = BROWSERS[id];
  if (process.getuid?.() === 0 && runs("/usr/bin/apt-get")) {
    console.error(`Installing ${title} for the tests of the page …`);
    const apt = (...args) => execFileSync("/usr/bin/apt-get", args, { stdio: ["ignore", 2, 2] });
    try {
      apt("update", "-qq");
      apt("install", "-qq", "-y", "--no-install-recommends", debian);
    } catch {
      // the message below says what is left to do
    }
  }
  const found = findBrowser(id);
  if (found !== null) return found;
  throw new Error(
    `The tests of the page need ${title}. Install it (Debian: apt-get install ${debian}), or say where it is: ${variable}=/path/to/${debian} npm test`,
  );
}
