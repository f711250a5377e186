/** A published launch script of ms-swift as the command that it was, and the card that its author's figures stand for. */

/** Commands of a script that train; the others make data or start a server. */
const TRAINS = /^(swift|megatron) (sft|pt|rlhf)$/;

const quoted = (text) => `'${String(text).replaceAll("'", `'\\''`)}'`;

/** Null where nothing of the script trains. */
export function swiftCommand({ runs }) {
  const run = runs.find(({ command }) => TRAINS.test(command));
  if (run === undefined) return null;
  const env = Object.entries(run.env).map(([name, value]) => `${name}=${quoted(value.replaceAll("'", ""))}`);
  const options = Object.entries(run.args).flatMap(([name, value]) => [`--${name}`, quoted(value)]);
  return [...env, run.command, ...options].join(" ");
}

/** Figures on Ascend cards are capacities of the card; `--gpu` has none of these. */
export const runsOnCuda = ({ id }) => !id.includes("/ascend/");

const CARD = "a100-80gb";
const LARGER_CARD = "h20-96gb";

/** The smallest card of ms-swift's authors that holds the figure: 80 GB, or 96 GB where more was used. */
export const swiftGpu = ({ figures }) =>
  Math.max(...figures.map(({ per_gpu: used }) => used)) > 80 ? LARGER_CARD : CARD;
