/** English wording of closed forms (`--symbols`); see `en.ts` for the rules. */

export const enFormulas = {
  column_at_peak: "alive at the peak",
  column_for_backward: "kept for backward",
  section_formulas: "Formulas in {sizes}",
  formula_peak: "peak",
  formula_peak_at: "peak at {where}",
  formula_saved: "kept for backward",
  formula_elements: "{dtype} elements",
  formula_bytes: "bytes",
  formula_sum: "{totalBytes} = {formulaBytes} by the formula",
  formula_apart_rounding: "rounding to 512 bytes",
  formula_apart_remainder: "remainders not split off",
  formula_apart_irregular: "tensors of {where}, without a closed form",
  formula_places: "{name} is {places}",
  formula_place: "{text} at {where}",
  formula_place_argument: "{text} on the command line",
  formula_checked:
    "Checked: {runs} runs, of which {count} that no formula was fitted to are equal to the byte: {sizes}.",
  formula_several_peaks: "The peak is the largest of these; the first is that at the program's own sizes.",
  formula_lines: "By line: what it made, in {unit}",
  formula_modules: "By module with what is in it: what it made, in {unit}",

  // What is wrong
  option_symbols: "closed forms of the memory in these sizes of the program, for example B,L=seq_len,C=512; repeatable",
  bad_symbol: "symbol '{value}' is not understood; write B, B=batch_size or B=64, with @LINE where needed",
  symbol_twice: "symbol {name} is given twice",
  symbol_not_found: "the program has no variable, parameter, option or field '{name}' with a whole number",
  symbol_not_found_nearest:
    "the program has no variable, parameter, option or field '{name}' with a whole number; did you mean '{nearest}'?",
  symbol_several:
    "{name}: '{target}' is given several numbers ({places} as number@line); say which, for example {name}={target}@LINE",
  symbol_values:
    "{name}: '{target}' has several values while the program runs ({values}); give the number that it follows from, for example {name}=64",
  symbol_computed: "{name}: '{target}' is {value}, but the program has no number {value} that could be changed",
  symbol_shared:
    "{name} and {other} are both {value}, so the numbers in the program cannot be told apart; say where, for example {name}={value}@LINE",
  symbol_fixed: "{name} cannot be changed: too few other sizes are whole numbers",
  formula_program_fails: "no formulas: the program fails with unlimited memory, too: {error}",
  formula_sizes_fail: "no formulas: at {sizes} the program fails: {error}",
  formula_other_path: "no formulas: at {sizes} the program does other work than at its own sizes ({op} at {where})",
  formula_not_repeatable: "no formulas: the program does not do the same when it runs again {where}",
  formula_timeout: "no formulas: the runs at other sizes took too long",
  bad_formula: "not a closed form: '{text}'",
  missing_size: "no size for '{name}'",
  example_symbols: "formulas instead of numbers",
};
