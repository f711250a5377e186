// `node scripts/icons.mjs`: the page's icons as PNG, drawn from web/public/icon.svg by a browser.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { ensureChromium, root } from "./ensure.mjs";

const folder = join(root, "web", "public");
const svg = `data:image/svg+xml;base64,${readFileSync(join(folder, "icon.svg")).toString("base64")}`;
const browser = await chromium.launch({ executablePath: ensureChromium(), args: ["--no-sandbox"] });
// a mask may cut away everything outside the inner four fifths
for (const [name, size, share, background] of [
  ["icon-192.png", 192, 1, "transparent"],
  ["icon-512.png", 512, 1, "transparent"],
  ["icon-maskable.png", 512, 0.75, "#14202e"],
]) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(
    `<body style="margin:0;background:${background};display:grid;place-items:center;height:100vh"><img src="${svg}" width="${size * share}">`,
  );
  await page.screenshot({ path: join(folder, name), omitBackground: true });
  await page.close();
}
await browser.close();
