#include "harness/exec/suite.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/host/home.h"
#include "harness/host/identity.h"
#include "harness/run/precheck.h"
#include "harness/status.h"
#include "harness/store/measured/executed.h"
#include "harness/store/store.h"

enum { MOST_PARTS = 64, NSETS = 2, WORDS = 32 };

static const char folder[] = "scenarios/validation/shaped";
static const char wire_key[] = "platform.link.eth.efficiency.wire", time_key[] = "platform.network.message_latency";

/* One scenario of the suite, open with what was calibrated. */
struct part {
    char path[4096];
    struct scenario_file *file;
    struct session session;
    char *words[WORDS]; /* of narrows exec, for its ranks */
    size_t nwords;
};

struct going {
    const struct suite *suite;
    struct campaign campaign;
    struct calibrated {
        double wire, message_s;
    } found;
    char sets[NSETS][128];
    const char *set_list[NSETS];
    size_t nsets;
    char repetitions[16], limit[16];
};

static void add_word(struct part *p, const char *word)
{
    p->words[p->nwords++] = (char *)word;
    p->words[p->nwords] = NULL;
}

static void make_words(struct going *g, struct part *p)
{
    add_word(p, p->path);
    add_word(p, "--db");
    add_word(p, g->suite->db);
    add_word(p, "--repetitions");
    add_word(p, g->repetitions);
    add_word(p, "--limit");
    add_word(p, g->limit);
    if (g->suite->again)
        add_word(p, "--again");
    for (size_t i = 0; i < g->nsets; i++) {
        add_word(p, "--set");
        add_word(p, g->set_list[i]);
    }
}

static void path_of_own(struct part *p, const char *name)
{
    snprintf(p->path, sizeof(p->path), "%s/%s/%s", home_dir(), folder, name);
}

static int open_part(struct going *g, struct part *p)
{
    int rc = scenario_open(p->path, g->set_list, g->nsets, NULL, 0, stderr, &p->file);
    rc = rc ? rc : precheck(p->file, stderr);
    p->session = (struct session){
        .file = p->file,
        .db = g->suite->db,
        .command = g->suite->command,
        .options = { .repetitions = g->suite->repetitions, .limit_s = g->suite->limit_s, .stop = g->suite->stop },
        .again = g->suite->again,
        .altered = g->nsets > 0,
        .network = ""
    };
    make_words(g, p);
    return rc;
}

static int execute_part(struct going *g, struct part *p)
{
    g->campaign.arguments = p->words;
    return campaign_execute(&g->campaign, &p->session);
}

/* --- calibration -------------------------------------------------------------------------------------------------- */

static int keep_constant(struct going *g, const struct session *s, const char *key, double value, const char *unit,
                         double observed_ms, double reached_ms)
{
    struct calibration_fact fact = { .platform = "shaped-lab",
                                     .constant = key,
                                     .value = value,
                                     .unit = unit,
                                     .scenario = scenario_name(s->file),
                                     .cell = { "", "", scenario_name(s->file), "", "step_ms" },
                                     .observed = observed_ms,
                                     .reached = reached_ms,
                                     .measured_on = identity_machine() };

    return store_calibration(g->campaign.store, s->run_id, &fact);
}

static int calibrate(struct going *g, const char *name, struct part *p, double *executed_ms, double *simulated_ms)
{
    *p = (struct part){ .file = NULL };
    path_of_own(p, name);
    int rc = open_part(g, p);
    p->session.again = true; /* what today's machine does, not what it did */
    add_word(p, "--again");
    rc = rc ? rc : campaign_predict(&g->campaign, &p->session);
    rc = rc ? rc : execute_part(g, p);
    if (rc)
        return rc;
    int found = store_executed_step(g->campaign.store, p->session.run_id, 0, executed_ms, simulated_ms);
    return found == 1 ? NW_OK : found < 0 ? found : NW_EIO;
}

/* The flow is simulated at the share that the platform has so far: the time of its bytes is inverse to it. */
static int calibrate_wire(struct going *g)
{
    struct part p;
    struct point point = { 0 };
    double executed_ms, simulated_ms;
    int rc = calibrate(g, "calibration.yaml", &p, &executed_ms, &simulated_ms);

    rc = rc ? rc : scenario_point(p.file, 0, &point);
    if (!rc) {
        g->found.wire = *scenario_number(&point.scenario, wire_key) * simulated_ms / executed_ms;
        rc = keep_constant(g, &p.session, wire_key, g->found.wire, "", executed_ms, executed_ms);
        fprintf(stderr, "calibrated: payload's share of a link's rate %.4f\n", g->found.wire);
    }
    point_free(&point);
    scenario_close(p.file);
    return rc;
}

/* A ring among n ranks passes 2 (n - 1) messages on, one after another. */
static int calibrate_messages(struct going *g)
{
    struct part p;
    struct point point = { 0 };
    double executed_ms, simulated_ms;
    int rc = calibrate(g, "calibration-messages.yaml", &p, &executed_ms, &simulated_ms);

    rc = rc ? rc : scenario_point(p.file, 0, &point);
    if (!rc) {
        double messages = 2.0 * (double)(point.scenario.method.allreduce.workers - 1);
        double most_s = *scenario_number(&point.scenario, time_key) + (executed_ms - simulated_ms) / 1e3 / messages;
        g->found.message_s = most_s > 0 ? most_s : 0;
        rc = keep_constant(g, &p.session, time_key, g->found.message_s, "s", executed_ms, executed_ms);
        fprintf(stderr, "calibrated: %.0f us until a message is noticed\n", 1e6 * g->found.message_s);
    }
    point_free(&point);
    scenario_close(p.file);
    return rc;
}

static void set_constants(struct going *g)
{
    snprintf(g->sets[0], sizeof(g->sets[0]), "%s=%.6f", wire_key, g->found.wire < 1 ? g->found.wire : 1);
    snprintf(g->sets[1], sizeof(g->sets[1]), "%s=%.3f us", time_key, 1e6 * g->found.message_s);
    for (g->nsets = 0; g->nsets < NSETS; g->nsets++)
        g->set_list[g->nsets] = g->sets[g->nsets];
}

/* --- the suite ---------------------------------------------------------------------------------------------------- */

static int is_part(const struct dirent *e)
{
    size_t n = strlen(e->d_name);

    return n > 5 && !strcmp(e->d_name + n - 5, ".yaml") && strncmp(e->d_name, "calibration", 11) != 0;
}

static int predict_all(struct going *g, struct part *parts, int nparts)
{
    int rc = NW_OK;
    size_t points = 0;

    for (int i = 0; !rc && i < nparts; i++) {
        rc = open_part(g, &parts[i]);
        rc = rc ? rc : campaign_predict(&g->campaign, &parts[i].session);
        rc = rc ? rc : store_validation_run(g->campaign.store, parts[i].session.run_id, "shaped");
        points += rc ? 0 : session_npoints(&parts[i].session);
    }
    if (!rc)
        fprintf(stderr, "%zu points are predicted and stored; now they are executed\n", points);
    return rc;
}

/* A part in which points failed does not keep the others from being executed. */
static int execute_parts(struct going *g, struct part *parts, int nparts)
{
    int worst = NW_OK;

    for (int i = 0; i < nparts && worst != NW_EINTR; i++) {
        int rc = execute_part(g, &parts[i]);
        worst = rc == NW_EINTR || !worst ? rc : worst;
    }
    return worst;
}

/* A machine that was too busy for a lab may not be any more. What was begun is not begun again. */
static int execute_all(struct going *g, struct part *parts, int nparts)
{
    int rc = execute_parts(g, parts, nparts);

    if (!rc || rc == NW_EINTR || rc == NW_EENV)
        return rc;
    fprintf(stderr, "once more, what was not executed\n");
    return execute_parts(g, parts, nparts);
}

/* How many parts there are, or negative. */
static int list_own(const struct suite *s, struct part *parts)
{
    char path[4096];
    struct dirent **names = NULL;
    int nparts = 0;

    snprintf(path, sizeof(path), "%s/%s", home_dir(), folder);
    int n = scandir(path, &names, is_part, alphasort);
    if (n < 0 || n > MOST_PARTS)
        nparts = status_error(NW_EIO, "narrows validate: %s: expected scenarios\n", path);
    for (int i = 0; i < n; i++) {
        if (nparts >= 0 && (!s->only || strstr(names[i]->d_name, s->only)))
            path_of_own(&parts[nparts++], names[i]->d_name);
        free(names[i]);
    }
    free(names);
    return nparts;
}

static int list_given(const struct suite *s, struct part *parts)
{
    int nparts = 0;

    if (s->nfiles > MOST_PARTS)
        return status_error(NW_EINPUT, "narrows validate: expected at most %d scenarios, got %zu\n", MOST_PARTS,
                            s->nfiles);
    for (size_t i = 0; i < s->nfiles; i++)
        if (!s->only || strstr(s->files[i], s->only))
            snprintf(parts[nparts++].path, sizeof(parts->path), "%s", s->files[i]);
    return nparts;
}

/* Before anything runs for minutes. */
static int look_at_files(const struct part *parts, int nparts)
{
    int rc = NW_OK;

    for (int i = 0; !rc && i < nparts; i++) {
        struct scenario_file *file = NULL;
        rc = scenario_open(parts[i].path, NULL, 0, NULL, 0, stderr, &file);
        rc = rc ? rc : precheck(file, stderr);
        scenario_close(file);
    }
    return rc;
}

static int run_parts(struct going *g, struct part *parts, int nparts)
{
    int rc = look_at_files(parts, nparts);

    rc = rc ? rc : calibrate_wire(g);
    rc = rc ? rc : calibrate_messages(g);
    if (!rc)
        set_constants(g);
    rc = rc ? rc : predict_all(g, parts, nparts);
    return rc ? rc : execute_all(g, parts, nparts);
}

int suite_run(const struct suite *s)
{
    struct going g = { .suite = s, .campaign = { .in_lab = true, .join = s->join } };
    struct part *parts = calloc(MOST_PARTS, sizeof(*parts));
    int nparts = !parts ? NW_ENOMEM : s->nfiles ? list_given(s, parts) : list_own(s, parts);
    int rc = nparts < 0 ? nparts : store_open(s->db, &g.campaign.store);

    if (!rc && !nparts)
        rc = status_error(NW_EINPUT, "narrows validate: no scenario's name has '%s' in it\n", s->only);
    snprintf(g.repetitions, sizeof(g.repetitions), "%d", s->repetitions);
    snprintf(g.limit, sizeof(g.limit), "%d", s->limit_s);
    rc = rc ? rc : run_parts(&g, parts, nparts);
    for (int i = 0; i < nparts; i++)
        scenario_close(parts[i].file);
    free(parts);
    campaign_close(&g.campaign);
    store_close(g.campaign.store);
    return rc;
}
