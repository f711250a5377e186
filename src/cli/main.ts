#!/usr/bin/env node
/** The `vramscope` executable. It hears signals before it loads anything, so that whoever stops it early gets an answer, too. */

import { stopSignals } from "./stop-signals.ts";

const stops = stopSignals();
stops.listen();
const { start } = await import("./start.ts");
await start(stops);
