# Sourced: await COMMAND... asks again until the command succeeds, for a minute.
await() {
  local end=$((SECONDS + 60))
  until "$@"; do
    [ "$SECONDS" -lt "$end" ] || {
      echo "waited in vain for: $*" >&2
      exit 1
    }
  done
}

# Whether a thread of process $1 is traced; whether none is.
is_traced() { grep -q '^TracerPid:.*[1-9]' /proc/"$1"/task/*/status; }
is_free() { ! is_traced "$1"; }
