#!/bin/sh
# Installs the companion as a service, or takes it away again. `make install`, `make uninstall`.
#
#   KIOSK=yes    also shows the page on a screen at this machine
#   NAME=table   calls this machine table.local
#   ROOT=/x      puts the files under another root, and touches nothing else of this machine
#
# Can be run again and again: what is there is brought up to date; games and settings are kept.
set -eu

ROOT=${ROOT-}
KIOSK=${KIOSK-}
NAME=${NAME-}
PYTHON=${PYTHON:-python3}
CHECK=${CHECK-} # what says whether the new version is well, instead of asking its page
SOURCE=$(cd "$(dirname "$0")/.." && pwd)

HOME_DIR=/opt/companion
DATA=/var/lib/companion
SETTINGS=/etc/companion/companion.toml
UNITS=/etc/systemd/system
RULES=/etc/polkit-1/rules.d
STICKS=/etc/udev/rules.d/60-companion-stick.rules
# What lies outside the versions' folders, and has to fit the version that runs
OUTSIDE="$HOME_DIR/share /usr/local/bin/companion /etc/avahi/services/companion.service $STICKS
    $RULES/50-companion.rules $UNITS/companion.service $UNITS/companion-kiosk.service"

say() { echo "== $*"; }
fail() { echo "install: $*" >&2; exit 2; }
here() { [ -z "$ROOT" ]; }
booted() { here && [ -d /run/systemd/system ]; }
has() { command -v "$1" >/dev/null 2>&1; }

packages() {
    here || { say "packages: left alone under $ROOT"; return 0; }
    has apt-get || { say "packages: no apt-get here; python3-venv has to be there already"; return 0; }
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -q || say "packages: the lists could not be renewed; going on with the old ones"
    # shellcheck disable=SC2046 # one word each
    apt-get install -qy --no-install-recommends python3-venv python3-pip avahi-daemon \
        $([ "$KIOSK" = yes ] && echo cage chromium)
    for each in python3-picamera2 python3-lgpio; do
        if apt-cache policy "$each" | grep -q 'Candidate: [^(]'; then
            apt-get install -qy --no-install-recommends "$each"
        else
            say "$each is not in the repositories of this system (it is in Raspberry Pi OS's): left out"
        fi
    done
}

new_user() { # name, home, groups
    id "$1" >/dev/null 2>&1 ||
        useradd --system --user-group --home-dir "$2" --shell /usr/sbin/nologin "$1"
    for group in $3; do
        if getent group "$group" >/dev/null; then usermod -aG "$group" "$1"; fi
    done
}

users() {
    here || return 0
    new_user companion $DATA "video gpio audio"
    [ "$KIOSK" != yes ] || new_user companion-kiosk /nonexistent "video render input tty"
}

program() {
    "$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        fail "Python 3.11 or later is needed; $PYTHON is older"
    # Each version has a folder of its own: the last one stays, to go back to.
    version=$HOME_DIR/versions/$(date -u +%Y%m%d-%H%M%S)-$$
    say "the program, in $version"
    venv=$ROOT$version
    mkdir -p "$ROOT$HOME_DIR/share" "$ROOT$HOME_DIR/versions"
    "$PYTHON" -m venv --system-site-packages "$venv"
    pip=${PIP:-"$venv/bin/python -m pip --disable-pip-version-check --quiet"}
    # Exactly the versions that were tested, each known by its hash.
    $pip install --require-hashes --ignore-installed --requirement "$SOURCE/requirements/run.txt"
    $pip install --no-deps --no-build-isolation "$SOURCE"
    if "$venv/bin/python" -c 'import importlib.util as u, sys; sys.exit(u.find_spec("picamera2") is None)'
    then
        # The system's own is built for the system's numpy, which is older than ours.
        $pip install --require-hashes --ignore-installed --no-deps --requirement "$SOURCE/requirements/pi.txt"
    fi
    for each in docs hardware; do
        rm -rf "$ROOT$HOME_DIR/share/$each"
        cp -r "$SOURCE/$each" "$ROOT$HOME_DIR/share/"
    done
    mkdir -p "$ROOT/usr/local/bin"
    cat >"$ROOT/usr/local/bin/companion" <<EOF
#!/bin/sh
# The companion with the settings and the games of the service.
export COMPANION_DATA=\${COMPANION_DATA:-$DATA}
case "\${1-}" in --settings*) ;; *) set -- --settings $SETTINGS "\$@" ;; esac
exec $HOME_DIR/venv/bin/companion "\$@"
EOF
    chmod 755 "$ROOT/usr/local/bin/companion"
}

current() { # the version that runs, if there is one
    if [ -L "$ROOT$HOME_DIR/venv" ]; then echo "$HOME_DIR/$(readlink "$ROOT$HOME_DIR/venv")"; fi
}

point_to() { # version: from now on it is the one that runs
    ln -sfn "versions/${1##*/}" "$ROOT$HOME_DIR/venv.new"
    mv -T "$ROOT$HOME_DIR/venv.new" "$ROOT$HOME_DIR/venv"
}

switch_over() {
    before=$(current)
    if [ -d "$ROOT$HOME_DIR/venv" ] && [ ! -L "$ROOT$HOME_DIR/venv" ]; then
        before=$HOME_DIR/versions/before # installed when there was only one folder
        rm -rf "$ROOT$before"
        mv "$ROOT$HOME_DIR/venv" "$ROOT$before"
    fi
    if booted; then systemctl stop companion 2>/dev/null || true; fi
    # A newer version may write the journal in a way that the last one cannot read.
    rm -rf "$ROOT$DATA/before-upgrade"
    if [ -n "$before" ] && [ -e "$ROOT$DATA/journal.db" ]; then
        mkdir -p "$ROOT$DATA/before-upgrade"
        cp -p "$ROOT$DATA"/journal.db* "$ROOT$DATA/before-upgrade/"
    fi
    point_to "$version"
}

healthy() { # does the page answer, within a minute?
    if [ -n "$CHECK" ]; then $CHECK; return; fi
    first_look || return 1
    booted || return 0
    "$ROOT$HOME_DIR/venv/bin/python" -m companion.service.healthy $SETTINGS $DATA
}

address() { # where the page is, by the settings; the usual place if nobody can say
    "$ROOT$HOME_DIR/venv/bin/python" -m companion.service.healthy $SETTINGS $DATA --address 2>/dev/null ||
        echo http://localhost:8080/
}

port() { address | sed 's/.*:\([0-9]*\)\/$/\1/'; }

keep_outside() { # before anything is written, so that all of it can be put back
    rm -rf "$ROOT$HOME_DIR/outside"
    [ -e "$ROOT$HOME_DIR/venv" ] || return 0
    for each in $OUTSIDE; do
        [ -e "$ROOT$each" ] || continue
        mkdir -p "$ROOT$HOME_DIR/outside$(dirname "$each")"
        cp -a "$ROOT$each" "$ROOT$HOME_DIR/outside$each"
    done
}

put_outside_back() {
    for each in $OUTSIDE; do
        rm -rf "$ROOT$each"
        if [ -e "$ROOT$HOME_DIR/outside$each" ]; then cp -a "$ROOT$HOME_DIR/outside$each" "$ROOT$each"; fi
    done
    for each in "$ROOT$UNITS"/*.wants/companion*.service; do
        if [ -L "$each" ] && [ ! -e "$each" ]; then rm -f "$each"; fi
    done
    rm -rf "$ROOT$HOME_DIR/outside"
}

keep_or_go_back() {
    if healthy; then
        rm -rf "$ROOT$DATA/before-upgrade" "$ROOT$HOME_DIR/outside"
        for each in "$ROOT$HOME_DIR"/versions/*; do
            case $HOME_DIR/versions/${each##*/} in
                "$version" | "$before") ;;
                *) rm -rf "$each" ;;
            esac
        done
        return 0
    fi
    [ -n "$before" ] || fail "it is installed but does not answer; look into: journalctl -u companion -n 50"
    say "the new version does not answer: going back to the last one"
    if booted; then systemctl stop companion || true; fi
    if [ -d "$ROOT$DATA/before-upgrade" ]; then
        mkdir -p "$ROOT$DATA/after-upgrade"
        mv "$ROOT$DATA"/journal.db* "$ROOT$DATA/after-upgrade/"
        mv "$ROOT$DATA"/before-upgrade/journal.db* "$ROOT$DATA/"
        rmdir "$ROOT$DATA/before-upgrade"
    fi
    point_to "$before"
    put_outside_back
    if booted; then
        systemctl daemon-reload
        systemctl restart companion
    fi
    rm -rf "$ROOT${version:?}"
    fail "the upgrade was taken back and the last version runs; what the new one wrote is in $DATA/after-upgrade"
}

data() {
    mkdir -p "$ROOT$DATA" "$ROOT$(dirname $SETTINGS)"
    chmod 750 "$ROOT$DATA"
    if here; then chown companion:companion $DATA; fi
    if [ -e "$ROOT$SETTINGS" ]; then
        say "the settings in $SETTINGS are kept"
        return 0
    fi
    gpio=none camera=none
    if here && grep -qs 'Raspberry Pi' /proc/device-tree/model; then gpio=real camera=pi; fi
    cat >"$ROOT$SETTINGS" <<EOF
# What this box begins with. Everything can be changed on the page under Settings, and what is
# chosen there wins. All settings: /opt/companion/share/docs/terminal.md
language = "en"
gpio = "$gpio"      # "real" with buttons and lamps on the pins, "none" without
camera = "$camera"    # "pi", "usb", "usb:a part of its name", "none"
EOF
    chmod 644 "$ROOT$SETTINGS"
}

first_look() {
    here || return 0
    # The journal belongs to the companion's user from the first: root may look in later.
    setpriv --reuid companion --regid companion --init-groups \
        env COMPANION_DATA=$DATA $HOME_DIR/venv/bin/companion --settings $SETTINGS games >/dev/null ||
        { say "the program is installed but does not run"; return 1; }
}

name() {
    if here && [ -n "$NAME" ]; then
        echo "$NAME" >/etc/hostname
        [ -e /etc/hosts ] || printf '127.0.0.1\tlocalhost\n' >/etc/hosts
        sed -i "/^127\.0\.1\.1[[:space:]]/d" /etc/hosts
        printf '127.0.1.1\t%s\n' "$NAME" >>/etc/hosts
        if booted; then hostname "$NAME"; else say "$NAME is its name from the next start on"; fi
    fi
    mkdir -p "$ROOT/etc/avahi/services"
    cat >"$ROOT/etc/avahi/services/companion.service" <<'EOF'
<?xml version="1.0" standalone='no'?>
<!DOCTYPE service-group SYSTEM "avahi-service.dtd">
<service-group>
  <name replace-wildcards="yes">Table companion on %h</name>
  <service><type>_http._tcp</type><port>8080</port></service>
</service-group>
EOF
    sed -i "s/8080/$(port)/" "$ROOT/etc/avahi/services/companion.service"
}

sticks() { # memory sticks are mounted where the service may write
    mkdir -p "$ROOT$(dirname $STICKS)"
    cp "$SOURCE/systemd/60-companion-stick.rules" "$ROOT$STICKS"
    chmod 644 "$ROOT$STICKS"
    if booted && has udevadm; then udevadm control --reload || true; fi
}

units() {
    mkdir -p "$ROOT$UNITS"
    list=companion
    [ "$KIOSK" != yes ] || list="companion companion-kiosk"
    for each in $list; do
        cp "$SOURCE/systemd/$each.service" "$ROOT$UNITS/"
        chmod 644 "$ROOT$UNITS/$each.service"
        wanted=$(sed -n 's/^WantedBy=//p' "$SOURCE/systemd/$each.service")
        mkdir -p "$ROOT$UNITS/$wanted.wants"
        ln -sf "../$each.service" "$ROOT$UNITS/$wanted.wants/$each.service"
    done
    if booted; then
        systemctl daemon-reload
        # shellcheck disable=SC2086 # one word each
        systemctl restart $list || true # whether it is well is asked below
        systemctl try-restart avahi-daemon || true
        say "started: $(systemctl is-active companion)"
    else
        say "systemd is not running here: the service was not started; it will be at the next start"
    fi
}

power() { # the page may switch the box off, and start it anew
    mkdir -p "$ROOT$RULES"
    cat >"$ROOT$RULES/50-companion.rules" <<'EOF'
// Installed by the table companion: its page may switch this machine off, and start it anew.
polkit.addRule(function (action, subject) {
    if (subject.user === "companion" &&
        /^org\.freedesktop\.login1\.(power-off|reboot)(-multiple-sessions)?$/.test(action.id)) {
        return polkit.Result.YES;
    }
});
EOF
    chmod 644 "$ROOT$RULES/50-companion.rules"
}

install_all() {
    packages
    users
    keep_outside
    program
    data
    switch_over
    name
    power
    sticks
    units
    keep_or_go_back
    shown=$(cat "$ROOT/etc/hostname" 2>/dev/null || hostname)
    say "done: http://$shown.local:$(port)/ ; \`sudo companion doctor\` looks at every part"
}

uninstall_all() {
    for each in companion-kiosk companion; do
        if booted; then systemctl disable --now "$each" 2>/dev/null || true; fi
        rm -f "$ROOT$UNITS/$each.service" "$ROOT$UNITS"/*.wants/"$each.service"
    done
    if booted; then systemctl daemon-reload; fi
    rm -rf "$ROOT$HOME_DIR"
    rm -f "$ROOT/usr/local/bin/companion" "$ROOT/etc/avahi/services/companion.service" \
        "$ROOT$RULES/50-companion.rules" "$ROOT$STICKS"
    say "the companion is gone. Kept: the games in $DATA, the settings in $SETTINGS, the user companion"
}

case ${1-} in
    install | uninstall) ;;
    *) fail "say install or uninstall" ;;
esac
case $NAME in *[!a-z0-9-]* | -* | *-) fail "NAME may have a-z, 0-9 and -, got '$NAME'" ;; esac
case $KIOSK in "" | yes | no) ;; *) fail "KIOSK is yes or no, got '$KIOSK'" ;; esac
if here && [ "$(id -u)" -ne 0 ]; then fail "only root can do that: sudo make $1"; fi
"$1_all"
