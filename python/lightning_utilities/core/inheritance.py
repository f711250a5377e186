"""Subclasses of a class."""


def get_all_subclasses_iterator(cls):
    for subclass in cls.__subclasses__():
        yield subclass
        yield from get_all_subclasses_iterator(subclass)


def get_all_subclasses(cls):
    return set(get_all_subclasses_iterator(cls))
