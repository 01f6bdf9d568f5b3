#!/bin/bash
# Labs for real: made, entered, measured, reshaped, left behind by a killed owner, taken down. lab_test.sh [rootless]:
# as root with the host's namespaces, or as a user who has none but in a namespace of their own.
. "$(dirname "$0")/../cli/lib.sh"
: "${LAB_OWNER:?the program that has a lab for its lifetime}"
way=${1:-root}
fresh_tmp
tmp=$NARROWS_TEST_TMP
need ip tc timeout pgrep
cd "$tmp" || exit 1
name=t$$
as=()
export NARROWS_LAB_DIR=$tmp/state # no lab of anybody else is touched
if [ "$way" = root ]; then
    [ "$(id -u)" = 0 ] || { echo "skipped: not root"; exit 77; }
    unshare --net --mount true 2>err || { echo "skipped: no network namespaces: $(<err)"; exit 77; }
    [ -w /run ] || { echo "skipped: /run cannot be written"; exit 77; }
else
    if [ "$(id -u)" = 0 ]; then
        need setpriv
        as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
        chmod 0777 "$tmp"
    fi
    "${as[@]}" unshare --user --map-root-user --net --mount true 2>err ||
        { echo "skipped: no user namespaces: $(<err)"; exit 77; }
    "${as[@]}" test -x "$NARROWS" -a -r "$NARROWS_HOME/README.md" ||
        { echo "skipped: user 65534 may not read the build"; exit 77; }
fi

n() {
    timeout 60 "${as[@]}" "$NARROWS" "$@"
}

cleaned() { # what may be left: nothing
    n lab down "$name" 2>/dev/null
    n lab down "$name-2" 2>/dev/null
}
trap cleaned EXIT
echo "$name" >answers # of the owner, whose first is its lab's name

nothing_left() { # when
    local left
    left=$(ip netns list 2>/dev/null | grep "^nwlab-$name" | head -n 3)
    [ -z "$left" ] || failed "$1: namespaces are left: $left"
    left=$(find "$NARROWS_LAB_DIR" -name '*.lab' 2>/dev/null)
    [ -z "$left" ] || failed "$1: states are left: $left"
    left=$(grep -lsaE "NARROWS_LAB=($name(-2)?|$(head -n 1 answers)):" /proc/[0-9]*/environ 2>/dev/null)
    [ -z "$left" ] || failed "$1: processes are left: $left"
}

cat >tree.yaml <<END
include: $NARROWS_HOME/scenarios/platforms/3lc-gtx980-cluster.yaml
name: tree
machines: 5
network: {topology: tree, per_switch: 2, uplink: core}
link:
  core: {bandwidth: 15 Mbit/s, latency: 5 us}
END
slow=(--set 'link.eth.bandwidth=10 Mbit/s') # buckets that a busy machine does not overflow

# Refused before anything is made.
expect 2 "" "link.eth.duplex: a lab shapes each direction" n lab up 3lc-gtx980-cluster --set link.eth.duplex=half
expect 2 "" "network.topology: expected star or tree" n lab up x86-k80
expect 2 "" "letters, digits" n lab up 3lc-gtx980-cluster --name a/b
expect 2 "" "--queue: expected a quantity" n lab up 3lc-gtx980-cluster --queue 1
expect 2 "" "--set:1:10: link.eth.bandwith" n lab up 3lc-gtx980-cluster --set 'link.eth.bandwith=1 Gbit/s'
expect 2 "" "expected the name of a lab that is up" n lab enter "$name" 0 true
expect 2 "" "go with up" n lab down --queue '1 MB'
nothing_left "refusals"

# What the kernel cannot do, and what the user may not.
if [ "$way" = root ]; then
    netem=(unshare --net)
else
    netem=("${as[@]}" unshare --user --map-root-user --net)
    "${as[@]}" unshare --user --map-root-user sh -c \
        'echo 0 >/proc/sys/user/max_user_namespaces && [ ! -w /run ]' 2>/dev/null &&
        expect 3 "" "no network namespaces for this user .*: run it as root, or allow user namespaces" \
            "${as[@]}" unshare --user --map-root-user sh -c \
            'echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"' _ "$NARROWS" lab up 3lc-gtx980-cluster
fi
late=(--set 'link.eth.latency=1 ms' --set machines=2)
if "${netem[@]}" tc qdisc add dev lo root netem delay 1ms 2>/dev/null; then
    expect 0 "latency 1000 us added" "" n lab up 3lc-gtx980-cluster --name "$name" "${late[@]}" "${slow[@]}"
    n lab down "$name"
else
    expect 3 "" "needs the kernel's netem" n lab up 3lc-gtx980-cluster --name "$name" "${late[@]}"
fi
nothing_left "what cannot be"

# Up, calibrated; a second time is the same lab, other numbers are another one.
expect 0 "$name.*3 machines.*up 10 Mbit/s, burst 4 KiB, queue 1 MB.*congestion.*calibration  machine 0 -> 1: 9" "" \
    n lab up 3lc-gtx980-cluster --name "$name" --set machines=3 "${slow[@]}"
[ "$failures" = 0 ] || { cat err; exit 1; }
expect 0 "$name" "" n lab up 3lc-gtx980-cluster --name "$name" --set machines=3 "${slow[@]}"
expect 2 "" "is up with other numbers.*narrows lab down $name" n lab up 3lc-gtx980-cluster --name "$name"
expect 0 "owner        none" "" n lab status
expect 0 "^$name-1.10.77.0.2/24.$name-1" "" n lab enter "$name" 1 sh -c \
    "hostname; ip -o -4 addr show dev eth0 | grep -o '10[.0-9/]*2*4'; cat /proc/sys/kernel/hostname"
expect 2 "" "expected a machine of '$name', 0 to 2, got 3" n lab enter "$name" 3 true
PATH=/usr/sbin:/usr/bin:/sbin:/bin expect 3 "" "no-such-program" n lab enter "$name" 0 no-such-program
expect 7 "" "" n lab enter "$name" 0 sh -c "exit 7"

# As ssh would: options skipped, words joined and read by a shell.
expect 5 "^$name-2.a b" "" n lab agent "$name" -x -q 10.77.0.3 hostname ";" "echo 'a b';" exit 5
expect 2 "" "expected a host" n lab agent "$name" 10.77.1.3 true
expect 2 "" "expected a machine" n lab agent "$name" 10.77.0.9 true

# The address of another machine answers, and no other network is there: one route, and the bridge's neighbours.
n lab enter "$name" 0 sh -c 'cat /proc/net/route' >routes
[ "$(wc -l <routes)" = 2 ] || failed "expected one route, got $(<routes)"

# Down ends what runs inside.
n lab enter "$name" 2 sleep 1000.$$ &
inside=$!
for _ in $(seq 100); do
    n lab enter "$name" 2 true && pgrep -f "^sleep 1000.$$\$" >/dev/null && break
    sleep 0.05
done
expect 0 "" "" n lab down "$name"
wait "$inside" 2>/dev/null && failed "a process inside ended by itself"
nothing_left "down"
expect 0 "" "" n lab down "$name"

# A tree with a machine alone at its switch. Its uplinks are measured.
expect 0 "3 switches of 2.*uplinks.*switch 0 -> 1: 14" "" n lab up "$tmp/tree.yaml" --name "$name" "${slow[@]}"
expect 0 "" "" n lab down "$name"

# A lab that a process has for its own lifetime, reshaped, with an MPI program inside.
hello=
if [ -n "${LAB_HELLO:-}" ] && command -v mpirun >/dev/null; then
    hello=$tmp/hello
    printf '#!/bin/sh\nASAN_OPTIONS=detect_leaks=0 exec %s\n' "$LAB_HELLO" >"$hello" # those of the MPI library
    chmod 0755 "$hello"
fi
platform=$NARROWS_HOME/scenarios/platforms/3lc-gtx980-cluster.yaml
{
    echo "reshape link.eth.bandwidth=20 Mbit/s"
    [ -z "$hello" ] || echo "mpirun 0,1,2,1 $hello"
    echo close
} | NARROWS=$NARROWS timeout 100 "${as[@]}" "$LAB_OWNER" "$platform" >answers 2>said
if [ -n "$hello" ]; then
    [ "$(tail -n +2 answers | tr '\n' ' ')" = "0 0 closed " ] || failed "owner: $(<answers) $(<said)"
    [ "$(grep -c '^rank [0-3] of 4 on of-[0-9]*-[012]: 6$' said)" = 4 ] || failed "mpirun: $(<said)"
    grep -q 'rank 3 of 4 on of-[0-9]*-1:' said || failed "rank 3 is not on machine 1: $(<said)"
else
    [ "$(sed -n 2p answers)" = 0 ] || failed "owner: $(<answers) $(<said)"
fi
nothing_left "an owner that closed"

# An owner that is killed, with something running inside.
mkfifo commands
timeout 100 "${as[@]}" "$LAB_OWNER" "$platform" "$name" <commands >answers 2>said &
job=$!
exec 9>commands
for _ in $(seq 200); do
    [ -s answers ] && break
    sleep 0.05
done
owner=$(sed -n 's/^owner \([0-9]*\) .*/\1/p' "$NARROWS_LAB_DIR/$name.lab")
expect 0 "owner        process $owner, alive" "" n lab status "$name"
expect 2 "" "'$name' is in use by process $owner" n lab up 3lc-gtx980-cluster --name "$name"
n lab enter "$name" 0 sleep 1001.$$ 2>/dev/null &
inside=$!
sleep 0.2
kill -KILL "$owner"
wait "$job" 2>/dev/null
exec 9>&-
if [ "$way" = rootless ]; then
    # by itself: the holder ends what is inside, and then itself
    holder=$(sed -n 's/^holder \([0-9]*\) .*/\1/p' "$NARROWS_LAB_DIR/$name.lab")
    for _ in $(seq 100); do
        kill -0 "$holder" 2>/dev/null || break
        sleep 0.05
    done
    kill -0 "$holder" 2>/dev/null && failed "the holder outlives its owner"
    pgrep -f "^sleep 1001.$$\$" >/dev/null && failed "what runs inside outlives the owner"
fi
expect 0 "owner        process $owner, dead" "" n lab status "$name"
expect 0 "$name-2" "" n lab up 3lc-gtx980-cluster --name "$name-2" --no-calibrate
wait "$inside" 2>/dev/null && failed "a process of a dead lab ended by itself"
[ ! -e "$NARROWS_LAB_DIR/$name.lab" ] || failed "another lab's up does not remove what a dead owner left"
expect 0 "calibration  none" "" n lab status
expect 0 "" "" n lab down "$name-2"
nothing_left "a killed owner"

# A failed up leaves nothing: ip refuses, tc refuses, the calibration is interrupted.
mkdir bin
for tool in ip tc; do
    printf '#!/bin/sh\necho "Command failed -:1" >&2\nexit 1\n' >"bin/$tool"
    chmod +x "bin/$tool"
    PATH=$tmp/bin:$PATH expect 1 "" "narrows lab: $tool" n lab up 3lc-gtx980-cluster --name "$name" --no-calibrate
    nothing_left "$tool failed"
    rm "bin/$tool"
done
"${as[@]}" "$NARROWS" lab up 3lc-gtx980-cluster --name "$name" --set 'link.eth.bandwidth=100 kbit/s' >/dev/null 2>&1 &
up=$!
for _ in $(seq 100); do
    [ -e "$NARROWS_LAB_DIR/$name.lab" ] && break
    sleep 0.05
done
sleep 0.5
kill -INT "$up"
wait "$up"
code=$?
[ "$code" = 130 ] || failed "interrupted up: exit $code, not 130"
nothing_left "interrupted"
finish
