/** English wording of hints behind errors: what a newcomer may expect of a program that ended; see `en.ts` for the rules. */

export const enHints = {
  hint_tokenizer:
    "tokenizers are compiled code and cannot run here; memory depends on shapes only: torch.randint(0, VOCABULARY, (BATCH, LENGTH)) does instead",
  hint_module_not_found:
    "packages are those of an active environment, of .venv beside the script, of --python PATH or of --site-packages DIR; only pure-Python ones work, and 'vramscope packages add {distribution}' fetches such a one",
  hint_module_not_found_project:
    "packages are those of an active environment, of .venv beside the script, of --python PATH or of --site-packages DIR; only pure-Python ones work: 'vramscope packages add -r {file}' fetches those that the project names, 'vramscope packages add {distribution}' this one",
  hint_module_not_found_estimate:
    "'vramscope estimate --from {script}' reads what this script trains from its calls and needs no package; to run it, {distribution} must be pure Python and in an active environment, in .venv beside the script, or fetched by 'vramscope packages add {distribution}'",
  hint_engine:
    "{module} is a serving engine, compiled, and does not run here: 'vramscope estimate MODEL --engine {engine}' says what it would take, a model and its settings given",
  hint_part_of_project:
    "'{module}' is a part of the project's own folder {folder} that is not there: a compiled extension that is built first cannot be loaded here, and a submodule or a generated file must be fetched or made before",
  hint_part_of_torch:
    "'{module}' would be a part of PyTorch itself, which no package adds: other releases have other parts, so a program written for an older one may want --torch (1.13 is the last that has torch._six)",
  hint_release_of_project:
    "{distribution} here does not have '{name}'; the project's {file} asks for another release: 'vramscope packages add \"{requirement}\"'",
  hint_other_release:
    "{distribution} here does not have '{name}', another release may: 'vramscope packages add {distribution}==VERSION'",
  hint_loader_next:
    "iterators of data loaders had next() until PyTorch 1.12: --torch 1.12 runs the program as it is, next(iterator) runs everywhere",
  hint_hidden_package:
    "'{module}' is a file of the program here, beside the script or the script itself: it hides the package of that name, so it wants another name",
  hint_launcher:
    "a launcher sets {variable}, one value for each process: 'vramscope torchrun --nproc_per_node=2 {script}' runs the program as two of them, each on a GPU of its own",
  hint_gpus:
    "a machine has one GPU here unless something says otherwise: 'vramscope run --gpus N {script}' gives one process N of them, --nproc-per-node N (or 'vramscope torchrun') starts N processes with a GPU each",
  hint_file_not_found:
    "the program sees the files of its project's folder, without secrets and dot folders, and nothing else of this machine; --data NAME=SPEC says what a missing file would hold",
};
