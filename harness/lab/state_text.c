#include "harness/lab/state_text.h"

#include <stdlib.h>
#include <string.h>

#include "harness/count.h"
#include "harness/lab/state.h"

static const char HEAD[] = "narrows-lab 1";

static void print_rate(FILE *out, const struct lab_rate *r)
{
    fprintf(out, " %.17g %lld %lld", r->Bps, (long long)r->burst_bytes, (long long)r->queue_bytes);
}

static void print_link(FILE *out, const char *word, int index, const struct lab_link *l)
{
    fprintf(out, "%s %d", word, index);
    print_rate(out, &l->up);
    print_rate(out, &l->down);
    fprintf(out, " %.17g\n", l->latency_s);
}

void state_print(FILE *out, const void *state)
{
    const struct lab_state *s = state;
    const struct lab_plan *p = &s->plan;

    fprintf(out, "%s\nname %s\nmark %s\nplatform %s\n", HEAD, s->name, s->mark, p->platform);
    fprintf(out, "owner %d %llu\nholder %d %llu\n", s->owner.pid, s->owner.start, s->holder.pid, s->holder.start);
    fprintf(out, "ready %d\ncalibrated %d\n", s->ready, s->calibrated);
    if (*s->congestion)
        fprintf(out, "congestion %s\n", s->congestion);
    fprintf(out, "shape %d %d %d\n", p->machines, p->per_switch, p->switches);
    for (int i = 0; i < p->machines; i++)
        print_link(out, "link", i, &p->links[i]);
    for (int i = 0; p->per_switch && i < p->switches; i++)
        print_link(out, "uplink", i, &p->uplinks[i]);
    for (int i = 0; i < s->nmeasures; i++)
        fprintf(out, "measure %.17g %.17g %d %s\n", s->measures[i].expected_Bps, s->measures[i].measured_Bps,
                s->measures[i].tries, s->measures[i].what);
    fprintf(out, "end\n");
}

static bool read_text(const char *from, char *to, size_t size)
{
    return (size_t)snprintf(to, size, "%s", from) < size && *to;
}

static bool read_process(const char *from, struct lab_process *p)
{
    return sscanf(from, "%d %llu", &p->pid, &p->start) == 2;
}

static bool read_flag(const char *from, bool *flag)
{
    *flag = *from == '1';
    return (*from == '0' || *from == '1') && !from[1];
}

static bool read_shape(const char *from, struct lab_plan *p)
{
    return sscanf(from, "%d %d %d", &p->machines, &p->per_switch, &p->switches) == 3 && p->machines >= 2 &&
           p->machines <= LAB_MACHINES && p->per_switch >= 0 && p->switches >= 1 && p->switches <= p->machines;
}

static bool read_link(const char *from, struct lab_link *links)
{
    long long bytes[4];
    struct lab_link l = { 0 };
    int index;

    if (sscanf(from, "%d %lf %lld %lld %lf %lld %lld %lf", &index, &l.up.Bps, &bytes[0], &bytes[1], &l.down.Bps,
               &bytes[2], &bytes[3], &l.latency_s) != 8 ||
        index < 0 || index >= LAB_MACHINES)
        return false;
    l.up.burst_bytes = bytes[0];
    l.up.queue_bytes = bytes[1];
    l.down.burst_bytes = bytes[2];
    l.down.queue_bytes = bytes[3];
    links[index] = l;
    return true;
}

static bool read_measure(const char *from, struct lab_state *s)
{
    struct lab_measure *m = &s->measures[s->nmeasures];
    int used = 0;

    if (s->nmeasures == LAB_MEASURES ||
        sscanf(from, "%lf %lf %d %n", &m->expected_Bps, &m->measured_Bps, &m->tries, &used) != 3)
        return false;
    s->nmeasures++;
    return read_text(from + used, m->what, sizeof(m->what));
}

static bool read_line(const char *word, const char *rest, struct lab_state *s)
{
    if (!strcmp(word, "name"))
        return read_text(rest, s->name, sizeof(s->name));
    if (!strcmp(word, "mark"))
        return read_text(rest, s->mark, sizeof(s->mark));
    if (!strcmp(word, "platform"))
        return read_text(rest, s->plan.platform, sizeof(s->plan.platform));
    if (!strcmp(word, "congestion"))
        return read_text(rest, s->congestion, sizeof(s->congestion));
    if (!strcmp(word, "owner"))
        return read_process(rest, &s->owner);
    if (!strcmp(word, "holder"))
        return read_process(rest, &s->holder);
    if (!strcmp(word, "ready"))
        return read_flag(rest, &s->ready);
    if (!strcmp(word, "calibrated"))
        return read_flag(rest, &s->calibrated);
    if (!strcmp(word, "shape"))
        return read_shape(rest, &s->plan);
    if (!strcmp(word, "link"))
        return read_link(rest, s->plan.links);
    if (!strcmp(word, "uplink"))
        return read_link(rest, s->plan.uplinks);
    return !strcmp(word, "measure") && read_measure(rest, s);
}

bool state_parse(FILE *in, struct lab_state *s)
{
    char line[512];
    bool ok = fgets(line, sizeof(line), in) && !strncmp(line, HEAD, strlen(HEAD)), ended = false;

    memset(s, 0, sizeof(*s));
    while (ok && !ended && fgets(line, sizeof(line), in)) {
        line[strcspn(line, "\n")] = '\0';
        ended = !strcmp(line, "end");
        char *rest = strchr(line, ' ');
        if (rest)
            *rest++ = '\0';
        ok = ended || (rest && read_line(line, rest, s));
    }
    return ok && ended && *s->name && *s->mark && s->plan.machines;
}
