/** Chinese wording of what leads to the commands: help in groups, completions, tools for assistants. */

export const zhCNTerminal = {
  command_mcp: "通过标准输入输出（MCP）把 run、estimate、plan、explain、open 和 compare 作为工具提供给助手",
  example_mcp: "在助手的配置中作为服务器命令填写",
  command_completions: "输出 shell 补全命令、选项及其取值所需的脚本",
  argument_shell: "哪种 shell",
  example_completions_bash: "写入 ~/.bashrc；zsh 同样写入 ~/.zshrc",
  example_completions_fish: "写入 fish 的配置",
  missing_shell: "为哪种 shell 补全？{known}",
  unknown_shell: "没有 '{name}' 的补全；有 {known}",
  unknown_option_here: "未知选项 '{name}'；别处的这个名称在这里是：{here}",
  engine_spreads: "--gpus 用于训练；引擎用 --tp {count}（张量并行）或 --pp 把模型分到多张卡",
  help_first_options: "最常用的选项",
  help_other_options: "其他选项",
  help_all_examples: "'vramscope help COMMAND' 有更多示例",
  serve_this_machine_only:
    "页面只提供给本机，因为能访问它的人会看到你的文件：--host 可取 {choices}。从另一台机器访问：ssh -L {port}:127.0.0.1:{port} NAME，然后在那里打开 http://127.0.0.1:{port}/",
  not_a_trace_file: "{path} 不是轨迹：'vramscope run -o {path} script.py' 会写出一份",
} as const;
