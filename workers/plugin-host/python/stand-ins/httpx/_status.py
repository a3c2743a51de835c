from http import HTTPStatus

codes = HTTPStatus
