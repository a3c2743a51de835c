#!/bin/sh
# Stands in for workerd while Miniflare assembles its configuration: keeps what workerd would have read.
umask 077
exec cat >"$PARLEY_CAPTURE"
