// Drives the stock Firefox over WebDriver BiDi. Nothing else imports the package that does it.
import puppeteer from "puppeteer-core";

export const launchFirefox = (executablePath, preferences) =>
  puppeteer.launch({ browser: "firefox", executablePath, extraPrefsFirefox: preferences });
