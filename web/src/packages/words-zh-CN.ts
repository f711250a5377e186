/** Chinese words of packages in the page. */

import type { PackagesCode } from "./words-en.ts";

export const packagesZh: Readonly<Record<PackagesCode, string>> = {
  summary: "软件包",
  summary_count: "软件包（{count}）",
  what: "为程序取得真实的纯 Python 软件包，来自公共索引。它们保存在此浏览器中，离线可用。",
  wanted: "软件包",
  wanted_hint: "transformers==5.12.1 peft",
  index: "索引",
  look_up: "查询",
  look_up_note: "向 {index} 询问需要什么。在你同意之前不会下载任何文件。",
  looking: "正在询问 {index}…",
  plan: "{count} 个包，{totalBytes}，来自 {host}",
  plan_unsized: "{count} 个包，来自 {host}；索引未给出大小",
  fetch: "下载 {count} 个包",
  cancel: "取消",
  fetching: "第 {done} 个，共 {count} 个：{file}",
  left_out_built_in: "{name}：由替身回答",
  left_out_no_wheel: "{name}：没有可在此运行的 wheel",
  left_out_unknown: "{name}：索引中没有",
  kept: "此浏览器中",
  kept_one: "{name} {version}，{bytes}",
  kept_part: "不含 {count} 个编译模块",
  remove: "移除 {name}",
  remove_all: "全部移除",
  offer: "程序需要 {names}，此处没有。",
  offer_look_up: "向 {host} 查询 {names} 需要什么",
  cannot_keep: "此浏览器不为本页保存内容（地址不安全，或为隐私窗口）。",
  failed: "没有成功：{reason}",
};
