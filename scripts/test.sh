#!/bin/sh
# npm test: see scripts/test.ts.
exec sh "$(dirname "$0")/with-node.sh" scripts/test.ts "$@"
