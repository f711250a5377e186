"""gradcheck: there are no values to check."""


def gradcheck(*_, **__):
    return True


def gradgradcheck(*_, **__):
    return True
