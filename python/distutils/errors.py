"""distutils.errors: what goes wrong when extensions are built."""


class DistutilsError(Exception):
    """Something went wrong."""


class CCompilerError(Exception):
    """A compiler failed."""


class CompileError(CCompilerError):
    """A source file did not compile."""


class LinkError(CCompilerError):
    """Object files did not link."""


class DistutilsExecError(DistutilsError):
    """A command could not be run."""


class DistutilsPlatformError(DistutilsError):
    """The platform cannot do it."""
