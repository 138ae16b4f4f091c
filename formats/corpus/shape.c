#include "formats/corpus/shape.h"

#include "formats/corpus/integer.h"

#include <string.h>

/* ---- vertices and triangles ------------------------------------------------------------------ */

void CorpusShape_Init(CorpusShape *shape, const RpAllocator *allocator) {
    RpBuffer_Init(&shape->vertices, allocator);
    RpBuffer_Init(&shape->triangles, allocator);
}

void CorpusShape_Free(CorpusShape *shape) {
    RpBuffer_Free(&shape->vertices);
    RpBuffer_Free(&shape->triangles);
}

uint32_t CorpusShape_VertexCount(const CorpusShape *shape) {
    return (uint32_t)(shape->vertices.size / sizeof(CorpusVertex));
}

uint32_t CorpusShape_TriangleCount(const CorpusShape *shape) {
    return (uint32_t)(shape->triangles.size / sizeof(uint32_t[3]));
}

CorpusVertex *CorpusShape_Vertices(const CorpusShape *shape) {
    return (CorpusVertex *)(void *)shape->vertices.bytes;
}

uint32_t (*CorpusShape_Triangles(const CorpusShape *shape))[3] {
    return (uint32_t(*)[3])(void *)shape->triangles.bytes;
}

static uint32_t AddVertex(CorpusShape *shape, const int32_t at[3], int32_t u, int32_t v) {
    const uint32_t index = CorpusShape_VertexCount(shape);
    CorpusVertex vertex = {.uv = {u, v}, .twin = index};
    memcpy(vertex.at, at, sizeof vertex.at);
    RpBuffer_Append(&shape->vertices, &vertex, sizeof vertex);
    return index;
}

static void AddTriangle(CorpusShape *shape, uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t corners[3] = {a, b, c};
    RpBuffer_Append(&shape->triangles, corners, sizeof corners);
}

/* ---- solids: rings of corners around an axis, closed at both ends ---------------------------- */

typedef enum End { END_POINT, END_FLAT, END_CENTRED } End; /* they have n, n - 2 and n triangles */

typedef struct Solid {
    const CorpusShapeRequest *request;
    uint32_t sides, rings;
    End bottom, top;
    uint32_t swell;  /* profile of what has two flat ends */
    bool flat_sides; /* every side has its own vertices */
} Solid;

/* Computes a point of the solid. `across` and `along` are in units of 1/16384 of the half
 * extents. */
static void Place(const Solid *solid, int32_t cosine, int32_t sine, int32_t across, int32_t along,
                  int32_t at[3]) {
    const int32_t *half = solid->request->half;
    const int64_t unit[3] = {(int64_t)cosine * across, (int64_t)sine * across,
                             (int64_t)along * 16384};
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t to = (i + solid->request->axis) % 3;
        at[to] = solid->request->centre[to] +
                 (int32_t)Corpus_Scale(unit[i], half[to], (int64_t)16384 * 16384);
    }
}

/* Solids with four sides are boxes. Their corners lie on the diagonals, at a distance of the square
 * root of two. */
static void Direction(const Solid *solid, uint32_t side, int32_t *cosine, int32_t *sine) {
    const uint32_t turn = solid->sides == 4 ? 0x2000 : 0;
    Corpus_Circle(side * 65536u / solid->sides + turn, cosine, sine);
    if (solid->sides == 4) {
        *cosine = *cosine > 0 ? 16384 : -16384;
        *sine = *sine > 0 ? 16384 : -16384;
    }
}

/* Gives radius and height of a ring. */
static void Profile(const Solid *solid, uint32_t ring, int32_t *across, int32_t *along) {
    const int32_t last = (int32_t)solid->rings - 1, at = (int32_t)ring;
    if (solid->bottom == END_POINT && solid->top == END_POINT) {
        Corpus_Circle((ring + 1) * 0x8000u / (solid->rings + 1), along, across);
        *along = -*along;
    } else if (solid->top == END_POINT) {
        Corpus_Circle(ring * 0x4000u / solid->rings, across, along);
        *along = *along * 2 - 16384;
    } else {
        *along = last ? -16384 + 32768 * at / last : 0;
        *across = 16384;
        if (solid->swell == 1) /* narrower at the top */
            *across -= 6000 * at / (last ? last : 1);
        if (solid->swell == 2) /* narrower in the middle */
            *across -= last ? 16000 * at * (last - at) / (last * last) : 0;
    }
}

static int32_t TextureAcross(const Solid *solid, uint32_t side) {
    return (int32_t)(side * 1024u * (1 + solid->request->draw % 3) / solid->sides);
}

static uint32_t AddCorner(const Solid *solid, CorpusShape *shape, uint32_t side, uint32_t ring,
                          uint32_t column) {
    int32_t at[3], cosine, sine, across, along;
    Direction(solid, side % solid->sides, &cosine, &sine);
    Profile(solid, ring, &across, &along);
    Place(solid, cosine, sine, across, along, at);
    return AddVertex(shape, at, TextureAcross(solid, column),
                     (int32_t)(1024 - 1024u * (ring + 1) / (solid->rings + 1)));
}

/* Returns the first vertex of a column of corners. With flat sides there are two columns for each
 * side, otherwise one for each side and one more for the seam. */
static uint32_t ColumnStart(const Solid *solid, uint32_t base, uint32_t side, uint32_t right) {
    const uint32_t column = solid->flat_sides ? side * 2 + right : side + right;
    return base + column * solid->rings;
}

/* A flat end has its own vertices, because the edge to the sides is hard. */
static uint32_t AddRim(const Solid *solid, CorpusShape *shape, uint32_t ring) {
    const uint32_t rim = CorpusShape_VertexCount(shape);
    for (uint32_t side = 0; side < solid->sides; side++) {
        int32_t cosine, sine;
        Direction(solid, side, &cosine, &sine);
        const uint32_t corner = AddCorner(solid, shape, side, ring, side);
        if (shape->vertices.failed)
            break;
        CorpusVertex *vertex = &CorpusShape_Vertices(shape)[corner];
        vertex->uv[0] = 512 + cosine / 32;
        vertex->uv[1] = 512 - sine / 32;
    }
    return rim;
}

static void AddEnd(const Solid *solid, CorpusShape *shape, uint32_t base, bool top) {
    const End end = top ? solid->top : solid->bottom;
    if (end == END_POINT) {
        /* Adds a fan of sides that meet in one point. Each side has its own vertex there, because
         * of its texture. */
        int32_t at[3];
        const uint32_t ring = top ? solid->rings - 1 : 0;
        uint32_t first = 0;
        Place(solid, 0, 0, 0, top ? 16384 : -16384, at);
        for (uint32_t side = 0; side < solid->sides; side++) {
            const uint32_t left = ColumnStart(solid, base, side, 0) + ring;
            const uint32_t right = ColumnStart(solid, base, side, 1) + ring;
            const uint32_t point =
                side && solid->request->smooth
                    ? first
                    : AddVertex(shape, at, TextureAcross(solid, side), top ? 0 : 1024);
            first = side ? first : point;
            if (!solid->flat_sides && !shape->vertices.failed)
                CorpusShape_Vertices(shape)[point].twin = first;
            if (top)
                AddTriangle(shape, left, right, point);
            else
                AddTriangle(shape, point, right, left);
        }
    } else {
        const bool centred = end == END_CENTRED;
        const uint32_t ring = top ? solid->rings - 1 : 0, n = solid->sides;
        const bool shared = solid->request->smooth;
        const uint32_t first = shared ? base + ring : AddRim(solid, shape, ring);
        const uint32_t step = shared ? solid->rings : 1; /* to the next column, or along the rim */
        uint32_t hub = first;
        if (centred) {
            int32_t at[3], across, along;
            Profile(solid, ring, &across, &along);
            Place(solid, 0, 0, 0, along, at);
            hub = AddVertex(shape, at, 512, 512);
        }

        for (uint32_t side = centred ? 0 : 1; side + (centred ? 0 : 1) < n; side++) {
            const uint32_t left = first + side * step, right = first + (side + 1) % n * step;
            AddTriangle(shape, hub, top ? left : right, top ? right : left);
        }
    }
}

static void MakeSolid(CorpusShape *shape, const CorpusShapeRequest *request) {
    Solid solid = {.request = request, .swell = request->draw / 128 % 3};

    /* A solid has 2 * sides * rings triangles, minus two for each flat end. So `even` triangles
     * allow three products of sides and rings. Of these, takes the one with the best divisors. */
    const uint32_t even = request->triangles + request->triangles % 2;
    uint32_t best = UINT32_MAX;
    for (uint32_t flats = 0; flats <= 2; flats++) {
        const uint32_t pairs = even / 2 + flats;
        for (uint32_t rings = flats == 2 ? 2 : 1; rings * 3 <= pairs; rings++) {
            /* How far the numbers are from three sides for each ring, which looks good. */
            uint32_t sides = pairs / rings;
            const uint32_t wanted = rings * 3;
            const uint32_t off = sides > wanted ? sides - wanted : (wanted - sides) * 2;
            const uint32_t ugliness =
                off + (sides > 48 ? (sides - 48) * 4 : 0) + (rings > 40 ? (rings - 40) * 4 : 0);

            if (pairs % rings != 0 || ugliness >= best)
                continue;
            best = ugliness;
            solid.sides = pairs / rings;
            solid.rings = rings;
            solid.bottom = flats ? END_FLAT : END_POINT;
            solid.top = flats == 2 ? END_FLAT : END_POINT;
        }
    }
    /* Two lids with centres have the same number of triangles as two points. */
    if (solid.bottom == END_POINT && solid.rings >= 2 && solid.request->draw & 4)
        solid.bottom = solid.top = END_CENTRED;
    solid.flat_sides = solid.sides <= 6 && !request->smooth;

    /* One column of vertices for each edge between sides. Flat sides share none. */
    const uint32_t base = CorpusShape_VertexCount(shape);
    const uint32_t columns = solid.flat_sides ? solid.sides * 2 : solid.sides + 1;
    for (uint32_t column = 0; column < columns; column++) {
        const uint32_t side = solid.flat_sides ? (column + 1) / 2 : column;
        for (uint32_t ring = 0; ring < solid.rings; ring++)
            AddCorner(&solid, shape, side, ring, side);
    }
    if (!solid.flat_sides && !shape->vertices.failed)
        for (uint32_t ring = 0; ring < solid.rings; ring++)
            CorpusShape_Vertices(shape)[base + solid.sides * solid.rings + ring].twin = base + ring;
    AddEnd(&solid, shape, base, true);

    /* Two triangles between neighbouring columns and rings. */
    for (uint32_t ring = 0; ring + 1 < solid.rings; ring++) {
        for (uint32_t side = 0; side < solid.sides; side++) {
            const uint32_t left = ColumnStart(&solid, base, side, 0) + ring;
            const uint32_t right = ColumnStart(&solid, base, side, 1) + ring;
            AddTriangle(shape, left, right, right + 1);
            AddTriangle(shape, left, right + 1, left + 1);
        }
    }
    AddEnd(&solid, shape, base, false); /* last: an odd number leaves out a part of the underside */
}

/* ---- panels and windows ---------------------------------------------------------------------- */

static int32_t Least(int32_t a, int32_t b) {
    return a < b ? a : b;
}

/* ---- all shapes ------------------------------------------------------------------------------ */

static bool Finish(CorpusShape *shape, uint32_t triangles) {
    if (shape->vertices.failed || shape->triangles.failed)
        return false;
    if (CorpusShape_TriangleCount(shape) > triangles)
        shape->triangles.size = (size_t)triangles * sizeof(uint32_t[3]);
    CorpusVertex *vertices = CorpusShape_Vertices(shape);
    uint32_t(*corners)[3] = CorpusShape_Triangles(shape);
    const uint32_t count = CorpusShape_TriangleCount(shape);
    const uint32_t vertex_count = CorpusShape_VertexCount(shape);

    /* Drop vertices that were used only by triangles beyond the wanted number. `lean` is unused so
     * far: it holds the number of a vertex that is kept. */
    uint32_t kept = 0;
    for (uint32_t v = 0; v < vertex_count; v++)
        vertices[v].lean[0] = -1;
    for (uint32_t t = 0; t < count; t++)
        for (int i = 0; i < 3; i++)
            vertices[corners[t][i]].lean[0] = 0;
    for (uint32_t v = 0; v < vertex_count; v++)
        if (vertices[v].lean[0] == 0)
            vertices[v].lean[0] = kept++;
    for (uint32_t t = 0; t < count; t++)
        for (int i = 0; i < 3; i++)
            corners[t][i] = (uint32_t)vertices[corners[t][i]].lean[0];
    for (uint32_t v = 0; v < vertex_count; v++) {
        const int64_t twin = vertices[vertices[v].twin].lean[0];
        vertices[v].twin = (uint32_t)(twin < 0 ? vertices[v].lean[0] : twin);
    }
    for (uint32_t v = 0; v < vertex_count; v++)
        if (vertices[v].lean[0] >= 0)
            vertices[vertices[v].lean[0]] = vertices[v];
    shape->vertices.size = (size_t)kept * sizeof(CorpusVertex);

    /* A vertex leans along the sum of its triangles' normals, weighted by their areas. Twins lean
     * together. */
    for (uint32_t v = 0; v < kept; v++)
        memset(vertices[v].lean, 0, sizeof vertices[v].lean);
    for (uint32_t t = 0; t < count; t++) {
        const int32_t *a = vertices[corners[t][0]].at, *b = vertices[corners[t][1]].at,
                      *c = vertices[corners[t][2]].at;
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            const int64_t lean =
                (int64_t)(b[j] - a[j]) * (c[k] - a[k]) - (int64_t)(b[k] - a[k]) * (c[j] - a[j]);
            for (int corner = 0; corner < 3; corner++)
                vertices[vertices[corners[t][corner]].twin].lean[i] += lean;
        }
    }
    return count == triangles;
}

bool CorpusShape_Make(CorpusShape *shape, const CorpusShapeRequest *request) {
    shape->vertices.size = shape->triangles.size = 0;
    if (request->kind == CORPUS_WINDOW) {
        const uint32_t corners = request->triangles + 2;
        for (uint32_t i = 0; i < corners; i++) {
            int32_t cosine, sine;
            Corpus_Circle(0x2000 + i * 65536u / corners, &cosine, &sine);
            const int32_t at[3] = {
                request->centre[0] + (int32_t)Corpus_Scale(cosine, request->half[0], 16384),
                request->centre[1],
                request->centre[2] + (int32_t)Corpus_Scale(sine, request->half[2], 16384)};
            AddVertex(shape, at, 512 + cosine / 32, 512 - sine / 32);
        }
        for (uint32_t i = 1; i + 1 < corners; i++)
            AddTriangle(shape, 0, i, i + 1);
    } else if (request->kind == CORPUS_PANEL || request->triangles < 3) {
        uint32_t width = 1, height = 1;

        /* The grid has at least `cells` cells, and few cells too many. */
        uint32_t cells = (request->triangles + 1) / 2;
        const uint32_t root = Corpus_Root(cells);
        uint32_t least = UINT32_MAX;
        for (uint32_t w = root ? root : 1; w * 4 >= root && w > 0; w--) {
            const uint32_t h = (cells + w - 1) / w;
            if (w * h < least) {
                least = w * h;
                width = w;
                height = h;
            }
        }

        const int32_t cell =
            Least(request->half[0] / (int32_t)width, request->half[1] / (int32_t)height);
        const int32_t rough =
            Least(cell, request->half[2]); /* gentle slopes, however fine the grid */
        for (uint32_t y = 0; y <= height; y++) {
            for (uint32_t x = 0; x <= width; x++) {
                const int32_t bump = (int32_t)(Corpus_Draw(request->draw, x, 7, y) % 64) - 32;
                const int32_t at[3] = {request->centre[0] - request->half[0] +
                                           (int32_t)((uint32_t)request->half[0] * 2 * x / width),
                                       request->centre[1] - request->half[1] +
                                           (int32_t)((uint32_t)request->half[1] * 2 * y / height),
                                       request->centre[2] + bump * rough / 64};
                AddVertex(shape, at, (int32_t)(x * 1024 / width),
                          (int32_t)(1024 - y * 1024 / height));
            }
        }
        for (uint32_t y = 0; y < height; y++) {
            for (uint32_t x = 0; x < width; x++) {
                const uint32_t a = y * (width + 1) + x, c = a + width + 1;
                AddTriangle(shape, a, a + 1, c + 1);
                AddTriangle(shape, a, c + 1, c);
            }
        }
    } else {
        MakeSolid(shape, request);
    }
    return Finish(shape, request->triangles);
}

bool CorpusShape_MakePoint(CorpusShape *shape) {
    enum { LONG = 1657, SHORT = 1024 }; /* the golden ratio, nearly */
    static const uint8_t faces[20][3] = {
        {0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
        {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
        {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
    static const int32_t corners[12][3] = {
        {-SHORT, LONG, 0}, {SHORT, LONG, 0}, {-SHORT, -LONG, 0}, {SHORT, -LONG, 0},
        {0, -SHORT, LONG}, {0, SHORT, LONG}, {0, -SHORT, -LONG}, {0, SHORT, -LONG},
        {LONG, 0, -SHORT}, {LONG, 0, SHORT}, {-LONG, 0, -SHORT}, {-LONG, 0, SHORT}};
    shape->vertices.size = shape->triangles.size = 0;
    for (int i = 0; i < 12; i++)
        AddVertex(shape, corners[i], 512 + corners[i][0] / 4, 512 - corners[i][2] / 4);
    for (int i = 0; i < 20; i++)
        AddTriangle(shape, faces[i][0], faces[i][1], faces[i][2]);
    return Finish(shape, 20);
}

void CorpusShape_Normal(const CorpusShape *shape, uint32_t vertex, int8_t normal[3]) {
    const CorpusVertex *vertices = CorpusShape_Vertices(shape);
    int32_t lean[3];
    Corpus_Normalise(vertices[vertices[vertex].twin].lean, 3, 127, lean);
    for (int i = 0; i < 3; i++)
        normal[i] = (int8_t)lean[i];
}
