#include "harness/training/training_run.h"

#include "harness/status.h"
#include "harness/training/training_check.h"

int training_run(const struct training_job *job, struct readings *out, char *why, size_t nwhy)
{
    (void)job;
    (void)out;
    return training_refuse(why, nwhy, "training: not built yet");
}
