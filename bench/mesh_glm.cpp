#include "mesh_glm_model.h"

#include <algorithm>
#include <cmath>

namespace {

struct Face {
    vec3 corners[3], normal, direction, middle;
    bool two_sided, hidden;
    float distance;
};

} // namespace

// ---- loading ------------------------------------------------------------------------------------

static vec3 Corner(const RpMsh *msh, const RpMshBatch &batch, uint32_t index) {
    uint16_t relative = 0;
    float position[3] = {};
    RpMsh_Index(msh, batch.first_index + index, &relative);
    RpMsh_Position(msh, batch.base_vertex + relative, position);
    return glm::make_vec3(position);
}

static void LoadTriangles(const RpMsh *msh, const RpMshSlot &slot,
                          std::vector<Triangle> &triangles) {
    uint32_t number = slot.first_triangle;
    for (uint32_t b = 0; b < slot.batch_count; b++) {
        RpMshBatch batch;
        if (!RpMsh_Batch(msh, slot.first_batch + b, &batch))
            continue;
        for (uint32_t t = 0; t < (batch.index_count + 2u) / 3; t++, number++) {
            RpMshTriangle record;
            Triangle triangle;
            if (!RpMsh_Triangle(msh, number, &record))
                continue;
            for (uint32_t i = 0; i < 3; i++)
                triangle.corners[i] = Corner(msh, batch, 3 * t + i);
            triangle.normal = vec3(record.normal[0], record.normal[1], record.normal[2]) / 32767.0f;
            triangle.two_sided = (batch.flags & 2) != 0;
            triangles.push_back(triangle);
        }
    }
}

static Node LoadNode(const RpMsh *msh, uint32_t index) {
    RpMshNode read;
    RpMshSlot slot;
    Node node = {};
    RpMsh_Node(msh, index, &read);
    node.parent = read.parent == RP_MSH_NONE ? -1 : read.parent;
    node.map_start = read.map_start == RP_MSH_NONE ? -1 : read.map_start;
    node.fallback = read.fallback;
    if (read.slots[0] != RP_MSH_NONE && RpMsh_Slot(msh, read.slots[0], &slot)) {
        LoadTriangles(msh, slot, node.triangles);
        node.sphere = glm::make_vec4(slot.sphere);
        node.has_box = true;
        node.low = glm::make_vec3(slot.low);
        node.high = glm::make_vec3(slot.high);
    }
    return node;
}

GlmModel *Glm_Load(const RpMsh *msh) {
    GlmModel *model = new GlmModel;
    RpMshKey key;
    uint16_t word;
    for (uint32_t i = 0; i < RpMsh_Count(msh, RP_MSH_NODES); i++)
        model->nodes.push_back(LoadNode(msh, i));
    for (uint32_t i = 0; RpMsh_Key(msh, i, &key); i++)
        model->keys.push_back({glm::make_vec3(key.position), key.time,
                               quat(key.rotation[3] / 32767.0f, key.rotation[0] / 32767.0f,
                                    key.rotation[1] / 32767.0f, key.rotation[2] / 32767.0f)});
    for (uint32_t i = 0; RpMsh_MapWord(msh, i, &word); i++)
        model->map.push_back(word);
    model->frame_count = msh->frame_count;
    return model;
}

void Glm_FreeModel(GlmModel *model) {
    delete model;
}

GlmObject *Glm_NewObject(const GlmModel *model) {
    const std::vector<mat4> matrices(model->nodes.size(), mat4(1.0f));
    return new GlmObject{model, mat4(1.0f), matrices, matrices, matrices};
}

void Glm_FreeObject(GlmObject *object) {
    delete object;
}

size_t Glm_ObjectBytes(const GlmObject *object) {
    return sizeof *object + 3 * object->world.capacity() * sizeof(mat4);
}

// ---- posing -------------------------------------------------------------------------------------

static mat4 Composed(const vec3 &position, const quat &rotation) {
    mat4 matrix = glm::mat4_cast(glm::conjugate(rotation));
    matrix[3] = vec4(position, 1.0f);
    return matrix;
}

static mat4 Sample(const GlmModel &model, const Node &node, float time) {
    const unsigned frame = static_cast<unsigned>(std::lrint(time - 0.5f));
    const Key *key = &model.keys[node.fallback];
    if (node.map_start >= 0 && frame < model.frame_count) {
        const unsigned word = model.map[static_cast<unsigned>(node.map_start) + frame];
        if (word < node.fallback) {
            const Key &a = model.keys[word], &b = model.keys[word + 1];
            const float alpha = (time - a.time) / (b.time - a.time);
            return Composed(glm::mix(a.position, b.position, alpha),
                            glm::slerp(a.rotation, b.rotation, alpha));
        }
    }
    return Composed(key->position, key->rotation);
}

void Glm_Pose(GlmObject *object, float frame) {
    const std::vector<Node> &nodes = object->model->nodes;
    for (size_t i = 0; i < nodes.size(); i++) {
        mat4 &local = object->local[i];
        local = Sample(*object->model, nodes[i], frame);
        if (nodes[i].parent < 0)
            local[3] = vec4(0.0f, 0.0f, 0.0f, 1.0f);
        object->chain[i] = nodes[i].parent < 0
                               ? local
                               : object->chain[static_cast<size_t>(nodes[i].parent)] * local;
        object->world[i] = object->placement * object->chain[i];
    }
}

const float *Glm_World(const GlmObject *object, uint32_t node) {
    return glm::value_ptr(object->world[node]);
}

// ---- segments -----------------------------------------------------------------------------------

static bool Meet(const Triangle &triangle, const vec3 &start, const vec3 &end, vec3 &hit) {
    const vec3 way = end - start;
    const float facing = glm::dot(triangle.normal, way);
    if (facing >= 0.0f && !(triangle.two_sided && facing > 0.0f))
        return false;
    const float fraction = glm::dot(triangle.normal, triangle.corners[0] - start) / facing;
    if (fraction < 0.0f || fraction > 1.0f)
        return false;
    hit = start + way * fraction;
    for (int i = 0; i < 3; i++) {
        const vec3 &from = triangle.corners[i], &to = triangle.corners[(i + 1) % 3];
        if (glm::dot(glm::cross(to - from, hit - from), triangle.normal) < 0.0f)
            return false;
    }
    return true;
}

bool Glm_Segment(const GlmObject *object, const float start[3], const float end[3],
                 float *squared_distance) {
    const std::vector<Node> &nodes = object->model->nodes;
    const vec3 from = glm::make_vec3(start), to = glm::make_vec3(end);
    float best = glm::distance2(from, to);
    bool found = false;
    for (size_t i = 0; i < nodes.size(); i++) {
        if (nodes[i].triangles.empty())
            continue;
        const mat4 inverse = glm::inverse(object->world[i]);
        const vec3 a(inverse * vec4(from, 1.0f)), b(inverse * vec4(to, 1.0f));
        for (const Triangle &triangle : nodes[i].triangles) {
            vec3 hit;
            if (!Meet(triangle, a, b, hit))
                continue;
            const float distance = glm::distance2(vec3(object->world[i] * vec4(hit, 1.0f)), from);
            if (distance <= best) {
                best = distance;
                found = true;
            }
        }
    }
    *squared_distance = best;
    return found;
}

// ---- push-out -----------------------------------------------------------------------------------

static vec3 NearestOnEdge(const vec3 &start, const vec3 &end, const vec3 &point) {
    const vec3 way = end - start;
    const float along = glm::clamp(glm::dot(point - start, way) / glm::dot(way, way), 0.0f, 1.0f);
    return start + way * along;
}

static bool Touch(Face &face, const vec3 &centre, float radius) {
    const float height = glm::dot(face.normal, centre - face.corners[0]);
    if (height < 0.0f || height > radius)
        return false;
    const vec3 foot = centre - face.normal * height;
    vec3 nearest = foot;
    for (int i = 0; i < 3; i++) {
        const vec3 &from = face.corners[i], &to = face.corners[(i + 1) % 3];
        if (glm::dot(glm::cross(to - from, face.normal), foot - from) > 0.0f) {
            nearest = NearestOnEdge(from, to, foot);
            break;
        }
    }
    face.distance = glm::distance(centre, nearest);
    face.direction = face.distance > 0.0f ? (centre - nearest) / face.distance : face.normal;
    return face.distance <= radius;
}

static void Gather(const GlmObject *object, const vec3 &centre, float radius,
                   std::vector<Face> &faces) {
    const std::vector<Node> &nodes = object->model->nodes;
    for (size_t i = 0; i < nodes.size(); i++) {
        const mat4 &world = object->world[i];
        const vec3 middle(world * vec4(vec3(nodes[i].sphere), 1.0f));
        if (nodes[i].triangles.empty() ||
            glm::distance(middle, centre) > nodes[i].sphere.w + radius)
            continue;
        for (const Triangle &triangle : nodes[i].triangles) {
            Face face = {};
            for (int k = 0; k < 3; k++)
                face.corners[k] = vec3(world * vec4(triangle.corners[k], 1.0f));
            face.normal = vec3(world * vec4(triangle.normal, 0.0f));
            face.two_sided = triangle.two_sided;
            face.middle = (face.corners[0] + face.corners[1] + face.corners[2]) / 3.0f;
            if (Touch(face, centre, radius))
                faces.push_back(face);
        }
    }
}

static bool Hides(const Face &face, const vec3 &centre, const vec3 &middle) {
    const Triangle triangle = {
        {face.corners[0], face.corners[1], face.corners[2]}, face.normal, face.two_sided};
    vec3 hit;
    return Meet(triangle, centre, middle, hit);
}

static vec3 Accumulate(const std::vector<Face> &faces, float radius) {
    vec3 push(0.0f);
    for (const Face &face : faces) {
        const float depth = radius - face.distance, along = glm::dot(push, face.direction);
        if (face.hidden || along >= depth)
            continue;
        const float squared = glm::length2(push);
        const vec3 part =
            squared <= 1e-4f ? face.direction : face.direction - push * (along / squared);
        const float facing = glm::dot(part, face.direction);
        if (std::fabs(facing) > 0.002f)
            push += part * ((depth - along) / facing);
        else if (glm::length2(part) > 0.0f)
            push += glm::normalize(part) * (depth - along);
    }
    const float length = glm::length(push);
    return length > 4.0f * radius ? push * (4.0f * radius / length) : push;
}

bool Glm_PushOut(const GlmObject *object, const float centre[3], float radius, float push[3]) {
    const vec3 at = glm::make_vec3(centre);
    std::vector<Face> faces;
    Gather(object, at, radius, faces);
    std::sort(faces.begin(), faces.end(),
              [](const Face &a, const Face &b) { return a.distance < b.distance; });
    for (size_t i = faces.size(); i-- > 0;)
        faces[i].hidden = std::any_of(faces.begin(), faces.end(), [&](const Face &other) {
            return &other != &faces[i] && !other.hidden && Hides(other, at, faces[i].middle);
        });
    const vec3 sum = Accumulate(faces, radius);
    for (int i = 0; i < 3; i++)
        push[i] = sum[i];
    return glm::length2(sum) > 0.0f;
}
