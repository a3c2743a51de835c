"""Errors of validation, in the words of the real thing where plugins may look at them."""

import json


class PydanticUserError(TypeError):
    def __init__(self, message, *, code=None):
        super().__init__(message)
        self.message = message
        self.code = code


class PydanticUndefinedAnnotation(NameError):
    pass


class PydanticCustomError(ValueError):
    def __init__(self, error_type, message_template, context=None):
        self.type = error_type
        self.context = context or {}
        super().__init__(message_template.format(**self.context))

    def message(self):
        return str(self)


class Invalid(Exception):
    """Carries what is wrong from inside of a value to its model."""

    def __init__(self, *errors):
        super().__init__(errors)
        self.errors = errors


def invalid(kind, message, value, **context):
    error = {"type": kind, "loc": (), "msg": message, "input": value}
    if context:
        error["ctx"] = context
    return Invalid(error)


def at(place, error):
    """The same errors, one step further out."""
    return [{**each, "loc": (place, *each["loc"])} for each in error.errors]


class ValidationError(ValueError):
    def __init__(self, title, errors):
        super().__init__(title, errors)
        self.title = title
        self._errors = list(errors)

    @classmethod
    def from_exception_data(cls, title, line_errors, input_type="python", hide_input=False):
        return cls(title, [{"msg": "", "input": None, "loc": (), **each} for each in line_errors])

    def errors(self, *, include_url=True, include_context=True, include_input=True):
        hidden = {name for name, shown in (("ctx", include_context), ("input", include_input)) if not shown}
        return [{key: value for key, value in each.items() if key not in hidden} for each in self._errors]

    def error_count(self):
        return len(self._errors)

    def json(self, *, indent=None, **_options):
        return json.dumps(self.errors(), indent=indent, default=str)

    def __str__(self):
        count = len(self._errors)
        lines = [f"{count} validation error{'' if count == 1 else 's'} for {self.title}"]
        for error in self._errors:
            if error["loc"]:
                lines.append(".".join(str(part) for part in error["loc"]))
            value = error["input"]
            shown = repr(value)
            if len(shown) > 50:
                shown = f"{shown[:25]}...{shown[-24:]}"
            lines.append(f"  {error['msg']} [type={error['type']}, input_value={shown}, input_type={type(value).__name__}]")
        return "\n".join(lines)

    __repr__ = __str__
