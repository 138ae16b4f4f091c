#include "cli/object/object_common.h"

#include "core/json/json_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FACES = 4096 };

/* ---- what can be asked ----------------------------------------------------------------------- */

typedef struct Query {
    MeshReport report;
    RpMeshFilter filter;
    float numbers[6];
    uint32_t direction;
    bool found, has_hit, has_push;
    RpMeshHit hit;
    float push[3];
    uint32_t dropped;
} Query;

static void AskSegment(Query *query) {
    query->found = query->has_hit =
        RpMeshObject_Segment(query->report.scene->mesh, query->report.piece, query->numbers,
                             query->numbers + 3, &query->filter, &query->hit);
}

static void AskWalk(Query *query) {
    query->found = query->has_hit = RpMeshObject_WalkFace(query->report.scene->mesh, query->numbers,
                                                          &query->filter, &query->hit);
}

static void AskMargin(Query *query) {
    query->found = query->has_hit =
        RpMeshObject_WalkFaceWithMargin(query->report.scene->mesh, query->numbers,
                                        query->numbers[3], query->direction, &query->hit);
}

static void AskPush(Query *query) {
    void *faces = malloc(RpMeshObject_PushOutRoom(MOST_FACES));
    query->found = query->has_push =
        faces &&
        RpMeshObject_PushOut(query->report.scene->mesh, query->numbers, query->numbers[3],
                             &query->filter, faces, MOST_FACES, query->push, &query->dropped);
    free(faces);
}

static void AskInside(Query *query) {
    query->found = RpMeshObject_IsInside(query->report.scene->mesh, query->report.piece,
                                         query->numbers, &query->filter);
}

static const struct Kind {
    const char *name;
    uint32_t numbers;
    const char *expected;
    void (*ask)(Query *query);
} kinds[] = {{"segment", 6, "X,Y,Z,X,Y,Z: start, end", AskSegment},
             {"walk", 3, "X,Y,Z", AskWalk},
             {"margin", 4, "X,Y,Z,MARGIN", AskMargin},
             {"push", 4, "X,Y,Z,RADIUS", AskPush},
             {"inside", 3, "X,Y,Z", AskInside}};

/* ---- options --------------------------------------------------------------------------------- */

static bool TakeMask(const Cli *cli, const char *name, uint32_t *mask) {
    const char *text = Cli_Value(cli, name, "0");
    char *end;
    *mask = (uint32_t)strtoul(text, &end, 0);
    if (end != text && !*end)
        return true;
    Cli_Complain("--%s is a number such as 0x20, not %s", name, text);
    return false;
}

/* ---- the answer ------------------------------------------------------------------------------ */

static void PrintJson(const Query *query, RpBuffer *text) {
    RpBuffer_Print(text, "{\"found\": %s", query->found ? "true" : "false");
    if (query->has_hit) {
        RpBuffer_Print(text,
                       ", \"piece\": %" PRId32 ", \"batch\": %" PRIu32
                       ", \"batch_triangle\": %" PRIu32 ", \"triangle\": %" PRIu32 ", \"point\": ",
                       query->hit.piece, query->hit.batch, query->hit.batch_triangle,
                       query->hit.triangle);
        JsonText_Floats(text, query->hit.point, 3);
        RpBuffer_AppendText(text, ", \"distance\": ");
        JsonText_Float(text, &query->hit.distance);
    }
    if (query->has_push) {
        RpBuffer_AppendText(text, ", \"push\": ");
        JsonText_Floats(text, query->push, 3);
        RpBuffer_Print(text, ", \"dropped\": %" PRIu32, query->dropped);
    }
    RpBuffer_AppendText(text, "}\n");
}

static void PrintPoint(RpBuffer *text, const char *name, const float *point) {
    RpBuffer_Print(text, "%s", name);
    for (int i = 0; i < 3; i++) {
        RpBuffer_AppendText(text, " ");
        JsonText_Float(text, &point[i]);
    }
    RpBuffer_AppendText(text, "\n");
}

static void PrintText(const Query *query, RpBuffer *text) {
    if (!query->has_hit && !query->has_push) {
        RpBuffer_AppendText(text, query->found ? "yes\n" : "no\n");
        return;
    }
    if (query->has_push) {
        PrintPoint(text, "push", query->push);
        return;
    }
    RpBuffer_Print(
        text,
        "piece %" PRId32 ", batch %" PRIu32 ", triangle %" PRIu32 " (%" PRIu32 " of the batch)\n",
        query->hit.piece, query->hit.batch, query->hit.triangle, query->hit.batch_triangle);
    PrintPoint(text, "point", query->hit.point);
    RpBuffer_AppendText(text, "distance squared ");
    JsonText_Float(text, &query->hit.distance);
    RpBuffer_AppendText(text, "\n");
}

static int Ask(const Cli *cli, const MeshScene *scene) {
    Query query = {.found = false};
    const struct Kind *kind = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, cli->arguments[1]) == 0)
            kind = &kinds[i];
    if (!kind)
        return Cli_Complain("object query asks segment, walk, margin, push or inside, not %s",
                            cli->arguments[1]);
    if (!CliObject_Report(cli, scene, &query.report) ||
        !TakeMask(cli, "batch", &query.filter.required_batch) ||
        !TakeMask(cli, "no-batch", &query.filter.excluded_batch) ||
        !TakeMask(cli, "triangle", &query.filter.required_triangle) ||
        !TakeMask(cli, "no-triangle", &query.filter.excluded_triangle))
        return CLI_TROUBLE;
    const char *direction = Cli_Value(cli, "direction", "both");
    query.direction = strcmp(direction, "below") == 0   ? RP_MESH_BELOW
                      : strcmp(direction, "above") == 0 ? RP_MESH_ABOVE
                                                        : RP_MESH_ABOVE | RP_MESH_BELOW;
    if (query.direction == (RP_MESH_ABOVE | RP_MESH_BELOW) && strcmp(direction, "both") != 0)
        return Cli_Complain("--direction is below, above or both, not %s", direction);
    if (!MeshScene_Numbers(cli->arguments[2], query.numbers, kind->numbers))
        return Cli_Complain("%s takes %s, not %s", kind->name, kind->expected, cli->arguments[2]);

    kind->ask(&query);
    const MeshDrawing drawing = {.report = &query.report,
                                 .from = query.numbers,
                                 .to = kind->numbers == 6 ? query.numbers + 3 : NULL,
                                 .hit = query.has_hit ? query.hit.point : NULL};
    RpBuffer text;
    int code = CliObject_Draw(cli, &drawing);
    if (code != CLI_EQUAL)
        return code;
    RpBuffer_Init(&text, NULL);
    (query.report.json ? PrintJson : PrintText)(&query, &text);
    code = CliFile_Print(&text, RP_OK, NULL);
    if (query.dropped)
        Cli_Note(cli, "%" PRIu32 " faces more than %d were in reach and did not count",
                 query.dropped, MOST_FACES);
    return code;
}

static int Run(Cli *cli) {
    MeshScene scene;
    if (cli->argument_count != 3)
        return Cli_Complain("object query needs a model, what to ask, and numbers");
    if (!CliObject_Open(cli, &scene))
        return CLI_TROUBLE;
    const int code = Ask(cli, &scene);
    MeshScene_Close(&scene);
    return code;
}

const CliVerb cli_object_query = {
    "object query",
    "ask an object in a state: segment, walk, margin, push or inside",
    "FILE[::MEMBER] QUESTION NUMBERS",
    "retropose object query hero.msh segment 0,-5,1,0,5,1 --no-batch 0x8\n"
    "retropose object query house.msh walk 1,2,30 --triangle 2\n"
    "retropose object query house.msh margin 1,2,30,0.5 --direction below\n"
    "retropose object query house.msh push 1,2,1,0.8 --json\n"
    "retropose object query house.msh inside 1,2,1\n",
    {CLI_OBJECT_STATE,
     CLI_OBJECT_PIECE,
     {"batch", "MASK", "bits that a batch's flags must have", 0},
     {"no-batch", "MASK", "bits that they must not have", 0},
     {"triangle", "MASK", "bits that a triangle's flags must have", 0},
     {"no-triangle", "MASK", "bits that they must not have", 0},
     {"direction", "WORD", "below, above or both (default), for margin", 0},
     CLI_OBJECT_SVG,
     CLI_JSON},
    Run};
