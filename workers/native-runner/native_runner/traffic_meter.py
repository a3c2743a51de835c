"""What one plugin does: its calls and bytes of the last minute against its budget, and what the service has not been told yet.
As in workers/plugin-host/traffic-meter.ts."""

import time
from collections import deque

_MINUTE = 60
# Hosts that are named to the service at a time.
_MAX_HOSTS = 100


class BudgetError(Exception):
    """The budget is used up; for people."""


class _MinuteSum:
    def __init__(self):
        self._entries = deque()
        self._total = 0

    def add(self, value):
        now = int(time.monotonic())
        if self._entries and self._entries[-1][0] == now:
            self._entries[-1][1] += value
        else:
            self._entries.append([now, value])
        self._total += value

    def total(self):
        until = time.monotonic() - _MINUTE
        while self._entries and self._entries[0][0] < until:
            self._total -= self._entries.popleft()[1]
        return self._total


class TrafficMeter:
    def __init__(self):
        self.budget = {}
        self._calls = _MinuteSum()
        self._bytes_out = _MinuteSum()
        self._hosts = {}
        self._memory = 0

    def begin_call(self):
        """Counts a call. Raises BudgetError."""
        limit = self.budget.get("callsPerMinute")
        if limit is not None and self._calls.total() >= limit:
            raise BudgetError(f"Its budget of {limit} {'call' if limit == 1 else 'calls'} a minute is used up")
        self._calls.add(1)

    def send(self, host, count):
        """Counts bytes that leave. Raises BudgetError."""
        limit = self.budget.get("bytesOutPerMinute")
        if limit is not None and self._bytes_out.total() + count > limit:
            self.refuse(host)
            raise BudgetError(f"This plugin's budget of {limit} bytes out a minute is used up")
        self._bytes_out.add(count)
        self._add(host, False, "bytesOut", count)

    def request(self, host):
        self._add(host, False, "requests", 1)

    def receive(self, host, count):
        self._add(host, False, "bytesIn", count)

    def refuse(self, host):
        self._add(host, True, "requests", 1)

    def note_memory(self, count):
        self._memory = max(self._memory, count)

    def take(self):
        """@returns a PluginTraffic (src/plugins/plugin-host.ts), or None where there is nothing to tell"""
        if not self._hosts and not self._memory:
            return None
        traffic = {"hosts": list(self._hosts.values()), "memory": self._memory}
        self._hosts, self._memory = {}, 0
        return traffic

    def _add(self, host, is_refused, field, count):
        key = host, is_refused
        if key not in self._hosts:
            if len(self._hosts) >= _MAX_HOSTS:
                return
            self._hosts[key] = {"host": host, "isRefused": is_refused, "requests": 0, "bytesOut": 0, "bytesIn": 0}
        self._hosts[key][field] += count
