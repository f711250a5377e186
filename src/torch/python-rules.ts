/**
 * What PyTorch releases differ in where PyTorch itself is Python: modules, optimizers, texts. They go to Python with the request and are read there
 * in Python's spelling (`zero_grad_set_to_none`); `changes.ts` says which release has which.
 */

export interface PythonRules {
  // Optimizers and clipping
  /** zero_grad(set_to_none=...) default. */
  readonly zeroGradSetToNone: boolean;
  /** Whether optimizers and clip_grad use multi-tensor code by default when all tensors are plain CUDA tensors. */
  readonly foreachDefault: boolean;
  /** Whether multi-tensor code goes through groups of device and dtype in the reverse order of their first tensors. */
  readonly foreachGroupsReversed: boolean;
  /** Whether clip_grad_norm_ takes infinity norms together, too, by linalg.vector_norm. */
  readonly gradNormsByVectorNorm: boolean;
  /** Whether clip_grad_norm_ is one function, whose list of norms lives until it ends. */
  readonly clippingKeepsNorms: boolean;
  /** Whether multi-tensor Adam adds weight decay to the gradients themselves, not to new tensors. */
  readonly foreachAdamDecaysInPlace: boolean;
  /** Whether multi-tensor Adam adds epsilon to the denominators in place: one parameter-sized temporary, not two. */
  readonly foreachAdamAddsEpsilonInPlace: boolean;
  /** Whether multi-tensor Adam lets go of gradients of its own as soon as the moments have them. */
  readonly foreachAdamDropsGradients: boolean;
  /** Whether multi-tensor Adagrad writes into its temporaries, where it once made new ones. */
  readonly foreachAdagradWritesInPlace: boolean;
  /** Whether Optimizer.load_state_dict makes a deep copy of what it loads. */
  readonly loadingCopiesStates: boolean;
  /** Whether OneCycleLR holds a method of its own: what it schedules lives until the garbage collector comes. */
  readonly oneCycleHoldsItself: boolean;
  /** Whether Adam's groups say `decoupled_weight_decay`. */
  readonly adamGroupsSayDecoupled: boolean;
  /** Whether Adamax writes the larger of norm and gradient into the norm, where it once stacked both. */
  readonly adamaxWritesMaximum: boolean;
  /** Whether Muon copies a gradient that is bfloat16 already. */
  readonly muonCopiesGradient: boolean;

  // Attention
  /** Whether scaled_dot_product_attention takes three dimensions as heads of one batch, where it once left them to separate operators. */
  readonly attentionTakesThreeDimensions: boolean;
  /** Whether the projection of q, k and v at once is unflattened and made contiguous, where it once was cut in three. */
  readonly attentionUnflattensProjections: boolean;
  /** Whether multi_head_attention_forward calls scaled_dot_product_attention, or baddbmm where weights are wanted. */
  readonly attentionByKernel: boolean;
  /** Whether multi_head_attention_forward lets go of projections as soon as they are used. */
  readonly attentionReleasesProjections: boolean;
  /** Whether a checkpointed region runs again only as far as backward needs it (use_reentrant=False). */
  readonly checkpointsStopEarly: boolean;
  /** Whether multi_head_attention_forward flattens its output by reshape, not by contiguous and view. */
  readonly attentionReshapesOutput: boolean;
  /** Whether enable_gqa is an argument of scaled_dot_product_attention. */
  readonly attentionGroupedHeads: boolean;
  /** Whether flex_attention multiplies queries and keys as floats where it writes out scores, not their product. */
  readonly flexScoresFromFloats: boolean;
  /** Whether flex_attention makes the largest score of each row, too, whoever asks. */
  readonly flexKernelKeepsMaxima: boolean;
  /** Whether flex_attention's backward leaves out the gradient of its logsumexp where there is none. */
  readonly flexSkipsGradientOfLogsumexp: boolean;

  // Other functions
  /** Whether there is a module torch._six, of names that Python 2 and 3 once had apart. */
  readonly hasSixModule: boolean;
  /** Whether an iterator of a data loader has next(), as iterators of Python 2 had. */
  readonly loaderIteratorsHaveNext: boolean;
  /** Whether a number to the power of a tensor becomes a tensor in Python. */
  readonly powerMakesBaseATensor: boolean;
  /** Whether copy.deepcopy of a tensor copies its storage; the corpora without temporaries were recorded where a storage cannot be copied. */
  readonly deepcopyCopiesStorage: boolean;
  /** Whether indexing skips `:` and an end beyond the size, where it once made a view. */
  readonly slicesSkipWholeRanges: boolean;
  /** How context_parallel balances a sequence: chunks that are joined, an index for all rows at once, for each row alone, or of the buffer's shape. */
  readonly contextParallelOrder: "chunks" | "select" | "rows" | "gather";
  /** Whether embedding_bag drops include_last_offset where it made the offsets itself. */
  readonly embeddingBagOwnOffsetsEndEarly: boolean;
  /** Whether trunc_normal_ draws again what lies outside, where it once mapped uniform numbers. */
  readonly truncNormalRejects: boolean;

  /** The release of NCCL that comes with it, or the one before where its wheels do not say. */
  readonly ncclVersion: string;

  // Texts
  /** Whether a profiler's table writes KB, not Kb. */
  readonly profilerUnitsInCapitals: boolean;
  /** Whether autograd.grad's error about an unused input says which. */
  readonly gradErrorsNameInputs: boolean;
  /** Whether autograd.grad refuses no inputs in the words of backward(). */
  readonly emptyInputsErrorNamesGrad: boolean;
  /** Whether the text of a norm says if it has a bias. */
  readonly normTextsSayBias: boolean;
  /** Whether interpolate's error lists lanczos. */
  readonly interpolateErrorListsLanczos: boolean;
}
