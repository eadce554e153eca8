#!/bin/sh
# Proves the companion on 64-bit ARM: installs the wheel, with its dependencies as ready-made aarch64
# wheels, in an emulated arm64 Debian and tries it there. Needs root, about 1 GB under FOLDER and a quarter
# of an hour; not a part of `make test`. Nothing of this machine is changed but three packages.
#
#   sudo tools/aarch64.sh             keeps the Debian root for the next run; delete FOLDER to begin anew
#   FOLDER=/big/disk RELEASE=trixie sudo -E tools/aarch64.sh
set -eu

RELEASE=${RELEASE:-bookworm}
FOLDER=${FOLDER:-/var/tmp/companion-aarch64-$RELEASE}
SOURCE=$(cd "$(dirname "$0")/.." && pwd)
BUILDER=${BUILDER:-$SOURCE/.venv/bin/python}
DEBIAN=$FOLDER/root
WHEELS=$DEBIAN/wheels
MIRROR=${MIRROR:-http://deb.debian.org/debian}

say() { echo "== $*"; }
fail() { echo "aarch64: $*" >&2; exit 2; }

case $RELEASE in
    bookworm) python=3.11 levels="36 35 34 31 28 27 26 24 17" ;;
    trixie) python=3.13 levels="41 40 39 38 37 36 35 34 31 28 27 26 24 17" ;;
    *) fail "RELEASE is bookworm or trixie, got '$RELEASE'" ;;
esac
[ "$(id -u)" -eq 0 ] || fail "only root can do that: sudo tools/aarch64.sh"
[ -x "$BUILDER" ] || fail "there is no $BUILDER; run make check once, or set BUILDER to a python with pip"

emulator() {
    if ! command -v qemu-aarch64-static >/dev/null || ! command -v debootstrap >/dev/null; then
        say "installing the emulator"
        apt-get install -qy --no-install-recommends qemu-user-static debootstrap binfmt-support
    fi
    mountpoint -q /proc/sys/fs/binfmt_misc ||
        mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
    [ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ] || update-binfmts --enable qemu-aarch64
}

debian() {
    if [ ! -e "$DEBIAN/ready" ]; then
        say "an arm64 Debian $RELEASE in $DEBIAN"
        rm -rf "$DEBIAN"
        mkdir -p "$FOLDER"
        debootstrap --arch=arm64 --variant=minbase \
            --include=python3,python3-venv,python3-pip,ca-certificates "$RELEASE" "$DEBIAN" "$MIRROR"
        touch "$DEBIAN/ready"
    fi
}

wheels() {
    say "the companion's wheel, and aarch64 wheels of what it needs"
    rm -rf "$WHEELS"
    mkdir -p "$WHEELS"
    "$BUILDER" -m pip wheel --quiet --no-deps --wheel-dir "$WHEELS" "$SOURCE"
    platforms=
    for level in $levels; do platforms="$platforms --platform manylinux_2_${level}_aarch64"; done
    # shellcheck disable=SC2086 # one word each
    "$BUILDER" -m pip download --quiet --only-binary=:all: $platforms \
        --platform manylinux2014_aarch64 --python-version "$python" --implementation cp \
        --find-links "$WHEELS" --dest "$WHEELS" table-companion
}

inside() { # with nothing of this machine's settings, such as pip's
    chroot "$DEBIAN" /usr/bin/env -i HOME=/root LANG=C.UTF-8 \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

try() {
    # Without /proc nothing runs; with /sys onnxruntime has been seen to hang under emulation.
    mountpoint -q "$DEBIAN/proc" || mount -t proc proc "$DEBIAN/proc"
    trap 'umount "$DEBIAN/proc"' EXIT
    say "installing in it"
    inside python3 -m venv --clear /companion
    inside /companion/bin/pip install --quiet --no-index --find-links /wheels table-companion
    cp "$SOURCE/tools/smoke.py" "$DEBIAN/smoke.py"
    say "trying it"
    inside /companion/bin/python /smoke.py /companion/bin/companion
}

emulator
debian
wheels
try
say "done on $(date -u +%Y-%m-%d): $RELEASE, $(inside /companion/bin/companion --version)"
