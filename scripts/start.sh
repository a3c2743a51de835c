#!/bin/sh
# npm start: see scripts/launch.ts. The small young generation keeps the launcher's own memory low: it only watches.
exec sh "$(dirname "$0")/with-node.sh" --max-semi-space-size=1 --optimize-for-size --no-concurrent-sparkplug scripts/launch.ts "$@"
