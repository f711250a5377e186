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

  command_record: "run a script under your own PyTorch or TensorFlow and keep its memory history and counters",
  argument_record_script: "script to run on this machine's GPU, really",
  option_python: "interpreter; default that of the active environment, then python3",
  option_record_output: "folder for snapshot.pickle and readings.json; default SCRIPT-record",
  option_record_events: "how many entries of PyTorch's memory history to keep, the last ones",
  example_record: "then: vramscope compare train.py train-record/snapshot.pickle",
  example_record_python: "with another Python, and arguments for the script",
  record_needs_file: "record runs a file; save the program first",
  record_bad_python: "'{name}' is no Python that runs",
  record_no_python: "there is no python3 on this machine; --python names one",
  record_no_framework: "{python} has neither PyTorch nor TensorFlow; --python names another interpreter",
  record_no_gpu:
    "PyTorch {reason} of {python} sees no GPU, so there is nothing to record; 'vramscope run' predicts without one",
  record_not_imported: "the script imported neither PyTorch nor TensorFlow, so nothing of the GPU was recorded",
  record_unused: "the script did not use the GPU",
  record_no_outcome: "the script ended the interpreter, so nothing was recorded",
  record_problem: "while recording: {problem}",
  record_next: "next: {command}",
};
