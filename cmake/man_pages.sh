#!/bin/sh
# man_pages.sh PROGRAM HEADER VERSION FOLDER - narrows.1.gz from what PROGRAM --help and each command's --help say,
# libnarrows.3.gz from what HEADER says, so that neither can say anything else.
set -eu
program=$1 header=$2 version=$3 folder=$4

# Text as it is, in roff: no escapes, no requests, plain hyphens.
verbatim() {
    printf '.nf\n'
    sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^\([.']\)/\\\\\&\1/"
    printf '.fi\n'
}

title() { # name section what
    printf '.TH %s %s "" "narrows %s" "%s"\n.SH NAME\n' "$1" "$2" "$version" "$3"
}

help=$("$program" --help)
{
    title NARROWS 1 "narrows"
    printf 'narrows \\- compressed communication in the training of neural networks\n.SH SYNOPSIS\n'
    printf '.B narrows\n.I COMMAND\n.RI [ ARGUMENT ...]\n.SH DESCRIPTION\n'
    printf '%s\n' "$help" | sed '1,/^usage:/d' | verbatim
    for command in $(printf '%s\n' "$help" | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p' | grep -vx help); do
        printf '.SH "%s"\n' "$(printf 'narrows %s' "$command" | tr '[:lower:]' '[:upper:]')"
        "$program" "$command" --help | verbatim
    done
    printf '.SH FILES\n.I share/narrows\n, next to the folder of the program: scenarios, models, platforms, '
    printf 'records, and the pages that\n.B narrows help\nprints.\n.SH ENVIRONMENT\n.TP\n.B NARROWS_HOME\n'
    printf 'where these files are instead.\n.SH SEE ALSO\n.BR libnarrows (3)\n'
} | gzip -9n >"$folder/narrows.1.gz"
{
    title LIBNARROWS 3 "narrows"
    printf 'libnarrows \\- codecs that send a tensor in fewer bytes\n.SH SYNOPSIS\n.B #include <narrows.h>\n.PP\n'
    # shellcheck disable=SC2016
    printf '.B cc\n.I program.c\n.B $(pkg\\-config \\-\\-cflags \\-\\-libs narrows)\n.SH DESCRIPTION\n'
    sed -n '1,/\*\/$/p' "$header" | sed -e 's|^/\* *narrows.h - ||' -e 's|^ \* \{0,1\}||' -e 's| *\*/$||' | verbatim
    printf '.SH DECLARATIONS\n'
    sed -e '1,/^#define NARROWS_PARAMS/d' -e '/^#ifdef __cplusplus/,$d' -e 's/^NARROWS_API //' "$header" | verbatim
    printf '.SH SEE ALSO\n.BR narrows (1)\n'
} | gzip -9n >"$folder/libnarrows.3.gz"
