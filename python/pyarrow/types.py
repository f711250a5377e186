"""pyarrow.types: what kind a column's type is; those of tables here are Python's."""


def is_list(kind):
    return kind is list


is_large_list = is_fixed_size_list = is_list


def is_string(kind):
    return kind is str


is_large_string = is_string


def is_integer(kind):
    return kind is int


def is_floating(kind):
    return kind is float


def is_struct(kind):
    return kind is dict


def is_dictionary(kind):
    return False


def is_null(kind):
    return kind is type(None)
