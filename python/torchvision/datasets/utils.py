"""torchvision.datasets.utils: downloads, which there are none of."""

import os


def _no_network(url, *_, **__):
    raise RuntimeError(f"vramscope has no network: {url} cannot be downloaded")


download_and_extract_archive = download_file_from_google_drive = _no_network


def download_url(url, root, filename=None, md5=None, max_redirect_hops=3):
    """A placeholder by the ending of the address stands in for what it leads to."""
    from vramscope_data import downloads

    path = os.path.join(os.path.expanduser(root), filename or os.path.basename(url))
    if not os.path.exists(path) and not downloads.keep(url, path):
        _no_network(url)


def check_integrity(fpath, md5=None):
    return os.path.isfile(fpath)


def extract_archive(from_path, to_path=None, remove_finished=False):
    raise RuntimeError("vramscope unpacks no archives of data sets")


def verify_str_arg(value, arg=None, valid_values=None, custom_msg=None):
    if valid_values is not None and value not in valid_values:
        raise ValueError(custom_msg or f"Unknown value '{value}' for argument {arg}.")
    return value
