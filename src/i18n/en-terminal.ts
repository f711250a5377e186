/** English wording of what leads to the commands: help in groups, completions, tools for assistants; see `en.ts` for the rules. */

export const enTerminal = {
  command_mcp:
    "offer run, estimate, plan, explain, open and compare to an assistant, as tools over standard input and output (MCP)",
  example_mcp: "what an assistant's configuration names as the server's command",
  command_completions: "print what a shell needs to complete commands, options and their values",
  argument_shell: "the shell",
  example_completions_bash: "in ~/.bashrc; zsh likewise in ~/.zshrc",
  example_completions_fish: "in fish's configuration",
  missing_shell: "completions for which shell? {known}",
  unknown_shell: "no completions for '{name}'; there are {known}",
  unknown_option_here: "unknown option '{name}'; what others call so is here: {here}",
  engine_spreads:
    "--gpus is for training; an engine spreads a model over cards by --tp {count} (tensor parallel) or --pp",
  help_first_options: "Options that matter first",
  help_other_options: "More options",
  help_all_examples: "'vramscope help COMMAND' has more examples",
  serve_this_machine_only:
    "the page is served to this machine only, because whoever reaches it sees your files: --host takes {choices}. From another machine: ssh -L {port}:127.0.0.1:{port} NAME, then open http://127.0.0.1:{port}/ there",
  not_a_trace_file: "{path} is no trace: 'vramscope run -o {path} script.py' writes one",
};
