/* chart.c - bits against cosine as a drawing in SVG: a point for each codec, those that nothing beats in both with
 * their names. */
#include <math.h>
#include <string.h>

#include "harness/compare/render/render.h"
#include "harness/report/style/style.h"

/* Of the drawing, and of the frame in it, in units of its view box. */
enum { WIDTH = 760, HEIGHT = 420, LEFT = 56, RIGHT = 744, TOP = 16, BOTTOM = 372, LETTER = 7, LINE = 14 };

static const double LEAST_BITS = 0.03125, MOST_BITS = 64;

static double x_of(double bits)
{
    double share = log2(fmin(fmax(bits, LEAST_BITS), MOST_BITS) / LEAST_BITS) / log2(MOST_BITS / LEAST_BITS);

    return LEFT + share * (RIGHT - LEFT);
}

static double y_of(double cosine)
{
    return BOTTOM - fmin(fmax(cosine, 0), 1) * (BOTTOM - TOP);
}

static void draw_axes(FILE *out)
{
    for (double bits = LEAST_BITS; bits <= MOST_BITS; bits *= 2) {
        fprintf(out, "<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>", x_of(bits), TOP, x_of(bits),
                BOTTOM);
        fprintf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.3g</text>\n", x_of(bits), BOTTOM + 16, bits);
    }
    for (int i = 0; i <= 5; i++) {
        fprintf(out, "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>", LEFT, y_of(i / 5.0), RIGHT,
                y_of(i / 5.0));
        fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.1f</text>\n", LEFT - 6, y_of(i / 5.0) + 4,
                i / 5.0);
    }
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">bits a value</text>\n", (LEFT + RIGHT) / 2,
            BOTTOM + 36);
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" transform=\"rotate(-90 14 %d)\">cosine</text>\n", 14,
            (TOP + BOTTOM) / 2, (TOP + BOTTOM) / 2);
}

/* Is there none of fewer bits, or as many, with a greater cosine? */
static bool leads(const struct comparison *c, size_t k)
{
    double cosine = fidelity_cosine(&c->whole[c->order[k]].each);

    for (size_t i = 0; i < k; i++)
        if (fidelity_cosine(&c->whole[c->order[i]].each) >= cosine)
            return false;
    return true;
}

/* Where the last name is: the next one is left out where it would lie on it. */
struct label {
    double right, y;
};

static void draw_point(const char *name, double bits, double cosine, bool first, struct label *last, FILE *out)
{
    double x = x_of(bits), y = y_of(cosine);

    fprintf(out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>", first ? "first" : "other", x, y);
    html_text(out, name);
    fprintf(out, ": %.4g bits, cosine %.4g</title></circle>\n", bits, cosine);
    x -= 6;
    y -= 5;
    if (!first || (x - LETTER * (double)strlen(name) < last->right && fabs(y - last->y) < LINE))
        return;
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">", x, y);
    html_text(out, name);
    fputs("</text>\n", out);
    *last = (struct label){ x, y };
}

void render_chart(const struct rendered *r, FILE *out)
{
    const struct comparison *c = r->comparison;
    struct label last = { 0, 0 };

    fprintf(out,
            "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"cosine of each codec against its bits a "
            "value\" xmlns=\"http://www.w3.org/2000/svg\">\n",
            WIDTH, HEIGHT);
    draw_axes(out);
    fprintf(out, "<line class=\"bar\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>\n", LEFT, y_of(r->bar), RIGHT,
            y_of(r->bar));
    for (size_t k = 0; k < c->contenders->n; k++) {
        const struct outcome *o = &c->whole[c->order[k]];
        double bits = outcome_bits(o), cosine = fidelity_cosine(&o->each);

        if (!isnan(bits) && !isnan(cosine))
            draw_point(c->contenders->list[c->order[k]].name, bits, cosine, leads(c, k), &last, out);
    }
    fputs("</svg>\n", out);
}
