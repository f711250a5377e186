"""What is raised for texts that are no YAML."""


class YAMLError(Exception):
    """Any error."""


class MarkedYAMLError(YAMLError):
    """One at a line."""

    def __init__(self, problem=None, line=None):
        super().__init__(problem if line is None else f'{problem}\n  in "<yaml>", line {line}')
        self.problem, self.problem_mark = problem, None
