/** A command as it is typed into a shell. */

export function commandText(args: readonly string[]): string {
  return args.map((arg) => (/^[\w./:=,@%+-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`)).join(" ");
}
