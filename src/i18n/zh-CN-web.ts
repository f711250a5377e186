/** Chinese words of `serve` and of `--web`. */

import type { enWeb } from "./en-web.ts";

export const zhCNWeb: Readonly<Record<keyof typeof enWeb, string>> = {
  command_serve: "在浏览器中打开演练场、估算和查看器",
  option_port: "本机端口；不指定时取下一个空闲端口",
  option_host: "监听的本机地址；其他电脑无法连接",
  option_no_open: "只打印地址",
  option_open_web: "改为在浏览器中显示",
  option_run_web: "运行后在浏览器中显示",
  example_serve: "在浏览器中打开页面",
  example_open_web: "在查看器中打开记录",
  serving: "{address}\n只有本机可以连接。按 Ctrl+C 结束。",
  bad_port: "--port 需要 0 到 65535 的数，而不是 '{value}'",
  cannot_serve: "无法监听端口 {port}：{reason}",
  page_not_built: "页面尚未构建；在 VRAMScope 目录中运行 'npm run build:web' 即可构建",
};
