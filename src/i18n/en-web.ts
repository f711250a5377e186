/** English words of `serve` and of `--web`. */

export const enWeb = {
  command_serve: "open the playground, the estimate and the viewer in a browser",
  option_port: "port of this machine; without it the next free one",
  option_host: "address of this machine to listen at; no other machine can connect",
  option_no_open: "only print the address",
  option_open_web: "show it in the browser instead",
  option_run_web: "afterwards show the run in the browser",
  example_serve: "the page, in your browser",
  example_open_web: "a recording in the viewer",
  serving: "{address}\nOnly this machine can connect. Ctrl+C ends it.",
  bad_port: "--port needs a number from 0 to 65535, not '{value}'",
  cannot_serve: "cannot listen at port {port}: {reason}",
  page_not_built: "the page was not built; 'npm run build:web' in VRAMScope's folder builds it",
};
