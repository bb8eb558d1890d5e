#!/bin/sh
# Installs Debian's Chromium, PostgreSQL, nginx and Caddy for the tests, where that is possible; never fails.

wanted=""
command -v chromium >/dev/null 2>&1 || command -v google-chrome >/dev/null 2>&1 || wanted="chromium fonts-noto-cjk fonts-noto-color-emoji"
command -v initdb >/dev/null 2>&1 || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || wanted="$wanted postgresql"
command -v nginx >/dev/null 2>&1 || [ -x /usr/sbin/nginx ] || wanted="$wanted nginx-light"
command -v caddy >/dev/null 2>&1 || wanted="$wanted caddy"
command -v openssl >/dev/null 2>&1 || wanted="$wanted openssl"
[ -z "$wanted" ] && exit 0

if ! command -v apt-get >/dev/null 2>&1; then
    echo "not here and not installed (no apt-get): $wanted; tests that need them are skipped"
    exit 0
fi
if [ "$(id -u)" -eq 0 ]; then
    as_root=""
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root="sudo -n"
else
    echo "not here and not installed (no right to): $wanted; tests that need them are skipped"
    exit 0
fi
echo "installing $wanted for the tests (once)..."
{ $as_root apt-get update -qq && $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $wanted; } >/dev/null 2>&1 ||
    echo "apt-get could not install: $wanted; tests that need them are skipped"
