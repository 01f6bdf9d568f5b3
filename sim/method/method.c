#include "sim/method/method.h"

#include <math.h>
#include <stdbool.h>

#include "model/refuse.h"
#include "model/status.h"
#include "sim/method/method_codecs.h"
#include "sim/method/report.h"

static int check_host_sgd(const struct job *j, char *why, size_t nwhy)
{
    return host_sgd_check(j->platform, j->model, &j->method->host_sgd, j->batch, why, nwhy);
}

/* One row for each kind, in the order of the enumeration. */
static const struct {
    int (*check)(const struct job *j, char *why, size_t nwhy);
    int (*play)(const struct job *j, struct readings *out, struct timeline *timeline, char *why, size_t nwhy);
    int (*graph)(const struct job *j, struct task_graph *out, char *why, size_t nwhy); /* NULL: is not executed */
} kinds[METHOD_KINDS] = {
    [METHOD_HOST_SGD] = { check_host_sgd, host_sgd_play, NULL },
    [METHOD_PARAMETER_SERVER] = { parameter_server_check, parameter_server_play, parameter_server_graph },
    [METHOD_ALLREDUCE] = { allreduce_check, allreduce_play, allreduce_graph },
    [METHOD_MODEL_PARALLEL] = { model_parallel_check, model_parallel_play, NULL },
    [METHOD_FLOWS] = { flows_check, flows_play, flows_graph },
    [METHOD_MEMORY_PLAN] = { memory_planned_check, memory_planned_play, NULL },
    [METHOD_COLLECTIVE] = { collective_check, collective_play, NULL },
    [METHOD_SHARDED] = { sharded_check, sharded_play, NULL },
};

bool method_has_model(enum method_kind kind)
{
    return kind != METHOD_FLOWS && kind != METHOD_COLLECTIVE;
}

/* The method as it runs on this platform: what is coded on the CPU at the CPU's own speed. */
static struct method on_platform(const struct job *j)
{
    struct method m = *j->method;
    struct codec_spec *codecs[METHOD_CODECS_MAX];
    size_t n = method_codecs(&m, codecs, NULL, METHOD_CODECS_MAX);

    for (size_t i = 0; i < n; i++)
        if (codecs[i]->place == CODEC_ON_CPU)
            codecs[i]->scale *= j->platform->cpu.codec_speed;
    return m;
}

static int check_speed(const struct job *j, char *why, size_t nwhy)
{
    double speed = j->platform->cpu.codec_speed;

    if (j->method->kind == METHOD_HOST_SGD || !method_has_model(j->method->kind) || (speed > 0 && isfinite(speed)))
        return E_OK;
    return refuse(why, nwhy, "platform.cpu.codec_speed: expected a number above 0, got %g%s", speed,
                  isnan(speed) ? " (no calibration supplied one)" : "");
}

/* Rows of tables travel by themselves, and only model-parallel knows how. */
static int check_tables(const struct job *j, char *why, size_t nwhy)
{
    enum method_kind kind = j->method->kind;
    bool alone = kind == METHOD_MEMORY_PLAN && j->method->memory_planned.workers == 1;

    if (kind == METHOD_MODEL_PARALLEL || !method_has_model(kind) || alone || !j->model->table_values)
        return E_OK;
    return refuse(why, nwhy,
                  "method.kind: expected model-parallel, which alone sends rows of embedding tables: the model "
                  "has %.4g values in them",
                  (double)j->model->table_values);
}

/* A policy that names no layer of the model is a slip. */
static int check_policies(struct method *m, const struct model *model, char *why, size_t nwhy)
{
    struct codec_spec *codecs[METHOD_CODECS_MAX];
    const char *keys[METHOD_CODECS_MAX];
    size_t n = method_codecs(m, codecs, keys, METHOD_CODECS_MAX);

    for (size_t i = 0; i < n; i++) {
        bool some = !model->nlayers && (!codecs[i]->layers || !*codecs[i]->layers);
        for (size_t k = 0; k < model->nlayers && !some; k++)
            some = codec_spec_takes(codecs[i], model->layers[k].name);
        if (!some)
            return refuse(why, nwhy, "method.%s.layers: expected names of layers of %s, as 'conv*', got '%s'", keys[i],
                          model->name, codecs[i]->layers ? codecs[i]->layers : "");
    }
    return E_OK;
}

/* Of the others each machine's traffic is counted on one NIC. */
static int check_nics(const struct job *j, char *why, size_t nwhy)
{
    enum method_kind kind = j->method->kind;

    if (j->platform->network.nics <= 1 || kind == METHOD_ALLREDUCE || kind == METHOD_COLLECTIVE ||
        kind == METHOD_FLOWS || kind == METHOD_SHARDED)
        return E_OK;
    return refuse(
        why, nwhy,
        "platform.network.nics: several are played with the methods allreduce, sharded, collective and flows only: "
        "expected 1, got %lld",
        (long long)j->platform->network.nics);
}

/* Experts and latent attention are no kinds of layers. */
static int check_layers(const struct job *j, char *why, size_t nwhy)
{
    if (j->method->kind == METHOD_SHARDED || !method_has_model(j->method->kind) || j->model->nlayers)
        return E_OK;
    return refuse(
        why, nwhy,
        "method.kind: expected sharded, which alone trains models with experts or latent attention (model.gpt): "
        "%s has no layers for the others",
        j->model->name);
}

/* What is the same for all methods. */
static int check_any(const struct job *j, char *why, size_t nwhy)
{
    int rc = check_speed(j, why, nwhy);

    rc = rc ? rc : check_layers(j, why, nwhy);
    rc = rc ? rc : check_tables(j, why, nwhy);
    return rc ? rc : check_nics(j, why, nwhy);
}

int method_check(const struct job *j, char *why, size_t nwhy)
{
    if (nwhy)
        why[0] = 0;
    int rc = check_any(j, why, nwhy);
    struct method m = on_platform(j);
    if (!rc && m.kind != METHOD_HOST_SGD && method_has_model(m.kind))
        rc = check_policies(&m, j->model, why, nwhy);
    return rc ? rc : kinds[m.kind].check(&(struct job){ j->platform, j->model, &m, j->batch }, why, nwhy);
}

int method_play(const struct job *j, struct readings *out, struct timeline *timeline, char *why, size_t nwhy)
{
    if (nwhy)
        why[0] = 0;
    out->n = 0;
    int rc = check_any(j, why, nwhy);
    struct method m = on_platform(j);
    if (!rc)
        rc = kinds[m.kind].play(&(struct job){ j->platform, j->model, &m, j->batch }, out, timeline, why, nwhy);
    if (rc && nwhy && !why[0])
        refuse(why, nwhy, "%s%s", rc == E_NOMEM ? "" : "method: ", reason_words(rc));
    return rc;
}

int method_graph(const struct job *j, struct task_graph *out, char *why, size_t nwhy)
{
    if (nwhy)
        why[0] = 0;
    int rc = check_any(j, why, nwhy);
    struct method m = on_platform(j);
    if (!rc && !kinds[m.kind].graph)
        rc = refuse(why, nwhy, "method.kind: expected allreduce, parameter-server or flows: no other kind is executed");
    if (!rc)
        rc = kinds[m.kind].graph(&(struct job){ j->platform, j->model, &m, j->batch }, out, why, nwhy);
    if (rc && nwhy && !why[0])
        refuse(why, nwhy, "%s%s", rc == E_NOMEM ? "" : "method: ", reason_words(rc));
    return rc;
}

const char *const method_readings[] = {
    /* every method */
    "step_ms",
    "samples_per_s",
    "sample_us",
    "critical.",
    /* host-sgd */
    "to_device_ms",
    "to_host_ms",
    "convolution_ms",
    "fully_connected_ms",
    "update_ms",
    "l2norm_ms",
    "pack_ms",
    "unpack_ms",
    "to_device_bytes",
    "to_host_bytes",
    "weight_bytes",
    "bytes_per_weight",
    "link_utilisation",
    "link_bandwidth_GBps",
    "bytes_per_kflop",
    /* parameter-server, allreduce, model-parallel */
    "compute_ms",
    "push_ms",
    "pull_ms",
    "comm_ms",
    "encode_ms",
    "decode_ms",
    "select_ms",
    "aggregate_ms",
    "activation_ms",
    "offload_ms",
    "copy_ms",
    "exposed_ms",
    "iteration_ms",
    "closed_form_ms",
    "push_bytes",
    "pull_bytes",
    "sent_bytes",
    "activation_bytes",
    "sample_bytes",
    "state_bytes",
    "wire_ratio",
    "scaling",
    "bubble_share",
    "nic_utilisation",
    "nic_mean_utilisation",
    "server_nic_utilisation",
    "gpu_utilisation",
    "cpu_utilisation",
    "worker_cpu_utilisation",
    "server_cpu_utilisation",
    "server_memory_utilisation",
    /* flows */
    "flows",
    "bytes",
    "end_ms",
    "mean_ms",
    "longest_ms",
    "rate_GBps",
    /* collective */
    "time_us",
    "algbw_GBps",
    "busbw_GBps",
    "sent_as.",
    /* memory-plan */
    "forward_ms",
    "backward_ms",
    "stall_ms",
    "stall_forward_ms",
    "stall_turn_ms",
    "stall_backward_ms",
    "slowed_ms",
    "batch",
    "generated_bytes",
    "offloadable_bytes",
    "offloaded_bytes",
    "offloadable_pct",
    "offloaded_pct",
    "live_bytes",
    "peak_bytes",
    "gap_pct",
    "parameter_bytes",
    "device_bytes",
    "host_bytes",
    "fits",
    "largest_batch",
    "allreduce_ms",
    /* sharded */
    "recompute_ms",
    "dispatch_ms",
    "hop_ms",
    "tail_ms",
    "wire.",
    "sent.",
    "memory.",
    "memory_stage",
    "mfu",
    "tokens_per_s_gpu",
    "micro_batches",
    "ranks",
    "classes",
    /* what the database derives */
    NULL,
};
