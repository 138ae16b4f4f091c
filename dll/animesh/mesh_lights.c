/* Makes the two lights for a panel's view of a unit. These are the calls that the second pass of
 * message 4 makes to the light manager and to the game's settings, 0x100070C9 to 0x1000723B
 * (facts/animesh.md C.5, E.18; the light manager is Terrain's, G.4). The order of the calls within
 * the block is assumed. */
#include "dll/animesh/loaded_mesh.h"

/* The methods of ILightManager that are called here. The parameters of method 9 are read, and those
 * of the others are assumed from what they do. */
enum { LIGHT_COLOUR = 3, LIGHT_DIRECTION = 9, LIGHT_CREATE = 12, LIGHT_FLAGS = 13 };

typedef uint32_t METHOD_CC (*CreateMethod)(uintptr_t self, uint32_t type);
typedef void METHOD_CC (*FlagsMethod)(uintptr_t self, uint32_t light, uint32_t flags);
typedef void METHOD_CC (*ColourMethod)(uintptr_t self, uint32_t light, float r, float g, float b);
typedef void METHOD_CC (*DirectionMethod)(uintptr_t self, uint32_t light, uint32_t space, float x,
                                          float y, float z);

enum { LIGHT_DIRECTIONAL = 3 };
enum { SPACE_AS_GIVEN = 0 }; /* the gatherer of lights turns them with the object (inferred) */
#define LIGHT_OF_VIEW 0x84000000u

typedef struct ViewLight {
    float direction[3];
    float grey;
} ViewLight;

typedef ABI_PROTO_animesh_IGameObject_11((*KindMethod));

enum { KIND_FIRST_LIT = 2, KIND_LAST_LIT = 4 };

#define SETTING_ROBOT_BEST_LOD 0x0008001Eu

void MeshObject_MakeLights(const MeshObject *object) {
    static const ViewLight lights[] = {{{-1, 1, -1}, 0.25f},
                                       /* times 0.35, 0x10005A7D */
                                       {{1, -1, 1}, 0.25f * 0.35f}};

    const uintptr_t game_object = Object_Query(object->outer, ID_GAME_OBJECT);
    const uint32_t kind =
        game_object ? ((KindMethod)Object_Method(game_object, 11))(game_object) : 0;
    if (kind < KIND_FIRST_LIT || kind > KIND_LAST_LIT)
        return;

    const uintptr_t manager = Object_Query(object->outer, ID_LIGHT_MANAGER);
    for (size_t i = 0; manager && i < sizeof lights / sizeof *lights; i++) {
        const ViewLight *view = &lights[i];
        const uint32_t light =
            ((CreateMethod)Object_Method(manager, LIGHT_CREATE))(manager, LIGHT_DIRECTIONAL);
        ((FlagsMethod)Object_Method(manager, LIGHT_FLAGS))(manager, light, LIGHT_OF_VIEW);
        ((ColourMethod)Object_Method(manager, LIGHT_COLOUR))(manager, light, view->grey, view->grey,
                                                             view->grey);
        ((DirectionMethod)Object_Method(manager, LIGHT_DIRECTION))(
            manager, light, SPACE_AS_GIVEN, view->direction[0], view->direction[1],
            view->direction[2]);
    }
    /* What the original does with the setting is not published. */
    (void)Settings_Read(SETTING_ROBOT_BEST_LOD);
}
