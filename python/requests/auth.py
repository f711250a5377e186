"""Ways to say who asks."""


class AuthBase:
    def __call__(self, request):
        return request


class HTTPBasicAuth(AuthBase):
    def __init__(self, username, password):
        self.username, self.password = username, password


class HTTPDigestAuth(HTTPBasicAuth):
    pass
