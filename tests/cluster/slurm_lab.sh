# slurm_lab.sh - a Slurm cluster of 4 nodes on this machine, without systemd: each node a network namespace with a name
# of its own, joined by a bridge, with a slurmd; the controller at the bridge. Source it after lib.sh. All files lie in
# $NARROWS_TEST_TMP/slurm, all namespaces are named after $lab, and slurm_down (on EXIT) removes what slurm_up made.
# shellcheck shell=bash
lab=nws$$
slurm=$NARROWS_TEST_TMP/slurm
nodes=4
daemons=()

slurm_needed() {
    local tool
    [ "$(id -u)" = 0 ] || { echo "skipped: namespaces for a cluster need root"; exit 77; }
    for tool in slurmctld slurmd sbatch srun munged; do
        PATH=$PATH:/usr/sbin command -v "$tool" >/dev/null ||
            { echo "skipped: $tool is not installed (Debian: slurm-wlm munge)"; exit 77; }
    done
    ip netns add "$lab-try" 2>/dev/null && ip netns del "$lab-try" ||
        { echo "skipped: this machine makes no network namespaces"; exit 77; }
}

# inside NODE COMMAND...: its network alone; mounts and the rest are this machine's. 'sw' is the bridge.
inside() {
    local node=$1
    shift
    nsenter --net="/run/netns/$lab-$node" "$@"
}

write_configuration() {
    local i
    cat >"$slurm/slurm.conf" <<END
ClusterName=$lab
SlurmctldHost=sw(10.77.0.254)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$slurm/munge.socket
CredType=cred/munge
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool-%n
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd-%n.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd-%n.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/none
ReturnToService=2
SchedulerParameters=sched_min_interval=100000,batch_sched_delay=0
KillWait=2
EpilogMsgTime=0
END
    mkdir -p "$slurm/state"
    : >"$slurm/mpi.conf"
    for i in $(seq "$nodes"); do
        echo "NodeName=n$i NodeAddr=10.77.0.$i CPUs=1 State=UNKNOWN" >>"$slurm/slurm.conf"
        mkdir -p "$slurm/spool-n$i" "$slurm/pmix-n$i"
        echo "PMIxCliTmpDirBase=$slurm/pmix-n$i" >"$slurm/mpi-n$i.conf"
    done
    echo "PartitionName=all Nodes=n[1-$nodes] Default=YES State=UP" >>"$slurm/slurm.conf"
}

make_network() (
    set -e
    ip netns add "$lab-sw"
    ip -n "$lab-sw" link set lo up
    ip -n "$lab-sw" link add bridge0 type bridge
    ip -n "$lab-sw" addr add 10.77.0.254/24 dev bridge0
    ip -n "$lab-sw" link set bridge0 up
    for i in $(seq "$nodes"); do
        ip netns add "$lab-n$i"
        ip -n "$lab-n$i" link set lo up
        ip link add eth0 netns "$lab-n$i" type veth peer name "p$i" netns "$lab-sw"
        ip -n "$lab-sw" link set "p$i" master bridge0 up
        ip -n "$lab-n$i" addr add "10.77.0.$i/24" dev eth0
        ip -n "$lab-n$i" link set eth0 up
    done
)

# daemon NODE COMMAND...: with the node's network and name, and its own mpi.conf: PMIx needs a folder for each slurmd.
daemon() {
    local node=$1
    shift
    # shellcheck disable=SC2016 # for the shell inside
    inside "$node" unshare --uts --mount bash -c '
        hostname "$1"
        [ ! -e "$2/mpi-$1.conf" ] || mount --bind "$2/mpi-$1.conf" "$2/mpi.conf"
        shift 2
        exec "$@"' _ "$node" "$slurm" "$@" >"$slurm/$node.out" 2>&1 &
    daemons+=($!)
}

# What a test left behind that was killed: its process is gone, its namespaces and its munged are not.
remove_leftovers() {
    local space munged
    while read -r space; do
        kill -0 "${space//[!0-9]/}" 2>/dev/null && continue
        for space in $(ip netns list | sed -n "s/^\($space-[a-z0-9]*\).*/\1/p"); do
            ip netns pids "$space" | xargs -r kill -KILL 2>/dev/null
            ip netns del "$space"
        done
    done < <(ip netns list | sed -n 's/^\(nws[0-9]*\)-.*/\1/p' | sort -u)
    munged=$(cat "$slurm/munged.pid" 2>/dev/null) || return 0
    [ "$(cat "/proc/$munged/comm" 2>/dev/null)" != munged ] || kill -KILL "$munged"
}

slurm_up() {
    local i
    remove_leftovers
    rm -rf "$slurm"
    mkdir -p "$slurm"
    write_configuration
    make_network
    [ -e "/run/netns/$lab-n$nodes" ] || return 1
    head -c 1024 /dev/urandom >"$slurm/munge.key"
    chmod 400 "$slurm/munge.key"
    munged --foreground --force --key-file="$slurm/munge.key" --socket="$slurm/munge.socket" \
        --pid-file="$slurm/munged.pid" --log-file="$slurm/munged.log" --seed-file="$slurm/munge.seed" \
        >"$slurm/munged.out" 2>&1 &
    daemons+=($!)
    for ((i = 0; i < 100; i++)); do
        [ -S "$slurm/munge.socket" ] && break
        sleep 0.1
    done
    export SLURM_CONF=$slurm/slurm.conf
    daemon sw slurmctld -D -f "$slurm/slurm.conf"
    for i in $(seq "$nodes"); do
        daemon "n$i" slurmd -D -N "n$i" -f "$slurm/slurm.conf"
    done
    for ((i = SECONDS; SECONDS < i + 30; )); do
        [ "$(inside sw timeout 5 sinfo -h -N -t idle -o %n 2>/dev/null | sort -u | wc -l)" = "$nodes" ] && return 0
        sleep 0.1
    done
    echo "the cluster does not come up:"
    tail -n 5 "$slurm"/*.log "$slurm"/*.out
    return 1
}

slurm_down() {
    local i space
    inside sw timeout 5 scancel --user=root 2>/dev/null
    for space in sw $(seq -f 'n%g' "$nodes"); do
        for ((i = 0; i < 20; i++)); do
            ip netns pids "$lab-$space" 2>/dev/null | xargs -r kill -KILL 2>/dev/null || break
            sleep 0.1
        done
        ip netns del "$lab-$space" 2>/dev/null
    done
    [ "${#daemons[@]}" = 0 ] || kill -KILL "${daemons[@]}" 2>/dev/null
    wait 2>/dev/null
}
