"""A real nginx with the configuration of deploy/, and a certificate authority made for one test."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
NAME = "play.example.org"
WHY = "nginx and openssl are not installed (Debian: apt-get install nginx-light openssl)"


def nginx() -> str | None:
    """Return the program, if it and openssl are installed."""
    found = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    return found if shutil.which("openssl") else None


@dataclass(frozen=True)
class Certificates:
    """An authority, and a certificate for `NAME` that it signed."""

    authority: Path
    certificate: Path
    key: Path

    @property
    def context(self) -> ssl.SSLContext:
        """A client's settings that trust this authority alone."""
        return ssl.create_default_context(cafile=str(self.authority))

    @property
    def public_key(self) -> str:
        """The hash by which Chromium can be told to trust this very key."""
        made = openssl("x509", "-in", str(self.certificate), "-pubkey", "-noout")
        der = subprocess.run(
            ["openssl", "pkey", "-pubin", "-outform", "der"], input=made, check=True, capture_output=True
        ).stdout
        return base64.b64encode(hashlib.sha256(der).digest()).decode()


def openssl(*arguments: str) -> bytes:
    """Run openssl; return what it prints."""
    return subprocess.run(["openssl", *arguments], check=True, capture_output=True).stdout


def make_certificates(folder: Path) -> Certificates:
    """Make an authority and a certificate, valid for a day."""
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    authority, authority_key = folder / "authority.pem", folder / "authority.key"
    usage = ("-addext", "keyUsage=critical,keyCertSign,cRLSign")
    openssl(
        "req", "-x509", *curve, "-days", "1", "-subj", "/CN=qipai test authority", *usage,
        "-keyout", str(authority_key), "-out", str(authority),
    )  # fmt: skip
    request, key, certificate = folder / "server.csr", folder / "server.key", folder / "server.pem"
    openssl("req", *curve, "-subj", f"/CN={NAME}", "-keyout", str(key), "-out", str(request))
    extensions = folder / "extensions"
    extensions.write_text(f"subjectAltName=DNS:{NAME}\nextendedKeyUsage=serverAuth\n")
    openssl(
        "x509", "-req", "-days", "1", "-in", str(request), "-CA", str(authority), "-CAkey",
        str(authority_key), "-CAcreateserial", "-extfile", str(extensions), "-out", str(certificate),
    )  # fmt: skip
    return Certificates(authority, certificate, key)


def configuration(folder: Path, found: Certificates, backend: int, http: int, https: int) -> Path:
    """Write deploy/nginx.conf with this machine's ports and files, inside the blocks around it."""
    text = (DEPLOY / "nginx.conf").read_text()
    changes = (
        (r"server 127\.0\.0\.1:8140;", f"server 127.0.0.1:{backend};"),
        (r"listen 80;", f"listen 127.0.0.1:{http};"),
        (r"listen 443 ssl http2;", f"listen 127.0.0.1:{https} ssl http2;"),
        (r"listen \[::\]:(80|443 ssl http2);", ""),
        (r"/etc/ssl/qipai/fullchain\.pem", str(found.certificate)),
        (r"/etc/ssl/qipai/privkey\.pem", str(found.key)),
        (rf"return 301 https://{re.escape(NAME)}", f"return 301 https://{NAME}:{https}"),
        (r"proxy_set_header Host \$host;", "proxy_set_header Host $http_host;"),  # with the test's port
    )
    for pattern, instead in changes:
        text, count = re.subn(pattern, instead, text)
        assert count, pattern
    (folder / "qipai.conf").write_text(text)
    temporary = "".join(
        f"    {name}_temp_path {folder}/{name};\n"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    whole = folder / "nginx.conf"
    user = "user root;\n" if os.geteuid() == 0 else ""
    whole.write_text(
        f"daemon off;\n{user}pid {folder}/nginx.pid;\nerror_log {folder}/error.log warn;\n"
        f"events {{ worker_connections 512; }}\n"
        f"http {{\n    include /etc/nginx/mime.types;\n    access_log off;\n{temporary}"
        f"    include {folder}/qipai.conf;\n}}\n"
    )
    return whole


@contextmanager
def proxied(folder: Path, backend: int) -> Iterator[tuple[Certificates, int, int]]:
    """Yield the certificates and the ports for HTTP and HTTPS of an nginx in front of `backend`."""
    program = nginx()
    assert program is not None, WHY
    found = make_certificates(folder)
    http, https = free_port(), free_port()
    path = configuration(folder, found, backend, http, https)
    process = subprocess.Popen(
        [program, "-e", str(folder / "error.log"), "-c", str(path)], stdout=subprocess.DEVNULL
    )
    try:
        _wait(https, process, folder)
        yield found, http, https
    finally:
        process.terminate()
        process.wait(10)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait(port: int, process: subprocess.Popen[bytes], folder: Path) -> None:
    for _ in range(200):
        assert process.poll() is None, (folder / "error.log").read_text()
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise AssertionError("nginx does not start")
