"""Constants. Nothing of this comes from the environment of the service."""

import logging

VERSION = "0.12.4"
WEBUI_NAME = "Parley"
ENV = "prod"
GLOBAL_LOG_LEVEL = "INFO"


class _Levels(dict):
    def __missing__(self, key):
        return GLOBAL_LOG_LEVEL


SRC_LOG_LEVELS = _Levels(
    dict.fromkeys(
        "AUDIO COMFYUI CONFIG DB IMAGES MAIN MODELS OLLAMA OPENAI RAG WEBHOOK SOCKET OAUTH".split(), GLOBAL_LOG_LEVEL
    )
)
AIOHTTP_CLIENT_TIMEOUT = 300
AIOHTTP_CLIENT_TIMEOUT_MODEL_LIST = 10
AIOHTTP_CLIENT_TIMEOUT_TOOL_SERVER = 300
AIOHTTP_CLIENT_SESSION_SSL = True
AIOHTTP_CLIENT_SESSION_TOOL_SERVER_SSL = True
REQUESTS_VERIFY = True
ENABLE_FORWARD_USER_INFO_HEADERS = False
BYPASS_MODEL_ACCESS_CONTROL = False
OFFLINE_MODE = False
DOCKER = False
USE_CUDA = "false"
log = logging.getLogger("open_webui")
