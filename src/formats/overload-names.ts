/**
 * Names of operators as C++ joins them with their overloads (`sum_dim_IntList` of `at::_ops`), taken apart: PyTorch's overloads, and the operators
 * that end like one. Read from native_functions.yaml of 2.14.
 */

const OVERLOADS = `
IntList IntList_out KN L List OutScalar_Other OutScalar_Self OutTensor Scalar ScalarAndTensor ScalarList ScalarOpt_dim ScalarOpt_dim_dtype
ScalarOpt_dtype ScalarOther ScalarSelf Scalar_Other Scalar_Scalar Scalar_Self Scalar_Tensor Scalar_Tensor_out Scalar_mode Scalar_out
Sequence Tensor TensorList_bins Tensor_Scalar Tensor_Scalar_out Tensor_Tensor Tensor_Tensor_out Tensor_float Tensor_float_out
Tensor_generator Tensor_mode Tensor_out U X a all_out array atol_rtol_float atol_rtol_float_out atol_rtol_tensor atol_rtol_tensor_out b beta
bin_ct bin_ct_out bins_tensor bins_tensor_out ccol_row_value ccol_row_value_size center comp_plain_value comp_plain_value_size correction
correction_out crow_col_value crow_col_value_size data decimals decimals_out deprecated device dim dim_IntList dim_dtype dim_int dim_max
dim_min dim_out dim_values dims dims_out dtype dtype_layout dtype_out dx eigenvalues eigvals float float_Tensor float_Tensor_out float_float
float_float_out from fullcoverage generator generator_out grad_input indexing indices indices_size input int int_Scalar int_Tensor int_bins
int_out intlist inverse low low_dtype low_generator low_generator_dtype low_generator_out low_out m m_out memory_format msg n_scalar
n_scalar_out no_stats no_stats_out ntonly ord_str ord_str_out other other_scalar other_scalar_out out out_ out_mode out_rcond_tensor
out_tol_tensor output output_mask p p_str p_str_out padding padding_idx periodic periodic_alpha periodic_alpha_beta quantized rcond_tensor
reduce reduce_out result scalar scalar_out scalararray scalarint scalarrayarray scalarrayint sections self self_Tensor self_int self_out
self_scalar self_scalar_out sign size sizes source_Storage source_Storage_storage_offset source_Tensor source_Tensor_storage_offset
sparse_dim src src_out stable stable_out start start_out start_step step str_ord str_ord_out tensor_indices_or_sections tensor_lr
tensor_qparams tensorarray tensorarrayint tensors to tol_tensor two two_out unary_out using_ints value value_out value_reduce
value_reduce_out values values_stable vec x x_scalar x_scalar_out
`;

/** Operators whose own names end as overloads do. */
const WHOLE = `
_add_batch_dim _assert_scalar _copy_from _cufft_get_plan_cache_max_size _cufft_get_plan_cache_size _cufft_set_plan_cache_max_size
_empty_affine_quantized _empty_per_channel_affine_quantized _fake_quantize_per_tensor_affine_cachemask_tensor_qparams _foreach_sign
_functional_assert_scalar _functional_sym_constrain_range_for_size _histogramdd_from_bin_tensors _linalg_eigvals _log_softmax_backward_data
_nested_get_values _nested_tensor_size _propagate_xla_data _remove_batch_dim _softmax_backward_data _sparse_broadcast_to
_sparse_compressed_tensor_with_dims _sparse_coo_tensor_with_dims _sparse_coo_tensor_with_dims_and_tensors _sparse_log_softmax_backward_data
_sparse_softmax_backward_data _test_optional_filled_intlist _test_optional_intlist _validate_compressed_sparse_indices affine_grid_generator
batch_norm_backward_reduce broadcast_tensors broadcast_to ccol_indices cholesky_inverse col_indices crow_indices cudnn_affine_grid_generator
dense_dim empty_quantized flatten_dense_tensors get_device index_reduce is_same_size is_set_to linalg_eigvals max_pool1d_with_indices
max_pool2d_with_indices max_pool3d_with_indices mkldnn_linear_backward_input norm_except_dim row_indices segment_reduce set_data
slice_inverse sparse_dim special_legendre_polynomial_p split_with_sizes sum_to_size sym_constrain_range_for_size take_along_dim tril_indices
triu_indices unflatten_dense_tensors unique_dim unsafe_split_with_sizes
`;

const words = (text: string): string[] => text.split(/\s+/).filter(Boolean);
/** The longest first: `dim_IntList` before `IntList`. */
const overloads = words(OVERLOADS).sort((a, b) => b.length - a.length);
const whole = new Set(words(WHOLE));

/** The operator's name without its overload. */
export function withoutOverload(joined: string): string {
  if (whole.has(joined)) return joined;
  const ends = overloads.filter((overload) => joined.length > overload.length + 1 && joined.endsWith(`_${overload}`));
  const names = ends.map((overload) => joined.slice(0, -overload.length - 1));
  return names.find((name) => whole.has(name)) ?? names[0] ?? joined;
}
