import json

from plugin_harness.values import to_json


def jsonable_encoder(obj, **_options):
    return json.loads(to_json(obj))
