/** English wording of packages and of what a program sees of this machine; see `en.ts` for the rules. */

export const enPackages = {
  option_show_file: "show a file or folder to the program though its name says that it is a secret; repeatable",
  option_module: "run a module as python -m does, instead of a script",
  option_packages: "packages as installed where they are (auto), only those, or the built-in short forms",
  option_environment:
    "interpreter or environment whose packages the program sees; default the active one, or .venv or venv at or above the script",
  not_an_environment:
    "there is no Python environment at {path}: name an interpreter, the folder of an environment, or one with installed packages",
  module_not_found: "no module {name} in the working directory, in PYTHONPATH or among the packages",
  packages_installed: "packages as they are installed in {folder}: {packages}",
  option_site_packages: "mount a directory of pure-Python packages, read-only; repeatable",
  command_cache: "list or clear what is kept from run to run: interpreters that have imported large packages",
  argument_cache: "what to do; default list",
  example_cache: "free the space; the next run with large packages takes longer once",
  bad_cache_order: "'{value}' is nothing to do with the cache; usage: {usage}",
  cache_no_home: "there is no cache: neither HOME nor XDG_CACHE_HOME nor VRAMSCOPE_CACHE names a folder",
  cache_total: "{count} interpreters with packages, {size}, in {folder}",
  cache_cleared: "{count} interpreters with packages removed, {size}, from {folder}",
  progress_packages: "importing the packages of {script} once; later runs start from there",
  hub_bundled: "{model}: nothing was fetched; its configuration is the bundled one, as published",
  hub_bundled_unsure:
    "{model}: nothing was fetched; its bundled configuration was put together from descriptions, and the published file may say otherwise",
  hub_same_name:
    "{model}: nothing was fetched; the bundled configuration of {name}, which has the same name, was taken",
  hub_defaults:
    "{model}: nothing was fetched; the defaults of type {kind} were taken, for which transformers names this checkpoint",
  hub_weights:
    "{model}: its {tensors} weights are placeholders of {dtype} with the shapes of the configuration, in one file",
  hub_vocabulary:
    "{model}: its vocabulary is not here; {tokens} tokens were taken, and one for about four letters of text",
  absent_logs: "{library} is not here: what it would log is left out",
  absent_draws: "{library} is not here: nothing is drawn",
  absent_progress: "{library} is not here: no progress is shown",
  absent_talks: "{library} is not here: nothing is sent or fetched",
  absent_checks: "{library} is not here: what it would check is not checked",
  absent_prints: "{library} is not here: texts are printed without it",
  words_split: "{library}: {name} is not here; texts are split at blanks and punctuation",
  placeholder_rows: "{file}: {count} rows stand in for those that nobody here has",
  lightning_one_device:
    "lightning: {count} processes are asked for; one is simulated, without DDP's buckets. vramscope torchrun starts several",
  short_form_runs:
    "{library}: the built-in short form runs; what it keeps beside the model, such as logged values, may differ",
  import_deferred: "{library} is not here: it was imported, and using it ends the program",
} as const;
