#!/bin/sh
# Outlives the launcher by a moment. Reads "+PID" for every process the launcher starts and "-PID" for every one that
# ended; when the launcher is gone, however it went, the pipe closes and whatever is left is killed.
# $1: the folder of the instance's sockets, removed at the end.
trap '' INT TERM HUP
pids=' '
while read -r line; do
  pid=${line#?}
  case $line in
    +*) pids="$pids$pid " ;;
    -*) pids="${pids%%" $pid "*} ${pids#*" $pid "}" ;;
  esac
done
for pid in $pids; do kill -KILL "$pid" 2>/dev/null; done
rm -rf "$1"
# What is still ending may have written into it meanwhile.
for pause in 1 1 2 4 8; do
  [ -e "$1" ] || break
  sleep "$pause"
  rm -rf "$1"
done
