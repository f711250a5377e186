"""Names that few programs ask for, by the file that has them; it is loaded when one is asked for."""

FILES = {
    name: file
    for file, names in {
        "_triangles": "tri tril_indices triu_indices tril_indices_from triu_indices_from mask_indices diag_indices "
        "diag_indices_from fill_diagonal vander",
        "_putting": "flatnonzero put place putmask choose compress trim_zeros ediff1d vsplit hsplit dsplit unstack "
        "apply_over_axes",
        "_nan": "nanprod nancumsum nancumprod nanargmax nanargmin nanvar nanpercentile nanquantile",
        "_rare_math": "fmin fmax nextafter ldexp logaddexp2 isposinf isneginf fix spacing bitwise_count i0 kaiser "
        "real_if_close vecdot matvec vecmat correlate packbits unpackbits base_repr binary_repr format_float_scientific",
        "_polynomials": "poly1d poly polyadd polysub polymul polydiv polyder polyint roots",
        "_matrices": "matrix asmatrix mat bmat",
        "_dates": "datetime64 timedelta64 isnat",
        "_less_used": "array_equiv asfortranarray asarray_chkfinite asfarray astype bitwise_invert bitwise_left_shift "
        "bitwise_right_shift broadcast common_type cumulative_prod cumulative_sum flatiter flexible get_include getbufsize "
        "histogram_bin_edges histogramdd info isdtype mintypecode recarray record sort_complex typename unique_all "
        "unique_counts unique_inverse unique_values void setbufsize geterrcall seterrcall show_runtime",
        "_printing": "get_printoptions set_printoptions printoptions",
        "_former": "float int object str complex unicode object0 NINF PINF infty NZERO PZERO complex_ singlecomplex cfloat "
        "longcomplex clongfloat longfloat string_ unicode_ round_ issubclass_ disp typeDict sctypes nbytes msort issctype "
        "obj2sctype sctype2char issubsctype find_common_type deprecate",
    }.items()
    for name in names.split()
}
