/** English wording of `watch` and `record`; see `en.ts` for the rules. */

export const enWatch = {
  command_watch: "run a command and sample what it uses on the GPU, as nvidia-smi shows it, until it ends",
  argument_watch_command: "command to run; its input, output and exit status are its own",
  option_interval: "milliseconds between two samples",
  option_watch_output: "write the samples to a file that 'open' and 'compare' read",
  example_watch: "a real run, to compare a prediction with",
  missing_command: "no command given; usage: {usage}",
  bad_interval: "--interval needs a whole number of milliseconds from {least} to {most}, not '{value}'",
  watch_no_driver:
    "there is no nvidia-smi on this machine, so there is no NVIDIA driver to ask; 'vramscope run' predicts without one",
  watch_driver_fails: "nvidia-smi finds no GPU: {reason}",
  watch_cannot_start: "cannot start '{command}': {reason}",
  watch_live: "{seconds} s · {nowBytes} now · {peakBytes} at most",
  watch_peak: "{command}: {peakBytes} at most",
  watch_not_seen:
    "{command}: nvidia-smi showed no process of it; in a container it names processes of the host, so look at the device's figures",
  watch_written: "written to {path}",
} as const;
