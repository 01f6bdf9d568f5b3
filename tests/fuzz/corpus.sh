#!/bin/bash
# The corpora: tests/fuzz/corpus/NAME.tar.xz holds NAME/INPUT; those of the codecs, codec-CODEC, are together in
# codecs.tar.xz.
#
#   corpus.sh unpack NAME FOLDER           write FOLDER/NAME/INPUT
#   corpus.sh pack NAME FOLDER             pack FOLDER/NAME again: the same inputs give the same archive
#   corpus.sh merge NAME FOLDER BUILD      pack the smallest part of FOLDER/NAME that covers as much in the fuzz targets
#                                          of BUILD (with -DNW_FUZZ=ON)
#   corpus.sh replay NAME FOLDER PROGRAM   unpack it into FOLDER and run PROGRAM over it: a test
set -eu
[ $# -ge 3 ] || { sed -n '5,9s/^# *//p' "$0" >&2; exit 2; }
verb=$1 name=$2 folder=$3
archives=$(cd "$(dirname "$0")" && pwd)/corpus

case $name in
codec-*) archive=$archives/codecs.tar.xz ;;
*) archive=$archives/$name.tar.xz ;;
esac

unpack() { # into folder, what...
    local into=$1
    shift
    mkdir -p "$into"
    (cd "$into" && "${CMAKE:-cmake}" -E tar xf "$archive" "$@") # unpacks xz where there is no such program
}

pack() { # folder: its NAME, with what else the archive has
    local all names
    all=$(mktemp -d)
    [ ! -f "$archive" ] || unpack "$all"
    rm -rf "${all:?}/$name"
    cp -R "$1/$name" "$all/"
    mapfile -t names < <(cd "$all" && printf '%s\n' *)
    tar -C "$all" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --format=ustar \
        -cf - -- "${names[@]}" | xz -9e -T1 >"$archive.new"
    mv "$archive.new" "$archive"
    rm -rf "$all"
}

# What a merge keeps is named by its hash; it gets the name back that it had.
merge() { # build
    local target input
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    mkdir -p "$work/hashed" "$work/$name"
    for target in "$1/tests/${name}_fuzz" "$1/tests/decoder-${name#codec-}_fuzz"; do
        [ ! -x "$target" ] ||
            "$target" -merge=1 -close_fd_mask=3 -max_len=4194304 "$work/hashed" "$folder/$name" 2>&1 | tail -n 1
    done
    for input in "$folder/$name"/*; do
        [ ! -f "$work/hashed/$(sha1sum <"$input" | cut -d' ' -f1)" ] || cp "$input" "$work/$name/"
    done
    pack "$work"
    echo "$name: $(find "$work/$name" -type f | wc -l) of $(find "$folder/$name" -type f | wc -l) inputs kept"
}

case $verb in
unpack) unpack "$folder" "$name" ;;
pack) pack "$folder" ;;
merge) merge "$4" ;;
replay)
    rm -rf "${folder:?}/$name"
    unpack "$folder" "$name"
    exec "$4" "$folder/$name"
    ;;
*) echo "$verb: expected unpack, pack, merge or replay" >&2 && exit 2 ;;
esac
