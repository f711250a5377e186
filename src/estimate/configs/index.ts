/** Configurations of other projects as runs: DeepSpeed, accelerate, torchtitan, axolotl, LLaMA-Factory, TRL. */

export { CONFIG_FORMATS } from "./formats.ts";
export { readConfiguration, readSwiftCommand, type ConfigReading } from "./read-config.ts";
