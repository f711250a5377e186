"""datasets of Hugging Face, whose rows lie in files of Arrow, which no program here reads: rows of the right kind stand in.

A data set that this package knows by name has its columns and its number of rows; of another one the rows are texts. JSON, CSV and
text files that are there are read. Rows are made when somebody asks for them.
"""

from ._dataset import Column, Dataset, concatenate_datasets, interleave_datasets
from ._features import Audio, ClassLabel, Features, Image, Sequence, Translation, Value
from ._iterable import IterableDataset
from ._load import get_dataset_config_names, get_dataset_split_names, load_dataset, load_from_disk
from ._splits import DatasetDict, IterableDatasetDict, Split, disable_caching, disable_progress_bar, enable_caching, enable_progress_bar, is_caching_enabled  # noqa: E501 # fmt: skip

from torch._stand_ins import lacks

from . import utils

__all__ = [
    "Audio", "ClassLabel", "Dataset", "DatasetDict", "Features", "Image", "IterableDataset", "IterableDatasetDict", "Translation",
    "Sequence", "Split", "Value", "concatenate_datasets", "disable_caching", "disable_progress_bar", "enable_caching", "enable_progress_bar", "is_caching_enabled",
    "get_dataset_config_names", "get_dataset_split_names", "interleave_datasets", "load_dataset", "load_from_disk",
    "utils",
]  # fmt: skip
__version__ = "4.4.1"

List = Sequence
disable_progress_bars, enable_progress_bars = disable_progress_bar, enable_progress_bar

__getattr__ = lacks(__name__)
