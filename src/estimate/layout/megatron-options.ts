/** Megatron-LM's command-line options: which of them decide about memory, and which are known to change none. */

import { table } from "../../base/table.ts";

/** How a value is written. A switch stands alone. */
export type OptionForm = "switch" | "number" | "text";

/** Options that the reader uses, by name; see megatron-command.ts. */
export const READ = table<OptionForm>({
  "num-layers": "number",
  "encoder-num-layers": "number",
  "decoder-num-layers": "number",
  "encoder-seq-length": "number",
  "decoder-seq-length": "number",
  "vocab-extra-ids": "number",
  "hybrid-layer-pattern": "text",
  "hybrid-override-pattern": "text",
  "is-hybrid-model": "switch",
  "mamba-num-heads": "number",
  "mamba-head-dim": "number",
  "mamba-state-dim": "number",
  "mamba-num-groups": "number",
  "mtp-use-repeated-layer": "switch",
  "hidden-size": "number",
  "ffn-hidden-size": "number",
  "num-attention-heads": "number",
  "kv-channels": "number",
  "group-query-attention": "switch",
  "num-query-groups": "number",
  "max-position-embeddings": "number",
  "position-embedding-type": "text",
  "use-rotary-position-embeddings": "switch",
  "untie-embeddings-and-output-weights": "switch",
  "disable-bias-linear": "switch",
  "add-qkv-bias": "switch",
  swiglu: "switch",
  "quick-geglu": "switch",
  "squared-relu": "switch",
  normalization: "text",
  "qk-layernorm": "switch",
  "vocab-size": "number",
  "padded-vocab-size": "number",
  "make-vocab-size-divisible-by": "number",
  "tokenizer-type": "text",
  "tiktoken-pattern": "text",
  "num-experts": "number",
  "moe-router-topk": "number",
  "moe-ffn-hidden-size": "number",
  "moe-shared-expert-intermediate-size": "number",
  "moe-shared-expert-gate": "switch",
  "moe-layer-freq": "text",
  "moe-token-dispatcher-type": "text",
  "moe-router-dtype": "text",
  "moe-router-enable-expert-bias": "switch",
  "moe-latent-size": "number",
  "multi-latent-attention": "switch",
  "q-lora-rank": "number",
  "kv-lora-rank": "number",
  "qk-head-dim": "number",
  "qk-pos-emb-head-dim": "number",
  "v-head-dim": "number",
  "mtp-num-layers": "number",
  "moe-grouped-gemm": "switch",
  "moe-use-legacy-grouped-gemm": "switch",
  "moe-expert-capacity-factor": "text",
  "moe-pad-expert-input-to-capacity": "switch",
  "defer-embedding-wgrad-compute": "switch",
  "wgrad-deferral-limit": "number",
  "micro-batch-size": "number",
  "global-batch-size": "number",
  "seq-length": "number",
  "tensor-model-parallel-size": "number",
  "pipeline-model-parallel-size": "number",
  "context-parallel-size": "number",
  "cp-comm-type": "text",
  "expert-model-parallel-size": "number",
  "expert-tensor-parallel-size": "number",
  "num-layers-per-virtual-pipeline-stage": "number",
  "num-virtual-stages-per-pipeline-rank": "number",
  "pipeline-model-parallel-layout": "text",
  "decoder-first-pipeline-num-layers": "number",
  "decoder-last-pipeline-num-layers": "number",
  "account-for-embedding-in-pipeline-split": "switch",
  "account-for-loss-in-pipeline-split": "switch",
  "microbatch-group-size-per-virtual-pipeline-stage": "number",
  "sequence-parallel": "switch",
  "use-distributed-optimizer": "switch",
  "num-distributed-optimizer-instances": "number",
  "overlap-grad-reduce": "switch",
  "grad-reduce-in-bf16": "switch",
  "accumulate-allreduce-grads-in-fp32": "switch",
  "main-grads-dtype": "text",
  "use-precision-aware-optimizer": "switch",
  "main-params-dtype": "text",
  "exp-avg-dtype": "text",
  "exp-avg-sq-dtype": "text",
  bf16: "switch",
  fp16: "switch",
  optimizer: "text",
  "optimizer-cpu-offload": "switch",
  "optimizer-offload-fraction": "number",
  "recompute-activations": "switch",
  "recompute-granularity": "text",
  "recompute-method": "text",
  "recompute-num-layers": "number",
  "recompute-modules": "text",
  "fine-grained-activation-offloading": "switch",
  "offload-modules": "text",
  "attention-backend": "text",
  "use-flash-attn": "switch",
  "hidden-dropout": "number",
  "attention-dropout": "number",
  "transformer-impl": "text",
  "use-mcore-models": "switch",
  "no-gradient-accumulation-fusion": "switch",
  "no-bias-gelu-fusion": "switch",
  "no-bias-swiglu-fusion": "switch",
  "no-rope-fusion": "switch",
  "cross-entropy-loss-fusion": "switch",
  "no-masked-softmax-fusion": "switch",
  "attention-softmax-in-fp32": "switch",
  "apply-query-key-layer-scaling": "switch",
  "no-create-attention-mask-in-dataloader": "switch",
});

/** Options whose memory is not modelled: they are named, because the figure may be off by them. */
export const NOT_MODELLED = table<OptionForm>({
  "fp8-format": "text",
  "fp8-recipe": "text",
  "fp8-param-gather": "switch",
  "fp4-format": "text",
  "cuda-graph-impl": "text",
  "cuda-graph-modules": "text",
  "enable-cuda-graph": "switch",
  "overlap-moe-expert-parallel-comm": "switch",
  "moe-shared-expert-overlap": "switch",
  "tp-comm-overlap": "switch",
  "window-size": "text",
  spec: "text",
  "attention-output-gate": "switch",
  "softmax-type": "text",
  "reuse-grad-buf-for-mxfp8-param-ag": "switch",
  "use-nccl-ub": "switch",
  "moe-flex-dispatcher-backend": "text",
  "cpu-offloading-num-layers": "number",
  "variable-seq-lengths": "switch",
  "moe-router-padding-for-quantization": "switch",
});

/** Options of another kind of program, whose memory this reader does not know; the value says what it is. */
export const ANOTHER_PROGRAM = table<string>({
  "use-megatron-fsdp": "Megatron-FSDP",
  "use-torch-fsdp2": "FSDP2 in Megatron-LM",
  "perform-rl-step": "reinforcement learning with an inference engine",
  "export-kd-cfg": "distillation",
  "export-te-mcore-model": "distillation",
  flextron: "an elastic model",
  "dataset-provider": "a model with pictures",
  "img-h": "a model with pictures",
  "inference-dynamic-batching-buffer-size-gb": "inference",
  "inference-max-seq-length": "inference",
});

/** Options that change no memory of the steps; what is not in any of these tables is named as unknown. */
export const WITHOUT_MEMORY: ReadonlySet<string> = new Set(
  `deterministic-mode train-iters train-samples lr min-lr lr-decay-style lr-warmup-fraction lr-decay-iters lr-decay-samples
  lr-warmup-iters lr-warmup-samples lr-warmup-init weight-decay clip-grad adam-beta1 adam-beta2 adam-eps init-method-std seed
  data-path data-cache-path split vocab-file merge-file tokenizer-model save load save-interval eval-interval eval-iters
  log-interval tensorboard-dir log-throughput log-memory-to-tensorboard log-num-zeros-in-grad log-params-norm
  log-timers-to-tensorboard timing-log-level distributed-backend ckpt-format ckpt-assume-constant-structure
  dist-ckpt-format dist-ckpt-strictness use-dist-ckpt ckpt-fully-parallel-save ckpt-fully-parallel-load
  no-ckpt-fully-parallel-save async-save async-strategy data-parallel-random-init overlap-param-gather
  overlap-param-gather-with-optimizer-step calculate-per-token-loss
  moe-router-load-balancing-type moe-aux-loss-coeff moe-z-loss-coeff moe-router-score-function moe-router-pre-softmax
  moe-router-topk-scaling-factor moe-router-group-topk moe-router-num-groups moe-router-bias-update-rate
  moe-permute-fusion moe-router-fusion rotary-base rotary-percent rotary-scaling-factor rotary-interleaved mscale
  mscale-all-dim beta-fast beta-slow norm-epsilon layernorm-epsilon apply-layernorm-1p num-workers no-mmap-bin-files
  manual-gc manual-gc-interval check-weight-hash-across-dp-replicas-interval exit-duration-in-mins exit-interval
  override-opt_param-scheduler no-load-optim no-load-rng no-save-optim no-save-rng finetune use-tp-pp-dp-mapping
  use-cpu-initialization decoupled-lr decoupled-min-lr ddp-average-in-collective ddp-bucket-size ddp-num-buckets
  ddp-pad-buckets-for-high-nccl-busbw no-check-for-nan-in-loss-and-grad disable-gloo-process-groups verify-integrity
  tiktoken-num-special-tokens use-pytorch-profiler profile profile-step-start profile-step-end
  profile-ranks te-rng-tracker mtp-loss-scaling-factor cross-entropy-fusion-impl test-mode logging-level no-persist-layer-norm
  fim-data fim-rate fim-spm-rate no-use-tokenizer-model-from-checkpoint-args overlap-p2p-communication-warmup-flush
  step-batch-size-schedule rampup-batch-size empty-unused-memory-level muon-momentum muon-extra-scale-factor muon-scale-mode
  straggler-minmax-count async-ckpt-use-cpu-shm dataloader-type mock-data no-bias-dropout-fusion
  hierarchical-context-parallel-sizes max-tokens-to-oom high-priority-stream-groups moe-router-force-load-balancing
  first-last-layers-bf16 num-layers-at-start-in-bf16 num-layers-at-end-in-bf16 use-fused-weighted-squared-relu
  dist-ckpt-save-pre-mcore-014 disable-straggler-on-startup log-straggler yarn-original-max-position-embeddings yarn-beta-fast
  yarn-beta-slow no-yarn-correction-range-round-to-int enable-experimental wandb-project wandb-exp-name no-record-throughput
  num-dataset-builder-threads distributed-timeout-minutes reset-position-ids reset-attention-mask eod-mask-loss legacy-tokenizer
  trust-remote-code no-async-tensor-model-parallel-allreduce moe-extended-tp dist-ckpt-optim-fully-reshardable
  no-use-layer-wise-param-layout no-position-embedding initial-loss-scale min-loss-scale loss-scale loss-scale-window hysteresis
  no-overlap-p2p-communication disable-tp-comm-bulk-dgrad disable-tp-comm-bulk-wgrad disable-tp-comm-overlap-ag disable-tp-comm-overlap-rs
  disable-tp-comm-split-ag disable-tp-comm-split-rs sgd-momentum attention-softmax-in-fp16 moe-token-drop-policy use-one-sent-docs
  start-weight-decay end-weight-decay weight-decay-incr-style save-retain-interval exit-signal-handler log-energy
  cuda-graph-warmup-steps tp-comm-overlap-cfg moe-flex-dispatcher-num-sms moe-hybridep-num-sms no-ckpt-load-validate-sharding-integrity`.split(
    /\s+/,
  ),
);
