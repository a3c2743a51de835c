#!/bin/sh
# Outlives the launcher by a moment. Reads "+PID" for every process the launcher starts and "-PID" for every one that
# ended; when the launcher is gone, however it went, the pipe closes and whatever is left is killed.
# $1: the folder of the instance's sockets, removed at the end. What follows: the ids of processes that run already.
trap '' INT TERM HUP
scratch=$1
shift
pids=" $* "
while read -r line; do
  pid=${line#?}
  case $line in
    +*) pids="$pids$pid " ;;
    -*) pids="${pids%%" $pid "*} ${pids#*" $pid "}" ;;
  esac
done
for pid in $pids; do kill -KILL "$pid" 2>/dev/null; done
rm -rf "$scratch"
# What is still ending may have written into it meanwhile.
for pause in 1 1 2 4 8; do
  [ -e "$scratch" ] || break
  sleep "$pause"
  rm -rf "$scratch"
done
