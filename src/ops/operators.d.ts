/** What every operator takes and gives, as rows call it. Made from the schemas by `npm run operator-types`; not written by hand. */

import type { Scalar as WrappedNumber } from "../tensor/iterator.ts";
import type { Tensor } from "../tensor/tensor.ts";

/** A number of Python, with its type where that decides the result's. */
type Scalar = number | boolean | WrappedNumber;

export interface Operators {
  _adaptive_avg_pool2d(self: Tensor, output_size: readonly number[]): Tensor;
  _adaptive_avg_pool2d_backward(grad_output: Tensor, self: Tensor): Tensor;
  _adaptive_avg_pool3d(self: Tensor, output_size: readonly number[]): Tensor;
  _adaptive_avg_pool3d_backward(grad_output: Tensor, self: Tensor): Tensor;
  _addmm_activation(
    self: Tensor,
    mat1: Tensor,
    mat2: Tensor,
    beta?: Scalar,
    alpha?: Scalar,
    use_gelu?: boolean,
  ): Tensor;
  _amp_foreach_non_finite_check_and_unscale_(self: readonly Tensor[], found_inf: Tensor, inv_scale: Tensor): unknown;
  _amp_update_scale_(
    self: Tensor,
    growth_tracker: Tensor,
    found_inf: Tensor,
    scale_growth_factor: number,
    scale_backoff_factor: number,
    growth_interval: number,
  ): Tensor;
  _attention_inputs(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | null,
    dropout_p?: number,
    enable_gqa?: boolean,
    kernels?: string | null,
  ): [Tensor | null, Tensor | null, Tensor | null, Tensor | null];
  _cdist_backward(grad: Tensor, x1: Tensor, x2: Tensor, p: number, cdist: Tensor): Tensor;
  _cdist_forward(x1: Tensor, x2: Tensor, p: number): Tensor;
  _conj(self: Tensor): Tensor;
  _conj_physical(self: Tensor): Tensor;
  _copy_into_out(self: Tensor): Tensor;
  _ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: readonly number[],
    target_lengths: readonly number[],
    blank?: number,
    zero_infinity?: boolean,
  ): [Tensor, Tensor];
  _ctc_loss_backward(
    grad: Tensor,
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: readonly number[],
    target_lengths: readonly number[],
    loss: Tensor,
    log_alpha: Tensor,
  ): Tensor;
  _cudnn_rnn(
    input: Tensor,
    weight: readonly Tensor[],
    weight_stride0: number,
    weight_buf: Tensor | null,
    hx: Tensor,
    cx: Tensor | null,
    mode: number,
    hidden_size: number,
    proj_size: number,
    num_layers: number,
    batch_first: boolean,
    dropout: number,
    train: boolean,
    bidirectional: boolean,
    batch_sizes: readonly number[],
  ): [Tensor, Tensor, Tensor, Tensor, Tensor];
  _cudnn_rnn_backward(
    input: Tensor,
    weight: readonly Tensor[],
    weight_buf: Tensor,
    hx: Tensor,
    cx: Tensor | null,
    output: Tensor,
    grad_output: Tensor | null,
    grad_hy: Tensor | null,
    grad_cy: Tensor | null,
    batch_first: boolean,
    batch_sizes: readonly number[],
    reserve: Tensor,
    weight_grad: boolean,
  ): Tensor[];
  _cudnn_rnn_flatten_weight(
    weight_arr: readonly Tensor[],
    weight_stride0: number,
    input_size: number,
    mode: number,
    hidden_size: number,
    proj_size: number,
    num_layers: number,
    batch_first: boolean,
    bidirectional: boolean,
  ): Tensor;
  _embedding_bag(
    weight: Tensor,
    indices: Tensor,
    offsets: Tensor,
    scale_grad_by_freq?: boolean,
    mode?: number,
    sparse?: boolean,
    per_sample_weights?: Tensor | null,
    include_last_offset?: boolean,
    padding_idx?: number,
  ): [Tensor, Tensor, Tensor, Tensor];
  _embedding_bag_backward(
    grad: Tensor,
    indices: Tensor,
    offset2bag: Tensor,
    bag_size: Tensor,
    maximum_indices: Tensor,
    num_weights: number,
    mode: number,
    per_sample_weights: Tensor | null,
  ): Tensor;
  _embedding_bag_forward_only(
    weight: Tensor,
    indices: Tensor,
    offsets: Tensor,
    scale_grad_by_freq?: boolean,
    mode?: number,
    sparse?: boolean,
    per_sample_weights?: Tensor | null,
    include_last_offset?: boolean,
    padding_idx?: number,
  ): [Tensor, Tensor, Tensor, Tensor];
  _embedding_bag_per_sample_weights_backward(
    grad: Tensor,
    weight: Tensor,
    indices: Tensor,
    offsets: Tensor,
    offset2bag: Tensor,
    mode: number,
  ): Tensor;
  _euclidean_dist(x1: Tensor, x2: Tensor): Tensor;
  _fft_c2c(self: Tensor, dim: readonly number[], normalization: number, forward: boolean): Tensor;
  _fft_c2r(self: Tensor, dim: readonly number[], normalization: number, last_dim_size: number): Tensor;
  _fft_r2c(self: Tensor, dim: readonly number[], normalization: number, onesided: boolean): Tensor;
  _foreach_abs(self: readonly Tensor[]): Tensor[];
  _foreach_abs_(self: readonly Tensor[]): unknown;
  _foreach_acos(self: readonly Tensor[]): Tensor[];
  _foreach_acos_(self: readonly Tensor[]): unknown;
  _foreach_add_List(self: readonly Tensor[], other: readonly Tensor[], alpha?: Scalar): Tensor[];
  _foreach_add_Scalar(self: readonly Tensor[], scalar: Scalar): Tensor[];
  _foreach_add_ScalarList(self: readonly Tensor[], scalars: readonly Scalar[]): Tensor[];
  _foreach_add_Tensor(self: readonly Tensor[], other: Tensor, alpha?: Scalar): Tensor[];
  _foreach_add__List(self: readonly Tensor[], other: readonly Tensor[], alpha?: Scalar): unknown;
  _foreach_add__Scalar(self: readonly Tensor[], scalar: Scalar): unknown;
  _foreach_add__ScalarList(self: readonly Tensor[], scalars: readonly Scalar[]): unknown;
  _foreach_add__Tensor(self: readonly Tensor[], other: Tensor, alpha?: Scalar): unknown;
  _foreach_addcdiv_Scalar(
    self: readonly Tensor[],
    tensor1: readonly Tensor[],
    tensor2: readonly Tensor[],
    value?: Scalar,
  ): Tensor[];
  _foreach_addcdiv_ScalarList(
    self: readonly Tensor[],
    tensor1: readonly Tensor[],
    tensor2: readonly Tensor[],
    scalars: readonly Scalar[],
  ): Tensor[];
  _foreach_addcdiv__Scalar(
    self: readonly Tensor[],
    tensor1: readonly Tensor[],
    tensor2: readonly Tensor[],
    value?: Scalar,
  ): unknown;
  _foreach_addcdiv__ScalarList(
    self: readonly Tensor[],
    tensor1: readonly Tensor[],
    tensor2: readonly Tensor[],
    scalars: readonly Scalar[],
  ): unknown;
  _foreach_addcmul_Scalar(
    self: readonly Tensor[],
    tensor1: readonly Tensor[],
    tensor2: readonly Tensor[],
    value?: Scalar,
  ): Tensor[];
  _foreach_addcmul_ScalarList(
    self: readonly Tensor[],
    tensor1: readonly Tensor[],
    tensor2: readonly Tensor[],
    scalars: readonly Scalar[],
  ): Tensor[];
  _foreach_addcmul__Scalar(
    self: readonly Tensor[],
    tensor1: readonly Tensor[],
    tensor2: readonly Tensor[],
    value?: Scalar,
  ): unknown;
  _foreach_addcmul__ScalarList(
    self: readonly Tensor[],
    tensor1: readonly Tensor[],
    tensor2: readonly Tensor[],
    scalars: readonly Scalar[],
  ): unknown;
  _foreach_asin(self: readonly Tensor[]): Tensor[];
  _foreach_asin_(self: readonly Tensor[]): unknown;
  _foreach_atan(self: readonly Tensor[]): Tensor[];
  _foreach_atan_(self: readonly Tensor[]): unknown;
  _foreach_ceil(self: readonly Tensor[]): Tensor[];
  _foreach_ceil_(self: readonly Tensor[]): unknown;
  _foreach_clamp_max_List(self: readonly Tensor[], other: readonly Tensor[]): Tensor[];
  _foreach_clamp_max_Scalar(self: readonly Tensor[], scalar: Scalar): Tensor[];
  _foreach_clamp_max_ScalarList(self: readonly Tensor[], scalars: readonly Scalar[]): Tensor[];
  _foreach_clamp_max_Tensor(self: readonly Tensor[], other: Tensor): Tensor[];
  _foreach_clamp_max__List(self: readonly Tensor[], other: readonly Tensor[]): unknown;
  _foreach_clamp_max__Scalar(self: readonly Tensor[], scalar: Scalar): unknown;
  _foreach_clamp_max__ScalarList(self: readonly Tensor[], scalars: readonly Scalar[]): unknown;
  _foreach_clamp_max__Tensor(self: readonly Tensor[], other: Tensor): unknown;
  _foreach_clamp_min_List(self: readonly Tensor[], other: readonly Tensor[]): Tensor[];
  _foreach_clamp_min_Scalar(self: readonly Tensor[], scalar: Scalar): Tensor[];
  _foreach_clamp_min_ScalarList(self: readonly Tensor[], scalars: readonly Scalar[]): Tensor[];
  _foreach_clamp_min_Tensor(self: readonly Tensor[], other: Tensor): Tensor[];
  _foreach_clamp_min__List(self: readonly Tensor[], other: readonly Tensor[]): unknown;
  _foreach_clamp_min__Scalar(self: readonly Tensor[], scalar: Scalar): unknown;
  _foreach_clamp_min__ScalarList(self: readonly Tensor[], scalars: readonly Scalar[]): unknown;
  _foreach_clamp_min__Tensor(self: readonly Tensor[], other: Tensor): unknown;
  _foreach_clone(self: readonly Tensor[], memory_format?: string | null): Tensor[];
  _foreach_copy_(self: readonly Tensor[], src: readonly Tensor[], non_blocking?: boolean): unknown;
  _foreach_cos(self: readonly Tensor[]): Tensor[];
  _foreach_cos_(self: readonly Tensor[]): unknown;
  _foreach_cosh(self: readonly Tensor[]): Tensor[];
  _foreach_cosh_(self: readonly Tensor[]): unknown;
  _foreach_div_List(self: readonly Tensor[], other: readonly Tensor[]): Tensor[];
  _foreach_div_Scalar(self: readonly Tensor[], scalar: Scalar): Tensor[];
  _foreach_div_ScalarList(self: readonly Tensor[], scalars: readonly Scalar[]): Tensor[];
  _foreach_div_Tensor(self: readonly Tensor[], other: Tensor): Tensor[];
  _foreach_div__List(self: readonly Tensor[], other: readonly Tensor[]): unknown;
  _foreach_div__Scalar(self: readonly Tensor[], scalar: Scalar): unknown;
  _foreach_div__ScalarList(self: readonly Tensor[], scalars: readonly Scalar[]): unknown;
  _foreach_div__Tensor(self: readonly Tensor[], other: Tensor): unknown;
  _foreach_erf(self: readonly Tensor[]): Tensor[];
  _foreach_erf_(self: readonly Tensor[]): unknown;
  _foreach_erfc(self: readonly Tensor[]): Tensor[];
  _foreach_erfc_(self: readonly Tensor[]): unknown;
  _foreach_exp(self: readonly Tensor[]): Tensor[];
  _foreach_exp_(self: readonly Tensor[]): unknown;
  _foreach_expm1(self: readonly Tensor[]): Tensor[];
  _foreach_expm1_(self: readonly Tensor[]): unknown;
  _foreach_floor(self: readonly Tensor[]): Tensor[];
  _foreach_floor_(self: readonly Tensor[]): unknown;
  _foreach_frac(self: readonly Tensor[]): Tensor[];
  _foreach_frac_(self: readonly Tensor[]): unknown;
  _foreach_lerp_List(self: readonly Tensor[], tensors1: readonly Tensor[], weights: readonly Tensor[]): Tensor[];
  _foreach_lerp_Scalar(self: readonly Tensor[], tensors1: readonly Tensor[], weight: Scalar): Tensor[];
  _foreach_lerp_ScalarList(self: readonly Tensor[], tensors1: readonly Tensor[], weights: readonly Scalar[]): Tensor[];
  _foreach_lerp__List(self: readonly Tensor[], tensors1: readonly Tensor[], weights: readonly Tensor[]): unknown;
  _foreach_lerp__Scalar(self: readonly Tensor[], tensors1: readonly Tensor[], weight: Scalar): unknown;
  _foreach_lerp__ScalarList(self: readonly Tensor[], tensors1: readonly Tensor[], weights: readonly Scalar[]): unknown;
  _foreach_lgamma(self: readonly Tensor[]): Tensor[];
  _foreach_lgamma_(self: readonly Tensor[]): unknown;
  _foreach_log(self: readonly Tensor[]): Tensor[];
  _foreach_log10(self: readonly Tensor[]): Tensor[];
  _foreach_log10_(self: readonly Tensor[]): unknown;
  _foreach_log1p(self: readonly Tensor[]): Tensor[];
  _foreach_log1p_(self: readonly Tensor[]): unknown;
  _foreach_log2(self: readonly Tensor[]): Tensor[];
  _foreach_log2_(self: readonly Tensor[]): unknown;
  _foreach_log_(self: readonly Tensor[]): unknown;
  _foreach_max(self: readonly Tensor[]): Tensor[];
  _foreach_maximum_List(self: readonly Tensor[], other: readonly Tensor[]): Tensor[];
  _foreach_maximum_Scalar(self: readonly Tensor[], scalar: Scalar): Tensor[];
  _foreach_maximum_ScalarList(self: readonly Tensor[], scalars: readonly Scalar[]): Tensor[];
  _foreach_maximum__List(self: readonly Tensor[], other: readonly Tensor[]): unknown;
  _foreach_maximum__Scalar(self: readonly Tensor[], scalar: Scalar): unknown;
  _foreach_maximum__ScalarList(self: readonly Tensor[], scalars: readonly Scalar[]): unknown;
  _foreach_minimum_List(self: readonly Tensor[], other: readonly Tensor[]): Tensor[];
  _foreach_minimum_Scalar(self: readonly Tensor[], scalar: Scalar): Tensor[];
  _foreach_minimum_ScalarList(self: readonly Tensor[], scalars: readonly Scalar[]): Tensor[];
  _foreach_minimum__List(self: readonly Tensor[], other: readonly Tensor[]): unknown;
  _foreach_minimum__Scalar(self: readonly Tensor[], scalar: Scalar): unknown;
  _foreach_minimum__ScalarList(self: readonly Tensor[], scalars: readonly Scalar[]): unknown;
  _foreach_mul_List(self: readonly Tensor[], other: readonly Tensor[]): Tensor[];
  _foreach_mul_Scalar(self: readonly Tensor[], scalar: Scalar): Tensor[];
  _foreach_mul_ScalarList(self: readonly Tensor[], scalars: readonly Scalar[]): Tensor[];
  _foreach_mul_Tensor(self: readonly Tensor[], other: Tensor): Tensor[];
  _foreach_mul__List(self: readonly Tensor[], other: readonly Tensor[]): unknown;
  _foreach_mul__Scalar(self: readonly Tensor[], scalar: Scalar): unknown;
  _foreach_mul__ScalarList(self: readonly Tensor[], scalars: readonly Scalar[]): unknown;
  _foreach_mul__Tensor(self: readonly Tensor[], other: Tensor): unknown;
  _foreach_neg(self: readonly Tensor[]): Tensor[];
  _foreach_neg_(self: readonly Tensor[]): unknown;
  _foreach_norm(self: readonly Tensor[], ord?: Scalar, dtype?: string | null): Tensor[];
  _foreach_norm_kernel(self: readonly Tensor[], ord: Scalar, dtype?: string | null): Tensor[];
  _foreach_pow_List(self: readonly Tensor[], exponent: readonly Tensor[]): Tensor[];
  _foreach_pow_Scalar(self: readonly Tensor[], exponent: Scalar): Tensor[];
  _foreach_pow_ScalarAndTensor(base: Scalar, exponent: readonly Tensor[]): Tensor[];
  _foreach_pow_ScalarList(self: readonly Tensor[], exponent: readonly Scalar[]): Tensor[];
  _foreach_pow__List(self: readonly Tensor[], exponent: readonly Tensor[]): unknown;
  _foreach_pow__Scalar(self: readonly Tensor[], exponent: Scalar): unknown;
  _foreach_pow__ScalarList(self: readonly Tensor[], exponent: readonly Scalar[]): unknown;
  _foreach_reciprocal(self: readonly Tensor[]): Tensor[];
  _foreach_reciprocal_(self: readonly Tensor[]): unknown;
  _foreach_round(self: readonly Tensor[]): Tensor[];
  _foreach_round_(self: readonly Tensor[]): unknown;
  _foreach_rsqrt(self: readonly Tensor[]): Tensor[];
  _foreach_rsqrt_(self: readonly Tensor[]): unknown;
  _foreach_sigmoid(self: readonly Tensor[]): Tensor[];
  _foreach_sigmoid_(self: readonly Tensor[]): unknown;
  _foreach_sign(self: readonly Tensor[]): Tensor[];
  _foreach_sign_(self: readonly Tensor[]): unknown;
  _foreach_sin(self: readonly Tensor[]): Tensor[];
  _foreach_sin_(self: readonly Tensor[]): unknown;
  _foreach_sinh(self: readonly Tensor[]): Tensor[];
  _foreach_sinh_(self: readonly Tensor[]): unknown;
  _foreach_sqrt(self: readonly Tensor[]): Tensor[];
  _foreach_sqrt_(self: readonly Tensor[]): unknown;
  _foreach_sub_List(self: readonly Tensor[], other: readonly Tensor[], alpha?: Scalar): Tensor[];
  _foreach_sub_Scalar(self: readonly Tensor[], scalar: Scalar): Tensor[];
  _foreach_sub_ScalarList(self: readonly Tensor[], scalars: readonly Scalar[]): Tensor[];
  _foreach_sub_Tensor(self: readonly Tensor[], other: Tensor, alpha?: Scalar): Tensor[];
  _foreach_sub__List(self: readonly Tensor[], other: readonly Tensor[], alpha?: Scalar): unknown;
  _foreach_sub__Scalar(self: readonly Tensor[], scalar: Scalar): unknown;
  _foreach_sub__ScalarList(self: readonly Tensor[], scalars: readonly Scalar[]): unknown;
  _foreach_sub__Tensor(self: readonly Tensor[], other: Tensor, alpha?: Scalar): unknown;
  _foreach_tan(self: readonly Tensor[]): Tensor[];
  _foreach_tan_(self: readonly Tensor[]): unknown;
  _foreach_tanh(self: readonly Tensor[]): Tensor[];
  _foreach_tanh_(self: readonly Tensor[]): unknown;
  _foreach_trunc(self: readonly Tensor[]): Tensor[];
  _foreach_trunc_(self: readonly Tensor[]): unknown;
  _foreach_zero_(self: readonly Tensor[]): unknown;
  _from_data(size: readonly number[], dtype?: string | null, device?: string | null): Tensor;
  _fused_adagrad_(
    self: readonly Tensor[],
    grads: readonly Tensor[],
    state_sums: readonly Tensor[],
    state_steps: readonly Tensor[],
    lr: Tensor | Scalar,
    lr_decay: number,
    weight_decay: number,
    eps: number,
    maximize: boolean,
    grad_scale?: Tensor | null,
    found_inf?: Tensor | null,
  ): unknown;
  _fused_adam_(
    self: readonly Tensor[],
    grads: readonly Tensor[],
    exp_avgs: readonly Tensor[],
    exp_avg_sqs: readonly Tensor[],
    max_exp_avg_sqs: readonly Tensor[],
    state_steps: readonly Tensor[],
    lr: Tensor | Scalar,
    beta1: number,
    beta2: number,
    weight_decay: number,
    eps: number,
    amsgrad: boolean,
    maximize: boolean,
    grad_scale?: Tensor | null,
    found_inf?: Tensor | null,
  ): unknown;
  _fused_adamw_(
    self: readonly Tensor[],
    grads: readonly Tensor[],
    exp_avgs: readonly Tensor[],
    exp_avg_sqs: readonly Tensor[],
    max_exp_avg_sqs: readonly Tensor[],
    state_steps: readonly Tensor[],
    lr: Tensor | Scalar,
    beta1: number,
    beta2: number,
    weight_decay: number,
    eps: number,
    amsgrad: boolean,
    maximize: boolean,
    grad_scale?: Tensor | null,
    found_inf?: Tensor | null,
  ): unknown;
  _fused_attention_inputs(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | null,
    dropout_p?: number,
    enable_gqa?: boolean,
    kernels?: string | null,
  ): [Tensor | null, Tensor | null, Tensor | null, Tensor | null];
  _fused_rms_norm(
    input: Tensor,
    normalized_shape: readonly number[],
    weight: Tensor | null,
    eps: number | null,
  ): [Tensor, Tensor];
  _fused_rms_norm_backward(
    grad_out: Tensor,
    input: Tensor,
    normalized_shape: readonly number[],
    rstd: Tensor,
    weight: Tensor | null,
    for_input: boolean,
    for_weight: boolean,
  ): [Tensor | null, Tensor | null];
  _fused_sgd_(
    self: readonly Tensor[],
    grads: readonly Tensor[],
    momentum_buffer_list: readonly Tensor[],
    weight_decay: number,
    momentum: number,
    lr: Tensor | Scalar,
    dampening: number,
    nesterov: boolean,
    maximize: boolean,
    is_first_step: boolean,
    grad_scale?: Tensor | null,
    found_inf?: Tensor | null,
  ): unknown;
  _grouped_mm(
    self: Tensor,
    mat2: Tensor,
    offs?: Tensor | null,
    bias?: Tensor | null,
    out_dtype?: string | null,
  ): Tensor;
  _index_put_impl_(
    self: Tensor,
    indices: readonly (Tensor | null)[],
    values: Tensor,
    accumulate?: boolean,
    unsafe?: boolean,
  ): Tensor;
  _linalg_det(A: Tensor): [Tensor, Tensor, Tensor];
  _linalg_eigh(A: Tensor, UPLO?: string, compute_v?: boolean): [Tensor, Tensor];
  _linalg_slogdet(A: Tensor): [Tensor, Tensor, Tensor, Tensor];
  _linalg_solve_ex(A: Tensor, B: Tensor, left?: boolean, check_errors?: boolean): [Tensor, Tensor, Tensor, Tensor];
  _linalg_svd(
    A: Tensor,
    full_matrices?: boolean,
    compute_uv?: boolean,
    driver?: string | null,
  ): [Tensor, Tensor, Tensor];
  _log_softmax(self: Tensor, dim: number, half_to_float: boolean): Tensor;
  _log_softmax_backward_data(grad_output: Tensor, output: Tensor, dim: number, input_dtype: string | null): Tensor;
  _masked_fill(self: Tensor, mask: Tensor, value: Tensor | Scalar): Tensor;
  _masked_fill_(self: Tensor, mask: Tensor, value: Tensor | Scalar): Tensor;
  _masked_softmax(self: Tensor, mask: Tensor, dim?: number | null, mask_type?: number | null): Tensor;
  _native_multi_head_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    embed_dim: number,
    num_head: number,
    qkv_weight: Tensor,
    qkv_bias: Tensor,
    proj_weight: Tensor,
    proj_bias: Tensor,
    mask?: Tensor | null,
    need_weights?: boolean,
    average_attn_weights?: boolean,
    mask_type?: number | null,
  ): [Tensor, Tensor | null];
  _neg_view(self: Tensor): Tensor;
  _norm_over(self: Tensor, p: Scalar, dim: readonly number[], keepdim: boolean, dtype?: string | null): Tensor;
  _pack_padded_sequence(input: Tensor, lengths: Tensor, batch_first: boolean): [Tensor, Tensor];
  _pad_circular(self: Tensor, padding: readonly number[]): Tensor;
  _pad_packed_sequence(
    data: Tensor,
    batch_sizes: Tensor,
    batch_first: boolean,
    padding_value: Scalar,
    total_length: number,
  ): [Tensor, Tensor];
  _pdist_backward(grad: Tensor, self: Tensor, p: number, pdist: Tensor): Tensor;
  _pdist_forward(self: Tensor, p?: number): Tensor;
  _prelu_kernel(self: Tensor, weight: Tensor): Tensor;
  _prelu_kernel_backward(grad: Tensor, self: Tensor, weight: Tensor): [Tensor, Tensor];
  _repeated_places(repeats: Tensor, output_size?: number | null): Tensor;
  _safe_softmax(self: Tensor, dim: number, dtype?: string | null): Tensor;
  _scaled_dot_product_cudnn_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_bias: Tensor | null,
    compute_log_sumexp: boolean,
    dropout_p?: number,
    is_causal?: boolean,
    return_debug_mask?: boolean,
    scale?: number | null,
  ): [Tensor, Tensor, Tensor | null, Tensor | null, Tensor | null, Tensor | null, Tensor, Tensor, Tensor | null];
  _scaled_dot_product_cudnn_attention_backward(
    grad_out: Tensor,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    out: Tensor,
    logsumexp: Tensor,
    philox_seed: Tensor,
    philox_offset: Tensor,
    attn_bias: Tensor | null,
    dropout_p: number,
    is_causal: boolean,
    scale?: number | null,
  ): [Tensor, Tensor, Tensor];
  _scaled_dot_product_efficient_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_bias: Tensor | null,
    compute_log_sumexp: boolean,
    dropout_p?: number,
    is_causal?: boolean,
    scale?: number | null,
  ): [Tensor, Tensor, Tensor, Tensor];
  _scaled_dot_product_efficient_attention_backward(
    grad_out_: Tensor,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_bias: Tensor | null,
    out: Tensor,
    logsumexp: Tensor,
    philox_seed: Tensor,
    philox_offset: Tensor,
    dropout_p: number,
    bias_needs_grad: boolean,
    is_causal?: boolean,
    scale?: number | null,
  ): [Tensor, Tensor, Tensor, Tensor | null];
  _scaled_dot_product_flash_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    dropout_p?: number,
    is_causal?: boolean,
    return_debug_mask?: boolean,
    scale?: number | null,
  ): [Tensor, Tensor, Tensor | null, Tensor | null, Tensor | null, Tensor | null, Tensor, Tensor, Tensor];
  _scaled_dot_product_flash_attention_backward(
    grad_out: Tensor,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    out: Tensor,
    logsumexp: Tensor,
    dropout_p: number,
    is_causal: boolean,
    philox_seed: Tensor,
    philox_offset: Tensor,
    scale?: number | null,
  ): [Tensor, Tensor, Tensor];
  _scaled_mm(
    self: Tensor,
    mat2: Tensor,
    scale_a: Tensor,
    scale_b: Tensor,
    bias?: Tensor | null,
    scale_result?: Tensor | null,
    out_dtype?: string | null,
    use_fast_accum?: boolean,
  ): Tensor;
  _selective_scan_step(
    state: Tensor,
    outputs: Tensor,
    kept: Tensor,
    added: Tensor,
    index: number,
    dtype: string | null,
  ): [Tensor, Tensor];
  _softmax(self: Tensor, dim: number, half_to_float: boolean): Tensor;
  _softmax_backward_data(grad_output: Tensor, output: Tensor, dim: number, input_dtype: string | null): Tensor;
  _stft(
    self: Tensor,
    n_fft: number,
    hop_length?: number | null,
    win_length?: number | null,
    window?: Tensor | null,
    normalized?: boolean,
    onesided?: boolean | null,
    return_complex?: boolean | null,
  ): Tensor;
  _thnn_fused_gru_cell(
    input_gates: Tensor,
    hidden_gates: Tensor,
    hx: Tensor,
    input_bias?: Tensor | null,
    hidden_bias?: Tensor | null,
  ): [Tensor, Tensor];
  _thnn_fused_gru_cell_backward(
    grad_hy: Tensor,
    workspace: Tensor,
    has_bias: boolean,
  ): [Tensor, Tensor, Tensor, Tensor | null, Tensor | null];
  _thnn_fused_lstm_cell(
    input_gates: Tensor,
    hidden_gates: Tensor,
    cx: Tensor,
    input_bias?: Tensor | null,
    hidden_bias?: Tensor | null,
  ): [Tensor, Tensor, Tensor];
  _thnn_fused_lstm_cell_backward_impl(
    grad_hy: Tensor | null,
    grad_cy: Tensor | null,
    cx: Tensor,
    cy: Tensor,
    workspace: Tensor,
    has_bias: boolean,
  ): [Tensor, Tensor, Tensor | null];
  _to_copy(
    self: Tensor,
    dtype?: string | null,
    device?: string | null,
    memory_format?: string | null,
    non_blocking?: boolean,
  ): Tensor;
  _transform_bias_rescale_qkv(qkv: Tensor, qkv_bias: Tensor, num_heads: number): [Tensor, Tensor, Tensor];
  _transformer_encoder_layer_fwd(
    src: Tensor,
    embed_dim: number,
    num_heads: number,
    qkv_weight: Tensor,
    qkv_bias: Tensor,
    proj_weight: Tensor,
    proj_bias: Tensor,
    use_gelu: boolean,
    norm_first: boolean,
    eps: number,
    norm_weight_1: Tensor,
    norm_bias_1: Tensor,
    norm_weight_2: Tensor,
    norm_bias_2: Tensor,
    ffn_weight_1: Tensor,
    ffn_bias_1: Tensor,
    ffn_weight_2: Tensor,
    ffn_bias_2: Tensor,
    mask?: Tensor | null,
    mask_type?: number | null,
  ): Tensor;
  _trilinear(i1: Tensor, i2: Tensor, i3: Tensor): Tensor;
  _unique(self: Tensor): Tensor;
  _unique2(self: Tensor, sorted?: boolean, return_inverse?: boolean, return_counts?: boolean): [Tensor, Tensor, Tensor];
  _unique_consecutive(
    self: Tensor,
    return_inverse?: boolean,
    return_counts?: boolean,
    dim?: number | null,
  ): [Tensor, Tensor, Tensor];
  _unsafe_view(self: Tensor, size: readonly number[]): Tensor;
  _upsample_bicubic2d_aa(
    input: Tensor,
    output_size: readonly number[] | null,
    align_corners: boolean,
    scale_factors?: readonly number[] | null,
  ): Tensor;
  _upsample_bicubic2d_aa_backward(
    grad_output: Tensor,
    output_size: readonly number[],
    input_size: readonly number[],
    align_corners: boolean,
    scale_factors: readonly number[] | null,
  ): Tensor;
  _upsample_bilinear2d_aa(
    input: Tensor,
    output_size: readonly number[] | null,
    align_corners: boolean,
    scale_factors?: readonly number[] | null,
  ): Tensor;
  _upsample_bilinear2d_aa_backward(
    grad_output: Tensor,
    output_size: readonly number[],
    input_size: readonly number[],
    align_corners: boolean,
    scale_factors: readonly number[] | null,
  ): Tensor;
  _upsample_lanczos2d_aa(
    input: Tensor,
    output_size: readonly number[] | null,
    align_corners: boolean,
    scale_factors?: readonly number[] | null,
  ): Tensor;
  _upsample_lanczos2d_aa_backward(
    grad_output: Tensor,
    output_size: readonly number[],
    input_size: readonly number[],
    align_corners: boolean,
    scale_factors: readonly number[] | null,
  ): Tensor;
  _upsample_nearest_exact1d(
    input: Tensor,
    output_size: readonly number[] | null,
    scale_factors?: readonly number[] | null,
  ): Tensor;
  _upsample_nearest_exact1d_backward(
    grad_output: Tensor,
    output_size: readonly number[],
    input_size: readonly number[],
    align_corners: boolean,
    scale_factors: readonly number[] | null,
  ): Tensor;
  _upsample_nearest_exact2d(
    input: Tensor,
    output_size: readonly number[] | null,
    scale_factors?: readonly number[] | null,
  ): Tensor;
  _upsample_nearest_exact2d_backward(
    grad_output: Tensor,
    output_size: readonly number[],
    input_size: readonly number[],
    align_corners: boolean,
    scale_factors: readonly number[] | null,
  ): Tensor;
  _upsample_nearest_exact3d(
    input: Tensor,
    output_size: readonly number[] | null,
    scale_factors?: readonly number[] | null,
  ): Tensor;
  _upsample_nearest_exact3d_backward(
    grad_output: Tensor,
    output_size: readonly number[],
    input_size: readonly number[],
    align_corners: boolean,
    scale_factors: readonly number[] | null,
  ): Tensor;
  _weight_norm(v: Tensor, g: Tensor, dim?: number): Tensor;
  _weight_norm_interface(v: Tensor, g: Tensor, dim?: number): [Tensor, Tensor];
  _weight_norm_interface_backward(grad_w: Tensor, v: Tensor, g: Tensor, norms: Tensor, dim: number): [Tensor, Tensor];
  _where(condition: Tensor, self: Tensor, other: Tensor): Tensor;
  abs(self: Tensor): Tensor;
  abs_(self: Tensor): Tensor;
  acos(self: Tensor): Tensor;
  acos_(self: Tensor): Tensor;
  acosh(self: Tensor): Tensor;
  acosh_(self: Tensor): Tensor;
  adaptive_avg_pool1d(self: Tensor, output_size: readonly number[]): Tensor;
  adaptive_avg_pool2d(self: Tensor, output_size: readonly number[]): Tensor;
  adaptive_avg_pool3d(self: Tensor, output_size: readonly number[]): Tensor;
  adaptive_max_pool1d(self: Tensor, output_size: readonly number[]): [Tensor, Tensor];
  adaptive_max_pool2d(self: Tensor, output_size: readonly number[]): [Tensor, Tensor];
  adaptive_max_pool2d_backward(grad_output: Tensor, self: Tensor, indices: Tensor): Tensor;
  adaptive_max_pool3d(self: Tensor, output_size: readonly number[]): [Tensor, Tensor];
  adaptive_max_pool3d_backward(grad_output: Tensor, self: Tensor, indices: Tensor): Tensor;
  add(self: Tensor, other: Tensor | Scalar, alpha?: Scalar): Tensor;
  add_(self: Tensor, other: Tensor | Scalar, alpha?: Scalar): Tensor;
  addbmm(self: Tensor, batch1: Tensor, batch2: Tensor, beta?: Scalar, alpha?: Scalar): Tensor;
  addbmm_(self: Tensor, batch1: Tensor, batch2: Tensor, beta?: Scalar, alpha?: Scalar): Tensor;
  addcdiv(self: Tensor, tensor1: Tensor, tensor2: Tensor, value?: Scalar): Tensor;
  addcdiv_(self: Tensor, tensor1: Tensor, tensor2: Tensor, value?: Scalar): Tensor;
  addcmul(self: Tensor, tensor1: Tensor, tensor2: Tensor, value?: Scalar): Tensor;
  addcmul_(self: Tensor, tensor1: Tensor, tensor2: Tensor, value?: Scalar): Tensor;
  addmm(self: Tensor, mat1: Tensor, mat2: Tensor, beta?: Scalar, alpha?: Scalar): Tensor;
  addmm_(self: Tensor, mat1: Tensor, mat2: Tensor, beta?: Scalar, alpha?: Scalar): Tensor;
  addmv(self: Tensor, mat: Tensor, vec: Tensor, beta?: Scalar, alpha?: Scalar): Tensor;
  addmv_(self: Tensor, mat: Tensor, vec: Tensor, beta?: Scalar, alpha?: Scalar): Tensor;
  addr(self: Tensor, vec1: Tensor, vec2: Tensor, beta?: Scalar, alpha?: Scalar): Tensor;
  addr_(self: Tensor, vec1: Tensor, vec2: Tensor, beta?: Scalar, alpha?: Scalar): Tensor;
  affine_grid_generator(theta: Tensor, size: readonly number[], align_corners: boolean): Tensor;
  alias(self: Tensor): Tensor;
  all(self: Tensor, dim?: readonly number[] | null, keepdim?: boolean): Tensor;
  alpha_dropout(self: Tensor, p: number, train: boolean): Tensor;
  alpha_dropout_(self: Tensor, p: number, train: boolean): Tensor;
  amax(self: Tensor, dim?: readonly number[], keepdim?: boolean): Tensor;
  amin(self: Tensor, dim?: readonly number[], keepdim?: boolean): Tensor;
  aminmax(self: Tensor, dim?: number | null, keepdim?: boolean): [Tensor, Tensor];
  angle(self: Tensor): Tensor;
  any(self: Tensor, dim?: readonly number[] | null, keepdim?: boolean): Tensor;
  arange(start: Scalar, end: Scalar, step: Scalar, dtype?: string | null, device?: string | null): Tensor;
  argmax(self: Tensor, dim?: number | null, keepdim?: boolean): Tensor;
  argmin(self: Tensor, dim?: number | null, keepdim?: boolean): Tensor;
  argsort(self: Tensor, dim?: number, descending?: boolean, stable?: boolean | null): Tensor;
  argwhere(self: Tensor): Tensor;
  as_strided(self: Tensor, size: readonly number[], stride: readonly number[], storage_offset?: number | null): Tensor;
  asin(self: Tensor): Tensor;
  asin_(self: Tensor): Tensor;
  asinh(self: Tensor): Tensor;
  asinh_(self: Tensor): Tensor;
  atan(self: Tensor): Tensor;
  atan2(self: Tensor, other: Tensor | Scalar): Tensor;
  atan2_(self: Tensor, other: Tensor | Scalar): Tensor;
  atan_(self: Tensor): Tensor;
  atanh(self: Tensor): Tensor;
  atanh_(self: Tensor): Tensor;
  avg_pool1d(
    self: Tensor,
    kernel_size: readonly number[],
    stride?: readonly number[],
    padding?: readonly number[],
    ceil_mode?: boolean,
    count_include_pad?: boolean,
  ): Tensor;
  avg_pool2d(
    self: Tensor,
    kernel_size: readonly number[],
    stride?: readonly number[],
    padding?: readonly number[],
    ceil_mode?: boolean,
    count_include_pad?: boolean,
    divisor_override?: number | null,
  ): Tensor;
  avg_pool2d_backward(
    grad_output: Tensor,
    self: Tensor,
    kernel_size: readonly number[],
    stride?: readonly number[],
    padding?: readonly number[],
    ceil_mode?: boolean,
    count_include_pad?: boolean,
    divisor_override?: number | null,
  ): Tensor;
  avg_pool3d(
    self: Tensor,
    kernel_size: readonly number[],
    stride?: readonly number[],
    padding?: readonly number[],
    ceil_mode?: boolean,
    count_include_pad?: boolean,
    divisor_override?: number | null,
  ): Tensor;
  avg_pool3d_backward(
    grad_output: Tensor,
    self: Tensor,
    kernel_size: readonly number[],
    stride?: readonly number[],
    padding?: readonly number[],
    ceil_mode?: boolean,
    count_include_pad?: boolean,
    divisor_override?: number | null,
  ): Tensor;
  baddbmm(self: Tensor, batch1: Tensor, batch2: Tensor, beta?: Scalar, alpha?: Scalar): Tensor;
  baddbmm_(self: Tensor, batch1: Tensor, batch2: Tensor, beta?: Scalar, alpha?: Scalar): Tensor;
  batch_norm(
    input: Tensor,
    weight: Tensor | null,
    bias: Tensor | null,
    running_mean: Tensor | null,
    running_var: Tensor | null,
    training: boolean,
    momentum: number,
    eps: number,
    cudnn_enabled?: boolean,
  ): Tensor;
  batch_norm_backward_elemt(
    grad_out: Tensor,
    input: Tensor,
    mean: Tensor,
    invstd: Tensor,
    weight: Tensor | null,
    sum_dy: Tensor,
    sum_dy_xmu: Tensor,
    count: Tensor,
  ): Tensor;
  batch_norm_backward_reduce(
    grad_out: Tensor,
    input: Tensor,
    mean: Tensor,
    invstd: Tensor,
    weight: Tensor | null,
    input_g: boolean,
    weight_g: boolean,
    bias_g: boolean,
  ): [Tensor | null, Tensor | null, Tensor | null, Tensor | null];
  batch_norm_elemt(
    input: Tensor,
    weight: Tensor | null,
    bias: Tensor | null,
    mean: Tensor,
    invstd: Tensor,
    eps: number,
  ): Tensor;
  batch_norm_gather_stats_with_counts(
    input: Tensor,
    mean: Tensor,
    invstd: Tensor,
    running_mean: Tensor | null,
    running_var: Tensor | null,
    momentum: number,
    eps: number,
    counts: Tensor,
  ): [Tensor, Tensor];
  batch_norm_stats(input: Tensor, eps: number): [Tensor, Tensor];
  bernoulli(self: Tensor): Tensor;
  bernoulli_(self: Tensor, p?: Tensor | Scalar): Tensor;
  bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias?: Tensor | null): Tensor;
  binary_cross_entropy(self: Tensor, target: Tensor, weight?: Tensor | null, reduction?: number): Tensor;
  binary_cross_entropy_backward(
    grad_output: Tensor,
    self: Tensor,
    target: Tensor,
    weight?: Tensor | null,
    reduction?: number,
  ): Tensor;
  binary_cross_entropy_with_logits(
    self: Tensor,
    target: Tensor,
    weight?: Tensor | null,
    pos_weight?: Tensor | null,
    reduction?: number,
  ): Tensor;
  bincount(self: Tensor, weights?: Tensor | null, minlength?: number): Tensor;
  bitwise_and(self: Tensor, other: Tensor | Scalar): Tensor;
  bitwise_and_(self: Tensor, other: Tensor | Scalar): Tensor;
  bitwise_left_shift(self: Tensor, other: Tensor | Scalar): Tensor;
  bitwise_left_shift_(self: Tensor, other: Tensor | Scalar): Tensor;
  bitwise_not(self: Tensor): Tensor;
  bitwise_not_(self: Tensor): Tensor;
  bitwise_or(self: Tensor, other: Tensor | Scalar): Tensor;
  bitwise_or_(self: Tensor, other: Tensor | Scalar): Tensor;
  bitwise_right_shift(self: Tensor, other: Tensor | Scalar): Tensor;
  bitwise_right_shift_(self: Tensor, other: Tensor | Scalar): Tensor;
  bitwise_xor(self: Tensor, other: Tensor | Scalar): Tensor;
  bitwise_xor_(self: Tensor, other: Tensor | Scalar): Tensor;
  block_diag(tensors: readonly Tensor[]): Tensor;
  bmm(self: Tensor, mat2: Tensor): Tensor;
  bucketize(input: Tensor | Scalar, boundaries: Tensor, out_int32?: boolean, right?: boolean): Tensor;
  cat(tensors: readonly Tensor[], dim?: number): Tensor;
  cauchy_(self: Tensor, median?: number, sigma?: number): Tensor;
  cdist(x1: Tensor, x2: Tensor, p?: number, compute_mode?: number | null): Tensor;
  ceil(self: Tensor): Tensor;
  ceil_(self: Tensor): Tensor;
  celu(self: Tensor, alpha?: Scalar): Tensor;
  celu_(self: Tensor, alpha?: Scalar): Tensor;
  channel_shuffle(self: Tensor, groups: number): Tensor;
  cholesky(self: Tensor, upper?: boolean): Tensor;
  cholesky_inverse(self: Tensor, upper?: boolean): Tensor;
  cholesky_solve(self: Tensor, input2: Tensor, upper?: boolean): Tensor;
  chunk(self: Tensor, chunks: number, dim?: number): Tensor[];
  clamp(self: Tensor, min?: Tensor | Scalar | null, max?: Tensor | Scalar | null): Tensor;
  clamp_(self: Tensor, min?: Tensor | Scalar | null, max?: Tensor | Scalar | null): Tensor;
  clamp_max(self: Tensor, max: Tensor | Scalar): Tensor;
  clamp_max_(self: Tensor, max: Tensor | Scalar): Tensor;
  clamp_min(self: Tensor, min: Tensor | Scalar): Tensor;
  clamp_min_(self: Tensor, min: Tensor | Scalar): Tensor;
  clone(self: Tensor, memory_format?: string | null): Tensor;
  col2im(
    self: Tensor,
    output_size: readonly number[],
    kernel_size: readonly number[],
    dilation: readonly number[],
    padding: readonly number[],
    stride: readonly number[],
  ): Tensor;
  complex(real: Tensor, imag: Tensor): Tensor;
  conj(self: Tensor): Tensor;
  conj_physical(self: Tensor): Tensor;
  constant_pad_nd(self: Tensor, pad: readonly number[], value?: Scalar): Tensor;
  contiguous(self: Tensor, memory_format?: string | null): Tensor;
  conv1d(
    input: Tensor,
    weight: Tensor,
    bias?: Tensor | null,
    stride?: readonly number[],
    padding?: readonly number[],
    dilation?: readonly number[],
    groups?: number,
  ): Tensor;
  conv1d_padding(
    input: Tensor,
    weight: Tensor,
    bias?: Tensor | null,
    stride?: readonly number[],
    padding?: string,
    dilation?: readonly number[],
    groups?: number,
  ): Tensor;
  conv2d(
    input: Tensor,
    weight: Tensor,
    bias?: Tensor | null,
    stride?: readonly number[],
    padding?: readonly number[],
    dilation?: readonly number[],
    groups?: number,
  ): Tensor;
  conv2d_padding(
    input: Tensor,
    weight: Tensor,
    bias?: Tensor | null,
    stride?: readonly number[],
    padding?: string,
    dilation?: readonly number[],
    groups?: number,
  ): Tensor;
  conv3d(
    input: Tensor,
    weight: Tensor,
    bias?: Tensor | null,
    stride?: readonly number[],
    padding?: readonly number[],
    dilation?: readonly number[],
    groups?: number,
  ): Tensor;
  conv3d_padding(
    input: Tensor,
    weight: Tensor,
    bias?: Tensor | null,
    stride?: readonly number[],
    padding?: string,
    dilation?: readonly number[],
    groups?: number,
  ): Tensor;
  conv_tbc(self: Tensor, weight: Tensor, bias: Tensor, pad?: number): Tensor;
  conv_transpose1d(
    input: Tensor,
    weight: Tensor,
    bias?: Tensor | null,
    stride?: readonly number[],
    padding?: readonly number[],
    output_padding?: readonly number[],
    groups?: number,
    dilation?: readonly number[],
  ): Tensor;
  conv_transpose2d(
    input: Tensor,
    weight: Tensor,
    bias?: Tensor | null,
    stride?: readonly number[],
    padding?: readonly number[],
    output_padding?: readonly number[],
    groups?: number,
    dilation?: readonly number[],
  ): Tensor;
  conv_transpose3d(
    input: Tensor,
    weight: Tensor,
    bias?: Tensor | null,
    stride?: readonly number[],
    padding?: readonly number[],
    output_padding?: readonly number[],
    groups?: number,
    dilation?: readonly number[],
  ): Tensor;
  convolution(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | null,
    stride: readonly number[],
    padding: readonly number[],
    dilation: readonly number[],
    transposed: boolean,
    output_padding: readonly number[],
    groups: number,
  ): Tensor;
  convolution_backward(
    grad_output: Tensor,
    input: Tensor,
    weight: Tensor,
    bias_sizes: readonly number[] | null,
    stride: readonly number[],
    padding: readonly number[],
    dilation: readonly number[],
    transposed: boolean,
    output_padding: readonly number[],
    groups: number,
    input_grad: boolean,
    weight_grad: boolean,
    bias_grad: boolean,
  ): [Tensor | null, Tensor | null, Tensor | null];
  copy_(self: Tensor, src: Tensor, non_blocking?: boolean): Tensor;
  copysign(self: Tensor, other: Tensor | Scalar): Tensor;
  cos(self: Tensor): Tensor;
  cos_(self: Tensor): Tensor;
  cosh(self: Tensor): Tensor;
  cosh_(self: Tensor): Tensor;
  cosine_embedding_loss(input1: Tensor, input2: Tensor, target: Tensor, margin?: number, reduction?: number): Tensor;
  cosine_similarity(x1: Tensor, x2: Tensor, dim?: number, eps?: number): Tensor;
  count_nonzero(self: Tensor, dim?: readonly number[] | null): Tensor;
  cross(self: Tensor, other: Tensor, dim?: number | null): Tensor;
  cross_entropy_loss(
    self: Tensor,
    target: Tensor,
    weight?: Tensor | null,
    reduction?: number,
    ignore_index?: number,
    label_smoothing?: number,
  ): Tensor;
  ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: readonly number[],
    target_lengths: readonly number[],
    blank?: number,
    reduction?: number,
    zero_infinity?: boolean,
  ): Tensor;
  ctc_loss_Tensor(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Tensor,
    target_lengths: Tensor,
    blank?: number,
    reduction?: number,
    zero_infinity?: boolean,
  ): Tensor;
  cudnn_batch_norm(
    input: Tensor,
    weight: Tensor | null,
    bias: Tensor | null,
    running_mean: Tensor | null,
    running_var: Tensor | null,
    training: boolean,
    momentum: number,
    eps: number,
  ): [Tensor, Tensor, Tensor, Tensor];
  cudnn_batch_norm_backward(
    input: Tensor,
    grad_out: Tensor,
    weight: Tensor,
    running_mean: Tensor | null,
    running_var: Tensor | null,
    mean: Tensor | null,
    invstd: Tensor | null,
    eps: number,
  ): [Tensor, Tensor, Tensor];
  cummax(self: Tensor, dim: number): [Tensor, Tensor];
  cummin(self: Tensor, dim: number): [Tensor, Tensor];
  cumprod(self: Tensor, dim: number, dtype?: string | null): Tensor;
  cumprod_(self: Tensor, dim: number, dtype?: string | null): Tensor;
  cumsum(self: Tensor, dim: number, dtype?: string | null): Tensor;
  cumsum_(self: Tensor, dim: number, dtype?: string | null): Tensor;
  deg2rad(self: Tensor): Tensor;
  deg2rad_(self: Tensor): Tensor;
  dequantize_4bit(
    A: Tensor,
    absmax: Tensor,
    blocksize: number,
    quant_type: string,
    shape: readonly number[],
    dtype?: string | null,
  ): Tensor;
  dequantize_blockwise(A: Tensor, absmax: Tensor, code: Tensor, blocksize: number, dtype?: string | null): Tensor;
  det(self: Tensor): Tensor;
  detach(self: Tensor): Tensor;
  diag(self: Tensor, diagonal?: number): Tensor;
  diag_embed(self: Tensor, offset?: number, dim1?: number, dim2?: number): Tensor;
  diagonal(self: Tensor, offset?: number, dim1?: number, dim2?: number): Tensor;
  diff(self: Tensor, n?: number, dim?: number, prepend?: Tensor | null, append?: Tensor | null): Tensor;
  digamma(self: Tensor): Tensor;
  digamma_(self: Tensor): Tensor;
  dist(self: Tensor, other: Tensor, p?: Scalar): Tensor;
  div(self: Tensor, other: Tensor | Scalar, rounding_mode?: string | null): Tensor;
  div_(self: Tensor, other: Tensor | Scalar, rounding_mode?: string | null): Tensor;
  dot(self: Tensor, tensor: Tensor): Tensor;
  dropout(self: Tensor, p: number, train: boolean): Tensor;
  dropout_(self: Tensor, p: number, train: boolean): Tensor;
  einsum(equation: string, tensors: readonly Tensor[]): Tensor;
  elu(self: Tensor, alpha?: Scalar, scale?: Scalar, input_scale?: Scalar): Tensor;
  elu_(self: Tensor, alpha?: Scalar, scale?: Scalar, input_scale?: Scalar): Tensor;
  elu_backward(
    grad: Tensor,
    alpha: Scalar,
    scale: Scalar,
    input_scale: Scalar,
    is_result: boolean,
    self: Tensor,
  ): Tensor;
  embedding(
    weight: Tensor,
    indices: Tensor,
    padding_idx?: number,
    scale_grad_by_freq?: boolean,
    sparse?: boolean,
  ): Tensor;
  embedding_bag(
    weight: Tensor,
    indices: Tensor,
    offsets: Tensor,
    scale_grad_by_freq?: boolean,
    mode?: number,
    sparse?: boolean,
    per_sample_weights?: Tensor | null,
    include_last_offset?: boolean,
    padding_idx?: number | null,
  ): [Tensor, Tensor, Tensor, Tensor];
  embedding_dense_backward(
    grad_output: Tensor,
    indices: Tensor,
    num_weights: number,
    padding_idx: number,
    scale_grad_by_freq: boolean,
  ): Tensor;
  embedding_renorm_(self: Tensor, indices: Tensor, max_norm: number, norm_type: number): Tensor;
  embedding_sparse_backward(
    grad_output: Tensor,
    indices: Tensor,
    num_weights: number,
    padding_idx: number,
    scale_grad_by_freq: boolean,
  ): Tensor;
  empty(size: readonly number[], dtype?: string | null, device?: string | null): Tensor;
  empty_like(self: Tensor, dtype?: string | null, device?: string | null, memory_format?: string | null): Tensor;
  empty_strided(
    size: readonly number[],
    stride: readonly number[],
    dtype?: string | null,
    device?: string | null,
  ): Tensor;
  eq(self: Tensor, other: Tensor | Scalar): Tensor;
  eq_(self: Tensor, other: Tensor | Scalar): Tensor;
  erf(self: Tensor): Tensor;
  erf_(self: Tensor): Tensor;
  erfc(self: Tensor): Tensor;
  erfc_(self: Tensor): Tensor;
  erfinv(self: Tensor): Tensor;
  erfinv_(self: Tensor): Tensor;
  exp(self: Tensor): Tensor;
  exp2(self: Tensor): Tensor;
  exp2_(self: Tensor): Tensor;
  exp_(self: Tensor): Tensor;
  expand(self: Tensor, size: readonly number[], implicit?: boolean): Tensor;
  expm1(self: Tensor): Tensor;
  expm1_(self: Tensor): Tensor;
  exponential_(self: Tensor, lambd?: number): Tensor;
  eye(n: number, m?: number | null, dtype?: string | null, device?: string | null): Tensor;
  fake_quantize_per_channel_affine(
    self: Tensor,
    scale: Tensor,
    zero_point: Tensor,
    axis: number,
    quant_min: number,
    quant_max: number,
  ): Tensor;
  fake_quantize_per_channel_affine_cachemask(
    self: Tensor,
    scale: Tensor,
    zero_point: Tensor,
    axis: number,
    quant_min: number,
    quant_max: number,
  ): [Tensor, Tensor];
  fake_quantize_per_tensor_affine(
    self: Tensor,
    scale: Tensor | Scalar,
    zero_point: Tensor | Scalar,
    quant_min: number,
    quant_max: number,
  ): Tensor;
  fake_quantize_per_tensor_affine_cachemask(
    self: Tensor,
    scale: Tensor | Scalar,
    zero_point: Tensor | Scalar,
    quant_min: number,
    quant_max: number,
  ): [Tensor, Tensor];
  feature_alpha_dropout(self: Tensor, p: number, train: boolean): Tensor;
  feature_alpha_dropout_(self: Tensor, p: number, train: boolean): Tensor;
  feature_dropout(self: Tensor, p: number, train: boolean): Tensor;
  feature_dropout_(self: Tensor, p: number, train: boolean): Tensor;
  fft_fft(self: Tensor, n?: number | null, dim?: number, norm?: string | null): Tensor;
  fft_fft2(self: Tensor, s?: readonly number[] | null, dim?: readonly number[] | null, norm?: string | null): Tensor;
  fft_fftn(self: Tensor, s?: readonly number[] | null, dim?: readonly number[] | null, norm?: string | null): Tensor;
  fft_fftshift(self: Tensor, dim?: readonly number[] | null): Tensor;
  fft_ifft(self: Tensor, n?: number | null, dim?: number, norm?: string | null): Tensor;
  fft_ifft2(self: Tensor, s?: readonly number[] | null, dim?: readonly number[] | null, norm?: string | null): Tensor;
  fft_ifftn(self: Tensor, s?: readonly number[] | null, dim?: readonly number[] | null, norm?: string | null): Tensor;
  fft_ifftshift(self: Tensor, dim?: readonly number[] | null): Tensor;
  fft_irfft(self: Tensor, n?: number | null, dim?: number, norm?: string | null): Tensor;
  fft_irfft2(self: Tensor, s?: readonly number[] | null, dim?: readonly number[] | null, norm?: string | null): Tensor;
  fft_irfftn(self: Tensor, s?: readonly number[] | null, dim?: readonly number[] | null, norm?: string | null): Tensor;
  fft_rfft(self: Tensor, n?: number | null, dim?: number, norm?: string | null): Tensor;
  fft_rfft2(self: Tensor, s?: readonly number[] | null, dim?: readonly number[] | null, norm?: string | null): Tensor;
  fft_rfftn(self: Tensor, s?: readonly number[] | null, dim?: readonly number[] | null, norm?: string | null): Tensor;
  fill_(self: Tensor, value: Tensor | Scalar): Tensor;
  flash_attn_backward(
    dout: Tensor,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    out: Tensor,
    softmax_lse: Tensor,
    dq: Tensor,
    dk: Tensor,
    dv: Tensor,
    deterministic: boolean,
  ): Tensor;
  flash_attn_forward(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    dropout_p: number,
    has_window: boolean,
    has_slopes: boolean,
    return_softmax: boolean,
  ): [Tensor, Tensor, Tensor, Tensor];
  flash_attn_kvcache(
    q: Tensor,
    k_cache: Tensor,
    v_cache: Tensor,
    k: Tensor | null,
    v: Tensor | null,
    block_table: Tensor | null,
    has_window: boolean,
    has_slopes: boolean,
    num_splits: number,
  ): [Tensor, Tensor];
  flash_attn_varlen_backward(
    dout: Tensor,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    out: Tensor,
    softmax_lse: Tensor,
    dq: Tensor,
    dk: Tensor,
    dv: Tensor,
    cu_seqlens_q: Tensor,
    deterministic: boolean,
  ): Tensor;
  flash_attn_varlen_forward(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    cu_seqlens_q: Tensor,
    cu_seqlens_k: Tensor,
    max_seqlen_q: number,
    max_seqlen_k: number,
    dropout_p: number,
    has_window: boolean,
    has_slopes: boolean,
    return_softmax: boolean,
    paged: boolean,
  ): [Tensor, Tensor, Tensor, Tensor];
  flatten(self: Tensor, start_dim?: number, end_dim?: number): Tensor;
  flip(self: Tensor, dims: readonly number[]): Tensor;
  floor(self: Tensor): Tensor;
  floor_(self: Tensor): Tensor;
  floor_divide(self: Tensor, other: Tensor | Scalar): Tensor;
  floor_divide_(self: Tensor, other: Tensor | Scalar): Tensor;
  fmax(self: Tensor, other: Tensor | Scalar): Tensor;
  fmin(self: Tensor, other: Tensor | Scalar): Tensor;
  fmod(self: Tensor, other: Tensor | Scalar): Tensor;
  fmod_(self: Tensor, other: Tensor | Scalar): Tensor;
  frac(self: Tensor): Tensor;
  frac_(self: Tensor): Tensor;
  fractional_max_pool2d(
    self: Tensor,
    kernel_size: readonly number[],
    output_size: readonly number[],
    random_samples: Tensor,
  ): [Tensor, Tensor];
  fractional_max_pool2d_backward(grad_output: Tensor, self: Tensor, indices: Tensor): Tensor;
  fractional_max_pool3d(
    self: Tensor,
    kernel_size: readonly number[],
    output_size: readonly number[],
    random_samples: Tensor,
  ): [Tensor, Tensor];
  fractional_max_pool3d_backward(grad_output: Tensor, self: Tensor, indices: Tensor): Tensor;
  full(size: readonly number[], fill_value: Scalar, dtype?: string | null, device?: string | null): Tensor;
  full_like(
    self: Tensor,
    fill_value: Scalar,
    dtype?: string | null,
    device?: string | null,
    memory_format?: string | null,
  ): Tensor;
  gather(self: Tensor, dim: number, index: Tensor, sparse_grad?: boolean): Tensor;
  ge(self: Tensor, other: Tensor | Scalar): Tensor;
  ge_(self: Tensor, other: Tensor | Scalar): Tensor;
  gelu(self: Tensor, approximate?: string): Tensor;
  gelu_(self: Tensor, approximate?: string): Tensor;
  gelu_backward(grad: Tensor, self: Tensor, approximate: string): Tensor;
  gemv_4bit(A: Tensor, B: Tensor, shapeB: readonly number[], absmax: Tensor, code: Tensor, blocksize: number): Tensor;
  geometric_(self: Tensor, p: number): Tensor;
  geqrf(self: Tensor): [Tensor, Tensor];
  glu(self: Tensor, dim?: number): Tensor;
  glu_backward(grad: Tensor, self: Tensor, dim: number): Tensor;
  grid_sampler(
    input: Tensor,
    grid: Tensor,
    interpolation_mode: number,
    padding_mode: number,
    align_corners: boolean,
  ): Tensor;
  grid_sampler_2d(
    input: Tensor,
    grid: Tensor,
    interpolation_mode: number,
    padding_mode: number,
    align_corners: boolean,
  ): Tensor;
  grid_sampler_2d_backward(
    grad_output: Tensor,
    input: Tensor,
    grid: Tensor,
    interpolation_mode: number,
    padding_mode: number,
    align_corners: boolean,
    input_grad: boolean,
  ): [Tensor | null, Tensor];
  grid_sampler_3d(
    input: Tensor,
    grid: Tensor,
    interpolation_mode: number,
    padding_mode: number,
    align_corners: boolean,
  ): Tensor;
  grid_sampler_3d_backward(
    grad_output: Tensor,
    input: Tensor,
    grid: Tensor,
    interpolation_mode: number,
    padding_mode: number,
    align_corners: boolean,
    input_grad: boolean,
  ): [Tensor | null, Tensor];
  group_norm(
    input: Tensor,
    num_groups: number,
    weight?: Tensor | null,
    bias?: Tensor | null,
    eps?: number,
    cudnn_enabled?: boolean,
  ): Tensor;
  gru(
    input: Tensor,
    hx: Tensor,
    params: readonly Tensor[],
    has_biases: boolean,
    num_layers: number,
    dropout: number,
    train: boolean,
    bidirectional: boolean,
    batch_first: boolean,
    cudnn?: boolean,
  ): [Tensor, Tensor];
  gru_cell(input: Tensor, hx: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih?: Tensor | null, b_hh?: Tensor | null): Tensor;
  gru_data(
    data: Tensor,
    batch_sizes: Tensor,
    hx: Tensor,
    params: readonly Tensor[],
    has_biases: boolean,
    num_layers: number,
    dropout: number,
    train: boolean,
    bidirectional: boolean,
  ): [Tensor, Tensor];
  gt(self: Tensor, other: Tensor | Scalar): Tensor;
  gt_(self: Tensor, other: Tensor | Scalar): Tensor;
  hardshrink(self: Tensor, lambd?: Scalar): Tensor;
  hardshrink_backward(grad: Tensor, self: Tensor, lambd: Scalar): Tensor;
  hardsigmoid(self: Tensor): Tensor;
  hardsigmoid_(self: Tensor): Tensor;
  hardsigmoid_backward(grad: Tensor, self: Tensor): Tensor;
  hardswish(self: Tensor): Tensor;
  hardswish_(self: Tensor): Tensor;
  hardswish_backward(grad: Tensor, self: Tensor): Tensor;
  hardtanh(self: Tensor, min_val?: Scalar, max_val?: Scalar): Tensor;
  hardtanh_(self: Tensor, min_val?: Scalar, max_val?: Scalar): Tensor;
  hardtanh_backward(grad: Tensor, self: Tensor, min_val: Scalar, max_val: Scalar): Tensor;
  heaviside(self: Tensor, values: Tensor): Tensor;
  heaviside_(self: Tensor, values: Tensor): Tensor;
  hinge_embedding_loss(self: Tensor, target: Tensor, margin?: number, reduction?: number): Tensor;
  histc(self: Tensor, bins?: number, min?: Scalar, max?: Scalar): Tensor;
  huber_loss(self: Tensor, target: Tensor, reduction?: number, delta?: number): Tensor;
  huber_loss_backward(grad_output: Tensor, self: Tensor, target: Tensor, reduction: number, delta: number): Tensor;
  hypot(self: Tensor, other: Tensor): Tensor;
  hypot_(self: Tensor, other: Tensor): Tensor;
  i0(self: Tensor): Tensor;
  i0_(self: Tensor): Tensor;
  im2col(
    self: Tensor,
    kernel_size: readonly number[],
    dilation: readonly number[],
    padding: readonly number[],
    stride: readonly number[],
  ): Tensor;
  imag(self: Tensor): Tensor;
  index(self: Tensor, indices: readonly (Tensor | null)[]): Tensor;
  index_add(self: Tensor, dim: number, index: Tensor, source: Tensor, alpha?: Scalar): Tensor;
  index_add_(self: Tensor, dim: number, index: Tensor, source: Tensor, alpha?: Scalar): Tensor;
  index_copy(self: Tensor, dim: number, index: Tensor, source: Tensor): Tensor;
  index_copy_(self: Tensor, dim: number, index: Tensor, source: Tensor): Tensor;
  index_fill(self: Tensor, dim: number, index: Tensor, value: Tensor | Scalar): Tensor;
  index_fill_(self: Tensor, dim: number, index: Tensor, value: Tensor | Scalar): Tensor;
  index_put(self: Tensor, indices: readonly (Tensor | null)[], values: Tensor, accumulate?: boolean): Tensor;
  index_put_(self: Tensor, indices: readonly (Tensor | null)[], values: Tensor, accumulate?: boolean): Tensor;
  index_reduce(
    self: Tensor,
    dim: number,
    index: Tensor,
    source: Tensor,
    reduce: string,
    include_self?: boolean,
  ): Tensor;
  index_reduce_(
    self: Tensor,
    dim: number,
    index: Tensor,
    source: Tensor,
    reduce: string,
    include_self?: boolean,
  ): Tensor;
  index_select(self: Tensor, dim: number, index: Tensor): Tensor;
  inner(self: Tensor, other: Tensor): Tensor;
  instance_norm(
    input: Tensor,
    weight: Tensor | null,
    bias: Tensor | null,
    running_mean: Tensor | null,
    running_var: Tensor | null,
    use_input_stats: boolean,
    momentum: number,
    eps: number,
    cudnn_enabled: boolean,
  ): Tensor;
  int8_linear_matmul(A: Tensor, B: Tensor): Tensor;
  int8_mm_dequant(A: Tensor, row_stats: Tensor, col_stats: Tensor): Tensor;
  int8_vectorwise_quant(A: Tensor): [Tensor, Tensor];
  inverse(self: Tensor): Tensor;
  isclose(self: Tensor, other: Tensor, rtol?: number, atol?: number, equal_nan?: boolean): Tensor;
  isfinite(self: Tensor): Tensor;
  isin(elements: Tensor, test_elements: Tensor): Tensor;
  isinf(self: Tensor): Tensor;
  isnan(self: Tensor): Tensor;
  isneginf(self: Tensor): Tensor;
  isposinf(self: Tensor): Tensor;
  isreal(self: Tensor): Tensor;
  kl_div(self: Tensor, target: Tensor, reduction?: number, log_target?: boolean): Tensor;
  kron(self: Tensor, other: Tensor): Tensor;
  kthvalue(self: Tensor, k: number, dim?: number, keepdim?: boolean): [Tensor, Tensor];
  l1_loss(self: Tensor, target: Tensor, reduction?: number): Tensor;
  layer_norm(
    input: Tensor,
    normalized_shape: readonly number[],
    weight?: Tensor | null,
    bias?: Tensor | null,
    eps?: number,
    cudnn_enable?: boolean,
  ): Tensor;
  ldexp(self: Tensor, other: Tensor): Tensor;
  le(self: Tensor, other: Tensor | Scalar): Tensor;
  le_(self: Tensor, other: Tensor | Scalar): Tensor;
  leaky_relu(self: Tensor, negative_slope?: Scalar): Tensor;
  leaky_relu_(self: Tensor, negative_slope?: Scalar): Tensor;
  leaky_relu_backward(grad: Tensor, self: Tensor, slope: Scalar, result: boolean): Tensor;
  lerp(self: Tensor, end: Tensor, weight: Tensor | Scalar): Tensor;
  lerp_(self: Tensor, end: Tensor, weight: Tensor | Scalar): Tensor;
  lgamma(self: Tensor): Tensor;
  lgamma_(self: Tensor): Tensor;
  linalg_cholesky(self: Tensor, upper?: boolean): Tensor;
  linalg_cholesky_ex(self: Tensor, upper?: boolean, check_errors?: boolean): [Tensor, Tensor];
  linalg_cond(self: Tensor, p?: Scalar | null): Tensor;
  linalg_cross(self: Tensor, other: Tensor, dim?: number): Tensor;
  linalg_det(A: Tensor): Tensor;
  linalg_eig(self: Tensor): [Tensor, Tensor];
  linalg_eigh(A: Tensor, UPLO?: string): [Tensor, Tensor];
  linalg_eigvals(self: Tensor): Tensor;
  linalg_eigvalsh(A: Tensor, UPLO?: string): Tensor;
  linalg_householder_product(input: Tensor, tau: Tensor): Tensor;
  linalg_inv(A: Tensor): Tensor;
  linalg_inv_ex(A: Tensor, check_errors?: boolean): [Tensor, Tensor];
  linalg_lstsq(
    self: Tensor,
    b: Tensor,
    rcond?: number | null,
    driver?: string | null,
  ): [Tensor, Tensor, Tensor, Tensor];
  linalg_lu_factor(A: Tensor, pivot?: boolean): [Tensor, Tensor];
  linalg_lu_factor_ex(A: Tensor, pivot?: boolean, check_errors?: boolean): [Tensor, Tensor, Tensor];
  linalg_lu_solve(LU: Tensor, pivots: Tensor, B: Tensor, left?: boolean, adjoint?: boolean): Tensor;
  linalg_matrix_exp(self: Tensor): Tensor;
  linalg_matrix_norm(
    self: Tensor,
    ord: Scalar,
    dim?: readonly number[],
    keepdim?: boolean,
    dtype?: string | null,
  ): Tensor;
  linalg_matrix_norm_str_ord(
    self: Tensor,
    ord?: string,
    dim?: readonly number[],
    keepdim?: boolean,
    dtype?: string | null,
  ): Tensor;
  linalg_matrix_power(self: Tensor, n: number): Tensor;
  linalg_matrix_rank(self: Tensor, atol?: number | null, rtol?: number | null, hermitian?: boolean): Tensor;
  linalg_multi_dot(tensors: readonly Tensor[]): Tensor;
  linalg_norm(
    self: Tensor,
    ord?: Scalar | null,
    dim?: readonly number[] | null,
    keepdim?: boolean,
    dtype?: string | null,
  ): Tensor;
  linalg_norm_ord_str(
    self: Tensor,
    ord: string,
    dim?: readonly number[] | null,
    keepdim?: boolean,
    dtype?: string | null,
  ): Tensor;
  linalg_pinv(A: Tensor, rtol?: number | null, atol?: number | null, hermitian?: boolean): Tensor;
  linalg_qr(A: Tensor, mode?: string): [Tensor, Tensor];
  linalg_slogdet(A: Tensor): [Tensor, Tensor];
  linalg_solve(A: Tensor, B: Tensor, left?: boolean): Tensor;
  linalg_solve_triangular(self: Tensor, B: Tensor, upper: boolean, left?: boolean, unitriangular?: boolean): Tensor;
  linalg_svd(A: Tensor, full_matrices?: boolean, driver?: string | null): [Tensor, Tensor, Tensor];
  linalg_svdvals(A: Tensor, driver?: string | null): Tensor;
  linalg_vector_norm(
    self: Tensor,
    ord?: Scalar,
    dim?: readonly number[] | null,
    keepdim?: boolean,
    dtype?: string | null,
  ): Tensor;
  linear(input: Tensor, weight: Tensor, bias?: Tensor | null): Tensor;
  linspace(start: Scalar, end: Scalar, steps: number, dtype?: string | null, device?: string | null): Tensor;
  log(self: Tensor): Tensor;
  log10(self: Tensor): Tensor;
  log10_(self: Tensor): Tensor;
  log1p(self: Tensor): Tensor;
  log1p_(self: Tensor): Tensor;
  log2(self: Tensor): Tensor;
  log2_(self: Tensor): Tensor;
  log_(self: Tensor): Tensor;
  log_normal_(self: Tensor, mean?: number, std?: number): Tensor;
  log_sigmoid(self: Tensor): Tensor;
  log_sigmoid_backward(grad: Tensor, self: Tensor): Tensor;
  log_softmax(self: Tensor, dim: number, dtype?: string | null): Tensor;
  logaddexp(self: Tensor, other: Tensor): Tensor;
  logaddexp2(self: Tensor, other: Tensor): Tensor;
  logcumsumexp(self: Tensor, dim: number): Tensor;
  logdet(self: Tensor): Tensor;
  logical_and(self: Tensor, other: Tensor | Scalar): Tensor;
  logical_and_(self: Tensor, other: Tensor | Scalar): Tensor;
  logical_not(self: Tensor): Tensor;
  logical_not_(self: Tensor): Tensor;
  logical_or(self: Tensor, other: Tensor | Scalar): Tensor;
  logical_or_(self: Tensor, other: Tensor | Scalar): Tensor;
  logical_xor(self: Tensor, other: Tensor | Scalar): Tensor;
  logical_xor_(self: Tensor, other: Tensor | Scalar): Tensor;
  logit(self: Tensor, eps?: number | null): Tensor;
  logit_(self: Tensor, eps?: number | null): Tensor;
  logit_backward(grad: Tensor, self: Tensor): Tensor;
  logspace(
    start: Scalar,
    end: Scalar,
    steps: number,
    base?: number,
    dtype?: string | null,
    device?: string | null,
  ): Tensor;
  logsumexp(self: Tensor, dim: readonly number[], keepdim?: boolean): Tensor;
  lstm(
    input: Tensor,
    hx: readonly Tensor[],
    params: readonly Tensor[],
    has_biases: boolean,
    num_layers: number,
    dropout: number,
    train: boolean,
    bidirectional: boolean,
    batch_first: boolean,
    cudnn?: boolean,
  ): [Tensor, Tensor, Tensor];
  lstm_cell(
    input: Tensor,
    hx: readonly Tensor[],
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih?: Tensor | null,
    b_hh?: Tensor | null,
  ): [Tensor, Tensor];
  lstm_data(
    data: Tensor,
    batch_sizes: Tensor,
    hx: readonly Tensor[],
    params: readonly Tensor[],
    has_biases: boolean,
    num_layers: number,
    dropout: number,
    train: boolean,
    bidirectional: boolean,
  ): [Tensor, Tensor, Tensor];
  lt(self: Tensor, other: Tensor | Scalar): Tensor;
  lt_(self: Tensor, other: Tensor | Scalar): Tensor;
  margin_ranking_loss(input1: Tensor, input2: Tensor, target: Tensor, margin?: number, reduction?: number): Tensor;
  masked_fill(self: Tensor, mask: Tensor, value: Tensor | Scalar): Tensor;
  masked_fill_(self: Tensor, mask: Tensor, value: Tensor | Scalar): Tensor;
  masked_scatter(self: Tensor, mask: Tensor, source: Tensor): Tensor;
  masked_scatter_(self: Tensor, mask: Tensor, source: Tensor): Tensor;
  masked_scatter_backward(grad_output: Tensor, mask: Tensor, sizes: readonly number[]): Tensor;
  masked_select(self: Tensor, mask: Tensor): Tensor;
  matmul(self: Tensor, other: Tensor): Tensor;
  matrix_exp(self: Tensor): Tensor;
  matrix_power(self: Tensor, n: number): Tensor;
  max(self: Tensor): Tensor;
  max_dim(self: Tensor, dim: number, keepdim?: boolean): [Tensor, Tensor];
  max_pool1d(
    self: Tensor,
    kernel_size: readonly number[],
    stride?: readonly number[],
    padding?: readonly number[],
    dilation?: readonly number[],
    ceil_mode?: boolean,
  ): Tensor;
  max_pool1d_with_indices(
    self: Tensor,
    kernel_size: readonly number[],
    stride?: readonly number[],
    padding?: readonly number[],
    dilation?: readonly number[],
    ceil_mode?: boolean,
  ): [Tensor, Tensor];
  max_pool2d(
    self: Tensor,
    kernel_size: readonly number[],
    stride?: readonly number[],
    padding?: readonly number[],
    dilation?: readonly number[],
    ceil_mode?: boolean,
  ): Tensor;
  max_pool2d_with_indices(
    self: Tensor,
    kernel_size: readonly number[],
    stride?: readonly number[],
    padding?: readonly number[],
    dilation?: readonly number[],
    ceil_mode?: boolean,
  ): [Tensor, Tensor];
  max_pool2d_with_indices_backward(
    grad_output: Tensor,
    self: Tensor,
    kernel_size: readonly number[],
    stride: readonly number[],
    padding: readonly number[],
    dilation: readonly number[],
    ceil_mode: boolean,
    indices: Tensor,
  ): Tensor;
  max_pool3d(
    self: Tensor,
    kernel_size: readonly number[],
    stride?: readonly number[],
    padding?: readonly number[],
    dilation?: readonly number[],
    ceil_mode?: boolean,
  ): Tensor;
  max_pool3d_with_indices(
    self: Tensor,
    kernel_size: readonly number[],
    stride?: readonly number[],
    padding?: readonly number[],
    dilation?: readonly number[],
    ceil_mode?: boolean,
  ): [Tensor, Tensor];
  max_pool3d_with_indices_backward(
    grad_output: Tensor,
    self: Tensor,
    kernel_size: readonly number[],
    stride: readonly number[],
    padding: readonly number[],
    dilation: readonly number[],
    ceil_mode: boolean,
    indices: Tensor,
  ): Tensor;
  max_unpool2d(self: Tensor, indices: Tensor, output_size: readonly number[]): Tensor;
  max_unpool3d(
    self: Tensor,
    indices: Tensor,
    output_size: readonly number[],
    stride: readonly number[],
    padding: readonly number[],
  ): Tensor;
  maximum(self: Tensor, other: Tensor | Scalar): Tensor;
  mean(self: Tensor, dtype?: string | null): Tensor;
  mean_dim(self: Tensor, dim: readonly number[] | null, keepdim?: boolean, dtype?: string | null): Tensor;
  median(self: Tensor): Tensor;
  median_dim(self: Tensor, dim: number, keepdim?: boolean): [Tensor, Tensor];
  min(self: Tensor): Tensor;
  min_dim(self: Tensor, dim: number, keepdim?: boolean): [Tensor, Tensor];
  minimum(self: Tensor, other: Tensor | Scalar): Tensor;
  mish(self: Tensor): Tensor;
  mish_(self: Tensor): Tensor;
  mish_backward(grad: Tensor, self: Tensor): Tensor;
  mm(self: Tensor, mat2: Tensor): Tensor;
  mode(self: Tensor, dim?: number, keepdim?: boolean): [Tensor, Tensor];
  movedim(self: Tensor, source: readonly number[], destination: readonly number[]): Tensor;
  mse_loss(self: Tensor, target: Tensor, reduction?: number): Tensor;
  mse_loss_backward(grad_output: Tensor, self: Tensor, target: Tensor, reduction: number): Tensor;
  msort(self: Tensor): Tensor;
  mul(self: Tensor, other: Tensor | Scalar): Tensor;
  mul_(self: Tensor, other: Tensor | Scalar): Tensor;
  multi_margin_loss(
    self: Tensor,
    target: Tensor,
    p?: Scalar,
    margin?: Scalar,
    weight?: Tensor | null,
    reduction?: number,
  ): Tensor;
  multi_margin_loss_backward(
    grad_output: Tensor,
    self: Tensor,
    target: Tensor,
    p: Scalar,
    margin: Scalar,
    weight?: Tensor | null,
    reduction?: number,
  ): Tensor;
  multilabel_margin_loss(self: Tensor, target: Tensor, reduction?: number): Tensor;
  multilabel_margin_loss_backward(
    grad_output: Tensor,
    self: Tensor,
    target: Tensor,
    reduction: number,
    is_target: Tensor,
  ): Tensor;
  multilabel_margin_loss_forward(self: Tensor, target: Tensor, reduction: number): [Tensor, Tensor];
  multinomial(self: Tensor, num_samples: number, replacement?: boolean): Tensor;
  mv(self: Tensor, vec: Tensor): Tensor;
  mvlgamma(self: Tensor, p: number): Tensor;
  nan_to_num(self: Tensor, nan?: number | null, posinf?: number | null, neginf?: number | null): Tensor;
  nan_to_num_(self: Tensor, nan?: number | null, posinf?: number | null, neginf?: number | null): Tensor;
  nanmedian(self: Tensor): Tensor;
  nanmedian_dim(self: Tensor, dim: number, keepdim?: boolean): [Tensor, Tensor];
  nanquantile(self: Tensor, q: Tensor | Scalar, dim?: number | null, keepdim?: boolean, interpolation?: string): Tensor;
  nansum(self: Tensor, dim?: readonly number[] | null, keepdim?: boolean, dtype?: string | null): Tensor;
  narrow(self: Tensor, dim: number, start: number, length: number): Tensor;
  native_batch_norm(
    input: Tensor,
    weight: Tensor | null,
    bias: Tensor | null,
    running_mean: Tensor | null,
    running_var: Tensor | null,
    training: boolean,
    momentum: number,
    eps: number,
  ): [Tensor, Tensor, Tensor];
  native_batch_norm_backward(
    grad_out: Tensor,
    input: Tensor,
    weight: Tensor | null,
    running_mean: Tensor | null,
    running_var: Tensor | null,
    mean: Tensor | null,
    invstd: Tensor | null,
    training: boolean,
    eps: number,
    for_input: boolean,
    for_weight: boolean,
    for_bias: boolean,
  ): [Tensor | null, Tensor | null, Tensor | null];
  native_dropout(input: Tensor, p: number, train: boolean | null): [Tensor, Tensor];
  native_dropout_backward(grad_output: Tensor, mask: Tensor, scale: number): Tensor;
  native_group_norm(
    input: Tensor,
    weight: Tensor | null,
    bias: Tensor | null,
    N: number,
    C: number,
    HxW: number,
    group: number,
    eps: number,
  ): [Tensor, Tensor, Tensor];
  native_group_norm_backward(
    grad_out: Tensor,
    input: Tensor,
    mean: Tensor,
    rstd: Tensor,
    weight: Tensor | null,
    N: number,
    C: number,
    HxW: number,
    group: number,
    for_input: boolean,
    for_weight: boolean,
    for_bias: boolean,
  ): [Tensor | null, Tensor | null, Tensor | null];
  native_layer_norm(
    input: Tensor,
    normalized_shape: readonly number[],
    weight: Tensor | null,
    bias: Tensor | null,
    eps: number,
  ): [Tensor, Tensor, Tensor];
  native_layer_norm_backward(
    grad_out: Tensor,
    input: Tensor,
    normalized_shape: readonly number[],
    mean: Tensor,
    rstd: Tensor,
    weight: Tensor | null,
    bias: Tensor | null,
    for_input: boolean,
    for_weight: boolean,
    for_bias: boolean,
  ): [Tensor | null, Tensor | null, Tensor | null];
  ne(self: Tensor, other: Tensor | Scalar): Tensor;
  ne_(self: Tensor, other: Tensor | Scalar): Tensor;
  neg(self: Tensor): Tensor;
  neg_(self: Tensor): Tensor;
  new_empty(self: Tensor, size: readonly number[], dtype?: string | null, device?: string | null): Tensor;
  new_empty_strided(
    self: Tensor,
    size: readonly number[],
    stride: readonly number[],
    dtype?: string | null,
    device?: string | null,
  ): Tensor;
  new_zeros(self: Tensor, size: readonly number[], dtype?: string | null, device?: string | null): Tensor;
  nll_loss(self: Tensor, target: Tensor, weight?: Tensor | null, reduction?: number, ignore_index?: number): Tensor;
  nll_loss2d(self: Tensor, target: Tensor, weight?: Tensor | null, reduction?: number, ignore_index?: number): Tensor;
  nll_loss2d_backward(
    grad_output: Tensor,
    self: Tensor,
    target: Tensor,
    weight: Tensor | null,
    reduction: number,
    ignore_index: number,
    total_weight: Tensor,
  ): Tensor;
  nll_loss2d_forward(
    self: Tensor,
    target: Tensor,
    weight: Tensor | null,
    reduction: number,
    ignore_index: number,
  ): [Tensor, Tensor];
  nll_loss_backward(
    grad_output: Tensor,
    self: Tensor,
    target: Tensor,
    weight: Tensor | null,
    reduction: number,
    ignore_index: number,
    total_weight: Tensor,
  ): Tensor;
  nll_loss_forward(
    self: Tensor,
    target: Tensor,
    weight: Tensor | null,
    reduction: number,
    ignore_index: number,
  ): [Tensor, Tensor];
  nll_loss_nd(self: Tensor, target: Tensor, weight?: Tensor | null, reduction?: number, ignore_index?: number): Tensor;
  nonzero(self: Tensor): Tensor;
  nonzero_numpy(self: Tensor): Tensor[];
  nonzero_static(self: Tensor, size: number, fill_value?: number): Tensor;
  norm_except_dim(v: Tensor, pow?: number, dim?: number): Tensor;
  normal_(self: Tensor, mean?: number, std?: number): Tensor;
  normal_Tensor_Tensor(mean: Tensor, std: Tensor | Scalar): Tensor;
  one_hot(self: Tensor, num_classes?: number): Tensor;
  ones(size: readonly number[], dtype?: string | null, device?: string | null): Tensor;
  ones_like(self: Tensor, dtype?: string | null, device?: string | null, memory_format?: string | null): Tensor;
  outer(self: Tensor, vec2: Tensor): Tensor;
  pad(self: Tensor, pad: readonly number[], mode?: string, value?: number | null): Tensor;
  pad_sequence(
    sequences: readonly Tensor[],
    batch_first?: boolean,
    padding_value?: number,
    padding_side?: string,
  ): Tensor;
  pairwise_distance(x1: Tensor, x2: Tensor, p?: number, eps?: number, keepdim?: boolean): Tensor;
  pdist(self: Tensor, p?: number): Tensor;
  permute(self: Tensor, dims: readonly number[]): Tensor;
  pinverse(self: Tensor, rcond?: number): Tensor;
  pixel_shuffle(self: Tensor, upscale_factor: number): Tensor;
  pixel_unshuffle(self: Tensor, downscale_factor: number): Tensor;
  poisson(self: Tensor): Tensor;
  poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: boolean,
    full: boolean,
    eps: number,
    reduction: number,
  ): Tensor;
  polar(abs: Tensor, angle: Tensor): Tensor;
  polygamma(n: number, self: Tensor): Tensor;
  positive(self: Tensor): Tensor;
  pow(self: Tensor, exponent: Tensor | Scalar): Tensor;
  pow_(self: Tensor, exponent: Tensor | Scalar): Tensor;
  pow_Scalar(self: Scalar, exponent: Tensor): Tensor;
  prelu(self: Tensor, weight: Tensor): Tensor;
  prod(self: Tensor, dim?: number | null, keepdim?: boolean, dtype?: string | null): Tensor;
  put(self: Tensor, index: Tensor, source: Tensor, accumulate?: boolean): Tensor;
  put_(self: Tensor, index: Tensor, source: Tensor, accumulate?: boolean): Tensor;
  qr(self: Tensor, some?: boolean): [Tensor, Tensor];
  quantile(self: Tensor, q: Tensor | Scalar, dim?: number | null, keepdim?: boolean, interpolation?: string): Tensor;
  quantize_4bit(A: Tensor, blocksize: number, quant_type: string, quant_storage?: string | null): [Tensor, Tensor];
  quantize_blockwise(A: Tensor, code: Tensor, blocksize: number): [Tensor, Tensor];
  rad2deg(self: Tensor): Tensor;
  rad2deg_(self: Tensor): Tensor;
  rand(size: readonly number[], dtype?: string | null, device?: string | null): Tensor;
  rand_like(self: Tensor, dtype?: string | null, device?: string | null, memory_format?: string | null): Tensor;
  randint(low: Scalar, high: Scalar, size: readonly number[], dtype?: string | null, device?: string | null): Tensor;
  randint_like(
    self: Tensor,
    low: Scalar,
    high: Scalar,
    dtype?: string | null,
    device?: string | null,
    memory_format?: string | null,
  ): Tensor;
  randn(size: readonly number[], dtype?: string | null, device?: string | null): Tensor;
  randn_like(self: Tensor, dtype?: string | null, device?: string | null, memory_format?: string | null): Tensor;
  random_(self: Tensor, low?: number | null, high?: number | null): Tensor;
  randperm(n: number, dtype?: string | null, device?: string | null): Tensor;
  real(self: Tensor): Tensor;
  reciprocal(self: Tensor): Tensor;
  reciprocal_(self: Tensor): Tensor;
  reflection_pad1d(self: Tensor, padding: readonly number[]): Tensor;
  reflection_pad1d_backward(grad_output: Tensor, self: Tensor, padding: readonly number[]): Tensor;
  reflection_pad2d(self: Tensor, padding: readonly number[]): Tensor;
  reflection_pad2d_backward(grad_output: Tensor, self: Tensor, padding: readonly number[]): Tensor;
  reflection_pad3d(self: Tensor, padding: readonly number[]): Tensor;
  reflection_pad3d_backward(grad_output: Tensor, self: Tensor, padding: readonly number[]): Tensor;
  relu(self: Tensor): Tensor;
  relu6(self: Tensor): Tensor;
  relu6_(self: Tensor): Tensor;
  relu_(self: Tensor): Tensor;
  remainder(self: Tensor, other: Tensor | Scalar): Tensor;
  remainder_(self: Tensor, other: Tensor | Scalar): Tensor;
  repeat(self: Tensor, repeats: readonly number[]): Tensor;
  repeat_interleave(self: Tensor, repeats: number, dim?: number | null, output_size?: number | null): Tensor;
  replication_pad1d(self: Tensor, padding: readonly number[]): Tensor;
  replication_pad1d_backward(grad_output: Tensor, self: Tensor, padding: readonly number[]): Tensor;
  replication_pad2d(self: Tensor, padding: readonly number[]): Tensor;
  replication_pad2d_backward(grad_output: Tensor, self: Tensor, padding: readonly number[]): Tensor;
  replication_pad3d(self: Tensor, padding: readonly number[]): Tensor;
  replication_pad3d_backward(grad_output: Tensor, self: Tensor, padding: readonly number[]): Tensor;
  reshape(self: Tensor, shape: readonly number[]): Tensor;
  resolve_conj(self: Tensor): Tensor;
  resolve_neg(self: Tensor): Tensor;
  rms_norm(input: Tensor, normalized_shape: readonly number[], weight?: Tensor | null, eps?: number | null): Tensor;
  rnn_relu(
    input: Tensor,
    hx: Tensor,
    params: readonly Tensor[],
    has_biases: boolean,
    num_layers: number,
    dropout: number,
    train: boolean,
    bidirectional: boolean,
    batch_first: boolean,
    cudnn?: boolean,
  ): [Tensor, Tensor];
  rnn_relu_cell(
    input: Tensor,
    hx: Tensor,
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih?: Tensor | null,
    b_hh?: Tensor | null,
  ): Tensor;
  rnn_relu_data(
    data: Tensor,
    batch_sizes: Tensor,
    hx: Tensor,
    params: readonly Tensor[],
    has_biases: boolean,
    num_layers: number,
    dropout: number,
    train: boolean,
    bidirectional: boolean,
  ): [Tensor, Tensor];
  rnn_tanh(
    input: Tensor,
    hx: Tensor,
    params: readonly Tensor[],
    has_biases: boolean,
    num_layers: number,
    dropout: number,
    train: boolean,
    bidirectional: boolean,
    batch_first: boolean,
    cudnn?: boolean,
  ): [Tensor, Tensor];
  rnn_tanh_cell(
    input: Tensor,
    hx: Tensor,
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih?: Tensor | null,
    b_hh?: Tensor | null,
  ): Tensor;
  rnn_tanh_data(
    data: Tensor,
    batch_sizes: Tensor,
    hx: Tensor,
    params: readonly Tensor[],
    has_biases: boolean,
    num_layers: number,
    dropout: number,
    train: boolean,
    bidirectional: boolean,
  ): [Tensor, Tensor];
  roll(self: Tensor, shifts: readonly number[], dims?: readonly number[]): Tensor;
  round(self: Tensor, decimals?: number): Tensor;
  round_(self: Tensor, decimals?: number): Tensor;
  rrelu(self: Tensor, lower?: Scalar, upper?: Scalar, training?: boolean): Tensor;
  rrelu_(self: Tensor, lower?: Scalar, upper?: Scalar, training?: boolean): Tensor;
  rrelu_with_noise(self: Tensor, noise: Tensor, lower?: Scalar, upper?: Scalar, training?: boolean): Tensor;
  rrelu_with_noise_(self: Tensor, noise: Tensor, lower?: Scalar, upper?: Scalar, training?: boolean): Tensor;
  rsqrt(self: Tensor): Tensor;
  rsqrt_(self: Tensor): Tensor;
  rsub(self: Tensor, other: Tensor | Scalar, alpha?: Scalar): Tensor;
  scalar_tensor(s: Scalar, dtype?: string | null, device?: string | null): Tensor;
  scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask?: Tensor | null,
    dropout_p?: number,
    is_causal?: boolean,
    scale?: number | null,
    enable_gqa?: boolean,
    kernels?: string | null,
    head_size?: number | null,
  ): Tensor;
  scatter(self: Tensor, dim: number, index: Tensor, src: Tensor | Scalar, reduce?: string | null): Tensor;
  scatter_(self: Tensor, dim: number, index: Tensor, src: Tensor | Scalar, reduce?: string | null): Tensor;
  scatter_add(self: Tensor, dim: number, index: Tensor, src: Tensor): Tensor;
  scatter_add_(self: Tensor, dim: number, index: Tensor, src: Tensor): Tensor;
  scatter_reduce(self: Tensor, dim: number, index: Tensor, src: Tensor, reduce: string, include_self?: boolean): Tensor;
  scatter_reduce_(
    self: Tensor,
    dim: number,
    index: Tensor,
    src: Tensor,
    reduce: string,
    include_self?: boolean,
  ): Tensor;
  searchsorted(
    sorted_sequence: Tensor,
    self: Tensor | Scalar,
    out_int32?: boolean,
    right?: boolean,
    side?: string | null,
    sorter?: Tensor | null,
  ): Tensor;
  select(self: Tensor, dim: number, index: number): Tensor;
  select_backward(grad: Tensor, sizes: readonly number[], dim: number, index: number): Tensor;
  selu(self: Tensor): Tensor;
  selu_(self: Tensor): Tensor;
  sgn(self: Tensor): Tensor;
  sgn_(self: Tensor): Tensor;
  sigmoid(self: Tensor): Tensor;
  sigmoid_(self: Tensor): Tensor;
  sigmoid_backward(grad: Tensor, output: Tensor): Tensor;
  sign(self: Tensor): Tensor;
  sign_(self: Tensor): Tensor;
  signbit(self: Tensor): Tensor;
  silu(self: Tensor): Tensor;
  silu_(self: Tensor): Tensor;
  silu_backward(grad: Tensor, self: Tensor): Tensor;
  sin(self: Tensor): Tensor;
  sin_(self: Tensor): Tensor;
  sinc(self: Tensor): Tensor;
  sinc_(self: Tensor): Tensor;
  sinh(self: Tensor): Tensor;
  sinh_(self: Tensor): Tensor;
  slice(self: Tensor, dim?: number, start?: number | null, end?: number | null, step?: number): Tensor;
  slice_backward(
    grad: Tensor,
    sizes: readonly number[],
    dim: number,
    start: number | null,
    end: number | null,
    step: number,
  ): Tensor;
  slogdet(self: Tensor): [Tensor, Tensor];
  smooth_l1_loss(self: Tensor, target: Tensor, reduction?: number, beta?: number): Tensor;
  smooth_l1_loss_backward(grad_output: Tensor, self: Tensor, target: Tensor, reduction: number, beta: number): Tensor;
  soft_margin_loss(self: Tensor, target: Tensor, reduction?: number): Tensor;
  soft_margin_loss_backward(grad_output: Tensor, self: Tensor, target: Tensor, reduction: number): Tensor;
  softmax(self: Tensor, dim: number, dtype?: string | null): Tensor;
  softplus(self: Tensor, beta?: Scalar, threshold?: Scalar): Tensor;
  softplus_backward(grad: Tensor, self: Tensor, beta: Scalar, threshold: Scalar): Tensor;
  softshrink(self: Tensor, lambd?: Scalar): Tensor;
  softshrink_backward(grad: Tensor, self: Tensor, lambd: Scalar): Tensor;
  sort(self: Tensor, dim?: number, descending?: boolean, stable?: boolean | null): [Tensor, Tensor];
  special_entr(self: Tensor): Tensor;
  special_erfcx(self: Tensor): Tensor;
  special_i0e(self: Tensor): Tensor;
  special_i1(self: Tensor): Tensor;
  special_i1e(self: Tensor): Tensor;
  special_log_ndtr(self: Tensor): Tensor;
  special_ndtr(self: Tensor): Tensor;
  special_ndtri(self: Tensor): Tensor;
  special_xlog1py(self: Tensor, other: Tensor | Scalar): Tensor;
  split_Tensor(self: Tensor, split_size: number, dim?: number): Tensor[];
  split_with_sizes(self: Tensor, split_sizes: readonly number[], dim?: number): Tensor[];
  sqrt(self: Tensor): Tensor;
  sqrt_(self: Tensor): Tensor;
  square(self: Tensor): Tensor;
  square_(self: Tensor): Tensor;
  squeeze(self: Tensor): Tensor;
  squeeze_dim(self: Tensor, dim: number): Tensor;
  squeeze_dims(self: Tensor, dim: readonly number[]): Tensor;
  stack(tensors: readonly Tensor[], dim?: number): Tensor;
  std(self: Tensor, dim?: readonly number[] | null, correction?: Scalar | null, keepdim?: boolean): Tensor;
  sub(self: Tensor, other: Tensor | Scalar, alpha?: Scalar): Tensor;
  sub_(self: Tensor, other: Tensor | Scalar, alpha?: Scalar): Tensor;
  sum(self: Tensor, dtype?: string | null): Tensor;
  sum_dim_IntList(self: Tensor, dim: readonly number[] | null, keepdim?: boolean, dtype?: string | null): Tensor;
  sum_to_size(self: Tensor, size: readonly number[]): Tensor;
  svd(self: Tensor, some?: boolean, compute_uv?: boolean): [Tensor, Tensor, Tensor];
  t(self: Tensor): Tensor;
  take(self: Tensor, index: Tensor): Tensor;
  take_along_dim(self: Tensor, indices: Tensor, dim?: number | null): Tensor;
  tan(self: Tensor): Tensor;
  tan_(self: Tensor): Tensor;
  tanh(self: Tensor): Tensor;
  tanh_(self: Tensor): Tensor;
  tanh_backward(grad: Tensor, output: Tensor): Tensor;
  tensordot(self: Tensor, other: Tensor, dims_self: readonly number[], dims_other: readonly number[]): Tensor;
  threshold(self: Tensor, threshold: Scalar, value: Scalar): Tensor;
  threshold_(self: Tensor, threshold: Scalar, value: Scalar): Tensor;
  threshold_backward(grad: Tensor, self: Tensor, threshold: Scalar): Tensor;
  to(
    self: Tensor,
    dtype?: string | null,
    device?: string | null,
    non_blocking?: boolean,
    copy?: boolean,
    memory_format?: string | null,
  ): Tensor;
  topk(self: Tensor, k: number, dim?: number, largest?: boolean, sorted?: boolean): [Tensor, Tensor];
  trace(self: Tensor): Tensor;
  transpose(self: Tensor, dim0: number, dim1: number): Tensor;
  trapezoid(y: Tensor, x?: Tensor | null, dx?: Scalar, dim?: number): Tensor;
  tril(self: Tensor, diagonal?: number): Tensor;
  tril_(self: Tensor, diagonal?: number): Tensor;
  tril_indices(
    row: number,
    col: number,
    offset?: number,
    upper?: boolean,
    dtype?: string | null,
    device?: string | null,
  ): Tensor;
  triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin?: number,
    p?: number,
    eps?: number,
    swap?: boolean,
    reduction?: number,
  ): Tensor;
  triu(self: Tensor, diagonal?: number): Tensor;
  triu_(self: Tensor, diagonal?: number): Tensor;
  trunc(self: Tensor): Tensor;
  trunc_(self: Tensor): Tensor;
  unbind(self: Tensor, dim?: number): Tensor[];
  unflatten(self: Tensor, dim: number, sizes: readonly number[]): Tensor;
  unfold(self: Tensor, dimension: number, size: number, step: number): Tensor;
  unfold_backward(grad_in: Tensor, input_sizes: readonly number[], dim: number, size: number, step: number): Tensor;
  uniform_(self: Tensor, a?: number, b?: number): Tensor;
  unique_dim(
    self: Tensor,
    dim: number,
    sorted?: boolean,
    return_inverse?: boolean,
    return_counts?: boolean,
  ): [Tensor, Tensor, Tensor];
  unsqueeze(self: Tensor, dim: number): Tensor;
  upsample_bicubic2d(
    input: Tensor,
    output_size: readonly number[] | null,
    align_corners: boolean,
    scale_factors?: readonly number[] | null,
  ): Tensor;
  upsample_bicubic2d_backward(
    grad_output: Tensor,
    output_size: readonly number[],
    input_size: readonly number[],
    align_corners: boolean,
    scale_factors: readonly number[] | null,
  ): Tensor;
  upsample_bilinear2d(
    input: Tensor,
    output_size: readonly number[] | null,
    align_corners: boolean,
    scale_factors?: readonly number[] | null,
  ): Tensor;
  upsample_bilinear2d_backward(
    grad_output: Tensor,
    output_size: readonly number[],
    input_size: readonly number[],
    align_corners: boolean,
    scale_factors: readonly number[] | null,
  ): Tensor;
  upsample_linear1d(
    input: Tensor,
    output_size: readonly number[] | null,
    align_corners: boolean,
    scale_factors?: readonly number[] | null,
  ): Tensor;
  upsample_linear1d_backward(
    grad_output: Tensor,
    output_size: readonly number[],
    input_size: readonly number[],
    align_corners: boolean,
    scale_factors: readonly number[] | null,
  ): Tensor;
  upsample_nearest1d(
    input: Tensor,
    output_size: readonly number[] | null,
    scale_factors?: readonly number[] | null,
  ): Tensor;
  upsample_nearest1d_backward(
    grad_output: Tensor,
    output_size: readonly number[],
    input_size: readonly number[],
    align_corners: boolean,
    scale_factors: readonly number[] | null,
  ): Tensor;
  upsample_nearest2d(
    input: Tensor,
    output_size: readonly number[] | null,
    scale_factors?: readonly number[] | null,
  ): Tensor;
  upsample_nearest2d_backward(
    grad_output: Tensor,
    output_size: readonly number[],
    input_size: readonly number[],
    align_corners: boolean,
    scale_factors: readonly number[] | null,
  ): Tensor;
  upsample_nearest3d(
    input: Tensor,
    output_size: readonly number[] | null,
    scale_factors?: readonly number[] | null,
  ): Tensor;
  upsample_nearest3d_backward(
    grad_output: Tensor,
    output_size: readonly number[],
    input_size: readonly number[],
    align_corners: boolean,
    scale_factors: readonly number[] | null,
  ): Tensor;
  upsample_trilinear3d(
    input: Tensor,
    output_size: readonly number[] | null,
    align_corners: boolean,
    scale_factors?: readonly number[] | null,
  ): Tensor;
  upsample_trilinear3d_backward(
    grad_output: Tensor,
    output_size: readonly number[],
    input_size: readonly number[],
    align_corners: boolean,
    scale_factors: readonly number[] | null,
  ): Tensor;
  var(self: Tensor, dim?: readonly number[] | null, correction?: Scalar | null, keepdim?: boolean): Tensor;
  var_mean(
    self: Tensor,
    dim?: readonly number[] | null,
    correction?: Scalar | null,
    keepdim?: boolean,
  ): [Tensor, Tensor];
  vdot(self: Tensor, other: Tensor): Tensor;
  view(self: Tensor, size: readonly number[]): Tensor;
  view_as_complex(self: Tensor): Tensor;
  view_as_real(self: Tensor): Tensor;
  view_dtype(self: Tensor, dtype: string | null): Tensor;
  view_or_reshape(self: Tensor, size: readonly number[]): Tensor;
  where(condition: Tensor, self: Tensor | Scalar, other: Tensor | Scalar): Tensor;
  xlogy(self: Tensor, other: Tensor | Scalar): Tensor;
  xlogy_(self: Tensor, other: Tensor | Scalar): Tensor;
  zero_(self: Tensor): Tensor;
  zeros(size: readonly number[], dtype?: string | null, device?: string | null): Tensor;
  zeros_like(self: Tensor, dtype?: string | null, device?: string | null, memory_format?: string | null): Tensor;
}
