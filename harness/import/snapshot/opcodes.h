/* opcodes.h - private to pickle.c: the opcodes of plain data, and the names of others. */
#ifndef NARROWS_HARNESS_IMPORT_SNAPSHOT_OPCODES_H
#define NARROWS_HARNESS_IMPORT_SNAPSHOT_OPCODES_H

/* As pickletools names them. */
enum opcode {
    MARK = '(',
    STOP = '.',
    POP = '0',
    POP_MARK = '1',
    DUP = '2',
    BINFLOAT = 'G',
    BININT = 'J',
    BININT1 = 'K',
    BININT2 = 'M',
    NONE = 'N',
    BINSTRING = 'T',
    SHORT_BINSTRING = 'U',
    BINUNICODE = 'X',
    APPEND = 'a',
    APPENDS = 'e',
    BINGET = 'h',
    LONG_BINGET = 'j',
    BINPUT = 'q',
    LONG_BINPUT = 'r',
    SETITEM = 's',
    TUPLE = 't',
    SETITEMS = 'u',
    EMPTY_LIST = ']',
    EMPTY_DICT = '}',
    EMPTY_TUPLE = ')',
    BINBYTES = 'B',
    SHORT_BINBYTES = 'C',
    PROTO = 0x80,
    TUPLE1 = 0x85,
    TUPLE2,
    TUPLE3,
    NEWTRUE,
    NEWFALSE,
    LONG1,
    LONG4,
    SHORT_BINUNICODE = 0x8c,
    BINUNICODE8,
    BINBYTES8,
    MEMOIZE = 0x94,
    FRAME,
};

/* The name of one that makes an object, calls a function or takes bytes from elsewhere; NULL for any other. */
const char *pickle_other_opcode(unsigned char opcode);

#endif
