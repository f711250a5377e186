/** English wording of packages and of what a program sees of this machine; see `en.ts` for the rules. */

import { enKept } from "./en-kept.ts";

export const enPackages = {
  ...enKept,
  not_an_environment:
    "there is no Python environment at {path}: name an interpreter, the folder of an environment, or one with installed packages",
  module_not_found: "no module {name} in the working directory, in PYTHONPATH or among the packages",
  extension_by_sources: "{name}: compiled code; the tensors that its functions make are those of its published sources",
  extension_writes:
    "{name}: compiled code; its result is not taken, so that it is assumed to write into what it is given and to allocate nothing",
  packages_installed: "packages as they are installed in {folder}: {packages}",
  progress_packages: "importing the packages of {script} once; later runs start from there",
  packages_bad_requirement: "'{text}' is no requirement of a package by name, such as transformers==5.12.1",
  packages_added: "added {name} {version}",
  packages_added_part:
    "added {name} {version}, without its {count} compiled modules: a stand-in answers, or importing them fails",
  packages_removed: "removed {name} {version}",
  packages_built_in: "left out {name}: a stand-in answers for it",
  packages_left_out: "left out {name}: the index has no wheel of it that could run here",
  packages_not_on_index: "left out {name}: the index does not have it",
  packages_fetching: "fetching {file} from {address}",
  packages_unknown: "the index has no package {name}",
  packages_no_wheel: "{text}: the index has no wheel of it that could run here, and nothing is built from sources",
  packages_none_fits: "no version of {name} fits all of: {wanted}",
  packages_too_many: "more than {count} packages are needed",
  packages_too_many_tries: "no versions that go together were found in {count} tries; name versions",
  packages_bad_index: "'{index}' is no address of an index of packages",
  packages_bad_page: "{address} is no page of an index of packages",
  packages_fetch_failed: "{address} could not be fetched: {reason}",
  packages_offline: "{file} was not fetched before, and --offline fetches nothing",
  packages_no_hash: "{file}: the index gives no hash, so that nothing says whether the file is the right one",
  packages_wrong_hash: "{file}: its hash is not the one that the index gives; nothing was added",
  packages_bad_wheel: "{file} is no wheel of this package, or damaged; nothing was added",
  packages_leads_out: "{file} names a path outside of its folder, or a link: {path}; nothing was added",
  packages_too_large: "{file} is larger than {mostBytes} bytes, or has too many files; nothing was added",
  packages_offered: "the script names its packages: vramscope packages add -r {script} fetches them",
  hub_added: "{model}: its configuration is the one that was fetched from a hub",
  hub_of_cache: "{model}: its configuration is the one in the hub's cache of this machine",
  option_packages_index: "index of packages; default PIP_INDEX_URL or what pip is set up with, else {index}",
  option_packages_offline: "fetch nothing: only what was fetched before",
  option_environment:
    "interpreter or environment whose packages the program sees; default the active one, or .venv or venv at or above the script",
  option_site_packages: "mount a directory of pure-Python packages, read-only; repeatable",
  hub_bundled: "{model}: nothing was fetched; its configuration is the bundled one, as published",
  hub_bundled_unsure:
    "{model}: nothing was fetched; its bundled configuration was put together from descriptions, and the published file may say otherwise",
  hub_folder: "{model}: the folder {folder} is not there; it was taken for one of this model, fetched before",
  hub_same_name:
    "{model}: nothing was fetched; the bundled configuration of {name}, which has the same name, was taken",
  hub_trained_from:
    "{model}: nothing was fetched; its name says that it was trained from {name}, whose bundled configuration was taken",
  hub_other_languages:
    "{model}: nothing was fetched; the bundled configuration of {name}, a model of its kind for other languages, was taken: its vocabulary may be a few thousand tokens larger or smaller",
  hub_named_format: "{model}: its name says how its weights lie, which was taken: {format}",
  hub_not_packed:
    "{model}: how {method} lays weights out is not modelled here: its layers get 16-bit weights, which may be larger",
  gptqmodel_kernel: "gptqmodel: {method} runs in its kernel {kernel}, after its sources; it was measured on no card",
  hub_defaults:
    "{model}: nothing was fetched; the defaults of type {kind} were taken, for which transformers names this checkpoint",
  hub_weights:
    "{model}: its {tensors} weights are placeholders of {dtype} with the shapes of the configuration, in one file",
  hub_vocabulary:
    "{model}: its vocabulary is not here; {tokens} tokens were taken, and one for about four letters of text",
  unsloth_kernels:
    "unsloth: its calls are carried out by transformers, peft and trl; its own kernels, which need less memory, are not simulated",
  unsloth_inputs_on_card:
    "unsloth: the inputs of checkpointed blocks stay on the card; its own checkpointing moves them to the host",
  unsloth_without_engine:
    "unsloth: fast_inference starts vLLM inside of the program; answers are generated by transformers here",
  unsloth_ignored: "unsloth: '{name}' is left out",
  unsloth_not_converted: "unsloth: what is saved is not merged, converted or uploaded",
  unsloth_template:
    "unsloth: the template {name} is not here; the tokenizer's own was taken, or one whose turns are about as long",
  unsloth_all_labels: "unsloth: all tokens count for the loss, which has no other size than that of the answers alone",
  unsloth_ids_alone:
    "unsloth: a conversation becomes its ids alone, as in the releases of transformers that its programs name",
  absent_logs: "{library} is not here: what it would log is left out",
  absent_draws: "{library} is not here: nothing is drawn",
  absent_progress: "{library} is not here: no progress is shown",
  absent_talks: "{library} is not here: nothing is sent or fetched",
  absent_checks: "{library} is not here: what it would check is not checked",
  absent_compiles: "{library} is not here: functions that it would compile run as plain Python",
  absent_measures: "{library} is not here: what it would measure reads 0",
  absent_prints: "{library} is not here: texts are printed without it",
  words_split: "{library}: {name} is not here; texts are split at blanks and punctuation",
  placeholder_array: "an array {name} of {shape} stands in for one of a file that is not here",
  placeholder_texts:
    "{file}: {count} rows of about {length} words each, {words} different ones, stand in for those that nobody here has",
  onnx_export:
    "torch.onnx.export: the model ran once as tracing runs it, and the file is empty; with dynamo=True, the default since PyTorch 2.9, an export itself takes no memory of the GPU",
  placeholder_rows: "{file}: {count} rows stand in for those that nobody here has",
  lightning_one_device:
    "lightning: {count} processes are asked for; one is simulated, without DDP's buckets. vramscope torchrun starts several",
  short_form_runs:
    "{library}: the built-in short form runs; what it keeps beside the model, such as logged values, may differ",
  loop_guessed:
    "nobody knows whether this loop goes on, for its condition is a value on the GPU: it is left after {passes} passes",
  loop_grows_guessed:
    "nobody knows whether this loop goes on, for its condition is a value on the GPU: it is left after {passes} passes, each of which added {passBytes}; the GPU would be full at about pass {last}",
  former_name: "{library}.{name} is taken as former releases had it; today's do not have it",
  import_deferred: "{library} is not here: it was imported, and using it ends the program",
  images_of_name: "torchvision: images of {side} x {side} were taken, as the name {name} says",
  hub_no_login: "the hub: nobody is asked to log in",
  hyperparameters_of_call: "lightning: {name} has no hyperparameters here; those of {call} in the same text were taken",
};
