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
} as const;
