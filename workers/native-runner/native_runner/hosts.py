"""Which addresses a plugin may reach: those of its list, and of these only public ones unless the operator allows others.
As in workers/plugin-host/host-matches.ts and src/http/guarded-fetch.ts."""

import ipaddress

ANY_HOST = "*"
# The usual ports of addresses with http and https: an entry without a port means these.
_USUAL_PORTS = (80, 443)


def is_listed(host, port, entries):
    """@param entries `host`, `host:port` or `*.host`; `*` alone is for the caller to look at"""
    host = host.lower().rstrip(".")
    for entry in entries:
        name, separator, wanted = entry.strip().lower().partition(":")
        if (port != int(wanted)) if separator and wanted.isdecimal() else (port not in _USUAL_PORTS):
            continue
        if host == name or (name.startswith("*.") and host.endswith(name[1:]) and len(host) > len(name) - 1):
            return True
    return False


def is_private_allowed(host, port, allowed):
    """@param allowed `host` or `host:port`, which may be private"""
    return host.lower() in allowed or f"{host.lower()}:{port}" in allowed


def is_public(address):
    """@param address as text; nothing but a global unicast address is public, whatever it is wrapped in"""
    found = ipaddress.ip_address(address.partition("%")[0])
    if found.version == 6:
        # ISATAP (RFC 5214) has an IPv4 address behind this, in any network.
        is_isatap = found.packed[8] & 0xFD == 0 and found.packed[9:12] == b"\x00\x5e\xfe"
        inside = found.ipv4_mapped or found.sixtofour or (found.teredo and found.teredo[1])
        if inside or is_isatap or found not in ipaddress.ip_network("2000::/3"):
            return False
    return found.is_global and not found.is_multicast


def name_of(host, port):
    """As the service shows it: without a usual port."""
    shown = f"[{host}]" if ":" in host else host
    return shown if port in _USUAL_PORTS else f"{shown}:{port}"
