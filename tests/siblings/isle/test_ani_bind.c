/* Tests of binding nodes to a scene: facts/lego-ani.md D. */
#include "retropose/ani.h"
#include "tests/formats/refusal.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Objects and parts are represented by their names: "pepper" has a hat and an arm, "bike" has a
 * wheel. */
static void *FindIn(const char *const *names, const char *name) {
    for (; *names; names++)
        if (strcmp(*names, name) == 0)
            return (void *)(uintptr_t)*names;
    return NULL;
}

static void *FindObject(void *context, const char *name) {
    static const char *const objects[] = {"PEPPER", "BIKE", "STAR7act", NULL};
    (void)context;
    return FindIn(objects, name);
}

static void *FindPart(void *context, void *object, const char *name) {
    static const char *const pepper[] = {"PEPPER", "HAT", "ARM", NULL};
    static const char *const bike[] = {"BIKE", "WHEEL", NULL};
    (void)context;
    return FindIn(strcmp(object, "PEPPER") == 0 ? pepper : bike, name);
}

static const char *Variable(void *context, const char *name) {
    (void)context;
    return strcmp(name, "ACTOR_01") == 0 ? "PEPPER" : NULL;
}

static bool IsKnownActor(void *context, const char *name) {
    (void)context;
    return strcmp(name, "PEPPER") == 0;
}

static const RpAniScene scene = {.find_object = FindObject,
                                 .find_part = FindPart,
                                 .variable = Variable,
                                 .is_known_actor = IsKnownActor,
                                 .action = "act",
                                 .instance = 7};

static uint32_t Add(RpAni *ani, uint32_t parent, const char *name) {
    uint32_t node;
    assert_int_equal(RpAni_AddNode(ani, parent, name, SIZE_MAX, &node, NULL), RP_OK);
    return node;
}

static void ExpectBound(const RpAniMap *map, uint32_t node, const char *key) {
    if (!key)
        assert_int_equal(map->index[node], 0);
    else
        assert_string_equal(map->bindings[map->index[node]].key, key);
}

TEST(PartsBelongToTheTopLevelObjectAbove) {
    OWNED(RpAni) ani;
    OWNED(RpAniMap) map;
    RpAni_Init(&ani, NULL);
    const uint32_t root = Add(&ani, RP_ANI_NO_NODE, "-walk");
    const uint32_t actor = Add(&ani, root, "ACTOR_01"), mover = Add(&ani, actor, "-mover");
    const uint32_t hat = Add(&ani, mover, "HAT"), arm = Add(&ani, hat, "ARM");
    const uint32_t bike = Add(&ani, arm, "BIKE"), wheel = Add(&ani, bike, "WHEEL");
    const uint32_t unknown = Add(&ani, bike, "GHOST"), unnamed = Add(&ani, bike, "");
    assert_int_equal(RpAni_Bind(&ani, &scene, &map, NULL), RP_OK);
    ExpectBound(&map, root, NULL);
    ExpectBound(&map, actor, "PEPPER"); /* through a variable */
    ExpectBound(&map, mover, NULL);
    ExpectBound(&map, hat, "PEPPER:HAT");
    /* The arm is a part of the object, although its parent node is the hat. */
    ExpectBound(&map, arm, "PEPPER:ARM");
    /* The bike is an object of the scene, because PEPPER has no such part. */
    ExpectBound(&map, bike, "BIKE");
    ExpectBound(&map, wheel, "BIKE:WHEEL");
    ExpectBound(&map, unknown, NULL);
    ExpectBound(&map, unnamed, NULL);
    assert_int_equal(map.index[actor], 1);
    assert_int_equal(map.count, 6);
    assert_string_equal(map.bindings[map.index[hat]].object, "PEPPER");
    assert_string_equal(map.bindings[map.index[hat]].part, "HAT");
}

TEST(EqualKeysShareAnIndex) {
    OWNED(RpAni) ani;
    OWNED(RpAniMap) map;
    RpAni_Init(&ani, NULL);
    const uint32_t root = Add(&ani, RP_ANI_NO_NODE, "PEPPER");
    const uint32_t first = Add(&ani, root, "HAT"), second = Add(&ani, root, "HAT");
    assert_int_equal(RpAni_Bind(&ani, &scene, &map, NULL), RP_OK);
    assert_int_equal(map.index[first], map.index[second]);
    assert_int_equal(map.count, 3);
}

TEST(AStarIsDroppedOrMadeUnique) {
    OWNED(RpAni) ani;
    OWNED(RpAniMap) map;
    RpAni_Init(&ani, NULL);
    const uint32_t root = Add(&ani, RP_ANI_NO_NODE, "-");
    const uint32_t known = Add(&ani, root, "*PEPPER"), other = Add(&ani, root, "*STAR");
    assert_int_equal(RpAni_Bind(&ani, &scene, &map, NULL), RP_OK);
    ExpectBound(&map, known, "PEPPER");
    ExpectBound(&map, other, "STAR7act");
}

TEST(ASceneOfNothingBindsNothing) {
    static const RpAniScene nothing;
    OWNED(RpAni) ani;
    OWNED(RpAniMap) map;
    RpAni_Init(&ani, NULL);
    const uint32_t root = Add(&ani, RP_ANI_NO_NODE, "*PEPPER");
    assert_int_equal(RpAni_Bind(&ani, &nothing, &map, NULL), RP_OK);
    ExpectBound(&map, root, NULL);
}

typedef struct ExpectedPlan {
    const char *name;
    uint32_t type;
    RpAniActorKind kind;
    bool create, visible;
    const char *object, *model;
} ExpectedPlan;

static const ExpectedPlan plans[] = {
    {"PEPPER", 2, RP_ANI_ACTOR_MANAGED, true, true, "PEPPER", ""},
    {"*PEPPER", 2, RP_ANI_ACTOR_MANAGED, true, false, "PEPPER", ""},
    {"*Bird_01", 3, RP_ANI_ACTOR_OBJECT, true, false, "Bird_017act", "bird"},
    {"*Bird01", 4, RP_ANI_ACTOR_OBJECT, true, false, "Bird017act", "bird01"},
    {"BIKE", 5, RP_ANI_ACTOR_SCENE, false, true, "BIKE", "bike"},
    {"Gull_2", 6, RP_ANI_ACTOR_SCENE, true, true, "Gull_2", "gull"},
    {"RD", 1, RP_ANI_ACTOR_LOOKED_UP, false, true, "RD", ""},
    {"ACTOR_01", 99, RP_ANI_ACTOR_LOOKED_UP, false, true, "PEPPER", ""},
};

static const char *TextOf(const RpBuffer *buffer) {
    return buffer->bytes ? (const char *)buffer->bytes : "";
}

TEST(ActorsAreMadeByTheirType) {
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        OWNED(RpAni) ani;
        OWNED(RpAniActorPlan) plan;
        RpAni_Init(&ani, NULL);
        RpAni_AddActor(&ani, plans[i].name, SIZE_MAX, plans[i].type, NULL);
        assert_int_equal(RpAni_PlanActor(&ani, 0, &scene, &plan, NULL), RP_OK);
        assert_int_equal(plan.kind, plans[i].kind);
        assert_int_equal(plan.create, plans[i].create);
        assert_int_equal(plan.visible, plans[i].visible);
        assert_string_equal(TextOf(&plan.object), plans[i].object);
        assert_string_equal(TextOf(&plan.model), plans[i].model);
    }
}

TEST(AnActorWithoutANameHasNoPlan) {
    OWNED(RpAni) ani;
    RpAniActorPlan plan;
    RpAni_Init(&ani, NULL);
    RpAni_AddActor(&ani, "", 0, 2, NULL);
    assert_int_equal(RpAni_PlanActor(&ani, 0, &scene, &plan, NULL), RP_INVALID);
    assert_int_equal(RpAni_PlanActor(&ani, 1, &scene, &plan, NULL), RP_INVALID);
}

TEST(RefusedMemoryLeavesNoMap) {
    Refusal refusal = {.left = 1000};
    const RpAllocator allocator = Refusal_Allocator(&refusal);
    RpStatus status = RP_NO_MEMORY;
    OWNED(RpAni) ani;
    OWNED(RpAniMap) map;
    RpAni_Init(&ani, &allocator);
    const uint32_t root = Add(&ani, RP_ANI_NO_NODE, "*PEPPER");
    Add(&ani, root, "HAT");
    for (int allowed = 0; status != RP_OK; allowed++) {
        assert_true(allowed < 20);
        refusal.left = allowed;
        status = RpAni_Bind(&ani, &scene, &map, NULL);
        if (status != RP_OK)
            assert_int_equal(status, RP_NO_MEMORY);
    }
}
