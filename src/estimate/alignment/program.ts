/** The Python program of a step that trains by preferences or rewards; a mark stands behind each phase. After TRL's trainers of release 1.9. */

import type { Head } from "../../models/heads.ts";
import { indent, trainingProgram } from "../program.ts";
import type { TrainRecipe } from "../recipe.ts";
import { METHODS, PRECISIONS, row } from "../techniques.ts";
import { TASKS, type AlignmentRecipe, type PhaseId } from "./tasks.ts";

export const REWARD_FILE = "reward.json";

/** Behind it cached memory no longer counts; no phase of its own. */
export const EMPTIED = "emptied";

const CLASSIFIER = "AutoModelForSequenceClassification";

const mark = (phase: PhaseId): string => `torch.cuda.nvtx.mark("${phase}")`;

/** One value for each sequence; a classifier asks which token only fills up. */
const ONE_VALUE = (name: string): string[] => [`${name}.num_labels, ${name}.pad_token_id = 1, 0`];

/** Log-probabilities of the labels, row by row, as TRL does it: the softmax of one sequence at a time. */
export const LOG_PROBS = [
  "def log_probs(logits, labels):",
  "    labels = labels.unsqueeze(-1)",
  "    if logits.dtype == torch.float32:",
  "        chosen = logits.gather(-1, labels)",
  "        totals = torch.stack([torch.logsumexp(one, dim=-1) for one in logits])",
  "        return (chosen - totals.unsqueeze(-1)).squeeze(-1)",
  "    rows = [F.log_softmax(one, dim=-1).gather(-1, label) for one, label in zip(logits, labels)]",
  "    return torch.stack(rows).squeeze(-1)",
  "",
];

/** The reference is the model itself where adapters can be switched off. */
const withReference = ({ reference }: AlignmentRecipe, lines: (model: string) => string[]): string[] =>
  reference === "same"
    ? ["with torch.no_grad(), model.disable_adapter():", ...indent(lines("model"))]
    : ["with torch.no_grad():", ...indent(lines("reference"))];

function preferenceLoss(recipe: AlignmentRecipe): string[] {
  const compare =
    recipe.reference === "none"
      ? []
      : [
          ...withReference(recipe, (model) => [
            `compared = ${model}(input_ids=input_ids, attention_mask=mask, use_cache=False)`,
          ]),
          "theirs = log_probs(compared.logits[:, :-1], labels).sum(dim=1)",
          mark("reference"),
          "own = own - theirs",
        ];
  return [
    ...LOG_PROBS,
    "def loss_of(input_ids, mask):",
    ...indent([
      "labels = input_ids[:, 1:]",
      "output = model(input_ids=input_ids, attention_mask=mask, use_cache=False)",
      "own = log_probs(output.logits[:, :-1], labels).sum(dim=1)",
      mark("forward"),
      ...compare,
      "chosen, rejected = own.chunk(2)",
      "return -F.logsigmoid(0.1 * (chosen - rejected)).mean()",
    ]),
  ];
}

const REWARD_LOSS = [
  "def loss_of(input_ids, mask):",
  ...indent([
    "output = model(input_ids=input_ids, attention_mask=mask, use_cache=False)",
    "chosen, rejected = output.logits.squeeze(-1).chunk(2)",
    mark("forward"),
    "return -F.logsigmoid(chosen - rejected).mean()",
  ]),
];

const ANSWER_LOG_PROBS = [
  ...LOG_PROBS,
  "def answer_log_probs(model, input_ids, mask):",
  ...indent([
    "parts = []",
    "for part, its_mask in zip(input_ids.split(batch), mask.split(batch)):",
    ...indent([
      "output = model(input_ids=part, attention_mask=its_mask, logits_to_keep=new_tokens + 1, use_cache=False)",
      "logits = output.logits[:, :-1][:, -new_tokens:]",
      "logits.div_(1.0)  # the temperature",
      "parts.append(log_probs(logits, part[:, -new_tokens:]))",
    ]),
    "return torch.cat(parts)",
  ]),
  "",
];

/** What is computed of all answers before any of them trains. */
function scoring(recipe: AlignmentRecipe): string[] {
  const { hasValues } = TASKS[recipe.task];
  const chunks = "zip(input_ids.split(batch), mask.split(batch))";
  return [
    "old = theirs = None",
    // engines round otherwise, and PPO compares with what the policy was
    ...(recipe.hasEngine || hasValues
      ? ["with torch.no_grad():", ...indent(["old = answer_log_probs(model, input_ids, mask)"]), mark("old")]
      : []),
    ...(recipe.reference === "none"
      ? []
      : [
          ...withReference(recipe, (model) => [`theirs = answer_log_probs(${model}, input_ids, mask)`]),
          mark("reference"),
        ]),
    ...(hasValues
      ? [
          "with torch.no_grad():",
          ...indent([
            `worth = torch.cat([values(input_ids=part, attention_mask=its, use_cache=False).logits for part, its in ${chunks}])`,
          ]),
          mark("values"),
        ]
      : []),
    ...(recipe.hasRewardModel
      ? [
          "with torch.no_grad():",
          ...indent([
            `rewards = torch.cat([judge(input_ids=part, attention_mask=its, use_cache=False).logits for part, its in ${chunks}])`,
          ]),
          mark("reward"),
        ]
      : []),
  ];
}

function policyLoss({ task }: AlignmentRecipe): string[] {
  return [
    ...ANSWER_LOG_PROBS,
    "def loss_of(input_ids, mask, old, theirs):",
    ...indent([
      "own = answer_log_probs(model, input_ids, mask)",
      "old = own.detach() if old is None else old",
      "ratio = torch.exp(own - old)",
      "loss = -torch.min(ratio, ratio.clamp(0.8, 1.2)).mean()",
      "if theirs is not None:",
      "    distance = theirs - own",
      "    loss = loss + 0.04 * (torch.exp(distance) - distance - 1).mean()",
      ...(TASKS[task].hasValues
        ? ["loss = loss + values(input_ids=input_ids, attention_mask=mask, use_cache=False).logits.square().mean()"]
        : []),
      mark("forward"),
      "return loss",
    ]),
  ];
}

function models(recipe: AlignmentRecipe, train: TrainRecipe, head: Head): string[] {
  const { hasValues } = TASKS[recipe.task];
  const frozen = (name: string): string => `${name}.requires_grad_(False).eval()`;
  const own = `dtype=torch.${row(PRECISIONS, train.precision).weights}`;
  return [
    ...(recipe.reference === "copy"
      ? [`reference = ${head.auto}.from_config(config, ${own}).to(device)`, frozen("reference")]
      : []),
    ...(recipe.hasRewardModel
      ? [
          `judge_config = AutoConfig.from_pretrained("${REWARD_FILE}")`,
          ...ONE_VALUE("judge_config"),
          `judge = ${CLASSIFIER}.from_config(judge_config, ${own}).to(device)`,
          frozen("judge"),
        ]
      : []),
    ...(hasValues ? [...ONE_VALUE("config"), `values = ${CLASSIFIER}.from_config(config, ${own}).to(device)`] : []),
    mark("start"),
  ];
}

function steps(recipe: AlignmentRecipe, train: TrainRecipe): string[] {
  const { sequences, generates } = TASKS[recipe.task];
  const { autocast, scaled } = row(PRECISIONS, train.precision);
  const inside = (lines: readonly string[]): string[] =>
    autocast === null ? [...lines] : [`with torch.autocast("cuda", dtype=torch.${autocast}):`, ...indent(lines)];
  const each = scaled ? "scaler.step(optimizer)" : "optimizer.step()";
  const update = [
    "for optimizer in optimizers:",
    `    ${each}`,
    ...(scaled ? ["scaler.update()"] : []),
    "for optimizer in optimizers:",
    "    optimizer.zero_grad()",
    mark("update"),
  ];
  const backward = [
    scaled ? "scaler.scale(loss / accumulate).backward()" : "(loss / accumulate).backward()",
    mark("backward"),
  ];
  const made = (rows: string): string[] => [
    `input_ids = torch.zeros(${rows}, length, dtype=torch.int64, device=device)`,
    "mask = torch.ones_like(input_ids)",
  ];
  const body = generates
    ? [
        ...(recipe.hasEngine && recipe.sleep > 0
          ? ["torch.cuda.empty_cache()  # before the engine wakes up", `torch.cuda.nvtx.mark("${EMPTIED}")`]
          : []),
        ...made("batch * accumulate"),
        mark("generate"),
        ...inside(scoring(recipe)),
        "for micro in range(accumulate):",
        ...indent([
          "rows = slice(micro * batch, (micro + 1) * batch)",
          "parts = [None if one is None else one[rows] for one in (old, theirs)]",
          ...inside(["loss = loss_of(input_ids[rows], mask[rows], *parts)"]),
          ...backward,
        ]),
      ]
    : [
        "for micro in range(accumulate):",
        ...indent([...made(`${sequences} * batch`), ...inside(["loss = loss_of(input_ids, mask)"]), ...backward]),
      ];
  return [
    "# the second step has the optimizer's states from its beginning",
    "for step in range(2):",
    ...indent([...body, ...update]),
  ];
}

/** Throws nothing: what cannot be combined was refused before. */
export function alignmentProgram(recipe: AlignmentRecipe, train: TrainRecipe, head: Head): string {
  const { scores, hasValues, generates } = TASKS[recipe.task];
  const trained: Head = scores ? { ...head, auto: CLASSIFIER } : head;
  const loss =
    recipe.task === "reward" ? REWARD_LOSS : recipe.task === "dpo" ? preferenceLoss(recipe) : policyLoss(recipe);
  return trainingProgram(train, trained, {
    imports: ["from torch.nn import functional as F"],
    names: hasValues || recipe.hasRewardModel ? [CLASSIFIER] : [],
    sizes: generates ? [["new_tokens", recipe.newTokens]] : [],
    configuration: scores ? ONE_VALUE("config") : [],
    models: models(recipe, train, trained),
    trained: hasValues ? "[p for part in (model, values) for p in part.parameters() if p.requires_grad]" : null,
    loss,
    steps: steps(recipe, train),
  });
}

/** Adapters that can be switched off are a reference for nothing. */
export const usualReference = (task: AlignmentRecipe["task"], train: TrainRecipe): AlignmentRecipe["reference"] => {
  const { usualReference: usual } = TASKS[task];
  return usual === "copy" && row(METHODS, train.method).adapters ? "same" : usual;
};
