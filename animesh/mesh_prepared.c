/* Prepares the faces of a model for queries. Declared in mesh_prepared.h. */
#include "animesh/mesh_prepared.h"

#include "animesh/float_bits.h"
#include "animesh/streams.h"
#include "ngi32/polygon.h"
#include "ngi32/processor/scope.h"
#include "ngi32/processor/state.h"

#include <float.h>
#include <string.h>

/* ---- faces ----------------------------------------------------------------------------------- */

typedef enum Kind { ODD, BOXED, WILD } Kind; /* a wild face has no box */

typedef struct Face {
    float normal[3], offset, corners[3][3];
    uint32_t number;
    uint8_t axis, kind;
    bool two_sided;
} Face;

typedef struct Faces {
    Face *faces;
    uint32_t *order; /* the faces of a tree, sorted */
    uint32_t count;
} Faces;

/* Returns whether a tree takes numbers of this size. A product of two of them, or of one with a
 * normal or a difference, is a normal number unless the query's numbers are small, too. Any other
 * size would raise a flag in every query. */
static bool IsModerate(const float *number) {
    static const float least = 0x1p-60f, most = 0x1p40f;
    const uint32_t size = Float_BitsOf(number) & INT32_MAX;
    return size == 0 || (size >= Float_BitsOf(&least) && size <= Float_BitsOf(&most));
}

static double Width(const Face *face, int axis) {
    double least = face->corners[0][axis], most = least;
    for (int i = 1; i < 3; i++) {
        const double at = face->corners[i][axis];
        least = at < least ? at : least;
        most = at > most ? at : most;
    }
    return most - least;
}

/* A face may accept points beside its box, up to this part of its width at most. */
static const double most_slack = 0x1p-8;

/* Returns how far from its box a face may accept a point, as a part of the greater width of the box
 * (docs/reference/exact.md has the proof). 1 means that there is no bound. */
static double Slack(const Face *face) {
    const int u = (face->axis + 1) % 3, v = (face->axis + 2) % 3;
    const double box = Width(face, u) * Width(face, v);

    /* Twice the area that the face has in projection has the sign of mrnPointInPoly's test. It is
     * negative if, without roundings, no point could be inside of the face. In 32-bit programs the
     * arithmetic may have 24 bits, which is enough because only the order of magnitude matters. */
    const double ab[2] = {(double)face->corners[1][u] - (double)face->corners[0][u],
                          (double)face->corners[1][v] - (double)face->corners[0][v]};
    const double ac[2] = {(double)face->corners[2][u] - (double)face->corners[0][u],
                          (double)face->corners[2][v] - (double)face->corners[0][v]};
    const double turn = ab[0] * ac[1] - ab[1] * ac[0];
    const double area = face->normal[face->axis] < 0 ? -turn : turn;
    if (!(area > 0) || !(area * 1024 >= box))
        return 1;
    return box / area * (double)EXACT_FACE_MARGIN;
}

/* ---- reading a slot -------------------------------------------------------------------------- */

/* Returns how many triangles a walk over the slot meets, or 0 if they are more than the core
 * takes. */
static uint32_t CountFaces(const MeshModel *model, const MeshSlot *slot) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < slot->batch_count && count <= EXACT_MOST_FACES; i++) {
        MeshBatch batch;
        if (!MeshModel_Batch(model, (uint32_t)slot->first_batch + i, &batch))
            return 0;
        count += MeshBatch_TriangleCount(&batch);
    }
    return count <= EXACT_MOST_FACES ? count : 0;
}

static bool ReadFaces(const MeshModel *model, const MeshSlot *slot, Faces *faces) {
    uint32_t number = 0;
    for (uint32_t i = 0; i < slot->batch_count; i++) {
        MeshBatch batch;
        if (!MeshModel_Batch(model, (uint32_t)slot->first_batch + i, &batch))
            return false;
        for (uint32_t k = 0; k < MeshBatch_TriangleCount(&batch); k++, number++) {
            Face *face = &faces->faces[number];
            face->number = number;
            MeshTriangle record;
            if (!MeshModel_Triangle(model, slot->first_triangle + number, &record))
                return false;
            for (uint32_t corner = 0; corner < 3; corner++)
                if (!MeshModel_Corner(model, &batch, 3 * k + corner, face->corners[corner]))
                    return false;
            MeshTriangle_Normal(&record, face->normal);
            Mesh_PlaneOffset(face->normal, face->corners[0], &face->offset);
            face->two_sided = batch.flags & BATCH_TWO_SIDED;
        }
    }
    /* Under any control word but the game's the prepared faces are not used, so the numbers are
     * those that it gives. */
    for (uint32_t i = 0; i < number; i++) {
        Face *face = &faces->faces[i];
        face->axis = (uint8_t)Polygon_DroppedAxis(face->normal);
        bool moderate = IsModerate(&face->offset);
        for (int k = 0; k < 9; k++)
            moderate &= IsModerate(&face->corners[k / 3][k % 3]);
        if (!moderate)
            face->kind = ODD;
        else
            face->kind = Slack(face) <= most_slack ? BOXED : WILD;
    }
    return true;
}

/* ---- the order of faces in a tree ------------------------------------------------------------ */

typedef struct Sorting {
    const Face *faces;
    uint32_t *order;
    int axis;
} Sorting;

/* Returns three times the face's middle along the axis. */
static float KeyOf(const Sorting *sorting, uint32_t place) {
    const Face *face = &sorting->faces[sorting->order[place]];
    const int axis = sorting->axis;
    return face->corners[0][axis] + face->corners[1][axis] + face->corners[2][axis];
}

static void Swap(uint32_t *order, uint32_t a, uint32_t b) {
    const uint32_t kept = order[a];
    order[a] = order[b];
    order[b] = kept;
}

static void SiftDown(const Sorting *sorting, uint32_t root, uint32_t count) {
    for (uint32_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && KeyOf(sorting, child) < KeyOf(sorting, child + 1))
            child++;
        if (!(KeyOf(sorting, root) < KeyOf(sorting, child)))
            return;
        Swap(sorting->order, root, child);
    }
}

static float Spread(const Sorting *sorting, uint32_t count) {
    float least = FLT_MAX, most = -FLT_MAX;
    for (uint32_t i = 0; i < count; i++) {
        const float key = KeyOf(sorting, i);
        least = key < least ? key : least;
        most = key > most ? key : most;
    }
    return most - least;
}

/* Puts neighbours side by side: halves the faces along the axis in which they spread farther, again
 * and again. The first half fills whole blocks, whole groups of blocks, and so on. */
static void Arrange(const Face *faces, uint32_t *order, uint32_t count, int axis) {
    while (count > EXACT_BLOCK) {
        Sorting by_u = {faces, order, (axis + 1) % 3}, by_v = {faces, order, (axis + 2) % 3};
        uint32_t half = EXACT_BLOCK;
        while (2 * half < count)
            half *= 2;

        /* They are sorted with a heap, so that the time is short for every model. */
        const Sorting *sorting = Spread(&by_u, count) < Spread(&by_v, count) ? &by_v : &by_u;
        for (uint32_t i = count / 2; i-- > 0;)
            SiftDown(sorting, i, count);
        for (uint32_t i = count; i-- > 1;) {
            Swap(sorting->order, 0, i);
            SiftDown(sorting, 0, i);
        }

        Arrange(faces, order, half, axis);
        order += half;
        count -= half;
    }
}

/* ---- trees ----------------------------------------------------------------------------------- */

static uint32_t Groups(uint32_t count) {
    return (count + EXACT_BLOCK - 1) / EXACT_BLOCK;
}

typedef struct Plan { /* sizes of a tree */
    uint32_t boxed_faces, wild_faces, boxed, blocks, boxes, levels;
} Plan;

static uint32_t CountOf(const Faces *faces, int axis, Kind kind) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < faces->count; i++)
        count +=
            faces->faces[i].kind == (uint8_t)kind && (kind == ODD || faces->faces[i].axis == axis);
    return count;
}

static void FillBlocks(const Faces *faces, const uint32_t *order, uint32_t count,
                       ExactBlock *blocks) {
    for (uint32_t first = 0; first < count; first += EXACT_BLOCK) {
        ExactBlock *block = &blocks[first / EXACT_BLOCK];
        memset(block, 0, sizeof *block);
        for (uint32_t lane = 0; lane < EXACT_BLOCK; lane++) {
            block->number[lane] = EXACT_NO_FACE;
            if (lane >= count - first)
                continue;
            const Face *face = &faces->faces[order[first + lane]];
            for (int i = 0; i < 3; i++) {
                block->normal[i][lane] = face->normal[i];
                for (int k = 0; k < 3; k++)
                    block->corner[k][i][lane] = face->corners[k][i];
            }
            block->offset[lane] = face->offset;
            block->number[lane] = face->number;
        }
    }
}

typedef struct Box {
    float least[3], most[3];
} Box;

static void Extend(Box *box, float low, float high, int axis) {
    box->least[axis] = low < box->least[axis] ? low : box->least[axis];
    box->most[axis] = high > box->most[axis] ? high : box->most[axis];
}

static const Box nothing = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};

static Box BoxOfBlock(const ExactBlock *block) {
    Box box = nothing;
    for (int lane = 0; lane < EXACT_BLOCK && block->number[lane] != EXACT_NO_FACE; lane++)
        for (int i = 0; i < 9; i++) {
            const float at = block->corner[i / 3][i % 3][lane];
            Extend(&box, at, at, i % 3);
        }
    return box;
}

static Box BoxOfBoxes(const ExactBoxes *boxes, uint32_t count) {
    Box box = nothing;
    for (uint32_t lane = 0; lane < count && lane < EXACT_BLOCK; lane++)
        for (int i = 0; i < 3; i++)
            Extend(&box, boxes->least[i][lane], boxes->most[i][lane], i);
    return box;
}

static void FillBoxes(ExactTree *tree, const Plan *plan, ExactBoxes *boxes) {
    uint32_t count = plan->boxed;
    tree->level_count = plan->levels;
    memset(boxes, 0, plan->boxes * sizeof *boxes);
    for (uint32_t level = 0; level < plan->levels; level++) {
        for (uint32_t i = 0; i < count; i++) {
            Box box;
            if (level == 0) {
                box = BoxOfBlock(&tree->blocks[i]);
            } else {
                const uint32_t rest = tree->counts[level - 1] - i * EXACT_BLOCK;
                box = BoxOfBoxes(&tree->levels[level - 1][i], rest);
            }
            for (int axis = 0; axis < 3; axis++) {
                boxes[i / EXACT_BLOCK].least[axis][i % EXACT_BLOCK] = box.least[axis];
                boxes[i / EXACT_BLOCK].most[axis][i % EXACT_BLOCK] = box.most[axis];
            }
        }
        tree->levels[level] = boxes;
        tree->counts[level] = count;
        count = Groups(count);
        boxes += count;
    }
}

static void Measure(const Face *face, ExactTree *tree) {
    const int u = (face->axis + 1) % 3, v = (face->axis + 2) % 3;
    for (int i = 0; i < 9; i++) {
        const float at = face->corners[i / 3][i % 3], size = at < 0 ? -at : at;
        tree->extent = size > tree->extent ? size : tree->extent;
    }
    tree->two_sided = tree->two_sided || face->two_sided;
    if (face->kind != BOXED)
        return;
    const double width = Width(face, u) > Width(face, v) ? Width(face, u) : Width(face, v);
    const float slack = (float)(Slack(face) * width);
    tree->slack = slack > tree->slack ? slack : tree->slack;
}

static uint32_t Gather(const Faces *faces, int axis, Kind kind) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < faces->count; i++)
        if (faces->faces[i].kind == (uint8_t)kind && (kind == ODD || faces->faces[i].axis == axis))
            faces->order[count++] = i;
    return count;
}

/* ---- slots ----------------------------------------------------------------------------------- */

/* The memory of a slot is one block: blocks, boxes, odd faces. */
static RpStatus FillSlot(const Faces *faces, const RpAllocator *allocator, MeshPrepared *prepared,
                         ExactFaces *slot, RpError *error) {
    Plan plans[3];
    const uint32_t odd = CountOf(faces, 0, ODD);
    size_t blocks = 0, boxes = 0;
    for (int axis = 0; axis < 3; axis++) {
        Plan plan = {.boxed_faces = CountOf(faces, axis, BOXED),
                     .wild_faces = CountOf(faces, axis, WILD)};
        plan.boxed = Groups(plan.boxed_faces);
        plan.blocks = plan.boxed + Groups(plan.wild_faces);
        for (uint32_t below = plan.boxed; below > 0;) {
            below = Groups(below);
            plan.boxes += below;
            plan.levels++;
            if (below == 1)
                break;
        }
        plans[axis] = plan;

        blocks += plans[axis].blocks;
        boxes += plans[axis].boxes;
    }
    const size_t bytes =
        blocks * sizeof(ExactBlock) + boxes * sizeof(ExactBoxes) + odd * sizeof(uint32_t);
    uint8_t *memory = RpMemory_Resize(allocator, NULL, bytes);
    if (!memory)
        return RpMemory_Refused(error, "the faces of a slot");
    ExactBlock *next_block = (ExactBlock *)(void *)memory;
    ExactBoxes *next_boxes = (ExactBoxes *)(void *)(next_block + blocks);
    uint32_t *odds = (uint32_t *)(void *)(next_boxes + boxes);
    slot->memory = memory;
    slot->odd = odds;
    slot->odd_count = Gather(faces, 0, ODD);
    for (uint32_t i = 0; i < odd; i++)
        odds[i] = faces->faces[faces->order[i]].number;
    const ArithmeticScope scope = Arithmetic_Enter(NULL);
    for (int axis = 0; axis < 3; axis++) {
        const Plan *plan = &plans[axis];
        ExactTree *tree = &slot->trees[axis];
        tree->blocks = next_block;
        tree->boxed = plan->boxed;
        tree->block_count = plan->blocks;
        const uint32_t wild = Gather(faces, axis, WILD);
        for (uint32_t i = 0; i < wild; i++)
            Measure(&faces->faces[faces->order[i]], tree);
        FillBlocks(faces, faces->order, wild, next_block + plan->boxed);
        const uint32_t boxed = Gather(faces, axis, BOXED);
        for (uint32_t i = 0; i < boxed; i++)
            Measure(&faces->faces[faces->order[i]], tree);
        Arrange(faces->faces, faces->order, boxed, axis);
        FillBlocks(faces, faces->order, boxed, next_block);
        FillBoxes(tree, plan, next_boxes);

        next_block += plans[axis].blocks;
        next_boxes += plans[axis].boxes;
    }
    Arithmetic_Leave(scope);
    slot->count = faces->count;
    prepared->bytes += bytes;
    return RP_OK;
}

/* Prepares a slot and subtracts its faces from `budget`. A slot that has more faces than that is
 * left unprepared; its answers are the same. */
static RpStatus PrepareSlot(const MeshModel *model, uint32_t index, const RpAllocator *allocator,
                            MeshPrepared *prepared, uint64_t *budget, RpError *error) {
    MeshSlot slot;
    if (!MeshModel_Slot(model, index, &slot))
        return RP_OK;
    Faces faces = {.count = CountFaces(model, &slot)};
    if (!faces.count || faces.count > *budget)
        return RP_OK;
    *budget -= faces.count;
    faces.faces =
        RpMemory_Resize(allocator, NULL, faces.count * (sizeof *faces.faces + sizeof *faces.order));
    if (!faces.faces)
        return RpMemory_Refused(error, "the faces of a slot");
    faces.order = (uint32_t *)(void *)(faces.faces + faces.count);
    RpStatus status = RP_OK;
    const ArithmeticScope scope = Arithmetic_Enter(NULL); /* the allocator must not run in it */
    const bool any = ReadFaces(model, &slot, &faces);
    Arithmetic_Leave(scope);
    if (any)
        status = FillSlot(&faces, allocator, prepared, &prepared->slots[index], error);
    RpMemory_Free(allocator, faces.faces);
    return status;
}

/* Marks, as its count, a slot that nodes name and that has not been prepared yet. */
enum { NAMED = 1 };

/* Slots of a sound model share faces a few times, for example for stages of damage. A small file
 * could have thousands of slots that all share the same faces, and take gigabytes. */
enum { MOST_TIMES = 4 };

/* ---- models ---------------------------------------------------------------------------------- */

RpStatus MeshPrepared_New(const MeshModel *model, const RpAllocator *allocator,
                          MeshPrepared **prepared, RpError *error) {
    *prepared = NULL;
    if (!State_HasSse2())
        return RP_OK;
    /* Nodes cannot name other slots. Because these are so few, the size does not wrap in 32-bit
     * programs. */
    const uint32_t slot_count = model->slots.count < NO_INDEX ? model->slots.count : NO_INDEX;
    const size_t bytes = sizeof **prepared + slot_count * sizeof(ExactFaces);
    MeshPrepared *made = RpMemory_Resize(allocator, NULL, bytes);
    if (!made)
        return RpMemory_Refused(error, "the faces of a model");
    memset(made, 0, bytes);
    made->chooser = &Mesh_Chooser;
    made->slot_count = slot_count;
    made->bytes = bytes;
    const ExactFaceWidth *const *width = Exact_FaceWidths();
    while (width[1])
        width++;
    made->width = *width;

    /* Each slot is prepared once, however many nodes name it. Otherwise a model whose nodes share a
     * slot of 65,535 empty batches would take long. */
    RpStatus status = RP_OK;
    uint64_t budget = (uint64_t)MOST_TIMES * model->triangles.count;

    enum { VARIANTS = 3 };
    for (uint32_t node = 0; node < MeshModel_NodeCount(model); node++)
        for (uint32_t variant = 0; variant < VARIANTS; variant++) {
            uint16_t index;
            if (MeshModel_SlotWord(model, node, 0, variant, &index) && index < made->slot_count)
                made->slots[index].count = NAMED;
        }

    for (uint32_t i = 0; status == RP_OK && i < made->slot_count; i++) {
        if (made->slots[i].count != NAMED)
            continue;
        made->slots[i].count = 0;
        status = PrepareSlot(model, i, allocator, made, &budget, error);
    }

    if (status == RP_OK)
        *prepared = made;
    else
        MeshPrepared_Free(allocator, made);
    return status;
}

void MeshPrepared_Free(const RpAllocator *allocator, MeshPrepared *prepared) {
    if (!prepared)
        return;
    for (uint32_t i = 0; i < prepared->slot_count; i++)
        RpMemory_Free(allocator, prepared->slots[i].memory);
    RpMemory_Free(allocator, prepared);
}
