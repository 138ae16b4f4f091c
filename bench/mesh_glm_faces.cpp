// Faces seen from above, and boxes. They have a file of their own so that the compiler's limits of
// inlining leave the other queries as they are.
#include "mesh_glm_model.h"

#include <cmath>

// ---- faces seen from above ----------------------------------------------------------------------

static float Cross2(const vec3 &a, const vec3 &b) {
    return a.x * b.y - a.y * b.x;
}

static bool IsUnder(const vec3 corners[3], const vec3 &point) {
    bool under = false;
    for (int i = 0; i < 3; i++) {
        const vec3 &from = corners[i], &to = corners[(i + 1) % 3];
        const bool above = point.y < from.y;
        if (above == (point.y < to.y))
            continue;
        const vec3 &low = above ? to : from, &high = above ? from : to;
        under ^= Cross2(high - low, point - low) > 0.0f;
    }
    return under;
}

bool Glm_WalkFace(const GlmObject *object, const float point[3], float *height) {
    const std::vector<Node> &nodes = object->model->nodes;
    const vec3 at = glm::make_vec3(point);
    float best = INFINITY;
    for (size_t i = 0; i < nodes.size(); i++) {
        const mat4 &world = object->world[i];
        const vec3 middle(world * vec4(vec3(nodes[i].sphere), 1.0f));
        if (nodes[i].triangles.empty() ||
            glm::length2(glm::vec2(middle) - glm::vec2(at)) > nodes[i].sphere.w * nodes[i].sphere.w)
            continue;
        for (const Triangle &triangle : nodes[i].triangles) {
            if ((world * vec4(triangle.normal, 0.0f)).z < 0.173648f)
                continue;
            vec3 corners[3];
            for (int k = 0; k < 3; k++)
                corners[k] = vec3(world * vec4(triangle.corners[k], 1.0f));
            const vec3 ab = corners[1] - corners[0], ac = corners[2] - corners[0];
            const float area = Cross2(ab, ac);
            bool over = area != 0.0f;
            for (int k = 0; k < 3 && over; k++)
                over = Cross2(corners[(k + 1) % 3] - corners[k], at - corners[k]) * area >= 0.0f;
            if (!over)
                continue;
            const vec3 n = glm::cross(ab, ac), d = at - corners[0];
            const float z = corners[0].z - (n.x * d.x + n.y * d.y) / n.z;
            if ((z - at.z) * (z - at.z) < best) {
                best = (z - at.z) * (z - at.z);
                *height = z;
            }
        }
    }
    return best < INFINITY;
}

bool Glm_IsInside(const GlmObject *object, const float point[3]) {
    const std::vector<Node> &nodes = object->model->nodes;
    const vec3 at = glm::make_vec3(point);
    bool inside = false;
    for (size_t i = 0; i < nodes.size(); i++)
        for (const Triangle &triangle : nodes[i].triangles) {
            vec3 corners[3];
            for (int k = 0; k < 3; k++)
                corners[k] = vec3(object->world[i] * vec4(triangle.corners[k], 1.0f));
            if (!IsUnder(corners, at))
                continue;
            const vec3 n = glm::cross(corners[1] - corners[0], corners[2] - corners[0]);
            const float height = glm::dot(n, at - corners[0]);
            inside ^= n.z > 0.0f ? height < 0.0f : n.z < 0.0f && height > 0.0f;
        }
    return inside;
}

// ---- boxes --------------------------------------------------------------------------------------

static void NodeBox(const GlmObject *object, size_t index, vec3 corners[8]) {
    const Node &node = object->model->nodes[index];
    for (int i = 0; i < 8; i++) {
        const vec3 corner((i & 1 ? node.high : node.low).x, (i & 2 ? node.high : node.low).y,
                          (i & 4 ? node.high : node.low).z);
        corners[i] = vec3(object->world[index] * vec4(node.has_box ? corner : vec3(0.0f), 1.0f));
    }
}

void Glm_Box(const GlmObject *object, uint32_t node, bool subtree, float box[8][3]) {
    const std::vector<Node> &nodes = object->model->nodes;
    std::vector<bool> below(nodes.size(), false);
    vec3 corners[8], low(INFINITY), high(-INFINITY);
    NodeBox(object, node, corners);
    bool alone = true;
    below[node] = true;
    for (size_t i = node + 1; subtree && i < nodes.size(); i++) {
        below[i] = nodes[i].parent >= 0 && below[static_cast<size_t>(nodes[i].parent)];
        if (!below[i])
            continue;
        vec3 others[8];
        NodeBox(object, i, others);
        for (const vec3 &corner : others) {
            low = glm::min(low, corner);
            high = glm::max(high, corner);
        }
        alone = false;
    }
    for (int i = 0; i < 8 && !alone; i++) {
        low = glm::min(low, corners[i]);
        high = glm::max(high, corners[i]);
    }
    for (int i = 0; i < 8; i++) {
        const vec3 corner =
            alone ? corners[i]
                  : vec3((i & 1 ? high : low).x, (i & 2 ? high : low).y, (i & 4 ? high : low).z);
        for (int axis = 0; axis < 3; axis++)
            box[i][axis] = corner[axis];
    }
}
