"""Status codes by name."""

import http


class _Codes:
    pass


codes = _Codes()
for _status in http.HTTPStatus:
    setattr(codes, _status.name.lower(), _status.value)
    setattr(codes, _status.name, _status.value)
