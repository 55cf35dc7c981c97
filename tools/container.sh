#!/bin/sh
# Install pitboss with its card room into a new virtual environment: container.sh SOURCE TARGET
#
# SOURCE is a clone. The wheel in its dist/ is installed; if there is none, one is made here, with the games compiled, so that
# nobody who starts the container waits for a compiler.
set -eu
source=$1 target=$2
PIP_CONSTRAINT=$source/constraints.txt
export PIP_CONSTRAINT

"${PYTHON:-python3}" -m venv "$target"
pip() { "$target/bin/python" -m pip --disable-pip-version-check --quiet "$@"; }
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

wheel=$(ls "$source"/dist/*.whl 2>/dev/null | tail -n 1)
if [ -z "$wheel" ]; then
  pip install "$source[web]" hatchling
  pip wheel --no-deps --no-build-isolation --wheel-dir "$made" "$source"
  pip uninstall --yes pitboss
  wheel=$(ls "$made"/*.whl)
fi
pip install "$wheel[web]"
cd "$made"
"$target/bin/pitboss" serve --check --port 0
