/** English wording about files that commands read and write; see `en.ts` for the rules. */

export const enFiles = {
  cannot_write: "cannot write {path}: {reason}",
  cannot_write_now: "cannot write {path}: {reason}; what was there before is as it was",
  output_failed: "cannot write to standard output: {reason}",
  output_is_input: "{path} is read by this command, so nothing is written over it",
  output_is_folder: "{path} is a folder, so nothing can be written there under that name",
  output_is_source: "{path} is a program that is there already, so nothing is written over it",
  output_twice: "{path} is named for two outputs; the second would take the place of the first",
  file_not_saved: "{name} was not saved: {reason}",
  dangling_link: "{path} is a link to a file that does not exist",
  script_is_notebook:
    "{path} is a notebook; save its cells as a Python file (jupyter nbconvert --to script) and run that",
  script_is_recording: "{path} is a recording ({format}), not a program; 'vramscope open {path}' reads it",
  script_is_other: "{path} is no Python program",
  script_not_found: "no such file: {path}",
  script_not_found_nearest: "no such file: {path}; did you mean {nearest}?",
  not_a_file: "not a file: {path}",
  cannot_read: "cannot read {path}: {reason}",
};
