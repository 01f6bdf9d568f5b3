#!/bin/sh
# adt_cross_test.sh TRIPLET QEMU DEFINE ROW - compile the ADT family and adt_check.c for another processor, warnings on,
# and run it under qemu-user. Exit 77 with the reason where the compiler, its OpenMP or the emulator is missing.
set -eu
triplet=$1 qemu=$2 define=$3 row=$4
cc=$triplet-gcc

for tool in "$cc" "$qemu"; do
    command -v "$tool" >/dev/null || { echo "skipped: no $tool here"; exit 77; }
done
tmp=$NARROWS_TEST_TMP
rm -rf "$tmp"
mkdir -p "$tmp"
echo 'int main(void) { return 0; }' >"$tmp/empty.c"
if ! "$cc" -static "$tmp/empty.c" -o "$tmp/empty" 2>/dev/null; then
    echo "skipped: $cc cannot link: no C library for it"
    exit 77
fi
openmp='-fopenmp -DNW_OPENMP' with='kernels/shared/share_split.c kernels/l2norm/openmp.c'
if ! "$cc" -static -fopenmp "$tmp/empty.c" -o "$tmp/empty" 2>/dev/null; then
    echo "without OpenMP: $cc has none"
    openmp='' with=''
fi
cd "$NARROWS_HOME"
# shellcheck disable=SC2086
"$cc" -std=gnu11 -O2 -static -I. "-D$define" $openmp -ffp-contract=off \
    -Wall -Wextra -Werror -Wshadow -Wpointer-arith -Wstrict-prototypes -Wmissing-prototypes -Wvla \
    tests/cross/adt_check.c "kernels/adt/$row.c" kernels/adt/impls.c kernels/adt/norm.c kernels/adt/scalar.c \
    kernels/l2norm/impls.c kernels/l2norm/scalar.c kernels/l2norm/steps.c kernels/copy/portable.c \
    kernels/shared/share_serial.c $with -lm -o "$tmp/adt_check"
OMP_NUM_THREADS=3 "$qemu" "$tmp/adt_check" "$row"
