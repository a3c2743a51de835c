import http

codes = type("LookupDict", (), {"__getitem__": lambda self, name: getattr(self, name, None)})()
for _status in http.HTTPStatus:
    setattr(codes, _status.name.lower(), _status.value)
    setattr(codes, _status.name, _status.value)
codes.okay = codes.ok
codes.created = 201
