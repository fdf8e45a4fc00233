#!/bin/sh
# usage: scripts/venv.sh EXTRA     makes .venv if need be and installs rbdlite[EXTRA] into it.
set -eu
extra=$1
cd "$(dirname "$0")/.."

good() { command -v "$1" >/dev/null 2>&1 && "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

if ! .venv/bin/python -c 'import pip' 2>/dev/null; then
  python=
  for p in ${PYTHON:-python3 python3.13 python3.12 python3.11}; do
    if good "$p"; then python=$p; break; fi
  done
  if [ -z "$python" ]; then
    echo "rbdlite needs Python 3.11 or newer; found: $(python3 --version 2>/dev/null || echo 'no python3')." >&2
    echo "Debian 12, Ubuntu 24.04 and later: sudo apt install python3 python3-venv" >&2
    echo "A Python elsewhere: make PYTHON=/path/to/python3.12 book" >&2
    exit 1
  fi
  lacks=
  "$python" -c 'import venv, ensurepip' 2>/dev/null ||
    lacks=$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
  [ "$(uname)" != Linux ] || "$python" -c 'import ctypes; ctypes.CDLL("libgomp.so.1")' 2>/dev/null ||
    lacks="$lacks libgomp1"
  if [ -n "$lacks" ]; then
    echo "$python lacks what virtual environments (venv) or Pinocchio (libgomp) need." >&2
    echo "Debian and Ubuntu: sudo apt install" $lacks >&2
    exit 1
  fi
  echo "Making .venv with $("$python" --version) ..."
  rm -rf .venv
  "$python" -m venv .venv
fi

echo "Installing rbdlite[$extra] into .venv (a few minutes the first time) ..."
.venv/bin/python -m pip install --disable-pip-version-check --no-warn-script-location -qq -e ".[$extra]"
touch ".venv/.have-$extra"
