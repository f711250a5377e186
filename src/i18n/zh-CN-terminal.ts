/** Chinese wording of what leads to the commands: help in groups, completions, tools for assistants. */

export const zhCNTerminal = {
  command_mcp: "通过标准输入输出（MCP）把 run、estimate、plan、explain、open 和 compare 作为工具提供给助手",
  example_mcp: "在助手的配置中作为服务器命令填写",
} as const;
