import http

for _status in http.HTTPStatus:
    globals()[f"HTTP_{_status.value}_{_status.name}"] = _status.value
HTTP_422_UNPROCESSABLE_ENTITY = 422
HTTP_413_REQUEST_ENTITY_TOO_LARGE = 413
WS_1000_NORMAL_CLOSURE = 1000
