# Hunts in a process of root's as another user.
folder=$(mktemp -d)
sleep 1000 &
target=$!
trap 'rm -rf "$folder"; kill $target' EXIT
chmod 755 "$folder"
cp "$(command -v linesman)" "$folder"
setpriv --reuid=nobody --regid=65534 --clear-groups "$folder/linesman" hunt --pid=$target --state="$folder/hunt"
echo "exit $?"
