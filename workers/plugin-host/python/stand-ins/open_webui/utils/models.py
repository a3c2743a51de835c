from plugin_harness.calls import current_call
from plugin_harness.capabilities import request as ask


async def get_all_models(request=None, refresh=False, user=None):
    return await ask(current_call(), "model.list")


get_all_base_models = get_all_models
