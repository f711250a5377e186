"""PIL.features: nothing compiled is there."""


def check(feature):
    return False


version = check
