/** Chinese wording of models that are fetched from a hub. */

import type { enModels } from "./en-models.ts";

export const zhCNModels: Readonly<Record<keyof typeof enModels, string>> = {
  command_models: "把 hub 上关于模型的说明下载到缓存：只有配置，从不下载权重；也可列出或移除",
  argument_models_id: "hub 上的模型名：Qwen/Qwen3-8B",
  option_models_revision: "仓库的分支、标签或提交（默认 main）",
  option_models_hub: "hub 的地址；默认 HF_ENDPOINT，否则 {hub}",
  example_models_add: "此后 estimate 和 run 都认识这个模型",
  example_models_token: "需要接受许可的模型，使用已接受许可者的令牌",
  models_bad_order: "models 没有这个操作；用法：{usage}",
  models_nothing: "没有指定模型；用法：{usage}",
  models_bad_id: "'{id}' 不是模型名，例如 Qwen/Qwen3-8B",
  models_total: "{folder} 中有 {count} 个模型，共 {size}",
  models_not_added: "没有加入过 {model}",
  models_removed: "已移除 {model}",
  models_added: "已加入 {model}（{commit}）：{count} 个文件，{size}；其 {weightsBytes} 的权重没有下载",
  models_bad_hub: "'{hub}' 不是 hub 的地址",
  models_bad_answer: "{address} 不是模型 hub 的应答",
  models_no_files: "{model} 没有配置，也没有其他说明它的文件",
  models_not_open: "{hub} 没有给出 {model}：没有这个模型，或须先接受其许可（HF_TOKEN 说明是谁在询问）",
  models_not_there: "{hub} 没有模型 {model}，或没有该版本",
  models_fetch_failed: "无法下载 {address}：{reason}",
  unknown_model_id:
    "没有文件或文件夹 '{name}'，这里也不知道叫这个名字的已发布模型；'vramscope models add {name}' 会从 hub 下载其配置，不含权重",
  unknown_model_id_nearest:
    "没有文件或文件夹 '{name}'，这里也不知道叫这个名字的已发布模型；是否指 '{nearest}'？'vramscope models add {name}' 会从 hub 下载其配置，不含权重",
  models_too_large: "{address} 大于 {mostBytes}；没有加入任何内容",
  hub_added: "{model}：其配置是从 hub 下载的",
  hub_of_cache: "{model}：其配置取自本机的 hub 缓存",
};
