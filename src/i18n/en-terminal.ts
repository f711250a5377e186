/** English wording of what leads to the commands: help in groups, completions, tools for assistants; see `en.ts` for the rules. */

export const enTerminal = {
  command_mcp:
    "offer run, estimate, plan, explain, open and compare to an assistant, as tools over standard input and output (MCP)",
  example_mcp: "what an assistant's configuration names as the server's command",
} as const;
