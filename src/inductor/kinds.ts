/**
 * What each operator is to torch.compile: written into the kernels around it, or a call of its own. A table; what it does not name is a call.
 * Mirrors the lists of torch/_functorch/partitioners.py (get_default_op_list) and which lowerings of torch/_inductor/lowering.py are fallbacks.
 */

/**
 * `pointwise` and `reduction` are code in a generated kernel, `view` is none at all, `random` is drawn inside a kernel and never drawn
 * again, `call` is a library's kernel or ATen's own.
 */
export type Kind = "pointwise" | "reduction" | "view" | "random" | "call";

const words = (text: string): string[] => text.split(/\s+/).filter(Boolean);

const NAMES: Record<Exclude<Kind, "call">, string> = {
  view: `view reshape _reshape_alias _unsafe_view permute transpose t expand slice select split_Tensor split_with_sizes unsafe_split_Tensor
    unsafe_split_with_sizes unsqueeze squeeze squeeze_dim squeeze_dims alias detach as_strided unbind diagonal unfold view_as_real
    view_as_complex view_dtype swapaxes movedim real imag view_or_reshape _squeezed chunk narrow resolve_conj resolve_neg`,
  reduction: `sum sum_dim_IntList sum_to_size mean mean_dim amax amin max max_dim min min_dim argmax argmin any all prod var var_correction
    var_dim var_mean var_mean_correction var_mean_dim std std_correction std_dim std_mean linalg_vector_norm logsumexp nansum count_nonzero
    norm_except_dim nll_loss_forward nll_loss2d_forward embedding_dense_backward batch_norm_stats aminmax`,
  random: `rand rand_like randn randn_like bernoulli bernoulli_p uniform_ normal_ bernoulli_`,
  pointwise: `abs acos acosh add addcdiv addcmul asin asinh atan atan2 atanh bitwise_and bitwise_left_shift bitwise_not bitwise_or
    bitwise_right_shift bitwise_xor ceil celu clamp clamp_max clamp_min clone complex conj_physical constant_pad_nd contiguous copy_ copysign
    cos cosh div elu elu_backward eq erf erfc erfinv exp exp2 expand_copy expm1 fill fill_ flip floor floor_divide fmax fmin fmod frac full
    full_like gather ge gelu gelu_backward glu glu_backward gt hardshrink hardshrink_backward hardsigmoid hardsigmoid_backward hardswish
    hardswish_backward hardtanh hardtanh_backward heaviside huber_loss huber_loss_backward hypot index index_select embedding isinf isnan
    isfinite le leaky_relu leaky_relu_backward lerp lgamma log log10 log1p log2 log_sigmoid log_sigmoid_backward logaddexp logical_and
    logical_not logical_or logical_xor logit logit_backward lt masked_fill _masked_fill max_other maximum min_other minimum mish mish_backward
    mse_loss_backward mul nan_to_num ne neg new_empty new_full new_ones new_zeros nll_loss_backward nll_loss2d_backward ones ones_like pow
    pow_Scalar reciprocal relu remainder repeat roll round rrelu_with_noise rsqrt rsub scalar_tensor select_backward selu sgn sigmoid
    sigmoid_backward sign silu silu_backward sin sinh slice_backward smooth_l1_loss_backward softplus softplus_backward softshrink
    softshrink_backward sqrt square stack sub tan tanh tanh_backward threshold threshold_backward to _to_copy tril triu trunc where_self
    where_Scalar where_ScalarOther where_ScalarSelf xlogy zero_ zeros zeros_like empty empty_like arange arange_start_step linspace
    _prelu_kernel _prelu_kernel_backward cat native_dropout_backward one_hot take_along_dim index_fill select_scatter slice_scatter
    upsample_nearest2d upsample_bilinear2d avg_pool2d avg_pool2d_backward _adaptive_avg_pool2d _adaptive_avg_pool2d_backward
    max_pool2d_with_indices_backward col2im im2col rot90 tile eye binary_cross_entropy binary_cross_entropy_backward
    pixel_shuffle pixel_unshuffle reflection_pad2d replication_pad2d reflection_pad1d replication_pad1d _from_data _conj`,
};

const kinds = new Map<string, Kind>(
  Object.entries(NAMES).flatMap(([kind, names]) => words(names).map((name) => [name, kind as Kind])),
);

/** What an operator is, by the name of its overload, else by that of all of them; in place or not. */
export function kindOf(name: string, baseName: string): Kind {
  return kinds.get(name) ?? kinds.get(baseName) ?? kinds.get(baseName.replace(/_$/, "")) ?? "call";
}

/**
 * Operators that are taken apart: statistics first, then one pointwise result made from them. `stats`: places of results that are
 * statistics. `hidden`: statistics that PyTorch's own kernel keeps to itself, so many numbers of float32 for each row along `dim`.
 * `drawn`: a mask, made from numbers that are drawn. `widened`: sums of 16-bit numbers are made in float32 and cast.
 */
export interface Parts {
  readonly result: number;
  readonly stats?: readonly number[];
  readonly hidden?: number;
  readonly drawn?: number;
  readonly widened?: true;
}

export const PARTS: ReadonlyMap<string, Parts> = new Map<string, Parts>([
  ["_softmax", { result: 0, hidden: 2 }],
  ["_log_softmax", { result: 0, hidden: 2 }],
  ["_safe_softmax", { result: 0, hidden: 2 }],
  ["_softmax_backward_data", { result: 0, hidden: 1 }],
  ["_log_softmax_backward_data", { result: 0, hidden: 1 }],
  ["native_layer_norm", { result: 0, stats: [1, 2] }],
  ["_fused_rms_norm", { result: 0, stats: [1] }],
  ["native_group_norm", { result: 0, stats: [1, 2] }],
  ["native_batch_norm", { result: 0, stats: [1, 2] }],
  ["cudnn_batch_norm", { result: 0, stats: [1, 2] }],
  ["native_layer_norm_backward", { result: 0, stats: [1, 2], hidden: 2 }],
  ["_fused_rms_norm_backward", { result: 0, stats: [1], hidden: 1 }],
  ["native_group_norm_backward", { result: 0, stats: [1, 2] }],
  ["native_batch_norm_backward", { result: 0, stats: [1, 2] }],
  ["cudnn_batch_norm_backward", { result: 0, stats: [1, 2] }],
  ["native_dropout", { result: 0, drawn: 1 }],
  ["embedding_dense_backward", { result: 0, widened: true }],
]);

/** Sums that take a product into their call where nothing else reads it: `add(x, mm(a, b))` is `addmm(x, a, b)` (fx_passes/post_grad.py). */
export const TAKES_PRODUCT: ReadonlyMap<string, string> = new Map([
  ["add", "mm"],
  ["add_", "mm"],
]);
