/** English words of packages in the page. */

export const packagesEn = {
  summary: "Packages",
  summary_count: "Packages ({count})",
  what: "Real packages for your program, pure Python, from a public index. They stay in this browser and work offline.",
  wanted: "Packages",
  wanted_hint: "transformers==5.12.1 peft",
  index: "Index",
  look_up: "Look up",
  look_up_note: "Asks {index} what is needed. Nothing is fetched before you agree.",
  looking: "Asking {index}…",
  plan: "{count} {count#package#packages}, {totalBytes}, from {host}",
  plan_unsized: "{count} {count#package#packages} from {host}; the index does not say how large",
  fetch: "Fetch {count} {count#package#packages}",
  cancel: "Cancel",
  fetching: "{done} of {count}: {file}",
  left_out_built_in: "{name}: a stand-in answers",
  left_out_no_wheel: "{name}: no wheel that could run here",
  left_out_unknown: "{name}: not on the index",
  kept: "In this browser",
  kept_one: "{name} {version}, {bytes}",
  kept_part: "without {count} compiled {count#module#modules}",
  remove: "Remove {name}",
  remove_all: "Remove all",
  offer: "The program needs {names}, which is not here.",
  offer_look_up: "Ask {host} what {names} needs",
  cannot_keep: "This browser keeps nothing for this page (an insecure address, or a private window).",
  failed: "That did not work: {reason}",
} as const;

export type PackagesCode = keyof typeof packagesEn;
