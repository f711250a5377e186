/** Configurations of other projects as runs: DeepSpeed, accelerate, torchtitan, axolotl, LLaMA-Factory, TRL, programs. */

export { CONFIG_FORMATS } from "./formats.ts";
export { readConfiguration, readScript, readSwiftCommand, type ConfigReading } from "./read-config.ts";
