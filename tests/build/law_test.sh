#!/bin/bash
# The law between the rooms (what each may include), the order inside harness/ and train/, and the purity of kernels/,
# model/ and sim/: what they may include and call, and that they hold no state.
# use: law_test.sh LIBKERNELS LIBMODEL LIBSIM LIBRARY
set -u
breaches=0

breach() {
    echo "$*"
    breaches=$((breaches + 1))
}

# Prints "file:line:header" for each #include of the room's sources, header with its < or ".
includes() {
    grep -rnE --include='*.[ch]' --include='*.cu' --include='*.cuh' --include='*.cpp' \
        '^[[:space:]]*#[[:space:]]*include' "$1" |
        sed -E 's/^([^:]+:[0-9]+):[^<"]*([<"][^>"]*).*/\1:\2/'
}

# room_may_include ROOM 'extended regex of project headers' 'extended regex of system headers'
room_may_include() {
    local room=$1 own=$2 system=$3 place header seen=0
    [ -d "$room" ] || return 0
    while IFS= read -r found; do
        place=${found%:*} header=${found##*:} seen=$((seen + 1))
        case $header in
        \"*) [[ ${header#?} =~ ^($own)$ ]] || breach "$place: $room/ must not include \"${header#?}\"" ;;
        *) [[ ${header#?} =~ ^($system)$ ]] || breach "$place: $room/ must not include <${header#?}>" ;;
        esac
    done < <(includes "$room")
    [ "$seen" -gt 0 ] || breach "$room/: not one #include found, so nothing was checked"
}

pure='assert.h|float.h|inttypes.h|limits.h|math.h|stdarg.h|stdbool.h|stddef.h|stdint.h|stdlib.h|string.h'
room_may_include model 'model/.*' "$pure|stdio.h"
room_may_include sim '(model|sim)/.*' "$pure|stdio.h"
room_may_include kernels 'kernels/.*' \
    "$pure|stdio.h|immintrin.h|arm_neon.h|altivec.h|omp.h|xxhash.h|cuda_(runtime(_api)?|bf16|fp16).h|mma.h"
room_may_include library '(kernels|library)/.*' "$pure|stdio.h|narrows.h|narrows_plugin.h"
room_may_include train '(kernels|model|train)/.*' \
    "$pure|stdio.h|omp.h|dlfcn.h|dnnl.h|cblas.h|cu(da|blas|dnn)[a-z0-9_]*.h"
room_may_include harness '(kernels|model|sim|train|harness)/.*|library/narrows_plugin.h|narrows_build.h' '.*'

# keeps_order ROOM TABLE: the parts of a room, lowest first; those of one line are on one level. A part may include
# itself and what is below it. A part is a folder of the room, or a file that lies in the room itself.
keeps_order() {
    local room=$1 table=$2 level=0 part line place header from to seen=0
    local -A at=()
    while read -r line; do
        level=$((level + 1))
        for part in $line; do at[$part]=$level; done
    done <<<"$table"
    for part in "$room"/*; do
        part=${part#"$room/"}
        case $part in CMakeLists.txt | README.md) continue ;; esac
        [ -n "${at[$part]:-}" ] || breach "$room/$part: has no place in the order of $room/"
    done
    while IFS= read -r found; do
        place=${found%:*} header=${found##*:}
        [[ $header == \"$room/* ]] || continue
        from=${place#"$room/"} from=${from%%:*} from=${from%%/*}
        to=${header#"\"$room/"} to=${to%%/*} seen=$((seen + 1))
        [ "$from" = "$to" ] || [ "${at[$to]:-99}" -lt "${at[$from]:-0}" ] ||
            breach "$place: $room/$from must not include \"${header#?}\", which is not below it"
    done < <(includes "$room")
    [ "$seen" -gt 0 ] || breach "$room/: not one #include of its own found, so no order was checked"
}

keeps_order harness 'status.h count.h
text
host
mpi
data
flows
buffers
import
tensor
scenario
lab
store
offload
measure
network
training
executor
run
validation
tune
record report trace bench
compare
exec
command
main.c'
keeps_order train 'number.h
draw.h
ops
net
data optimizer policy exchange
trainer'

# calls_nothing_of ROOM LIBRARY 'extended regex': the functions that its object files leave to be linked, with the
# hardened names of glibc (__printf_chk) brought back to the plain ones.
calls_nothing_of() {
    local room=$1 library=$2 forbidden=$3 symbols
    symbols=$(nm -A --undefined-only "$library" 2>/dev/null | sed -E 's/ +U / /; s/ __([a-z0-9_]+)_chk$/ \1/')
    [ -n "$symbols" ] || breach "$library: no symbols found, so nothing was checked"
    while IFS= read -r found; do
        breach "$room/ must not use ${found##* }: ${found%% *}"
    done < <(grep -E " ($forbidden)$" <<<"$symbols")
}

output='f?printf|vf?printf|dprintf|puts|putchar|putc|fputc|fputs|fwrite|perror|stdout|stderr|stdin|syslog'
input='f?open|open64|fopen64|fdopen|openat|creat|read|write|pread|pwrite|mmap|socket|f?getc|fgets|fread|f?scanf|getline'
clock='time|clock|clock_gettime|gettimeofday|timespec_get|localtime|gmtime|nanosleep|usleep|sleep'
world='getenv|secure_getenv|setlocale|system|popen|fork|execv.*|signal|sigaction|getpid|sysconf|pthread_.*|thrd_.*'
random='s?rand|s?random|[djlm]rand48|erand48|getrandom|arc4random.*'
memory='malloc|calloc|realloc|reallocarray|free|aligned_alloc|posix_memalign|strdup|alloca|cudaMalloc.*|cudaMemcpy.*'
calls_nothing_of model "$2" "$output|$input|$clock|$world|$random"
calls_nothing_of sim "$3" "$output|$input|$clock|$world|$random"
calls_nothing_of kernels "$1" "$output|$input|$clock|$world|$random|$memory"
calls_nothing_of library "$4" "$output|$input|$clock|$world|$random|$memory"

# holds_no_state ROOM LIBRARY: no symbol in a section that can be written to. nvcc's own registration of the device
# code is such state, and belongs to no source file.
holds_no_state() {
    local room=$1 library=$2
    while IFS= read -r found; do
        breach "$room/ must not hold the mutable object $found"
    done < <(objdump -t "$library" |
        awk '/file format/ { object = $1; next }
             object ~ /\.cu\.o:$/ { next }
             / \.data\.rel\.ro/ { next }
             / O / && / (\.(data|bss|tdata|tbss)[^ \t]*|\*COM\*)[ \t]/ { print $NF " (" object ")" }' | sort -u)
}

holds_no_state model "$2"
holds_no_state sim "$3"
holds_no_state kernels "$1"
holds_no_state library "$4"

[ "$breaches" -eq 0 ] || { echo "$breaches breaches of the law between the rooms"; exit 1; }
echo "the rooms keep the law"
