/** Types of what tests use of firefox.mjs, of puppeteer-core's. */

export interface FirefoxElement {
  uploadFile(path: string): Promise<void>;
}

interface Patience {
  readonly timeout?: number;
}

export interface FirefoxPage {
  goto(address: string): Promise<unknown>;
  setViewport(size: { readonly width: number; readonly height: number }): Promise<void>;
  on(what: "request", listener: (request: { url(): string }) => void): unknown;
  on(what: "console", listener: (line: { type(): string; text(): string }) => void): unknown;
  on(what: "pageerror", listener: (error: unknown) => void): unknown;
  click(selector: string): Promise<void>;
  waitForSelector(selector: string, options?: Patience): Promise<FirefoxElement>;
  waitForFunction(look: () => unknown, options?: Patience): Promise<unknown>;
  evaluate(code: string): Promise<unknown>;
  evaluate<Result, Args extends readonly unknown[]>(run: (...args: Args) => Result, ...args: Args): Promise<Result>;
  $eval<Result>(selector: string, look: (element: HTMLElement) => Result): Promise<Result>;
  $$eval<Result>(selector: string, look: (elements: HTMLElement[]) => Result): Promise<Result>;
  readonly keyboard: {
    down(key: string): Promise<void>;
    up(key: string): Promise<void>;
    press(key: string): Promise<void>;
    type(text: string): Promise<void>;
  };
}

export interface FirefoxBrowser {
  createBrowserContext(): Promise<{ newPage(): Promise<FirefoxPage> }>;
  close(): Promise<void>;
}

export function launchFirefox(path: string, preferences: Readonly<Record<string, unknown>>): Promise<FirefoxBrowser>;
