/** English wording of loops that end by themselves, data that is not there, and what a program finds instead of a machine. */

export const enPrograms = {
  placeholder_estimator: "{name}: it fits nothing here; its predictions are the first class, or zeros",
  clusters_even: "{name}: which rows lie together is not known here; each cluster got as many of them",
  guessed_rows_text:
    "how many rows {file} has was guessed, and the program puts them on the GPU at once: no more than {most} rows fit",
  guessed_rows:
    "{rows} of the {total} rows that {file} was guessed to have were put on the GPU at once, {rowBytes} each: --data NAME=SPEC says how many there are",
  growing_text: "a loop was left while each pass added {passBytes}; the GPU would be full at about pass {last}",
  climbing_text: "a loop was left while its passes asked for more and more; --passes all runs them",
  unknown_host_value: "the program read a value on the CPU that is not known here; it got a placeholder (0 or True)",
  runs_in_turn: "{what}: threads and processes run in turn, in the program's own",
  input_answered: "input: nobody types here; it was answered with {text}",
  input_ended: "input: asked a second time; the program ended there, as at the end of its input",
  process_answered: "{command}: no process starts; a harmless answer was given",
  process_refused: "{command}: a simulated program starts no processes",
  cell_line_skipped: "{text}: skipped",
  cell_fails_as_saved: "this cell ended in {error}, and so it did when the notebook was saved: the cells behind it ran",
  project_on_path:
    "{library}: lies in the project's folder {file}, which is not on sys.path; it was put there, as PYTHONPATH or pip install -e would",
  checkpoint_of_model: "{file}: is not there; names, shapes and dtypes are taken from the model that loads it",
  placeholder_file: "{file}: is not there; this stands in for it. --data NAME=SPEC says it better",
  placeholder_download: "{url}: nothing is fetched; this stands in for it: {what}",
  placeholder_folder: "{file}: is not there; it was taken to hold {what}",
  dataset_column_guessed:
    "datasets: column {name} was asked for; it was taken to be there, of the kind that its name says",
  dataset_split_guessed: "datasets: split {name} was asked for; it was taken to be there, with rows like the others'",
  short_form_memory: "{library}: a short form; what it makes in between may differ from the package",
  short_form_options:
    "{library}: {names} changes memory in the package, and the built-in short form does not do it; 'vramscope packages add transformers' fetches the package",
  placeholder_environment:
    "{name}: an environment of its shapes, whose episodes last {steps} steps and give a reward of 1 for each",
  folder_made: "{file}: the folder is not there; it was made",
  spawned_rank:
    "ranks that the program starts itself: of {count} processes, each with a GPU of its own, rank {rank} ran; --nproc-per-node {count} runs all",
  placeholder_given: "{file}: stands in for a file that is not there, as --data says",
  loop_repeats: "loop: passes {next} to {total} are like pass {done}, and did not run; --passes all runs them",
  loop_repeats_open: "loop: passes from {next} on are like pass {done}, and did not run; --passes all runs them",
  loop_grows:
    "loop: each pass adds {passBytes}; it was left after {done} of {total} passes, and the GPU would be full at about pass {last}",
  loop_grows_within:
    "loop: each pass adds {passBytes}; it was left after {done} of {total} passes, and the others would add {restBytes} that no figure here has",
  loop_kept_by: "loop: what its passes add is kept by {keepers}",
  loop_grows_open:
    "loop: each pass adds {passBytes}; it was left after {done} passes, and the GPU would be full at about pass {last}",
  loop_differs:
    "loop: no two passes are alike; it was left after {done} of {total} passes, and later ones may need more; --passes all runs them",
  loop_differs_open:
    "loop: no two passes are alike; it was left after {done} passes, and later ones may need more; --passes all runs them",
  loop_wanders:
    "loop: passes {next} to {total} ask for the same bytes as pass {done}, and did not run; their blocks lie elsewhere each time, which changes what is charged a little, and in the last ones no peak grew; --passes all runs them",
  loop_wanders_open:
    "loop: passes from {next} on ask for the same bytes as pass {done}, and did not run; their blocks lie elsewhere each time, which changes what is charged a little, and in the last ones no peak grew; --passes all runs them",
  loop_cut: "loop: left after {done} of {total} passes, as --passes says; later ones may need more",
  loop_cut_open: "loop: left after {done} passes, as --passes says; later ones may need more",
  loop_filled: "loop: {lists} got as many items as all passes put there: the last ones again",
  loop_tried: "loop: pass {pass} ran, too, for lines {lines}; what lies between was skipped",
  loop_unrun_lines:
    "loop: lines {lines} never ran; --passes all, or a smaller number in their condition, includes them",
  bad_data: "--data needs NAME=SPEC such as train.bin=uint16[10M] or x.npy=3x224x224[50000], not '{value}'",
  bad_passes: "--passes needs a whole number above 0, all or auto, not '{value}'",
  option_data: "what a file holds that is not there: train.bin=uint16[10M], x.npy=3x224x224[50000], a.txt=text[1M]",
  option_passes: "passes of each loop that run: a number, all, or until they repeat",
};
