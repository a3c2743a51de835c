"""The service's configuration is not offered to plugins. The folders are the isolate's own: what is written there is gone with it."""

from plugin_harness.surroundings import DATA_FOLDER

WEBUI_NAME = "Parley"
DATA_DIR = DATA_FOLDER
UPLOAD_DIR = f"{DATA_DIR}/uploads"
CACHE_DIR = f"{DATA_DIR}/cache"
