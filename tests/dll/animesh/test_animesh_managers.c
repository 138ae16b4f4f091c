/* Tests of what the mesh object asks of other modules: the two lights of a unit's own view, the
 * setting, and materials. */
#include "fake.h"
#include "game.h"
#include "managers.h"
#include "models.h"
#include "tests/test.h"

#include <string.h>

static FakeLog *world_log;

/* ---- the owner of a mesh --------------------------------------------------------------------- */

typedef struct Owner {
    const ManagerMethod *methods;
    uint32_t kind;
    LightManager *lights;
    MaterialManager *materials;
} Owner;

static uintptr_t ABI_CC(fastcall) Owner_Query(Owner *self, uint32_t id) {
    return id == 6     ? (uintptr_t)self
           : id == 0xD ? (uintptr_t)self->materials
           : id == 0xE ? (uintptr_t)self->lights
                       : 0;
}

static uint32_t ABI_CC(fastcall) Owner_Kind(const Owner *self) {
    return self->kind;
}

static const ManagerMethod owner_methods[12] = {
    [0] = (ManagerMethod)Owner_Query, [11] = (ManagerMethod)Owner_Kind};

static void *LoadTank(const Owner *owner) {
    void *mesh = (void *)game.load_mesh(MODELS_ARCHIVE, "tank.msh", (uintptr_t)owner, 0);
    assert_non_null(mesh);
    return mesh;
}

enum { FIRST_PASS = 0, SECOND_PASS = 1 };

static void Init(void *mesh, uintptr_t pass) {
    assert_int_equal(METHOD(mesh, IAnimation, 2)((uintptr_t)mesh, 4, pass), 1);
}

/* ---- lights ---------------------------------------------------------------------------------- */

/* A quarter of a turn about z, which takes x to y. */
static const float turned[16] = {0, -1, 0, 5, 1, 0, 0, 6, 0, 0, 1, 7, 0, 0, 0, 1};

static void AssertLight(const Light *light, float x, float grey) {
    const float direction[3] = {x, -x, x}, colour[3] = {grey, grey, grey};
    assert_int_equal(light->type, 3);
    assert_int_equal(light->flags, 0x84000000);
    assert_memory_equal(light->direction, direction, sizeof direction);
    assert_memory_equal(light->colour, colour, sizeof colour);
}

TEST(UnitsHaveTwoLightsOfTheirOwn) {
    for (uint32_t kind = 0; kind <= 11; kind++) {
        const bool is_lit = kind >= 2 && kind <= 4;
        LightManager lights;
        LightManager_Init(&lights, turned);
        Owner owner = {.methods = owner_methods, .kind = kind, .lights = &lights};
        void *mesh = LoadTank(&owner);
        world_log->count = 0;
        Init(mesh, FIRST_PASS);
        assert_int_equal(lights.calls, 0);
        Init(mesh, SECOND_PASS);
        assert_int_equal(lights.count, is_lit ? 2 : 0);
        if (is_lit) {
            AssertLight(&lights.lights[0], -1, 0.25F);
            AssertLight(&lights.lights[1], 1, 0.0875F);
        }
        assert_int_equal(lights.calls, is_lit ? 2 * 4 : 0);
        Game_Destroy(mesh);
    }
}

/* ---- settings -------------------------------------------------------------------------------- */

TEST(UnitsAskForTheBestLevelOnce) {
    for (uint32_t kind = 0; kind <= 11; kind++) {
        const bool asks = kind >= 2 && kind <= 4;
        Owner owner = {.methods = owner_methods, .kind = kind}; /* without a light manager */
        void *mesh = LoadTank(&owner);
        world_log->count = 0;
        Init(mesh, FIRST_PASS);
        Init(mesh, SECOND_PASS);
        assert_int_equal(world_log->count, asks ? 2 : 0);
        if (asks) {
            assert_string_equal(world_log->calls[0].what, "CreateGameSettings");
            assert_string_equal(world_log->calls[1].what, "settings");
            assert_int_equal(world_log->calls[1].arguments[0], 0x0008001E);
        }
        Game_Destroy(mesh);
    }
}

TEST(MeshesWithoutOwnerAskNobody) {
    void *mesh = LoadTank(NULL);
    world_log->count = 0;
    Init(mesh, FIRST_PASS);
    Init(mesh, SECOND_PASS);
    assert_int_equal(world_log->count, 0);
    Game_Destroy(mesh);
}

/* ---- materials ------------------------------------------------------------------------------- */

enum { GUN_PART = 7, GUN_PIECE = 4, GUN_ROW = 3, SOCKET = 3 };

static void AttachGun(void *mesh) {
    const MeshAppend append = Game_Gun(GUN_PART, SOCKET);
    METHOD(mesh, IAnimation, 2)((uintptr_t)mesh, 0x80000020, (uintptr_t)&append);
}

/* Returns the material of the gun's batch, as a shade gets it. */
static uint32_t MaterialOfGun(void *mesh) {
    void *mesh2 = (void *)METHOD(mesh, IAnimation, 0)((uintptr_t)mesh, 0x18);
    const uint32_t *batch = (const uint32_t *)METHOD(mesh2, IMesh2, 3)(mesh2, GUN_PIECE, 0);
    assert_non_null(batch);
    return batch[13];
}

#define MANAGER_METHOD(manager, number, type) ((type)(manager)->methods[number])
typedef void ABI_CC(fastcall) (*ByClock)(MaterialManager *, uint32_t, uint32_t, MaterialState *);
typedef void ABI_CC(fastcall) (*ByFraction)(MaterialManager *, uint32_t, uint32_t, float,
                                            MaterialState *);
typedef const uint32_t *ABI_CC(fastcall) (*Class)(MaterialManager *, uint32_t);

static void AssertState(const MaterialState *state, uint32_t wear, uint32_t track, float time) {
    assert_int_equal(state->wear, wear);
    assert_int_equal(state->index, GUN_ROW);
    assert_int_equal(state->track, track);
    assert_memory_equal(&state->time, &time, sizeof time);
}

/* The manager can take apart what the mesh hands out as a material. */
TEST(MaterialsAreThoseOfTheBoundManager) {
    MaterialState fetched;
    MaterialManager materials;
    MaterialManager_Init(&materials);
    materials.classes[GUN_WEAR][GUN_ROW] = 9;
    materials.clock = 1234;
    Owner owner = {.methods = owner_methods, .materials = &materials};
    Mesh *mesh = LoadTank(&owner);
    assert_int_equal(mesh->material_manager, 0);
    Init(mesh, FIRST_PASS);
    assert_int_equal(mesh->material_manager, (uintptr_t)&materials);
    AttachGun(mesh);
    const uint32_t material = MaterialOfGun(mesh);
    /* the mesh only binds the manager, and the shade calls it */
    assert_int_equal(materials.calls, 0);
    assert_int_equal(*MANAGER_METHOD(&materials, 9, Class)(&materials, material), 9);
    MANAGER_METHOD(&materials, 3, ByClock)(&materials, material, 1, &fetched);
    AssertState(&fetched, GUN_WEAR, 1, 1234);
    MANAGER_METHOD(&materials, 3, ByClock)(&materials, material, 2, &fetched);
    AssertState(&fetched, GUN_WEAR, 0, 1234);
    MANAGER_METHOD(&materials, 5, ByFraction)(&materials, material, 9, 0.25F, &fetched);
    AssertState(&fetched, GUN_WEAR, 0, 50);
    MANAGER_METHOD(&materials, 5, ByFraction)(&materials, material, 0, 1.5F, &fetched);
    AssertState(&fetched, GUN_WEAR, 0, 100);
    Game_Destroy(mesh);
}

/* A worn face's material takes the place of all others, until an empty reference takes it off. What
 * a reference is made of is not published, so a face is refused, and nothing changes. */
TEST(WornMaterialsAreTakenOff) {
    MaterialManager materials;
    MaterialManager_Init(&materials);
    Owner owner = {.methods = owner_methods, .materials = &materials};
    Mesh *mesh = LoadTank(&owner);
    Init(mesh, FIRST_PASS);
    AttachGun(mesh);
    const uint32_t own = MaterialOfGun(mesh);
    METHOD(mesh, IAnimation, 27)((uintptr_t)mesh, (uintptr_t) "face");
    assert_int_equal(mesh->worn_manager, 0);
    assert_int_equal(mesh->worn_handle, UINT32_MAX);
    assert_int_equal(MaterialOfGun(mesh), own);
    mesh->worn_manager = (uintptr_t)&materials;
    mesh->worn_handle = 2 << 16 | GUN_ROW;
    assert_int_equal(MaterialOfGun(mesh), 2 << 16 | GUN_ROW);
    METHOD(mesh, IAnimation, 27)((uintptr_t)mesh, 0);
    assert_int_equal(mesh->worn_manager, 0);
    assert_int_equal(mesh->worn_handle, UINT32_MAX);
    assert_int_equal(MaterialOfGun(mesh), own);
    assert_int_equal(materials.calls, 0);
    Game_Destroy(mesh);
}

static int Open(void **state) {
    world_log = Game_LogOf("World3D.dll");
    return world_log ? Game_Begin(state) : -1;
}

AROUND_ALL(Open, Game_End)
