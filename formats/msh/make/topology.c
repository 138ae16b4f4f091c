/* Computes the normals of faces, and finds the face that lies across each edge (facts/formats.md
 * C.7, C7). */
#include "core/random.h"
#include "formats/msh/make/make.h"
#include "ngi32/processor/modes.h"

#include <inttypes.h>
#include <math.h>

/* ---- normals --------------------------------------------------------------------------------- */

void RpMsh_FaceNormal(const float a[3], const float b[3], const float c[3], int16_t normal[3]) {
    MODES_OF_C();
    double ab[3], ac[3], across[3];
    for (int i = 0; i < 3; i++) {
        ab[i] = (double)b[i] - (double)a[i];
        ac[i] = (double)c[i] - (double)a[i];
    }
    for (int i = 0; i < 3; i++)
        across[i] = ab[(i + 1) % 3] * ac[(i + 2) % 3] - ab[(i + 2) % 3] * ac[(i + 1) % 3];
    double length = sqrt(across[0] * across[0] + across[1] * across[1] + across[2] * across[2]);
    bool sound = Make_IsFinite(length) && length > 0;
    for (int i = 0; i < 3; i++)
        normal[i] = sound ? (int16_t)round(across[i] / length * 32767.0) : 0;
}

/* ---- points ---------------------------------------------------------------------------------- */

enum { EMPTY = 0 }; /* an empty entry of a table; others are the element's number plus one */

/* Gives the bits of a position, with -0 as +0. */
static void PositionBits(const float position[3], uint32_t bits[3]) {
    memcpy(bits, position, 3 * sizeof *bits);
    for (int i = 0; i < 3; i++)
        if (bits[i] == UINT32_C(0x80000000))
            bits[i] = 0;
}

/* An edge leads from one point to another. An entry of the table of edges is the first in a list of
 * edges with the same points. */
typedef struct Edge {
    uint32_t from, to, group;
    uint32_t next; /* number of the next edge in the list, plus one */
} Edge;

typedef struct Links {
    const float (*positions)[3];
    const uint32_t (*corners)[3];
    const uint32_t *groups;
    uint32_t count;  /* number of triangles */
    uint32_t *table; /* with open addressing, first for points, then for edges */
    uint32_t mask;   /* the table's size - 1 */
    /* For each list: its last edge while the lists are made, then its first free edge. */
    uint32_t *cursors;
    uint32_t *points;    /* for each corner: the first corner with the same position */
    Edge *edges;         /* for each corner: the edge to the next corner of its triangle */
    uint32_t *neighbour; /* for each edge: the edge across, plus one */
} Links;

static const float *CornerPosition(const Links *links, uint32_t corner) {
    return links->positions[links->corners[corner / 3][corner % 3]];
}

/* Gives corners at equal positions the same number. */
static void NumberPoints(Links *links) {
    for (uint32_t corner = 0; corner < links->count * 3; corner++) {
        uint32_t bits[3], other[3];
        PositionBits(CornerPosition(links, corner), bits);

        uint64_t state = Random_Mix((uint64_t)bits[0] << 32 | bits[1]) + bits[2];
        uint32_t place = (uint32_t)Random_SplitMix(&state) & links->mask;

        for (; links->table[place] != EMPTY; place = (place + 1) & links->mask) {
            PositionBits(CornerPosition(links, links->table[place] - 1), other);
            if (memcmp(bits, other, sizeof bits) == 0)
                break;
        }
        if (links->table[place] == EMPTY)
            links->table[place] = corner + 1;
        links->points[corner] = links->table[place] - 1;
    }
}

/* ---- edges ----------------------------------------------------------------------------------- */

/* Returns the place of the list of edges that run so, or of the free entry where it belongs. */
static uint32_t EdgePlace(const Links *links, uint32_t from, uint32_t to, uint32_t group) {
    uint64_t hash = Random_Mix(Random_Mix((uint64_t)from << 32 | to) + group);
    uint32_t place = (uint32_t)hash & links->mask;
    for (; links->table[place] != EMPTY; place = (place + 1) & links->mask) {
        const Edge *edge = &links->edges[links->table[place] - 1];
        if (edge->from == from && edge->to == to && edge->group == group)
            break;
    }
    return place;
}

/* Returns the first edge from `candidate` on that has no partner yet. */
static uint32_t SkipTaken(const Links *links, uint32_t candidate) {
    while (candidate != EMPTY && links->neighbour[candidate - 1] != 0)
        candidate = links->edges[candidate - 1].next;
    return candidate;
}

enum { EDGE_BITS = 0x3F, EDGE_OPEN = 3 };

/* ---- both ------------------------------------------------------------------------------------ */

static bool Allocate(Links *links, const RpAllocator *allocator) {
    uint32_t corners = links->count * 3, size = 16;
    while (size < corners * 2)
        size *= 2;
    links->mask = size - 1;
    links->table = Make_Array(allocator, size, sizeof *links->table);
    links->cursors = Make_Array(allocator, size, sizeof *links->cursors);
    links->points = Make_Array(allocator, corners, sizeof *links->points);
    links->edges = Make_Array(allocator, corners, sizeof *links->edges);
    links->neighbour = Make_Array(allocator, corners, sizeof *links->neighbour);
    return links->table && links->cursors && links->points && links->edges && links->neighbour;
}

RpStatus Topology_Link(const float (*positions)[3], const uint32_t (*corners)[3],
                       const uint32_t *groups, uint32_t count, RpMshTriangle *triangles,
                       const RpAllocator *allocator, RpError *error) {
    if (count == 0)
        return RP_OK;
    if (count > RP_MSH_NONE)
        return Make_Refuse(error, RP_INVALID, "too many triangles to link", "triangle", RP_MSH_NONE,
                           "at most 65535", "%" PRIu32, count);
    Links links = {.positions = positions, .corners = corners, .groups = groups, .count = count};
    bool allocated = Allocate(&links, allocator);
    if (allocated) {
        NumberPoints(&links);

        /* List the edges by their ends and their group. */
        memset(links.table, 0, ((size_t)links.mask + 1) * sizeof *links.table);
        for (uint32_t i = 0; i < links.count * 3; i++) {
            uint32_t to = i % 3 == 2 ? i - 2 : i + 1;
            Edge *edge = &links.edges[i];
            *edge = (Edge){.from = links.points[i],
                           .to = links.points[to],
                           .group = links.groups ? links.groups[i / 3] : 0};
            if (edge->from == edge->to)
                continue; /* an edge of length 0 would lie across itself */
            uint32_t place = EdgePlace(&links, edge->from, edge->to, edge->group);
            if (links.table[place] == EMPTY)
                links.table[place] = i + 1;
            else
                links.edges[links.cursors[place] - 1].next = i + 1;
            links.cursors[place] = i + 1;
        }

        /* Pair each edge with one that runs the other way. */
        memcpy(links.cursors, links.table, ((size_t)links.mask + 1) * sizeof *links.cursors);
        for (uint32_t i = 0; i < links.count * 3; i++) {
            if (links.neighbour[i] != 0 || links.edges[i].from == links.edges[i].to)
                continue;

            /* Takes the first edge without a partner that runs along this one in the other
             * direction and belongs to another face. A list has two edges of the same face only
             * where that face is degenerate. */
            const Edge *own = &links.edges[i];
            uint32_t place = EdgePlace(&links, own->to, own->from, own->group);
            uint32_t across = SkipTaken(&links, links.cursors[place]);
            links.cursors[place] = across;
            if (across != EMPTY && (across - 1) / 3 == i / 3)
                across = SkipTaken(&links, links.edges[across - 1].next);
            if (across == 0)
                continue;
            links.neighbour[i] = across;
            links.neighbour[across - 1] = i + 1;
        }

        /* Store the neighbours, and the codes of the edges. */
        for (uint32_t t = 0; t < links.count; t++) {
            unsigned word = triangles[t].edges & (unsigned)~EDGE_BITS;
            for (uint32_t e = 0; e < 3; e++) {
                uint32_t across = links.neighbour[t * 3 + e];
                triangles[t].neighbours[e] = across ? (uint16_t)((across - 1) / 3) : RP_MSH_NONE;
                word |= (across ? (across - 1) % 3 : EDGE_OPEN) << (2 * e);
            }
            triangles[t].edges = (uint16_t)word;
        }
    }
    RpMemory_Free(allocator, links.table);
    RpMemory_Free(allocator, links.cursors);
    RpMemory_Free(allocator, links.points);
    RpMemory_Free(allocator, links.edges);
    RpMemory_Free(allocator, links.neighbour);
    return allocated ? RP_OK : RpMemory_Refused(error, "neighbours of triangles");
}

RpStatus RpMsh_LinkTriangles(const float (*positions)[3], const uint32_t (*corners)[3],
                             uint32_t count, RpMshTriangle *triangles, const RpAllocator *allocator,
                             RpError *error) {
    return Topology_Link(positions, corners, NULL, count, triangles, allocator, error);
}
