from plugin_harness.calls import current_call
from plugin_harness.capabilities import make_event_call, make_event_emitter


def get_event_emitter(request_info=None, update_db=True):
    """The emitter of the call that asks, whatever message is named."""
    return make_event_emitter(current_call())


def get_event_call(request_info=None):
    return make_event_call(current_call())
