"""What the environment says."""

import dataclasses
import os
import tempfile

# Shorter ones could be guessed.
_MIN_TOKEN = 16


class OptionError(Exception):
    """A variable is missing or wrong; for the operator."""


@dataclasses.dataclass(frozen=True)
class Options:
    token: str
    host: str
    port: int
    folder: str
    # Bytes of data that the process of a plugin may have.
    memory: int
    # Seconds of processor time of one call.
    cpu_seconds: int
    # Bytes of one file that a plugin writes.
    file_size: int
    processes: int
    # Seconds without a session until a process ends.
    idle: int
    # `host` or `host:port`: private addresses that plugins may reach if their own list has them too.
    private_hosts: tuple[str, ...]
    # Whether plugins run without a network of their own where the system does not give them one.
    needs_wall: bool
    # Whether plugins are root where the runner is; otherwise each is a user of its own then.
    keeps_root: bool


def read_options(environment=os.environ):
    """Takes the token out of the environment. Raises OptionError."""
    token = environment.pop("RUNNER_TOKEN", "").strip()
    if file := environment.get("RUNNER_TOKEN_FILE"):
        try:
            with open(file, encoding="utf-8") as opened:
                token = opened.read().strip()
        except OSError as error:
            raise OptionError(f"RUNNER_TOKEN_FILE cannot be read: {error}") from None
    if len(token) < _MIN_TOKEN:
        raise OptionError(f"RUNNER_TOKEN must have at least {_MIN_TOKEN} characters: the service and the runner share it")
    host, port = _address(environment.get("RUNNER_LISTEN", "127.0.0.1:8710"))
    hosts = environment.get("RUNNER_ALLOWED_PRIVATE_HOSTS", "")
    return Options(
        token=token,
        host=host,
        port=port,
        folder=environment.get("RUNNER_FOLDER") or os.path.join(tempfile.gettempdir(), f"parley-runner-{os.getpid()}"),
        memory=_number(environment, "RUNNER_MEMORY_MB", 2048, 64, 1_000_000) * 1_000_000,
        cpu_seconds=_number(environment, "RUNNER_CPU_SECONDS", 300, 1, 86_400),
        file_size=_number(environment, "RUNNER_FILE_MB", 1024, 1, 1_000_000) * 1_000_000,
        processes=_number(environment, "RUNNER_PROCESSES", 8, 1, 200),
        idle=_number(environment, "RUNNER_IDLE", 300, 1, 86_400),
        private_hosts=tuple(entry.strip().lower() for entry in hosts.split(",") if entry.strip()),
        needs_wall=_switch(environment, "RUNNER_REQUIRE_NETWORK_WALL"),
        keeps_root=_switch(environment, "RUNNER_PLUGINS_AS_ROOT"),
    )


def _address(text):
    host, separator, port = text.rpartition(":")
    if not separator or not port.isdecimal() or int(port) > 65_535:
        raise OptionError(f"RUNNER_LISTEN must be host:port, not {text!r}")
    return host.strip("[]"), int(port)


def _number(environment, name, usual, least, most):
    text = environment.get(name, "").strip()
    if not text:
        return usual
    if not text.isdecimal() or not least <= int(text) <= most:
        raise OptionError(f"{name} must be a number from {least} to {most}, not {text!r}")
    return int(text)


def _switch(environment, name):
    text = environment.get(name, "").strip().lower()
    if text not in ("", "true", "false"):
        raise OptionError(f"{name} must be true or false, not {text!r}")
    return text == "true"
