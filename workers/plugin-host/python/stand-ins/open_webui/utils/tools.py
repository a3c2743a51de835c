"""Tools that the caller may use, as functions. Those that are attached to the chat can be called."""
from plugin_harness.calls import current_call
from plugin_harness.capabilities import make_tools
from plugin_harness.capabilities import request as ask


async def get_tools(request=None, tool_ids=(), user=None, extra_params=None):
    """@returns name -> {callable, spec, tool_id}"""
    call = current_call()
    wanted = list(tool_ids or ())
    if not wanted:
        return {}
    found = {each["id"]: each for each in await ask(call, "tool.list") if each["id"] in wanted}
    specs = {}
    for id in wanted:
        for spec in found[id].get("specs") or [] if id in found else []:
            specs.setdefault(spec["name"], {"tool_id": id, "spec": spec})
    return make_tools(call, specs)
