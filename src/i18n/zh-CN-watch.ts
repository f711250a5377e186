/** Chinese wording of `watch` and `record`. */

export const zhCNWatch = {
  command_watch: "运行一个命令，并按 nvidia-smi 的口径采样它占用的显存，直到结束",
  argument_watch_command: "要运行的命令；输入、输出和退出状态都是它自己的",
  option_interval: "两次采样之间的毫秒数",
  option_watch_output: "把采样写入文件，'open' 和 'compare' 能读",
  example_watch: "一次真实运行，用来对照预测",
  missing_command: "没有给出命令；用法：{usage}",
  bad_interval: "--interval 需要 {least} 到 {most} 之间的整数毫秒，而不是 '{value}'",
  watch_no_driver: "这台机器上没有 nvidia-smi，因此没有 NVIDIA 驱动可问；'vramscope run' 不需要驱动也能预测",
  watch_driver_fails: "nvidia-smi 没有找到 GPU：{reason}",
  watch_cannot_start: "无法启动 '{command}'：{reason}",
  watch_live: "{seconds} 秒 · 当前 {nowBytes} · 最高 {peakBytes}",
  watch_peak: "{command}：最高 {peakBytes}",
  watch_not_seen: "{command}：nvidia-smi 没有显示它的进程；在容器里它显示的是宿主机的进程号，请看设备的数值",
  watch_written: "已写入 {path}",
} as const;
