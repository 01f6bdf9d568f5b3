/* table.h - private to nccl_tests.h: rows as a table. */
#ifndef NARROWS_HARNESS_IMPORT_NCCL_TABLE_H
#define NARROWS_HARNESS_IMPORT_NCCL_TABLE_H

#include "harness/import/nccl/nccl_tests.h"

/* Sort the rows; those of the same operation, ranks and bytes become one, with the median of their times. */
void nccl_table_medians(struct nccl_tests *t);

const char *nccl_operation_word(enum collective_operation operation); /* as a platform's table has it */

#endif
