#include "harness/command/plan/run.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "harness/command/plan/print.h"
#include "harness/executor/executor.h"
#include "harness/host/memory.h"
#include "harness/status.h"

/* Operations and link of a stamped run on threads: so many times slower than planned, since stamping takes its time
 * too. */
enum { STAMP_PACE = 10 };

static void progress(void *context, int64_t step, size_t operation, size_t noperations, bool last)
{
    (void)context;
    fprintf(stderr, "\rstep %lld: operation %zu of %zu ", (long long)step + 1, operation + 1, noperations);
    if (last)
        fputc('\n', stderr);
}

/* What the prediction has: sim/memory/plan_lay.c. */
struct executor_link plan_link(const struct platform *p, double link_Bps)
{
    const struct link_spec *l = platform_gpu_link(p);
    struct executor_link link = { .to_host_Bps = link_Bps, .to_device_Bps = link_Bps };

    if (!l)
        return link;
    link.latency_s = l->latency_s;
    if (l->duplex == DUPLEX_HALF)
        link.shared_Bps =
            link_Bps > 0 ? link_Bps : l->bandwidth_Bps * fmax(l->efficiency_to_host, l->efficiency_to_device);
    if (link_Bps > 0)
        return link;
    link.to_host_Bps = memory_plan_copy_Bps(p, COPY_TO_HOST);
    link.to_device_Bps = memory_plan_copy_Bps(p, COPY_TO_DEVICE);
    return link;
}

static void say_pool(const struct memory_plan *plan, const struct executor_result *r, bool real, FILE *out)
{
    fprintf(out, "pool          general %s, highest byte written: %s", BYTES_TEXT(plan->device_pool.height),
            r->peak_bytes >= 0 ? BYTES_TEXT(r->peak_bytes) : "not measured");
    if (real)
        fprintf(out, "; weights and gradients %s; %s besides by %s",
                BYTES_TEXT(r->pool_bytes - plan->device_pool.height), BYTES_TEXT(r->backend_bytes), r->ops);
    fputc('\n', out);
}

static void say(const struct memory_plan *plan, const struct executor_result *r, const struct plan_run_options *o,
                const struct plan_played *predicted, FILE *out)
{
    fprintf(out, "\nrun           %s on %s: %lld step%s\n", o->real ? r->ops : "stamped contents", r->backend,
            (long long)o->steps, o->steps == 1 ? "" : "s");
    say_pool(plan, r, o->real, out);
    fprintf(out, "copied        %s to the host, %s back\n", BYTES_TEXT(r->to_host_bytes),
            BYTES_TEXT(r->to_device_bytes));
    bool paced = !o->real && !o->on_gpu, timed = paced || !o->verify; /* checksums are none of the prediction's */
    double per_ns = 1e-6 / (paced ? STAMP_PACE : 1);
    fprintf(out, "measured      %.3f ms a step (forward %.3f, backward %.3f), %.3f ms of it waiting for copies",
            per_ns * (double)r->step_ns, per_ns * (double)r->forward_ns, per_ns * (double)r->backward_ns,
            per_ns * (double)r->stall_ns);
    fprintf(out, timed ? "; predicted %.3f ms%s\n" : "\n", 1e-9 * (double)predicted->step_ps,
            paced ? " (run ten times slower)" : "");
    if (o->real)
        fprintf(out, "loss          %.6f; digest of all gradients %016llx\n", r->loss,
                (unsigned long long)r->gradients);
    if (o->real && !o->verify)
        fprintf(out, "content       not checked: checksums would be part of what is measured\n");
    else if (r->errors)
        fprintf(out, "content       WRONG in %lld uses; first: %s\n", (long long)r->errors, r->first.text);
    else
        fprintf(out, "content       every use found what was written for it\n");
}

/* More than there is would not fail at once: the machine would begin to kill processes. */
static int run_here(const struct memory_plan *plan, const struct executor_options *o, struct executor_result *out)
{
    double needed = executor_host_bytes(plan, o), available = (double)memory_available();

    if (needed <= 0.9 * available)
        return executor_run(plan, o, out);
    return status_error(NW_EENV,
                        "narrows plan: --run: batch %lld takes %s of this machine's memory, %s are available%s\n",
                        (long long)plan->batch, BYTES_TEXT(needed), BYTES_TEXT(available),
                        o->content == EXECUTOR_REAL ? "; without --real it takes a 32nd of that" : "");
}

int plan_profile(const struct memory_plan *plan, const struct plan_run_options *options, int64_t *ns)
{
    struct executor_options o = {
        .content = EXECUTOR_REAL,
        .ops = options->ops,
        .on_device = options->on_gpu,
        .operation_ns = ns,
        .seed = options->seed,
        .steps = options->steps,
        .progress = isatty(STDERR_FILENO) ? progress : NULL,
    };
    struct executor_result result;

    return run_here(plan, &o, &result);
}

static void warn_of_size(const struct planned *p)
{
    int64_t capacity = memory_plan_capacity(&p->scenario->platform, &p->plan.options);

    if (p->plan.device_bytes > capacity)
        fprintf(stderr, "narrows plan: --run: the device that is planned for could not run this: %s of %s usable\n",
                BYTES_TEXT(p->plan.device_bytes), BYTES_TEXT(capacity));
}

int plan_run(const struct planned *p, const struct plan_run_options *options, const struct plan_played *predicted,
             FILE *out)
{
    struct executor_options o = {
        .content = options->real ? EXECUTOR_REAL : EXECUTOR_STAMP,
        .ops = options->ops,
        .verify = options->verify,
        .on_device = options->on_gpu,
        .link = plan_link(&p->scenario->platform, options->link_Bps),
        .pace = options->real || options->on_gpu ? 0 : STAMP_PACE,
        .pool_bytes = options->pool_bytes,
        .seed = options->seed,
        .steps = options->steps,
        .progress = isatty(STDERR_FILENO) ? progress : NULL,
    };
    struct executor_result result = { 0 };
    int rc;

    warn_of_size(p);
    rc = run_here(&p->plan, &o, &result);

    if (rc)
        return rc;
    say(&p->plan, &result, options, predicted, out);
    return result.errors ? NW_EIO : NW_OK;
}
