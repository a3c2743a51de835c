"""The service's configuration is not offered to plugins. The folders are the isolate's own: what is written there is gone with it."""

import pathlib

from plugin_harness.surroundings import DATA_FOLDER


class _Folder(str):
    """A text in some versions of Open WebUI, and a path in others."""

    def __truediv__(self, name):
        return pathlib.Path(self) / name

    def __getattr__(self, name):
        return getattr(pathlib.Path(self), name)


WEBUI_NAME = "Parley"
DATA_DIR = _Folder(DATA_FOLDER)
UPLOAD_DIR = _Folder(f"{DATA_DIR}/uploads")
CACHE_DIR = _Folder(f"{DATA_DIR}/cache")
