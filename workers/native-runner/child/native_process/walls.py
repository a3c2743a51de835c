"""What the process of a plugin takes from itself before it loads any code of it: limits, and where the system allows it the network."""

import ctypes
import fcntl
import os
import resource
import socket
import struct

_CLONE_NEWUSER = 0x10000000
_CLONE_NEWNET = 0x40000000
_SIOCGIFFLAGS = 0x8913
_SIOCSIFFLAGS = 0x8914
_IFF_UP = 1
_PR_SET_PDEATHSIG = 1
_PR_SET_NO_NEW_PRIVS = 38
_CAPABILITY_VERSION = 0x20080522
_SIGKILL = 9
_MAX_FILES = 1024

_libc = ctypes.CDLL(None, use_errno=True)


def end_with_parent():
    _libc.prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0)


def leave_network():
    """Gives the process a network of its own with nothing in it but itself.

    @returns None, or why the system does not allow it
    """
    user, group = os.geteuid(), os.getegid()
    if _libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNET) != 0:
        return os.strerror(ctypes.get_errno())
    try:
        # It stays who it was.
        for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
            with open(f"/proc/self/{name}", "w") as file:
                file.write(text)
        # The relay to the proxy is at its own loopback address, which is down at first.
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
            request = struct.pack("16sH14x", b"lo", 0)
            (flags,) = struct.unpack("16xH14x", fcntl.ioctl(control, _SIOCGIFFLAGS, request))
            fcntl.ioctl(control, _SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", flags | _IFF_UP))
    except OSError as error:
        return f"it could not be set up ({error})"
    return None


def drop_capabilities():
    """Those of its own network; and what it starts gets none either."""
    _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    _libc.capset(header, (ctypes.c_uint32 * 6)())


def set_limits(memory, file_size):
    """@param memory bytes of data: what is mapped from files, and addresses that are only reserved, do not count"""
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = _MAX_FILES if most == resource.RLIM_INFINITY else min(_MAX_FILES, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))


def allow_processor_time(seconds):
    """From now on; what the process has used until now does not count. At the limit the system ends it."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(used.ru_utime + used.ru_stime) + 1 + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
