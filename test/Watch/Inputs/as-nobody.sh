# Watches root's process as another user, and the other user's as root:
# as-nobody.sh TARGET WITH-TARGET. What the other user runs is copied to where
# everybody can read it.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cp "$1" "$(command -v linesman)" "$folder"
target=$folder/$(basename "$1")
nobody=(setpriv --reuid=nobody --regid=65534 --clear-groups)
"$2" "$1" -- "${nobody[@]}" "$folder/linesman" watch --pid {PID} --symbol Shared
echo "exit $?"
"$2" "${nobody[@]}" "$target" -- linesman watch --pid {PID} --symbol Shared
echo "exit $?"
