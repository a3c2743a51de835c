#!/bin/sh
# Runs a command that sees nothing of some folders and has no privileges. Called by confinement.ts inside of a user and a
# mount namespace of its own.
# $1: the folder of its socket, the only one that stays; $2: how many files it may have open, $3: how many threads, 0 for any number;
# then the folders that are hidden, `--`, and the command.
set -eu
cd "$1"
own=$1
files=$2
threads=$3
shift 3
hides=
while [ "$1" != -- ]; do
  # Never made here: what the end of the launcher has removed, or another mount hides, would come back as an empty folder.
  if [ -d "$1" ]; then
    mount -n -t tmpfs -o size=64k,mode=700,nosuid,nodev,noexec tmpfs "$1"
    case $own/ in "$1"/*) hides=1 ;; esac
  fi
  shift
done
shift
[ -z "$hides" ] || mkdir -p "$own"
# What is under the new mounts is still the working folder.
mount -n -c --bind . "$own"
cd /
[ "$threads" -eq 0 ] && limit= || limit=--nproc=$threads:$threads
# shellcheck disable=SC2086
exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all --ambient-caps=-all \
  prlimit --core=0:0 --nofile="$files:$files" $limit -- "$@"
