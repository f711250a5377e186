#!/usr/bin/env bash
# bash scripts/record/run.sh OUT_DIR: records what the programs here do on this machine's GPU under its PyTorch, in under ten
# minutes, as JSON files in OUT_DIR. Needs Python with torch (2.1 or later, CUDA) and an NVIDIA GPU. PYTHON names the
# interpreter (default python3). Further arguments go to record.py (--only ID,... and --minutes N).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if [[ $# -lt 1 || $1 == -* ]]; then
  echo "usage: bash scripts/record/run.sh OUT_DIR [--only ID,...] [--minutes N]" >&2
  exit 2
fi
python=${PYTHON:-python3}
if ! command -v "$python" >/dev/null 2>&1; then
  echo "record: there is no $python on this machine; set PYTHON to an interpreter that can import torch" >&2
  exit 3
fi
exec "$python" "$here/record.py" "$@"
