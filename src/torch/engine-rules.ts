/** What PyTorch releases differ in where operators, kernels and autograd run; `changes.ts` says which release has which. */

/** Default cuBLAS workspace of GPUs whose compute capability lies in a range, both ends included (80 is 8.0). */
export interface WorkspaceSize {
  readonly fromSm: number;
  readonly toSm: number;
  readonly bytes: number;
}

/**
 * Where cuBLASLt's workspace comes from. `transient`: taken for each call and given back when it returns; `persistent`: one
 * per handle and stream, kept, beside the cuBLAS one; `shared`: it is the cuBLAS workspace.
 */
export type LtWorkspaceMode = "transient" | "persistent" | "shared";

export type AttentionKernel = "flash" | "efficient" | "cudnn" | "math";

export interface EngineRules {
  // Workspaces of the matrix libraries
  /** Whether the cuBLAS workspace is a block of the caching allocator, so that memory_allocated() counts it. */
  readonly cublasWorkspaceCounted: boolean;
  /** Default size by compute capability; the first row that fits applies. */
  readonly cublasWorkspaceSizes: readonly WorkspaceSize[];
  readonly ltWorkspaceMode: LtWorkspaceMode;
  /** Default size of cuBLASLt's own workspace, for `transient` and `persistent`. */
  readonly ltWorkspaceBytes: number;
  /** Whether `CUBLASLT_WORKSPACE_SIZE` (KiB) is read. */
  readonly ltWorkspaceVariable: boolean;
  /** Whether `TORCH_CUBLASLT_UNIFIED_WORKSPACE=1` makes cuBLASLt use the cuBLAS workspace. */
  readonly ltUnifiedVariable: boolean;
  /** Whether addmm also needs more than one row and more than one inner column to take the cuBLASLt route. */
  readonly ltNeedsMatrix: boolean;

  // Lowering of products
  /** Contiguous inputs of linear with bias that are viewed as a matrix and sent to addmm: exactly 3-D ones, or any from 3-D up. */
  readonly linearFlattens: "3d" | "nd";
  /** matmul of an N-D with a 1-D or 2-D operand: almost always folded into one product, or only where that costs no copy or saves one in backward. */
  readonly matmulFolding: "always" | "where_viewable";
  /** matmul squeezes a batch of one that requires grad so that the product can be folded. */
  readonly matmulSqueezesBatchOfOne: boolean;

  /** Whether einsum puts the operand whose dimensions come first in the result on the left of the product. */
  readonly einsumSwapsOperands: boolean;
  /** Whether bincount and histc find the smallest and the largest value at once, and keep both. */
  readonly histogramsKeepBounds: boolean;
  /** tensordot over every dimension is a dot product, not a product of matrices. */
  readonly tensordotUsesDot: boolean;
  /** Whether it says how to look for the operator without looking for NaN. */
  readonly anomalyHintChecksNan: boolean;
  /** Whether reshape of a contiguous tensor is a view; else, where no copy is needed, it is `_reshape_alias`. */
  readonly reshapeViewsContiguous: boolean;

  // Attention
  /** Order in which kernels are tried on GPUs without a rule of their own. */
  readonly attentionOrder: readonly AttentionKernel[];
  /** Compute capabilities on which cuDNN's attention is tried first. */
  readonly cudnnAttentionFirstOnSm: readonly number[];
  /**
   * Whether the memory-efficient kernel comes first where heads have 128 numbers, or few of them have long queries (priority_order in
   * sdp_utils.cpp).
   */
  readonly efficientFirstBySize: boolean;
  readonly flashFromSm: number;
  /** Highest compute capability with a flash kernel. */
  readonly flashToSm: number;
  readonly flashMaxHeadDim: number;
  /** Whether the memory-efficient kernel drops attention. */
  readonly efficientTakesDropout: boolean;
  /** Whether the memory-efficient kernel reads a mask. */
  readonly efficientTakesMask: boolean;
  /** Whether the memory-efficient kernel reads one head of key and value for several of the query (enable_gqa). */
  readonly efficientTakesGroupedHeads: boolean;
  /** Whether key and value of one head go to the kernels that share heads without being asked to. */
  readonly fusedSharesOneHead: boolean;
  /** How a bool mask becomes numbers: zeros filled where the mask is false, or a choice between two scalars on the GPU by the mask or its negation. */
  readonly boolMaskNumbers: "filled" | "where_not" | "where";
  /** Which masks get padded rows for the memory-efficient kernel: all, expanded, to 16 elements; or those with a stride that 8 does not divide. */
  readonly maskPadding: "expanded_16" | "strides_8";
  /** Whether memory-efficient attention without dropout makes and saves two blocks on the GPU for its random state. */
  readonly efficientRngStateOnGpu: boolean;
  /** Whether the flash kernel's random state is two 512-byte blocks on the GPU, made and saved even without dropout. */
  readonly flashRngStateOnGpu: boolean;
  /** Head sizes above 128 are rounded up to this in flash's float32 partial results (32 up to 128). */
  readonly flashPartialHeadRounding: number;
  /** Whether the math path copies 16-bit q, k and v to float32. */
  readonly mathAttentionUpcasts: boolean;
  /** Whether the math path uses a softmax that keeps fully masked rows at zero, with its mask tensors. */
  readonly safeSoftmax: boolean;
  /** Whether that softmax chooses between zero and its result in a new tensor, not only where a row is fully masked. */
  readonly safeSoftmaxCopies: boolean;

  // Norms, reductions
  /** Whether rms_norm is one kernel on CUDA where weight and input have the same dtype. */
  readonly fusedRmsNorm: boolean;
  /** Where rms_norm of separate operators casts back from float32; at first it cast nothing. */
  readonly rmsNormCasts: "never" | "before_weight" | "last";
  /** Whether autocast runs rms_norm in float32. */
  readonly rmsNormAutocastsToFloat32: boolean;
  /** Whether layer_norm's backward makes partial sums for tall, narrow inputs. */
  readonly layerNormPartialSums: boolean;
  /** Whether group_norm copies what is not contiguous, channels_last included, before its kernel. */
  readonly groupNormCopiesToContiguous: boolean;
  /** Whether group_norm of 16-bit numbers makes its averages in float32 first. */
  readonly groupNormAveragesWide: boolean;
  /** Whether any and all combine values of one byte, instead of values of the input's type. */
  readonly truthCombinesBytes: boolean;
  /** Whether the kernel computes the part of group_norm's gradient that does not go through its statistics, also where gradients for these came. */
  readonly groupNormKernelWithStatistics: boolean;
  /** Whether instance_norm also averages its running statistics in evaluation. */
  readonly instanceNormAveragesAlways: boolean;
  /** Whether cosine_similarity's smallest norm is a 0-dim tensor on the GPU. */
  readonly cosineClampsByTensor: boolean;
  /** Reduction kernels: values read at once by a 16-bit sum or mean along the fastest dimension (4 otherwise). */
  readonly reduceVector16Bit: number;
  /** Reduction kernels: whether the vector width divides the fast dimension before the block is shaped. */
  readonly reduceDividesFastDim: boolean;
  /** Reduction kernels: whether kernels that unroll less than four read as many values at once as they unroll, where they read single ones. */
  readonly reduceVectorsOfAnyWidth: boolean;
  /** Reduction kernels: smallest fast dimension that is read in vectors. */
  readonly reduceVectorFrom: number;

  // Element by element
  /** Whether the gradient of clamp with tensors as bounds, and of fmin and fmax, is shared where operands are equal. */
  readonly tiesShareGradients: boolean;
  /** Results of checks that multinomial keeps to its end; before they were asserted on the device, the host read them at once. */
  readonly multinomialKeptChecks: number;
  /** Whether the gradient of group_norm sums per channel where each channel has one value. */
  readonly groupNormSumsSingleValues: boolean;
  /** Whether the gradient of logcumsumexp fills by a tensor on the device, not by a number. */
  readonly logcumsumexpFillsByTensor: boolean;
  /** Whether `nextafter` has a gradient. */
  readonly nextafterHasGradient: boolean;
  /** Whether `ldexp` is an operator with a gradient of its own, and not a product with a power of two. */
  readonly ldexpIsOperator: boolean;
  /** Whether the gradient of atan2 replaces an infinite reciprocal. */
  readonly atan2GuardsInfinity: boolean;
  /** stft of real numbers has to be told whether it returns complex ones; before, it returned pairs. */
  readonly spectrumFormRequired: boolean;

  /** Whether errors name a graph node without the `Backward0` at its end. */
  readonly shortNodeNamesInErrors: boolean;
  /** What subtracting or negating bools raises. */
  readonly boolArithmeticError: "RuntimeError" | "NotImplementedError";

  // Autocast and custom functions
  /** Whether a weight's cast copy made by autocast under no_grad has a graph, so that a later linear saves its input. */
  readonly autocastCacheKeepsGraph: boolean;
  /** Whether a custom Function's incoming gradients die before its outgoing ones are cast and reduced to shape. */
  readonly customFunctionTakesGradients: boolean;

  // Convolution
  /** What of a convolution is channels-last when its input or weight is; all of it on a GPU. */
  readonly convolutionChannelsLast: "all" | "results" | "gradients";

  // Normalization
  /** Whether the gradient of a layer norm's input lies in plain order, as on a GPU; a recorder may lay it as the incoming gradient lies. */
  readonly layerNormGradientIsContiguous: boolean;

  // Storages
  /** Whether `set_` makes a tensor share its source's storage, as on a GPU; a recorder may enlarge the tensor's own one instead. */
  readonly setTakesStorage: boolean;

  /** Whether `_chunk_cat` pads tensors that do not divide, as it does everywhere but in CUDA's kernel (of contiguous tensors). */
  readonly chunkCatPads: boolean;

  /** Whether context_parallel puts ring attention in the place of attention; not where a recorder has replaced that function. */
  readonly contextParallelReplacesAttention: boolean;

  // Losses and norms
  /** By which formula binary_cross_entropy_with_logits goes. */
  readonly logitsLoss: "max_value" | "log_sigmoid_in_statement" | "log_sigmoid";
  /** Whether the norms that _foreach_norm returns are views of one tensor. */
  readonly foreachNormsAreViews: boolean;
  /** Whether cosine_similarity takes linalg_vector_norm, where it once took the root of a sum of squares. */
  readonly cosineTakesVectorNorms: boolean;

  // Gradients
  /** Whether backward adds a gradient in place to one that nobody else holds (torch/csrc/autograd/input_buffer.cpp: accumulate). */
  readonly gradientsAddInPlace: boolean;
  /** Whether the gradient of the mean of everything keeps its input. */
  readonly meanSavesInput: boolean;
  /** Whether the gradient of a mean over dimensions keeps its input. */
  readonly meanOfDimensionsSavesInput: boolean;
  /** Whether max_unpool's gradient is made contiguous before it is read. */
  readonly maxUnpoolGradientCopies: boolean;

  // Scratch of the library of scans and sorts (CUB)
  /** Bytes that every scan takes beside the states of its tiles. */
  readonly scanExtraBytes: number;
  /** Bytes of a short scan within runs of equal keys. */
  readonly scanByKeyBytes: number;
  /** Items of one tile where flags select some of them. */
  readonly selectTileItems: number;
  /** Items of one tile where equal keys are brought together. */
  readonly uniqueTileItems: number;
  /** Bytes of a tile's state where equal keys are brought together. */
  readonly uniqueStateBytes: number;
  /** Bytes in which sorts count positions. */
  readonly sortOffsetBytes: number;
  /** Whether the gradient of windows that lie apart is copied into its place without positions (UnfoldBackward.h). */
  readonly unfoldCopiesApart: boolean;
  /** Four-byte items that a thread takes in one pass over four-byte keys with values, on Ampere and Ada. */
  readonly sortPairsPerThread: number;
  /** Whether the sort of an embedding's gradient looks at no more bits than its table has rows. */
  readonly embeddingSortsByBits: boolean;
  /** Whether topk over many blocks has two sets of its digits and ranks. */
  readonly topkKeepsTwo: boolean;
  /** Whether topk over many blocks sums digits in a kernel of its own, where it once had semaphores. */
  readonly topkSumsDigits: boolean;

  // Indexing
  /** Whether gather and scatter take positions in int32. */
  readonly gatherTakesInt32: boolean;
  /** Whether take_along_dim brings negative positions into range, with one more index tensor that is kept for backward. */
  readonly takeAlongDimWraps: boolean;
  /** Whether the gradient of trace goes no farther than the diagonal, where a tall matrix has rows below it. */
  readonly traceGradientEndsAtDiagonal: boolean;
  /** Whether quantile works out its ranks in float64 and before it sorts. */
  readonly quantileRanksInDouble: boolean;
}
