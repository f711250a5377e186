/** Chinese wording about files that commands read and write. */

export const zhCNFiles = {
  cannot_write: "无法写入 {path}：{reason}",
  cannot_write_now: "无法写入 {path}：{reason}；原有的文件保持原样",
  output_failed: "无法写到标准输出：{reason}",
  output_is_input: "本命令要读取 {path}，因此不会覆盖它",
  output_is_folder: "{path} 是文件夹，不能写成文件",
  output_is_source: "{path} 是已有的程序，因此不会覆盖它",
  output_twice: "{path} 被指定为两个输出；后一个会取代前一个",
  file_not_saved: "{name} 没有保存：{reason}",
  dangling_link: "{path} 是一个链接，它指向的文件不存在",
  script_is_notebook: "{path} 是笔记本；请把它的单元存成 Python 文件（jupyter nbconvert --to script）再运行",
  script_is_recording: "{path} 是一份记录（{format}），不是程序；用 'vramscope open {path}' 读取它",
  script_is_other: "{path} 不是 Python 程序",
  script_not_found: "没有这个文件：{path}",
  script_not_found_nearest: "没有这个文件：{path}；是不是 {nearest}？",
  not_a_file: "不是文件：{path}",
  cannot_read: "无法读取 {path}：{reason}",
} as const;
