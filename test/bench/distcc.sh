#!/usr/bin/env bash
# A unit that distcc compiles on a worker, here on loopback, has the same facts,
# and its program the same report, as one that was compiled at home:
#   bash test/bench/distcc.sh [BUILD]
# The plugin has to be on the worker under the same path, and the worker has to
# allow the compiler. Fails when anything differs.
set -euo pipefail
build=$(realpath "${1:-build}")
source=$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../package/Inputs/consumer/app.cpp
clang=/usr/lib/llvm-22/bin/clang++
work=$(mktemp -d)
port=$((20000 + RANDOM % 10000))
chmod 755 "$work"
mkdir -m 777 "$work/worker" "$work/home"
trap 'kill "$daemon" 2>/dev/null || true; rm -rf "$work"' EXIT
# "Shipped": the worker's user can read it here.
cp "$build/lib/linesman-facts.so" "$work/"
cp "$source" "$work/app.cpp"
echo "$clang" >"$work/allowed"
user=()
if [ "$(id -u)" -eq 0 ]; then user=(--user nobody); fi
DISTCC_CMDLIST=$work/allowed TMPDIR=$work/worker distccd --no-detach --daemon --allow 127.0.0.1 --listen 127.0.0.1 \
  --port "$port" --log-file "$work/worker/log" --jobs 2 "${user[@]}" &
daemon=$!
until (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do
  kill -0 "$daemon" || { echo "distccd did not start" >&2; exit 1; }
done
cd "$work"
flags=(-O2 -g -fdata-sections "-fpass-plugin=$work/linesman-facts.so" -c app.cpp)
"$clang" "${flags[@]}" -o home.o
DISTCC_HOSTS=127.0.0.1:$port DISTCC_FALLBACK=0 DISTCC_DIR=$work/home distcc "$clang" "${flags[@]}" -o worker.o
grep -q COMPILE_OK "$work/worker/log" || { echo "the worker compiled nothing" >&2; exit 1; }
for where in home worker; do
  "$clang" -pthread "$where.o" -o app
  "$build/bin/linesman" layout --format=json app >"$where.json"
done
cmp home.json worker.json
echo "compiled on the worker: $(grep -c 'COMPILE_OK' "$work/worker/log" || true); the reports are the same, $(grep -c '"id"' home.json) findings"
