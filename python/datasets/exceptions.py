"""What loading a data set may raise, of one kind with Python's own errors as in the package."""


class DatasetsError(Exception):
    pass


class FileNotFoundDatasetsError(DatasetsError, FileNotFoundError):
    pass


class DatasetNotFoundError(FileNotFoundDatasetsError):
    pass


class DatasetBuildError(DatasetsError):
    pass


class DatasetGenerationError(DatasetBuildError):
    pass
