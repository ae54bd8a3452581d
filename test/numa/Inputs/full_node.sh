# While another process fills node 1.
run="python3 -S $INPUTS/../../Runtime/Inputs/with_process.py"
$run linesman run -- $WORK/big --then linesman place PID big=1
linesman run --prepare --place big=1 -- $WORK/big </dev/null
echo "prepared on a full node: exit $?"
