// The arrays of mesh_glm.h's models and objects, for its two files.
#ifndef RETROPOSE_BENCH_MESH_GLM_MODEL_H
#define RETROPOSE_BENCH_MESH_GLM_MODEL_H

#include "mesh_glm.h"

#include <vector>

#define GLM_ENABLE_EXPERIMENTAL
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/gtc/type_ptr.hpp>
#include <glm/gtx/norm.hpp>

using glm::mat4;
using glm::quat;
using glm::vec3;
using glm::vec4;

struct Key {
    vec3 position;
    float time;
    quat rotation;
};

struct Triangle {
    vec3 corners[3], normal;
    bool two_sided;
};

struct Node {
    int parent;
    int map_start; // -1: static
    unsigned fallback;
    std::vector<Triangle> triangles;
    vec4 sphere;
    bool has_box;
    vec3 low, high;
};

struct GlmModel {
    std::vector<Node> nodes;
    std::vector<Key> keys;
    std::vector<uint16_t> map;
    unsigned frame_count;
};

struct GlmObject {
    const GlmModel *model;
    mat4 placement;
    std::vector<mat4> local, chain, world;
};

#endif
