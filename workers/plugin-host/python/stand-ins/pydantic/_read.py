"""How what was given becomes the values of a model."""

from ._errors import Invalid, at
from ._validate import validate_noted
from .fields import PydanticUndefined
from .functional_validators import ValidationInfo, run


def put(model, values, given, extra):
    private = {}
    for name, attribute in type(model).__private_attributes__.items():
        value = attribute.get_default()
        if value is not PydanticUndefined:
            private[name] = value
    model.__dict__.update(values)
    model.__dict__.update(__given__=given, __extra__=extra, __private__=private)


def before_model(cls, data, context):
    info = ValidationInfo({}, None, context, cls.model_config)
    for each in cls.__pydantic_decorated__.values():
        if each.kind == "model" and each.mode in ("before", "wrap"):
            handler = (lambda given: given) if each.mode == "wrap" else None
            data = run(each.bind(cls), data, info, handler=handler)
    if hasattr(data, "model_fields_set"):
        return dict(data._items())
    if not isinstance(data, dict):
        raise Invalid({"type": "model_type", "loc": (), "msg": "Input should be a valid dictionary", "input": data})
    return data


def after_model(model, context):
    cls = type(model)
    info = ValidationInfo(model.__dict__, None, context, cls.model_config)
    for each in cls.__pydantic_decorated__.values():
        if each.kind != "model":
            continue
        if each.mode == "after":
            # It may be a plain function of the instance, or a class method of the model as it was done once.
            run(each.bind(cls), model, info)
        elif each.mode == "old":
            values = run(each.bind(cls), {name: model.__dict__[name] for name in cls.model_fields}, info)
            model.__dict__.update(values or {})


def read_fields(cls, data, context):
    values = {}
    given = set()
    errors = []
    used = set()
    by_name = cls.model_config.get("populate_by_name") or cls.model_config.get("validate_by_name")
    for name, field in cls.model_fields.items():
        key = _find_key(field, name, data, by_name)
        if key is None and field.is_required():
            missing = field.validation_alias if isinstance(field.validation_alias, str) else field.alias
            errors.append({"type": "missing", "loc": (missing or name,), "msg": "Field required", "input": data})
            continue
        try:
            if key is not None:
                used.add(key)
                given.add(name)
                values[name] = read_field(cls, name, field, data[key], values, context)
            else:
                value = field.get_default(call_default_factory=True, validated_data=values)
                checks = field.validate_default or cls.model_config.get("validate_default")
                values[name] = read_field(cls, name, field, value, values, context) if checks else value
        except Invalid as error:
            errors += at(key if key is not None else name, error)
    rest = {key: value for key, value in data.items() if key not in used}
    extra = cls.model_config.get("extra")
    if extra == "forbid":
        words = "Extra inputs are not permitted"
        errors += [{"type": "extra_forbidden", "loc": (key,), "msg": words, "input": value} for key, value in rest.items()]
    if errors:
        raise Invalid(*errors)
    return values, given, (rest if extra == "allow" else {})


def _find_key(field, name, data, by_name):
    alias = field.validation_alias if field.validation_alias is not None else field.alias
    options = getattr(alias, "choices", [alias]) if alias is not None else [name]
    for option in [*options, *([name] if by_name else [])]:
        if isinstance(option, str) and option in data:
            return option
    return None


def read_field(cls, name, field, value, values, context):
    info = ValidationInfo(values, name, context, cls.model_config)
    decorated = [each for each in cls.__pydantic_decorated__.values() if each.kind == "field" and (name in each.fields or "*" in each.fields)]
    for each in decorated:
        if each.mode == "before":
            value = run(each.bind(cls), value, info, old=each.options.get("old", False))
    inner = lambda given: validate_noted(field.annotation, [*field.metadata, field], given, info)
    for each in decorated:
        if each.mode == "wrap":
            inner = _wrap(each.bind(cls), inner, info)
    plain = next((each for each in decorated if each.mode == "plain"), None)
    value = run(plain.bind(cls), value, info) if plain else inner(value)
    config = cls.model_config
    if isinstance(value, str) and config.get("str_strip_whitespace"):
        value = value.strip()
    if config.get("use_enum_values") and hasattr(value, "value") and hasattr(type(value), "__members__"):
        value = value.value
    for each in decorated:
        if each.mode == "after":
            value = run(each.bind(cls), value, info, old=each.options.get("old", False))
    return value


def _wrap(func, inner, info):
    return lambda value: run(func, value, info, handler=inner)


def is_excluded(exclude, name):
    if exclude is None:
        return False
    return exclude.get(name) is True or exclude.get(name) is ... if isinstance(exclude, dict) else name in exclude
