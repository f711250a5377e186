/** What tests of the page share: it is built if need be, served as `vramscope serve` does, and watched while a browser uses it. */

import { join } from "node:path";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { ensureChromium, ensurePage } from "../../scripts/ensure.mjs";
import { servePage, type PageServer } from "../../src/cli/page-server.ts";
import { ROOT } from "../helpers.ts";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export interface Site {
  readonly server: PageServer;
  /** Requests that left the page's origin, and errors that the console showed, of all pages. */
  readonly complaints: string[];
  /** A page of its own, with storage of its own; `first` runs in it before anything else does. */
  open(address?: string, options?: BrowserContextOptions, first?: string): Promise<Page>;
  /** Closes everything. */
  close(): Promise<void>;
}

/** Writes down what a page must not do. */
function watch(page: Page, origin: string, complaints: string[]): void {
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !/^(?:data|blob):/.test(url)) complaints.push(`asked for ${url}`);
  });
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(`console: ${message.text().slice(0, 400)}`);
  });
  page.on("pageerror", (error) => complaints.push(`error: ${error.message.slice(0, 400)}`));
}

/** One server and one browser, for all tests of a file. */
export async function openSite(): Promise<Site> {
  ensurePage();
  const server = await servePage(join(ROOT, "dist", "web"), "127.0.0.1", [0]);
  let browser: Browser;
  try {
    browser = await chromium.launch({ executablePath: ensureChromium(), args: FLAGS });
  } catch (error) {
    await server.close();
    throw error;
  }
  const complaints: string[] = [];
  return {
    server,
    complaints,
    open: async (address = "", options = {}, first = "") => {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-US", ...options });
      await context.addInitScript(first);
      const page = await context.newPage();
      watch(page, server.address, complaints);
      await page.goto(server.address + address);
      return page;
    },
    close: async () => {
      await browser.close();
      await server.close();
    },
  };
}
