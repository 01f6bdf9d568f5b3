#include "harness/import/snapshot/opcodes.h"

#include <stddef.h>

#include "harness/count.h"

const char *pickle_other_opcode(unsigned char opcode)
{
    static const struct {
        unsigned char opcode;
        const char *name;
    } others[] = {
        { 'c', "GLOBAL" },     { 'R', "REDUCE" },        { 'b', "BUILD" },
        { 'i', "INST" },       { 'o', "OBJ" },           { 0x81, "NEWOBJ" },
        { 0x92, "NEWOBJ_EX" }, { 0x93, "STACK_GLOBAL" }, { 'P', "PERSID" },
        { 'Q', "BINPERSID" },  { 0x82, "EXT1" },         { 0x83, "EXT2" },
        { 0x84, "EXT4" },      { 0x97, "NEXT_BUFFER" },  { 0x98, "READONLY_BUFFER" },
        { 0x8f, "EMPTY_SET" }, { 0x91, "FROZENSET" },    { 0x96, "BYTEARRAY8" },
    };

    for (size_t i = 0; i < COUNT(others); i++)
        if (others[i].opcode == opcode)
            return others[i].name;
    return NULL;
}
