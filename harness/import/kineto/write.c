/* write.c - times of layers as a scenario reads them, and as a person does. */
#include <string.h>

#include "harness/import/kineto/kineto.h"

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

/* Of the layers that the model has. */
static double matched_s(const struct kineto_profile *p, bool backward)
{
    double sum = 0;

    for (size_t i = 0; i < p->nlayers; i++)
        if (p->layers[i].model_layer >= 0)
            sum += backward ? p->layers[i].backward_s : p->layers[i].forward_s;
    return sum;
}

static double pass_s(const struct kineto_profile *p, bool backward)
{
    return backward ? p->backward_s : p->forward_s;
}

static void write_name(const char *name, FILE *out)
{
    fputc('"', out);
    for (const char *c = name; *c; c++)
        if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else
            fputc((unsigned char)*c < ' ' ? ' ' : *c, out);
    fputc('"', out);
}

static void write_row(const struct kineto_layer *l, const char *name, const char *before, FILE *out)
{
    fprintf(out, "%s- {layer: ", before);
    write_name(name, out);
    fprintf(out, ", forward: %.6g us, backward: %.6g us}\n", 1e6 * l->forward_s, 1e6 * l->backward_s);
}

void kineto_write(const struct kineto_profile *p, const struct model *m, const char *from, FILE *out)
{
    fputs("# narrows import kineto ", out);
    for (const char *c = from; *c; c++)
        fputc((unsigned char)*c < ' ' ? ' ' : *c, out);
    fprintf(out, "\n# median of %zu step%s, %s; a scenario takes it by 'include: THIS FILE'\n", p->nsteps,
            plural(p->nsteps), p->gpu ? "kernels of the GPU" : "operators of the CPU");
    fprintf(out, "method:\n  profile:\n    samples: %lld\n    forward: %.6g us\n    backward: %.6g us\n",
            (long long)p->samples, 1e6 * pass_s(p, false), 1e6 * pass_s(p, true));
    if (!m)
        fputs("    # rows for a model whose layers have these names (--model finds them):\n", out);
    else if (matched_s(p, false) + matched_s(p, true) > 0)
        fputs("    layers:\n", out);
    for (size_t i = 0; i < p->nlayers; i++) {
        const struct kineto_layer *l = &p->layers[i];

        if (!m)
            write_row(l, l->name, "    #  ", out);
        else if (l->model_layer >= 0)
            write_row(l, m->layers[l->model_layer].name, "      ", out);
    }
}

/* --- for a person ------------------------------------------------------------------------------------------------- */

static void report_pass(const struct kineto_profile *p, const struct model *m, bool backward, FILE *out)
{
    double pass = pass_s(p, backward);

    fprintf(out, "  %-11s %10.4g ms, %.1f %% of it in layers of the trace", backward ? "backward" : "forward",
            1e3 * pass, 100 * (backward ? p->backward_share : p->forward_share));
    if (m)
        fprintf(out, ", %.1f %% in layers of %s", pass > 0 ? 100 * matched_s(p, backward) / pass : 100, m->name);
    fputc('\n', out);
}

static void report_unmatched(const struct kineto_profile *p, const struct model *m, FILE *out)
{
    enum { MOST = 8 };
    size_t n = 0;

    for (size_t i = 0; i < p->nlayers; i++)
        n += p->layers[i].model_layer < 0;
    fprintf(out, "%zu of the model's %zu layers have times of their own; the rest is shared by FLOPs\n", p->nlayers - n,
            m->nlayers);
    if (!n)
        return;
    fprintf(out, "%zu layer%s of the trace without one in %s:", n, plural(n), m->name);
    for (size_t i = 0, printed = 0; i < p->nlayers && printed < MOST; i++)
        if (p->layers[i].model_layer < 0)
            fprintf(out, "%s %s", printed++ ? "," : "", p->layers[i].name);
    fputs(n > MOST ? ", ...\n" : "\n", out);
}

void kineto_report(const struct kineto_profile *p, const struct model *m, FILE *out)
{
    const struct {
        const char *name;
        double s;
    } others[] = { { "optimizer", p->optimizer_s },
                   { "collectives", p->communication_s },
                   { "copies", p->copies_s },
                   { "other", p->other_s } };

    fprintf(out, "%zu layer%s by %s, %zu events, %zu step%s%s, times of %s\n", p->nlayers, plural(p->nlayers),
            kineto_by_name(p->by), p->nevents, p->nsteps, plural(p->nsteps),
            p->marked ? "" : " (no ProfilerStep#: the whole trace)",
            p->gpu ? "the GPU's kernels" : "the CPU's operators: the trace has no kernels");
    report_pass(p, m, false, out);
    report_pass(p, m, true, out);
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        if (others[i].s > 0)
            fprintf(out, "  %-11s %10.4g ms\n", others[i].name, 1e3 * others[i].s);
    if (p->nlost)
        fprintf(out, "%zu kernel%s of %.4g ms in all without a launch and an operator in the trace: left out\n",
                p->nlost, plural(p->nlost), 1e3 * p->lost_s);
    if (p->nunknown)
        fprintf(out, "%zu of %zu nodes of the backward pass belong to no layer\n", p->nunknown, p->nnodes);
    if (m)
        report_unmatched(p, m, out);
}
