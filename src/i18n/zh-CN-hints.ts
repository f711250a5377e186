/** Simplified Chinese wording of hints behind errors; see `en.ts` for the rules. */

export const zhCNHints = {
  hint_tokenizer:
    "分词器是编译代码，无法在此运行；内存只取决于形状，可改用 torch.randint(0, VOCABULARY, (BATCH, LENGTH))",
  hint_module_not_found:
    "软件包取自已激活的环境、脚本旁的 .venv、--python PATH 或 --site-packages DIR；只能用纯 Python 的包，'vramscope packages add {distribution}' 可以下载这样的包",
  hint_module_not_found_project:
    "软件包取自已激活的环境、脚本旁的 .venv、--python PATH 或 --site-packages DIR；只能用纯 Python 的包：'vramscope packages add -r {file}' 下载项目列出的包，'vramscope packages add {distribution}' 只下载这一个",
  hint_module_not_found_estimate:
    "'vramscope estimate --from {script}' 直接从脚本的调用读出它训练什么，不需要任何软件包；要运行脚本，{distribution} 须为纯 Python，来自已激活的环境、脚本旁的 .venv，或由 'vramscope packages add {distribution}' 下载",
  hint_engine:
    "{module} 是编译的推理引擎，无法在此运行：'vramscope estimate MODEL --engine {engine}' 按模型和设置给出其占用",
  hint_part_of_project:
    "'{module}' 属于项目自己的文件夹 {folder}，但那里没有它：需要先编译的扩展无法在这里加载；子模块或生成的文件须先取得或生成",
  hint_part_of_torch:
    "'{module}' 应是 PyTorch 自身的一部分，没有软件包能补上：各版本的组成不同，为旧版写的程序可用 --torch 指定（torch._six 最后见于 1.13）",
  hint_release_of_project:
    "这里的 {distribution} 没有 '{name}'；项目的 {file} 要求别的版本：'vramscope packages add \"{requirement}\"'",
  hint_other_release:
    "这里的 {distribution} 没有 '{name}'，别的版本可能有：'vramscope packages add {distribution}==VERSION'",
  hint_loader_next:
    "PyTorch 1.12 及以前，数据加载器的迭代器有 next() 方法：--torch 1.12 可照原样运行，写成 next(iterator) 则各版本皆可",
  hint_hidden_package: "'{module}' 在这里是程序自己的文件（脚本旁或脚本本身），遮住了同名的软件包；请给它换个名字",
  hint_launcher:
    "{variable} 由启动器为每个进程设置：'vramscope torchrun --nproc_per_node=2 {script}' 会以两个进程运行程序，各占一块 GPU",
  hint_gpus:
    "除非另有说明，这里的机器只有一块 GPU：'vramscope run --gpus N {script}' 给一个进程 N 块 GPU，--nproc-per-node N（或 'vramscope torchrun'）启动 N 个进程，各占一块 GPU",
  hint_file_not_found:
    "程序只能看到其项目文件夹中的文件（不含机密文件和点号开头的文件夹）；可用 --data NAME=SPEC 说明缺失的文件有什么内容",
} as const;
