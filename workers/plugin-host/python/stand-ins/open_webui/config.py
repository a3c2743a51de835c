"""The service's configuration is not offered to plugins."""

WEBUI_NAME = "Parley"
