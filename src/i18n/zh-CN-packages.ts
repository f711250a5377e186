/** Chinese wording of packages and of what a program sees of this machine. */

export const zhCNPackages = {
  option_show_file: "让程序看到名称像机密的文件或文件夹；可重复",
  option_module: "像 python -m 那样运行模块，而不是脚本",
  option_packages: "有已安装的包就用已安装的（auto），只用已安装的，或只用内置的简版",
  option_environment: "程序可见其包的解释器或环境；默认是当前激活的环境，或脚本所在目录及其上级的 .venv 或 venv",
  not_an_environment: "{path} 没有 Python 环境：请指定解释器、环境目录或已安装包的目录",
  module_not_found: "在工作目录、PYTHONPATH 和各个包中都没有模块 {name}",
  packages_installed: "使用 {folder} 中已安装的包：{packages}",
  option_site_packages: "只读挂载一个纯 Python 包目录；可重复",
  command_cache: "列出或清除跨运行保留的内容：已导入大型包的解释器",
  argument_cache: "要做什么；默认 list",
  example_cache: "释放空间；之后第一次使用大型包的运行会慢一次",
  bad_cache_order: "缓存没有 '{value}' 这个操作；用法：{usage}",
  cache_no_home: "没有缓存：HOME、XDG_CACHE_HOME 和 VRAMSCOPE_CACHE 都没有给出目录",
  cache_total: "{folder} 中有 {count} 个带包的解释器，共 {size}",
  cache_cleared: "已从 {folder} 移除 {count} 个带包的解释器，共 {size}",
  progress_packages: "正在首次导入 {script} 的包；以后的运行将从这里开始",
};
