/** English wording of models that are fetched from a hub; see `en.ts` for the rules. */

export const enModels = {
  command_models:
    "fetch what a hub says about a model into the cache: its configuration, never its weights; list or remove",
  argument_models_id: "models as the hub names them: Qwen/Qwen3-8B",
  option_models_revision: "branch, tag or commit of the repository (default main)",
  option_models_hub: "address of the hub; default HF_ENDPOINT, else {hub}",
  example_models_add: "estimate and run know this model from now on",
  example_models_token: "a model that asks for a licence, with a token of somebody who accepted it",
  models_bad_order: "that is nothing to do with models; usage: {usage}",
  models_nothing: "no model is named; usage: {usage}",
  models_bad_id: "'{id}' is no id of a model, such as Qwen/Qwen3-8B",
  models_total: "{count} {count#model#models}, {size}, in {folder}",
  models_not_added: "{model} was not added",
  models_removed: "removed {model}",
  models_added:
    "added {model} at {commit}: {count} {count#file#files}, {size}; its {weightsBytes} of weights stay where they are",
  models_bad_hub: "'{hub}' is no address of a hub",
  models_bad_answer: "{address} is no answer of a hub of models",
  models_no_files: "{model} has no configuration or other file that says what it is",
  models_not_open:
    "{hub} does not show {model}: there is no model of that name, or its licence must be accepted first (HF_TOKEN names who asks)",
  models_not_there: "{hub} has no model {model}, or not that revision",
  models_fetch_failed: "{address} could not be fetched: {reason}",
  unknown_model_id:
    "no file or folder '{name}', and no published model of that name is known here; 'vramscope models add {name}' fetches its configuration from the hub, without its weights",
  unknown_model_id_nearest:
    "no file or folder '{name}', and no published model of that name is known here; did you mean '{nearest}'? 'vramscope models add {name}' fetches its configuration from the hub, without its weights",
  models_too_large: "{address} is larger than {mostBytes}; nothing was added",
  hub_added: "{model}: its configuration is the one that was fetched from a hub",
  hub_of_cache: "{model}: its configuration is the one in the hub's cache of this machine",
};
