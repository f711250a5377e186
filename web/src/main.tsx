/** Where the page begins. */

import { render } from "preact";
import { installOffline } from "./offline/install.ts";
import { App } from "./shell/app.tsx";
import { listenForKeys } from "./shell/commands.ts";
import { listenForFiles } from "./state/dropped-files.ts";
import { watchAddress } from "./state/route.ts";
import { applySettings } from "./state/settings.ts";
import { applyPalette } from "./theme/apply-palette.ts";

applySettings();
applyPalette();
watchAddress();
listenForKeys();
listenForFiles();
render(<App />, document.querySelector("#app")!);
// once what is shown is there, so that nothing waits for it
addEventListener("load", () => setTimeout(() => void installOffline().catch(() => {}), 1000));
