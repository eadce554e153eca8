"""The box's own certificate, for pages over HTTPS. It comes from an authority that only this box
has: people who want it tell their phone once to trust that. The authority can vouch for nothing but
this box's name and addresses of a home network. The system's `openssl` makes both."""

from __future__ import annotations

import ipaddress
import re
import secrets
import socket
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from companion.foundation.errors import BadSettings
from companion.foundation.files import replace_file
from companion.foundation.messages import N_, message
from companion.service.network import network_address

AUTHORITY_FILE = "authority.crt"
AUTHORITY_KEY = "authority.key"
AUTHORITY_DAYS = 3650
PAGE_DAYS = 397
"""Phones take none that lasts longer. A new one is made at every start."""
HOME_NETWORKS = (
    "127.0.0.0/255.0.0.0",
    "10.0.0.0/255.0.0.0",
    "172.16.0.0/255.240.0.0",
    "192.168.0.0/255.255.0.0",
    "169.254.0.0/255.255.0.0",
)
SECRET_MODE = 0o600
_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")


@dataclass(frozen=True, slots=True)
class PageCertificate:
    """Files for the server: its certificate with the authority's, and its key."""

    certificate: Path
    key: Path


def page_certificate(folder: Path) -> PageCertificate:
    """A new certificate for this machine as it is called and reached now; raises `BadSettings`."""
    name = _machine()
    if not (folder / AUTHORITY_FILE).exists() or not (folder / AUTHORITY_KEY).exists():
        _make_authority(folder, name)
    made = PageCertificate(folder / "page.crt", folder / "page.key")
    with tempfile.TemporaryDirectory(prefix="companion-") as scratch:
        at = Path(scratch)
        asked = ["-keyout", "page.key", "-out", "page.csr", "-subj", f"/CN={name}"]
        _openssl(["req", *_KEY, *asked], at)
        (at / "extensions").write_text(
            f"subjectAltName={_names(name)}\nbasicConstraints=critical,CA:FALSE\n"
            "extendedKeyUsage=serverAuth\n"
        )
        authority = folder.absolute()
        signed = ["-CA", str(authority / AUTHORITY_FILE), "-CAkey", str(authority / AUTHORITY_KEY)]
        days = ["-days", str(PAGE_DAYS), "-set_serial", f"0x{_serial()}"]
        files = ["-in", "page.csr", "-extfile", "extensions", "-out", "page.crt"]
        _openssl(["x509", "-req", *signed, *days, *files], at)
        chain = (at / "page.crt").read_bytes() + (folder / AUTHORITY_FILE).read_bytes()
        replace_file(made.key, (at / "page.key").read_bytes(), mode=SECRET_MODE)
        replace_file(made.certificate, chain)
    return made


def _make_authority(folder: Path, name: str) -> None:
    allowed = [f"permitted;DNS:{each}" for each in dict.fromkeys(("localhost", name))]
    allowed += [f"permitted;DNS:{name.partition('.')[0]}.local"]
    allowed += [f"permitted;IP:{each}" for each in HOME_NETWORKS]
    with tempfile.TemporaryDirectory(prefix="companion-") as scratch:
        at = Path(scratch)
        added = (
            "basicConstraints=critical,CA:TRUE,pathlen:0",
            "keyUsage=critical,keyCertSign,cRLSign",
            f"nameConstraints=critical,{','.join(allowed)}",
        )
        told = [word for each in added for word in ("-addext", each)]
        subject = ["-subj", f"/CN=Table companion {name[:40]}", "-days", str(AUTHORITY_DAYS)]
        files = ["-keyout", "ca.key", "-out", "ca.crt"]
        _openssl(["req", "-x509", *_KEY, *subject, *told, *files], at)
        replace_file(folder / AUTHORITY_KEY, (at / "ca.key").read_bytes(), mode=SECRET_MODE)
        replace_file(folder / AUTHORITY_FILE, (at / "ca.crt").read_bytes())


def _machine() -> str:
    """As others call this machine; nothing that could be read as an option or a list."""
    return re.sub(r"[^a-z0-9.-]", "", socket.gethostname().lower())[:60].strip(".-") or "companion"


def _names(name: str) -> str:
    short = name.partition(".")[0]
    hosts = [f"DNS:{each}" for each in dict.fromkeys(("localhost", name, f"{short}.local"))]
    here = ["127.0.0.1", network_address()]
    homes = [ipaddress.ip_network(each) for each in HOME_NETWORKS]
    addresses = [
        each
        for each in here
        if each is not None and any(ipaddress.ip_address(each) in home for home in homes)
    ]
    return ",".join([*hosts, *(f"IP:{each}" for each in dict.fromkeys(addresses))])


def _serial() -> str:
    return "1" + secrets.token_hex(15)


def _openssl(words: list[str], folder: Path) -> None:
    try:
        done = subprocess.run(  # noqa: S603 - our own words, no shell
            ["openssl", *words],  # noqa: S607 - the system's, wherever it lies
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        why = "" if done.returncode == 0 else done.stderr.strip().splitlines()[-1:]
    except (OSError, subprocess.TimeoutExpired) as missing:
        why = str(missing)
    if why:
        raise BadSettings(
            "https_port",
            [
                message(
                    "no-certificate",
                    N_("no certificate for HTTPS could be made (%(why)s); is openssl installed?"),
                    why=str(why),
                )
            ],
        )
