#!/usr/bin/env bash
# What action.yml does on the runner: each script here and at the base commit, a report in Markdown, and whether all of it is within budget.
set -uo pipefail

work=$(mktemp -d)
report=$work/report.md
fits=true
printf '### GPU memory\n\n' > "$report"
# words of ours: the command may be several
read -r -a vramscope <<< "$VRAMSCOPE"
options=(--gpu "$GPU")
[ -n "$TORCH" ] && options+=(--torch "$TORCH")
limit=()
[ -n "$LIMIT" ] && limit+=(--limit "$LIMIT")

base=""
if [ -n "$BASE" ] && [ "$BASE" != none ]; then
  git cat-file -e "$BASE^{commit}" 2> /dev/null || git fetch --quiet --depth 1 origin "$BASE" || true
  if git worktree add --quiet --detach "$work/base" "$BASE" 2> /dev/null; then base=$work/base; else printf 'The base commit could not be fetched: no comparison.\n\n' >> "$report"; fi
fi

number=0
while IFS= read -r line; do
  read -r -a words <<< "$line"
  [ "${#words[@]}" -gt 0 ] || continue
  number=$((number + 1))
  script=${words[0]} arguments=("${words[@]:1}")
  exports=()
  if [ -n "$SARIF" ]; then mkdir -p "$SARIF"; exports+=(--export "sarif=$SARIF/$number.sarif"); fi
  "${vramscope[@]}" run "${options[@]}" "${limit[@]}" "${exports[@]}" --report none --markdown "$report" -o "$work/$number.json" "$script" -- "${arguments[@]}" || fits=false
  if [ -n "$base" ] && [ -f "$base/$script" ]; then
    over=()
    [ -n "$FAIL_OVER" ] && over+=(--fail-over "$FAIL_OVER")
    if (cd "$base" && "${vramscope[@]}" run "${options[@]}" --report none -o "$work/$number-base.json" "$script" -- "${arguments[@]}" > /dev/null 2>&1) || [ -f "$work/$number-base.json" ]; then
      "${vramscope[@]}" diff "${over[@]}" --markdown "$report" "$work/$number-base.json" "$work/$number.json" > /dev/null || fits=false
    else
      printf 'The base commit gives no figures for `%s`.\n\n' "$script" >> "$report"
    fi
  fi
done <<< "$SCRIPTS"

[ -n "$base" ] && git worktree remove --force "$base"
if [ "$number" -eq 0 ]; then echo "no script is named" >&2; fits=false; fi
cat "$report" >> "${GITHUB_STEP_SUMMARY:-/dev/null}"
{ echo "report=$report"; echo "fits=$fits"; } >> "$GITHUB_OUTPUT"
