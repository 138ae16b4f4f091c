#include "pose_reference.h"
#include "tests/of_thread.h"

#include "exports/reading_table.h"
#include "retropose/fastproc.h"
#include "retropose/pose.h"

#include <math.h>
#include <string.h>

/* ---- steps ----------------------------------------------------------------------------------- */

/* Rounds to binary32. The variable is volatile because GCC 12 at -O2 leaves the conversions out
 * where it divides two neighbours at once. */
static double Stored(double value) {
    volatile float narrow = (float)value;
    return (double)narrow;
}

static double Step(const Reference *reference, double value) {
    return reference->steps == STEPS_ROUNDED ? Stored(value) : value;
}

static int Choice(const Reference *reference, int reading) {
    return reference->test->arithmetic.readings.choice[reading];
}

static RpArithmetic Settings(const Reference *reference) {
    return reference->test->arithmetic;
}

static void Narrow(const double *from, float *to, int count) {
    for (int i = 0; i < count; i++)
        to[i] = (float)from[i];
}

static void Widen(const float *from, double *to, int count) {
    for (int i = 0; i < count; i++)
        to[i] = (double)from[i];
}

static double Dot(const Reference *reference, const double *a, const double *b) {
    double sum = Step(reference, Step(reference, a[0] * b[0]) + Step(reference, a[1] * b[1]));
    return Step(reference, sum + Step(reference, a[2] * b[2]));
}

static void Subtract(const Reference *reference, const double *a, const double *b, double *to) {
    for (int i = 0; i < 3; i++)
        to[i] = Step(reference, a[i] - b[i]);
}

static double Length(const Reference *reference, const double *v) {
    return Step(reference, sqrt(Dot(reference, v, v)));
}

/* ---- quaternions, matrices (E.6) ------------------------------------------------------------- */

static void ExactInterpolation(const double a[4], const double b[4], double t, double out[4]) {
    double cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    double sign = cosine < 0 ? -1 : 1, w0 = 1 - t, w1 = t;
    cosine = fabs(cosine);
    if (1 - cosine > 9.9999997e-6) {
        double theta = acos(cosine);
        w1 = sin(t * theta) / sin(theta);
        w0 = cos(t * theta) - w1 * cosine;
    }
    for (int i = 0; i < 4; i++)
        out[i] = w0 * a[i] + sign * w1 * b[i];
}

static void ExactMatrix(const double q[4], double m[16]) {
    double w = q[0], x = q[1], y = q[2], z = q[3];
    const double matrix[16] = {1 - 2 * (y * y + z * z),
                               2 * (x * y + w * z),
                               2 * (x * z - w * y),
                               0,
                               2 * (x * y - w * z),
                               1 - 2 * (x * x + z * z),
                               2 * (y * z + w * x),
                               0,
                               2 * (x * z + w * y),
                               2 * (y * z - w * x),
                               1 - 2 * (x * x + y * y),
                               0,
                               0,
                               0,
                               0,
                               1};
    memcpy(m, matrix, sizeof matrix);
}

static void Interpolate(const Reference *reference, const double a[4], const double b[4], double t,
                        double out[4]) {
    if (reference->steps == STEPS_EXACT) {
        ExactInterpolation(a, b, t, out);
        return;
    }
    RpArithmetic settings = Settings(reference);
    float q0[4], q1[4], result[4];
    Narrow(a, q0, 4);
    Narrow(b, q1, 4);
    RpQuaternion_Interpolate(&settings, q0, q1, (float)t, result);
    Widen(result, out, 4);
}

static void ToMatrix(const Reference *reference, const double q[4], double m[16]) {
    if (reference->steps == STEPS_EXACT) {
        ExactMatrix(q, m);
        return;
    }
    RpArithmetic settings = Settings(reference);
    float quaternion[4], matrix[16];
    Narrow(q, quaternion, 4);
    RpQuaternion_ToMatrix(&settings, quaternion, matrix);
    Widen(matrix, m, 16);
}

static void Product(const Reference *reference, const double a[16], const double b[16],
                    double out[16]) {
    if (reference->steps == STEPS_EXACT) {
        double product[16] = {0};
        for (int i = 0; i < 16; i++)
            for (int k = 0; k < 4; k++)
                product[i] += a[i / 4 * 4 + k] * b[4 * k + i % 4];
        memcpy(out, product, sizeof product);
        return;
    }
    RpArithmetic settings = Settings(reference);
    float left[16], right[16], product[16];
    Narrow(a, left, 16);
    Narrow(b, right, 16);
    RpMatrix_PoseProduct(&settings, left, right, product);
    Widen(product, out, 16);
}

static void Transform(const Reference *reference, const double *matrix, double *point) {
    if (!matrix)
        return;
    double result[3];
    for (int i = 0; i < 3; i++)
        result[i] = Step(reference, Dot(reference, matrix + 4 * i, point) + matrix[4 * i + 3]);
    memcpy(point, result, sizeof result);
}

/* ---- samples and blends (E.4, E.5) ----------------------------------------------------------- */

static void KeyPose(const ModelKey *key, double q[4], double p[3]) {
    for (int i = 0; i < 4; i++)
        q[i] = key->xyzw[(i + 3) % 4] / 32767.0;
    Widen(key->position, p, 3);
}

static void ExactSample(const Piece *piece, double t, double q[4], double p[3]) {
    const TestModel *model = TestModel_Of(piece);
    const ModelNode *node = &model->nodes[piece->node];
    const ModelKey *keys = &model->keys[node->first_key];
    uint32_t last = node->key_count - 1, key = 0;
    double frame = rint(t - 0.5); /* to the nearest, ties to even */
    while (key < last && (double)keys[key + 1].time <= frame)
        key++;
    if (frame >= MODEL_FRAMES || key == last) {
        KeyPose(&keys[last], q, p);
        return;
    }
    double q0[4], p0[3], q1[4], p1[3];
    KeyPose(&keys[key], q0, p0);
    KeyPose(&keys[key + 1], q1, p1);
    double time = (double)keys[key].time;
    double alpha = (t - time) / ((double)keys[key + 1].time - time);
    ExactInterpolation(q0, q1, alpha, q);
    for (int i = 0; i < 3; i++)
        p[i] = p0[i] + (p1[i] - p0[i]) * alpha;
}

static void ExactBlend(const Piece *piece, double a, double b, double weight, double m[16]) {
    double qa[4], pa[3], qb[4], pb[3], p[3], sum = 0, difference = 0;
    bool has_a = weight < 1 && a >= 0, has_b = weight > 0 && b >= 0;
    static const double identity[4] = {1, 0, 0, 0};
    if (has_a)
        ExactSample(piece, a, qa, pa);
    if (has_b)
        ExactSample(piece, b, qb, pb);
    if (has_a && has_b) {
        for (int i = 0; i < 4; i++) {
            sum += (qa[i] + qb[i]) * (qa[i] + qb[i]);
            difference += (qa[i] - qb[i]) * (qa[i] - qb[i]);
        }
        for (int i = 0; i < 4 && sum < difference; i++)
            qb[i] = -qb[i];
        ExactInterpolation(qa, qb, weight, qa);
        for (int i = 0; i < 3; i++)
            p[i] = (1 - weight) * pa[i] + weight * pb[i];
        ExactMatrix(qa, m);
    } else if (has_a || has_b) {
        ExactMatrix(has_a ? qa : qb, m);
        memcpy(p, has_a ? pa : pb, sizeof p);
    } else {
        ExactMatrix(identity, m); /* we have chosen this, because it is undefined in the original */
        memset(p, 0, sizeof p);
    }
    for (int i = 0; i < 3; i++)
        m[4 * i + 3] = p[i];
}

static void Blend(const Reference *reference, const Piece *piece, float a, float b, float weight,
                  double m[16]) {
    if (reference->steps == STEPS_EXACT) {
        ExactBlend(piece, (double)a, (double)b, (double)weight, m);
        return;
    }
    RpArithmetic settings = Settings(reference);
    float matrix[16];
    RpPose_Blend(&TestModel_Of(piece)->model.pose, &settings, piece->node, a, b, weight, matrix,
                 NULL);
    Widen(matrix, m, 16);
}

/* ---- the walk (E.7) -------------------------------------------------------------------------- */

static float TimeBetween(const Reference *reference, int32_t first, int32_t last, float phase) {
    double s = (double)phase;
    if (Choice(reference, READING_FRAME_LERP) == 0) {
        double step = Step(reference, s * Step(reference, (double)last - first));
        return (float)(first + step);
    }
    double from_first = Step(reference, Step(reference, 1 - s) * first);
    return (float)(from_first + Step(reference, s * last));
}

static void Scale(const Reference *reference, double *x, double *y, double *z) {
    const Mesh *mesh = &reference->test->mesh;
    if (!mesh->scaled)
        return;
    *x = Step(reference, *x * (double)mesh->scale[0]);
    *y = Step(reference, *y * (double)mesh->scale[1]);
    *z = Step(reference, *z * (double)mesh->scale[2]);
}

static void PoseLocal(const Reference *reference, const Piece *piece, bool is_root,
                      ReferencePiece *out) {
    const Mesh *mesh = &reference->test->mesh;
    float a, b, weight;
    if (piece->own_segment) {
        a = TimeBetween(reference, piece->a_first, piece->a_last, piece->phase);
        b = TimeBetween(reference, piece->b_first, piece->b_last, piece->phase);
        weight = piece->weight;
    } else {
        a = TimeBetween(reference, mesh->a_first, mesh->a_last, mesh->phase);
        b = TimeBetween(reference, mesh->b_first, mesh->b_last, mesh->phase);
        weight = mesh->weight;
    }
    bool same = a == piece->cached_a && b == piece->cached_b;
    if (piece->cache_valid && same && Choice(reference, READING_POSE_CACHE) != 2)
        return;
    Blend(reference, piece, a, b, weight, out->local);
    Scale(reference, &out->local[3], &out->local[7], &out->local[11]);
    if (is_root && Choice(reference, READING_ROOT_TRANSLATION) == 0)
        out->local[3] = out->local[7] = out->local[11] = 0;
    out->cached_a = a;
    out->cached_b = b;
    out->cache_valid = out->fresh = 1;
}

static void Tilt(const Reference *reference, const Piece *piece, double world[16]) {
    double previous[4], tilt[4], q[4], rotation[16];
    const double translation[3] = {world[3], world[7], world[11]};
    Widen(piece->previous_tilt, previous, 4);
    Widen(piece->tilt, tilt, 4);
    Interpolate(reference, previous, tilt, (double)reference->test->mesh.phase, q);
    ToMatrix(reference, q, rotation);
    if (Choice(reference, READING_TILT_ORDER) == 0)
        Product(reference, rotation, world, world);
    else
        Product(reference, world, rotation, world);
    for (int i = 0; i < 3; i++)
        world[4 * i + 3] = translation[i];
}

static void PosePiece(const Reference *reference, ReferencePiece *pieces, int32_t index) {
    const Piece *piece = &reference->test->pieces[index];
    ReferencePiece *out = &pieces[index];
    uint32_t count = reference->test->mesh.piece_count;
    bool is_root = piece->parent < 0 || piece->parent >= (int32_t)count;
    double placement[16];
    Widen(reference->test->mesh.placement, placement, 16);
    PoseLocal(reference, piece, is_root, out);
    if (is_root)
        memcpy(out->model, out->local, sizeof out->model);
    else
        Product(reference, pieces[piece->parent].model, out->local, out->model);
    if (!is_root && Choice(reference, READING_WORLD_PRODUCT) == 1)
        Product(reference, pieces[piece->parent].world, out->local, out->world);
    else
        Product(reference, placement, out->model, out->world);
    if (piece->tilted)
        Tilt(reference, piece, out->world);
}

void Reference_Pose(const Reference *reference, ReferencePiece pieces[MESH_PIECES]) {
    for (uint32_t i = 0; i < reference->test->mesh.piece_count; i++) {
        const Piece *piece = &reference->test->pieces[i];
        Widen(piece->local, pieces[i].local, 16);
        Widen(piece->model, pieces[i].model, 16);
        Widen(piece->world, pieces[i].world, 16);
        pieces[i].cached_a = piece->cached_a;
        pieces[i].cached_b = piece->cached_b;
        pieces[i].cache_valid = piece->cache_valid;
        pieces[i].fresh = 0;
        if (!piece->flying)
            PosePiece(reference, pieces, (int32_t)i);
    }
}

void Reference_RootTranslation(const Reference *reference, double translation[3]) {
    const Mesh *mesh = &reference->test->mesh;
    double matrix[16];
    Blend(reference, &reference->test->pieces[0],
          TimeBetween(reference, mesh->a_first, mesh->a_last, mesh->phase),
          TimeBetween(reference, mesh->b_first, mesh->b_last, mesh->phase), mesh->weight, matrix);
    for (int i = 0; i < 3; i++)
        translation[i] = matrix[4 * i + 3];
    Scale(reference, &translation[0], &translation[1], &translation[2]);
}

void Reference_Tilt(const Reference *reference, const float from[3], const float to[3],
                    double quaternion[4]) {
    static const double identity[4] = {1, 0, 0, 0};
    double f[3], t[3], turn[4];
    Widen(from, f, 3);
    Widen(to, t, 3);
    turn[0] = Dot(reference, f, t);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        turn[1 + i] = Step(reference, Step(reference, f[j] * t[k]) - Step(reference, f[k] * t[j]));
    }
    Interpolate(reference, identity, turn, 0.5, quaternion);
}

/* ---- boxes, spheres, capsules of nodes (E.11) ------------------------------------------------ */

static uint32_t Res1Flags(const Piece *piece) {
    return TestModel_Of(piece)->nodes[piece->node].flags;
}

static const ModelSlot *SlotOf(const Piece *piece) {
    const TestModel *model = TestModel_Of(piece);
    int slot = model->nodes[piece->node].slots[piece->variant];
    return slot == NO_SLOT ? NULL : &model->slots[slot];
}

/* Returns null if points stay in the node's space. */
static const double *MatrixOf(const Piece *piece, uint32_t mode, double matrix[16]) {
    if (mode != SPACE_MODEL && mode != SPACE_WORLD)
        return NULL;
    Widen(mode == SPACE_MODEL ? piece->model : piece->world, matrix, 16);
    return matrix;
}

/* Gives the corners in the original's order. Each is named by the axes on which it has the greatest
 * value: none; x; x, y; y; y, z; z; x, z; x, y, z. */
static void Corners(const double low[3], const double high[3], double corners[24]) {
    static const char *const greatest[8] = {"", "x", "xy", "y", "yz", "z", "xz", "xyz"};
    for (int i = 0; i < 24; i++)
        corners[i] = strchr(greatest[i / 3], "xyz"[i % 3]) ? high[i % 3] : low[i % 3];
}

static void PieceBox(const Reference *reference, const Piece *piece, uint32_t mode,
                     double corners[24]) {
    double matrix[16], low[3], high[3];
    const double *m = MatrixOf(piece, mode, matrix);
    const ModelSlot *slot = SlotOf(piece);
    if (!slot) {
        for (int i = 0; i < 24; i++)
            corners[i] = m ? m[4 * (i % 3) + 3] : 0;
        return;
    }
    Widen(slot->low, low, 3);
    Widen(slot->high, high, 3);
    Scale(reference, &low[0], &low[1], &low[2]);
    Scale(reference, &high[0], &high[1], &high[2]);
    Corners(low, high, corners);
    for (int i = 0; i < 8; i++)
        Transform(reference, m, corners + 3 * i);
}

static void Extend(const double corners[24], double low[3], double high[3]) {
    for (int i = 0; i < 24; i++) {
        low[i % 3] = fmin(low[i % 3], corners[i]);
        high[i % 3] = fmax(high[i % 3], corners[i]);
    }
}

/* Returns the number of pieces that were joined. */
static int JoinBelow(const Reference *reference, int32_t node, uint32_t mode,
                     const JointRequest *request, double low[3], double high[3]) {
    const TestMesh *test = reference->test;
    uint32_t flags = Res1Flags(&test->pieces[node]);
    if (flags & 0x10 || (mode == SPACE_MODEL && flags & 4))
        return 0;
    int joined = 0;
    for (int32_t i = node + 1; i < (int32_t)test->mesh.piece_count; i++) {
        double corners[24];
        const Piece *child = &test->pieces[i];
        uint32_t bits = Res1Flags(child);
        if (child->parent != node || (~bits & request->required) || (bits & request->excluded))
            continue;
        PieceBox(reference, child, mode, corners);
        Extend(corners, low, high);
        joined += 1 + JoinBelow(reference, i, mode, request, low, high);
    }
    return joined;
}

static bool IsSingle(uint32_t mode, const JointRequest *request) {
    return request->single == 1 || (mode != SPACE_MODEL && mode != SPACE_WORLD);
}

void Reference_Box(const Reference *reference, int32_t node, uint32_t mode,
                   const JointRequest *request, double corners[24]) {
    const TestMesh *test = reference->test;
    if (node == 0 && !IsSingle(mode, request)) {
        double placement[16];
        Widen(test->mesh.box, corners, 24);
        Widen(test->mesh.placement, placement, 16);
        for (int i = 0; i < 8 && mode == SPACE_WORLD; i++)
            Transform(reference, placement, corners + 3 * i);
        return;
    }
    double low[3], high[3];
    PieceBox(reference, &test->pieces[node], mode, corners);
    memcpy(low, corners, sizeof low);
    memcpy(high, corners, sizeof high);
    Extend(corners, low, high);
    if (!IsSingle(mode, request) && JoinBelow(reference, node, mode, request, low, high))
        Corners(low, high, corners);
}

static double LargestScale(const Reference *reference) {
    const float *scale = reference->test->mesh.scale;
    return fmax(fmax((double)scale[0], (double)scale[1]), (double)scale[2]);
}

static void SphereOfBox(const Reference *reference, const double corners[24], double sphere[4]) {
    double diagonal[3];
    for (int i = 0; i < 3; i++)
        sphere[i] = Stored(Step(reference, corners[i] + corners[21 + i]) * 0.5);
    Subtract(reference, corners + 21, corners, diagonal);
    sphere[3] = Length(reference, diagonal) * 0.5;
}

void Reference_Sphere(const Reference *reference, int32_t node, uint32_t mode,
                      const JointRequest *request, double sphere[4]) {
    const TestMesh *test = reference->test;
    const Piece *piece = &test->pieces[node];
    double matrix[16], corners[24];
    if (IsSingle(mode, request)) {
        const double *m = MatrixOf(piece, mode, matrix);
        const ModelSlot *slot = SlotOf(piece);
        for (int i = 0; i < 4; i++)
            sphere[i] = i < 3 && m ? m[4 * i + 3] : 0;
        if (!slot)
            return;
        Widen(slot->sphere, sphere, 4);
        Scale(reference, &sphere[0], &sphere[1], &sphere[2]);
        if (test->mesh.scaled)
            sphere[3] = Step(reference, sphere[3] * LargestScale(reference));
        Transform(reference, m, sphere);
    } else if (node == 0) {
        bool plain =
            !request->required && !request->excluded && !request->unknown_08 && !request->single;
        Widen(plain ? test->mesh.node_centre : test->mesh.agent_centre, sphere, 3);
        sphere[3] = (double)(plain ? test->mesh.node_radius : test->mesh.agent_radius);
        Widen(test->mesh.placement, matrix, 16);
        Transform(reference, mode == SPACE_WORLD ? matrix : NULL, sphere);
    } else {
        Reference_Box(reference, node, mode, request, corners);
        SphereOfBox(reference, corners, sphere);
    }
}

static void Middle(const Reference *reference, const double *corners, int a, int b, double *to) {
    for (int i = 0; i < 3; i++)
        to[i] = Stored(Step(reference, corners[3 * a + i] + corners[3 * b + i]) * 0.5);
}

void Reference_Capsule(const Reference *reference, const double corners[24], double capsule[7]) {
    double e[3], d[3];
    Subtract(reference, corners + 21, corners, e);
    if (e[2] >= e[0] && e[2] >= e[1]) {
        Middle(reference, corners, 5, 7, capsule);
        Middle(reference, corners, 0, 2, capsule + 3);
    } else if (e[0] >= e[1]) {
        Middle(reference, corners, 1, 7, capsule);
        Middle(reference, corners, 0, 4, capsule + 3);
    } else {
        Middle(reference, corners, 3, 7, capsule);
        Middle(reference, corners, 0, 6, capsule + 3);
    }
    Subtract(reference, capsule, corners + 21, d);
    capsule[6] = Length(reference, d);
}

/* ---- bounds of the object (E.11, E.12) ------------------------------------------------------- */

typedef struct Spheres {
    int count;
    double of[MESH_PIECES][4];
} Spheres;

static void Join(const Reference *reference, const Spheres *spheres, double out[4]) {
    double sum[3] = {0, 0, 0}, weight = 0;
    memset(out, 0, 4 * sizeof *out);
    for (int n = 0; n < spheres->count; n++) {
        double r = spheres->of[n][3];
        for (int i = 0; i < 3; i++)
            sum[i] = Step(reference, sum[i] + Step(reference, spheres->of[n][i] * r));
        weight = Step(reference, weight + r);
    }
    if (weight == 0)
        return;
    for (int i = 0; i < 3; i++)
        out[i] = Stored(sum[i] / weight);
    for (int n = 0; n < spheres->count; n++) {
        double d[3];
        Subtract(reference, spheres->of[n], out, d);
        out[3] = fmax(out[3], Stored(Length(reference, d) + spheres->of[n][3]));
    }
}

static void JoinNodes(const Reference *reference, double out[4]) {
    const TestMesh *test = reference->test;
    Spheres spheres = {.count = 0};
    for (uint32_t i = 1; i < test->mesh.piece_count; i++) {
        const Piece *piece = &test->pieces[i];
        double corners[24];
        if (Res1Flags(piece) & 1)
            continue;
        PieceBox(reference, piece, SPACE_MODEL, corners);
        SphereOfBox(reference, corners, spheres.of[spheres.count++]);
    }
    Join(reference, &spheres, out);
}

/* A header's numbers are scaled like any points, before a matrix moves them. */
static void ScaleHeader(const Reference *reference, ReferenceBounds *bounds) {
    if (!reference->test->mesh.scaled)
        return;
    for (int i = 0; i < 8; i++)
        Scale(reference, &bounds->box[3 * i], &bounds->box[3 * i + 1], &bounds->box[3 * i + 2]);
    Scale(reference, &bounds->agent[0], &bounds->agent[1], &bounds->agent[2]);
    Scale(reference, &bounds->capsule[0], &bounds->capsule[1], &bounds->capsule[2]);
    Scale(reference, &bounds->capsule[3], &bounds->capsule[4], &bounds->capsule[5]);
    bounds->agent[3] = Step(reference, bounds->agent[3] * LargestScale(reference));
    bounds->capsule[6] = Step(reference, bounds->capsule[6] * LargestScale(reference));
}

/* Measures the bounds of a part by its header. Returns false for a piece that is not the first of a
 * part. */
static int HeaderBounds(const Reference *reference, const Piece *piece, ReferenceBounds *bounds) {
    if (!(piece->flags & 0x01000000))
        return 0;
    const MeshHeader *header = &TestModel_Of(piece)->header;
    Widen(header->corners, bounds->box, 24);
    Widen(header->sphere, bounds->agent, 4);
    Widen(header->capsule, bounds->capsule, 7);
    ScaleHeader(reference, bounds);
    return 1;
}

/* Moves the header's bounds to where the part hangs. */
static void PlaceHeader(const Reference *reference, const Piece *piece, double corners[24],
                        double sphere[4]) {
    double matrix[16];
    if (piece->tag == 0 || piece->parent < 0)
        return;
    Widen(reference->test->pieces[piece->parent].model, matrix, 16);
    for (int i = 0; i < 8; i++)
        Transform(reference, matrix, corners + 3 * i);
    Transform(reference, matrix, sphere);
}

void Reference_Bounds(const Reference *reference, ReferenceBounds *bounds) {
    const TestMesh *test = reference->test;
    Spheres spheres = {.count = 0};
    ReferenceBounds part;
    double low[3], high[3];
    for (uint32_t i = 0; i < test->mesh.piece_count; i++) {
        double *sphere = spheres.of[spheres.count];
        if (!HeaderBounds(reference, &test->pieces[i], &part))
            continue;
        if (spheres.count == 0)
            *bounds = part;
        PlaceHeader(reference, &test->pieces[i], part.box, part.agent);
        memcpy(sphere, part.agent, sizeof part.agent);
        if (spheres.count++ == 0) {
            memcpy(low, part.box, sizeof low);
            memcpy(high, part.box, sizeof high);
        }
        Extend(part.box, low, high);
    }
    if (spheres.count > 1) {
        Corners(low, high, bounds->box);
        Join(reference, &spheres, bounds->agent);
        Reference_Capsule(reference, bounds->box, bounds->capsule);
    }
    JoinNodes(reference, bounds->nodes);
}
