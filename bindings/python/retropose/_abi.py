"""The C interface for ctypes, made by bindings/python/abi of include/abi/1.0.txt.

Parameters are pointers to their structs; handles, and pointers to numbers or to bytes, are c_void_p."""

from __future__ import annotations

import ctypes as c
from typing import Any, Dict, Tuple

P = c.POINTER
CALLBACK = c.CFUNCTYPE

RP_AC_ACTION = 0x10000000
RP_AC_BACKWARD = -1
RP_AC_BOTH = 0
RP_AC_DATA_CLEARS_MODIFIERS = 1
RP_AC_DATA_FROM_DEFAULT_ONLY = 2
RP_AC_DATA_OMEGA = 2
RP_AC_DATA_VELOCITY = 1
RP_AC_DO = 2
RP_AC_DONE = 0
RP_AC_EPSILON = 0.00019999999494757503
RP_AC_F32 = 4
RP_AC_FORWARD = 1
RP_AC_HOOK_ANIMATION_DONE = 4
RP_AC_HOOK_MOST_BYTES = 40
RP_AC_HOOK_MOST_FIELDS = 12
RP_AC_HOOK_REPLACE_OBJECT = 5
RP_AC_HOOK_SOUND_TWEAKED = 21
RP_AC_HOOK_TYPES = 27
RP_AC_I32 = 3
RP_AC_MODIFIER = 0x20000000
RP_AC_MOST_ACTIONS = 32
RP_AC_MOST_MODIFIERS = 16
RP_AC_MOST_NODES = 256
RP_AC_MOST_PENDING = 64
RP_AC_MOST_STEPS = 100000
RP_AC_NO_NODE = 65535
RP_AC_NO_TABLE = 7
RP_AC_PACKED_ID = 5
RP_AC_QUIRKS = 255
RP_AC_QUIRK_BOUNDARY = 1
RP_AC_QUIRK_CYCLE_TAIL = 4
RP_AC_QUIRK_DONE_BY_HEAD = 2
RP_AC_QUIRK_FROZEN_CYCLE = 16
RP_AC_QUIRK_ONE_REDUNDANT = 64
RP_AC_QUIRK_REMODIFY_HEAD = 32
RP_AC_QUIRK_TYPE4 = 128
RP_AC_QUIRK_UNSIGNED_LOW = 8
RP_AC_READY = 0x41000003
RP_AC_REFUSED = 67
RP_AC_REPLACE_U16 = 1
RP_AC_STOP = 4
RP_AC_STOP_ALL = 5
RP_AC_STYLE = 0x80000000
RP_AC_SUBSTATE = 0x40000000
RP_AC_TWEAKED_SWAPPED = 2
RP_AC_U16 = 1
RP_AC_U32 = 2
RP_AC_U8 = 0
RP_ANI_ACTIVE = 1
RP_ANI_ACTOR_LEAST_BYTES = 4
RP_ANI_ACTOR_LOOKED_UP = 3
RP_ANI_ACTOR_MANAGED = 0
RP_ANI_ACTOR_OBJECT = 1
RP_ANI_ACTOR_SCENE = 2
RP_ANI_BODY = 1
RP_ANI_CAMERA_AT_TARGET = 1
RP_ANI_CAMERA_MOVED = 0
RP_ANI_CAMERA_TRACKS = 3
RP_ANI_CAMERA_UPRIGHT = 2
RP_ANI_CAMERA_WITHOUT_GOAL = 3
RP_ANI_EYE = 4
RP_ANI_FILE = 0
RP_ANI_HEADER_BYTES = 28
RP_ANI_HOLD = 4
RP_ANI_MAGIC = 17
RP_ANI_MORPH = 3
RP_ANI_MOST_DEPTH = 256
RP_ANI_MOST_KEYS = 65535
RP_ANI_MOST_TIME = 16777215
RP_ANI_NEGATE = 2
RP_ANI_NODE_LEAST_BYTES = 16
RP_ANI_NODE_TRACKS = 4
RP_ANI_NO_NODE = 4294967295
RP_ANI_POLICIES = 2
RP_ANI_POLICY_D = 1
RP_ANI_POLICY_S = 0
RP_ANI_ROLL = 6
RP_ANI_ROTATION = 1
RP_ANI_SCALE = 2
RP_ANI_TARGET = 5
RP_ANI_TRACK_KINDS = 7
RP_ANI_TRANSLATION = 0
RP_BUILD_COUNT = 3
RP_BUILD_FXCH = 1
RP_BUILD_GENERIC = 0
RP_BUILD_SSE = 2
RP_CORPUS_LIBRARY = 2
RP_CORPUS_MODEL = 0
RP_CORPUS_MODELS = 435
RP_CORPUS_MODEL_TYPE = 1213416781
RP_CORPUS_RSLI = 3
RP_CORPUS_VARIANT = 1
RP_CORRUPT = 2
RP_CRASHED = 8
RP_ESTIMATES_AMD = 2
RP_ESTIMATES_INTEL = 1
RP_ESTIMATES_OF_THIS = 0
RP_EXACT_BLEND = 2
RP_EXACT_INTERPOLATION = 0
RP_EXACT_SAMPLE = 1
RP_EXACT_SKELETON = 3
RP_EXACT_WORK_COUNT = 4
RP_GAMES_CONTROL_WORD = 0x007F
RP_GLTF_ALL_CELLS = 0x7FFF
RP_GLTF_BINARY = 0
RP_GLTF_DEFAULT_FPS = 20.0
RP_GLTF_MAX_SUBFRAME = 64
RP_GLTF_ROOT_DROP = 1
RP_GLTF_ROOT_KEEP = 0
RP_GLTF_ROOT_SEPARATE = 2
RP_GLTF_TEXT = 1
RP_INVALID = 4
RP_IO = 6
RP_MATERIAL_DEFAULT = 1
RP_MATERIAL_FIRST = 2
RP_MATERIAL_NAMED = 0
RP_MATERIAL_TEXTURE_BYTES = 16
RP_MATERIAL_TYPE = 810828109
RP_MATERIAL_WHOLE = -1
RP_MESH_ABOVE = 4
RP_MESH_BELOW = 8
RP_MESH_FLYING = 4
RP_MESH_HIDDEN = 1
RP_MESH_LOCAL = 0
RP_MESH_MODEL = 1
RP_MESH_OWN_SEGMENT = 8
RP_MESH_TILTED = 16
RP_MESH_WORLD = 2
RP_MODULE_ANIMESH = 1
RP_MODULE_COUNT = 2
RP_MODULE_NGI32 = 0
RP_MSH_ATTRIBUTE = 3
RP_MSH_BATCHES = 13
RP_MSH_BATCH_BYTES = 20
RP_MSH_BOX_TOLERANCE = 0.005
RP_MSH_BYTES = 5
RP_MSH_CERTAIN = 2
RP_MSH_CHECK_REPEATS = 20
RP_MSH_COUNT = 2
RP_MSH_EXTRACT_EXACT = 0
RP_MSH_EXTRACT_SAMPLE = 1
RP_MSH_FIELD = 4
RP_MSH_FRAME_MAP = 19
RP_MSH_HEADER_BYTES = 140
RP_MSH_INDICES = 6
RP_MSH_KEYS = 8
RP_MSH_KEY_BYTES = 24
RP_MSH_LABELS = 10
RP_MSH_LABEL_MAX = 255
RP_MSH_LEGACY_NODE_BYTES = 24
RP_MSH_LIKELY = 1
RP_MSH_NAMES = 9
RP_MSH_NAME_BYTES = 32
RP_MSH_NODES = 1
RP_MSH_NODE_BYTES = 38
RP_MSH_NODE_MISSING = 1
RP_MSH_NONE = 65535
RP_MSH_NORMALS = 4
RP_MSH_PATHS = 17
RP_MSH_PATH_LINK_BYTES = 40
RP_MSH_PATH_VERTEX_BYTES = 20
RP_MSH_POSE = 6
RP_MSH_POSITIONS = 3
RP_MSH_PROBES = 20
RP_MSH_PROBE_BYTES = 48
RP_MSH_READINGS = 4
RP_MSH_READS_KEY_ORDER = 0
RP_MSH_READS_MATERIAL = 3
RP_MSH_READS_ROTATION = 1
RP_MSH_READS_SLOT_WORDS = 2
RP_MSH_RES15 = 15
RP_MSH_RES16 = 16
RP_MSH_REST = 7
RP_MSH_RULE_COUNT = 34
RP_MSH_SLOTS = 2
RP_MSH_SLOT_BYTES = 68
RP_MSH_SLOT_WORDS = 15
RP_MSH_STREAM_MISSING = 0
RP_MSH_TRIANGLES = 7
RP_MSH_TRIANGLE_BYTES = 16
RP_MSH_TYPE_LIMIT = 21
RP_MSH_UNDECIDED = 0
RP_MSH_UV0 = 5
RP_MSH_UV1 = 18
RP_NOT_FOUND = 5
RP_NOWHERE = 18446744073709551615
RP_NO_INDEX = -1
RP_NO_MEMORY = 7
RP_NRES_ALIGNMENT = 8
RP_NRES_CANONICAL = 0
RP_NRES_HEADER_BYTES = 16
RP_NRES_MAX_DEPTH = 3
RP_NRES_NAME_BYTES = 36
RP_NRES_NAME_MAX = 35
RP_NRES_PRESERVING = 1
RP_NRES_RECORD_BYTES = 64
RP_NRES_SORT_ATTR1 = 1
RP_NRES_SORT_ATTR1_ATTR2 = 3
RP_NRES_SORT_ATTR1_NAME = 10
RP_NRES_SORT_ATTR2 = 2
RP_NRES_SORT_ATTR2_NAME = 11
RP_NRES_SORT_COUNT = 12
RP_NRES_SORT_NAME = 8
RP_NRES_SORT_NONE = 0
RP_NRES_SORT_TYPE = 4
RP_NRES_SORT_TYPE_ATTR1 = 5
RP_NRES_SORT_TYPE_ATTR1_AGAIN = 6
RP_NRES_SORT_TYPE_ATTR1_ATTR2 = 7
RP_NRES_SORT_TYPE_NAME = 9
RP_NRES_VERSION = 256
RP_OK = 0
RP_PAIR_INTERPRETER = 0
RP_PAIR_MOST_ARGUMENTS = 64
RP_PAIR_TRANSLATOR = 1
RP_READINGS_TEXT = 1024
RP_READING_MAX = 64
RP_READS_FILES = 2
RP_READS_RUNTIME = 1
RP_RSLI_CANONICAL = 0
RP_RSLI_DEFLATE = 256
RP_RSLI_HEADER_BYTES = 32
RP_RSLI_HUFFMAN = 128
RP_RSLI_LZSS = 64
RP_RSLI_METHOD_MASK = 480
RP_RSLI_NAME_BYTES = 12
RP_RSLI_NO_PLACE = 18446744073709551615
RP_RSLI_PRESERVING = 1
RP_RSLI_RECORD_BYTES = 32
RP_RSLI_SORTED = 43962
RP_RSLI_STORED = 0
RP_RSLI_TRAILER_BYTES = 6
RP_RSLI_WORK_BYTES = 65536
RP_RSLI_XOR = 32
RP_RSLI_XOR_HUFFMAN = 160
RP_RSLI_XOR_LZSS = 96
RP_SEVERITY_CANONICAL = 2
RP_SEVERITY_COUNT = 4
RP_SEVERITY_ERROR = 0
RP_SEVERITY_INFO = 3
RP_SEVERITY_WARNING = 1
RP_STRICT = 0
RP_TEXM_A4R4G4B4 = 4444
RP_TEXM_A8L8 = 88
RP_TEXM_A8R8G8B8 = 8888
RP_TEXM_HEADER_BYTES = 32
RP_TEXM_PALETTE = 0
RP_TEXM_PALETTE_BYTES = 1024
RP_TEXM_R5G5B6 = 556
RP_TEXM_R5G6B5 = 565
RP_TEXM_TYPE = 1836606804
RP_TEXM_X8R8G8B8 = 888
RP_THREADS_CONTROL_WORD = 0xFFFF
RP_TOLERANT = 1
RP_TRACE_CRASHED = 2
RP_TRACE_EXITED = 3
RP_TRACE_NOT_CALLED = 6
RP_TRACE_NOT_RUN = 0
RP_TRACE_RETURNED = 1
RP_TRACE_TIMED_OUT = 4
RP_TRACE_UNSUPPORTED = 5
RP_TRUNCATED = 1
RP_UNSUPPORTED = 3
RP_VIEW_DATA_MARK = "@RETROPOSE_DATA@"
RP_VIEW_TITLE_MARK = "@RETROPOSE_TITLE@"


class RpAcAnimRef(c.Structure): ...
class RpAcAnimation(c.Structure): ...
class RpAcFrame(c.Structure): ...
class RpAcHook(c.Structure): ...
class RpAcHookField(c.Structure): ...
class RpAcLibrary(c.Structure): ...
class RpAcLink(c.Structure): ...
class RpAcListed(c.Structure): ...
class RpAcMotionData(c.Structure): ...
class RpAcMotionTable(c.Structure): ...
class RpAcPending(c.Structure): ...
class RpAcStyle(c.Structure): ...
class RpAllocator(c.Structure): ...
class RpAniTrack(c.Structure): ...
class RpAni(c.Structure): ...
class RpAniName(c.Structure): ...
class RpAniActor(c.Structure): ...
class RpBuffer(c.Structure): ...
class RpAniActorPlan(c.Structure): ...
class RpAniBinding(c.Structure): ...
class RpAniCameraCursor(c.Structure): ...
class RpAniCursor(c.Structure): ...
class RpAniGltfOptions(c.Structure): ...
class RpAniKey(c.Structure): ...
class RpAniMap(c.Structure): ...
class RpAniNode(c.Structure): ...
class RpAniParts(c.Structure): ...
class RpAniScene(c.Structure): ...
class RpReadings(c.Structure): ...
class RpArithmetic(c.Structure): ...
class RpComparisonCounts(c.Structure): ...
class RpComparisonDifference(c.Structure): ...
class RpComparisonFunction(c.Structure): ...
class RpCorpusFile(c.Structure): ...
class RpCorpusModel(c.Structure): ...
class RpCorpusOptions(c.Structure): ...
class RpCorpusVariant(c.Structure): ...
class RpDrawBatch(c.Structure): ...
class RpError(c.Structure): ...
class RpFinding(c.Structure): ...
class RpFindingCounter(c.Structure): ...
class RpFindingSink(c.Structure): ...
class RpGltfExportOptions(c.Structure): ...
class RpGltfImportOptions(c.Structure): ...
class RpMaterial(c.Structure): ...
class RpMaterialPhase(c.Structure): ...
class RpMeshBounds(c.Structure): ...
class RpMeshFilter(c.Structure): ...
class RpMeshHit(c.Structure): ...
class RpMeshPiece(c.Structure): ...
class RpPoseCounters(c.Structure): ...
class RpModelPose(c.Structure): ...
class RpSequence(c.Structure): ...
class RpMotion(c.Structure): ...
class RpMshStream(c.Structure): ...
class RpMsh(c.Structure): ...
class RpMshAnimation(c.Structure): ...
class RpMshBatch(c.Structure): ...
class RpMshBatchDescription(c.Structure): ...
class RpMshFit(c.Structure): ...
class RpMshBoxEvidence(c.Structure): ...
class RpMshCheckOptions(c.Structure): ...
class RpMshHeader(c.Structure): ...
class RpMshDescription(c.Structure): ...
class RpMshDiffOptions(c.Structure): ...
class RpMshDiffResult(c.Structure): ...
class RpMshDifference(c.Structure): ...
class RpMshKey(c.Structure): ...
class RpMshNode(c.Structure): ...
class RpMshNodeDescription(c.Structure): ...
class RpMshProbe(c.Structure): ...
class RpMshReading(c.Structure): ...
class RpMshSlot(c.Structure): ...
class RpMshSlotDescription(c.Structure): ...
class RpMshTexts(c.Structure): ...
class RpMshTrack(c.Structure): ...
class RpMshTransform(c.Structure): ...
class RpMshTriangle(c.Structure): ...
class RpNRes(c.Structure): ...
class RpNResArchive(c.Structure): ...
class RpNResEntries(c.Structure): ...
class RpNResEntry(c.Structure): ...
class RpNResMember(c.Structure): ...
class RpNResRegion(c.Structure): ...
class RpObjOptions(c.Structure): ...
class RpPairCall(c.Structure): ...
class RpPairFacts(c.Structure): ...
class RpPairOptions(c.Structure): ...
class RpPoseTimes(c.Structure): ...
class RpProcessor(c.Structure): ...
class RpRsLi(c.Structure): ...
class RpRsLiArchive(c.Structure): ...
class RpRsLiCipher(c.Structure): ...
class RpRsLiRecord(c.Structure): ...
class RpRsLiMember(c.Structure): ...
class RpRsLiNotes(c.Structure): ...
class RpRsLiRegion(c.Structure): ...
class RpSequenceEvent(c.Structure): ...
class RpSequenceNode(c.Structure): ...
class RpSkeleton(c.Structure): ...
class RpTexm(c.Structure): ...
class RpTexmPage(c.Structure): ...
class RpTraceCall(c.Structure): ...
class RpViewPage(c.Structure): ...
class RpWear(c.Structure): ...
class RpWearName(c.Structure): ...

RpAcAnimRef._fields_ = [
        ("animation", c.c_uint32),
        ("low", c.c_int32),
        ("high", c.c_int32),
        ("framerate", c.c_float),
    ]
RpAcAnimation._fields_ = [
        ("id", c.c_uint32),
        ("flags", c.c_uint32),
        ("part_count", c.c_uint32),
        ("frame_count", c.c_uint32),
        ("pos_frames", P(RpAcFrame)),
        ("part_frames", P(RpAcFrame)),
        ("first_hook", c.c_void_p),
        ("hooks", P(RpAcHook)),
        ("hook_count", c.c_uint32),
        ("trailing", c.c_void_p),
        ("trailing_size", c.c_size_t),
        ("damaged", c.c_bool),
        ("allocator", P(RpAllocator)),
    ]
RpAcFrame._fields_ = [("origin", (c.c_float * 3)), ("q", (c.c_float * 4))]
RpAcHook._fields_ = [
        ("type", c.c_uint32),
        ("direction", c.c_int32),
        ("size", c.c_uint32),
        ("payload", (c.c_uint8 * 40)),
    ]
RpAcHookField._fields_ = [("name", c.c_char_p), ("kind", c.c_int), ("offset", c.c_uint32)]
RpAcLibrary._fields_ = [
        ("find", CALLBACK(c.c_void_p, c.c_void_p, c.c_uint32)),
        ("context", c.c_void_p),
    ]
RpAcLink._fields_ = [("key", c.c_uint32), ("first", c.c_uint32), ("count", c.c_uint32)]
RpAcListed._fields_ = [("motion", c.c_uint32), ("speed", c.c_float)]
RpAcMotionData._fields_ = [
        ("key", c.c_uint32),
        ("bitfield", c.c_uint8),
        ("flags", c.c_uint8),
        ("padding", c.c_uint8),
        ("ref_count", c.c_uint8),
        ("first_ref", c.c_uint32),
        ("velocity", (c.c_float * 3)),
        ("omega", (c.c_float * 3)),
    ]
RpAcMotionTable._fields_ = [
        ("id", c.c_uint32),
        ("default_style", c.c_uint32),
        ("styles", P(RpAcStyle)),
        ("cycles", P(RpAcMotionData)),
        ("modifiers", P(RpAcMotionData)),
        ("targets", P(RpAcMotionData)),
        ("links", P(RpAcLink)),
        ("refs", P(RpAcAnimRef)),
        ("style_count", c.c_uint32),
        ("cycle_count", c.c_uint32),
        ("modifier_count", c.c_uint32),
        ("link_count", c.c_uint32),
        ("target_count", c.c_uint32),
        ("ref_count", c.c_uint32),
        ("order", c.c_void_p),
        ("trailing", c.c_void_p),
        ("trailing_size", c.c_size_t),
        ("damaged", c.c_bool),
        ("allocator", P(RpAllocator)),
    ]
RpAcPending._fields_ = [("motion", c.c_uint32), ("animations", c.c_uint32)]
RpAcStyle._fields_ = [("style", c.c_uint32), ("substate", c.c_uint32)]
RpAllocator._fields_ = [
        ("resize", CALLBACK(c.c_void_p, c.c_void_p, c.c_void_p, c.c_size_t)),
        ("context", c.c_void_p),
    ]
RpAniTrack._fields_ = [
        ("keys", P(RpAniKey)),
        ("count", c.c_uint32),
        ("ordered", c.c_bool),
        ("offset", c.c_uint64),
    ]
RpAni._fields_ = [
        ("has_header", c.c_bool),
        ("magic", c.c_int32),
        ("radius", c.c_float),
        ("centre", (c.c_float * 3)),
        ("has_camera", c.c_int32),
        ("unused", c.c_int32),
        ("actors", P(RpAniActor)),
        ("actor_count", c.c_uint32),
        ("duration", c.c_int32),
        ("camera", (RpAniTrack * 3)),
        ("nodes", P(RpAniNode)),
        ("node_count", c.c_uint32),
        ("trailing", c.c_void_p),
        ("trailing_size", c.c_size_t),
        ("damaged", c.c_bool),
        ("actor_capacity", c.c_uint32),
        ("node_capacity", c.c_uint32),
        ("allocator", P(RpAllocator)),
    ]
RpAniName._fields_ = [("bytes", c.c_void_p), ("length", c.c_uint32)]
RpAniActor._fields_ = [("name", RpAniName), ("type", c.c_uint32), ("offset", c.c_uint64)]
RpBuffer._fields_ = [
        ("bytes", c.c_void_p),
        ("size", c.c_size_t),
        ("capacity", c.c_size_t),
        ("allocator", P(RpAllocator)),
        ("failed", c.c_bool),
    ]
RpAniActorPlan._fields_ = [
        ("kind", c.c_int),
        ("create", c.c_bool),
        ("visible", c.c_bool),
        ("object", RpBuffer),
        ("model", RpBuffer),
    ]
RpAniBinding._fields_ = [("object", c.c_void_p), ("part", c.c_void_p), ("key", c.c_char_p)]
RpAniCameraCursor._fields_ = [("key", (c.c_uint32 * 3))]
RpAniCursor._fields_ = [("key", (c.c_uint32 * 4))]
RpAniGltfOptions._fields_ = [("policy", c.c_int), ("step", c.c_uint32), ("text", c.c_bool)]
RpAniKey._fields_ = [
        ("time", c.c_uint32),
        ("flags", c.c_uint8),
        ("visible", c.c_uint8),
        ("active", c.c_bool),
        ("value", (c.c_float * 4)),
    ]
RpAniMap._fields_ = [
        ("index", c.c_void_p),
        ("bindings", P(RpAniBinding)),
        ("count", c.c_uint32),
        ("allocator", P(RpAllocator)),
    ]
RpAniNode._fields_ = [
        ("name", RpAniName),
        ("parent", c.c_uint32),
        ("depth", c.c_uint32),
        ("children", c.c_uint32),
        ("descendants", c.c_uint32),
        ("tracks", (RpAniTrack * 4)),
        ("offset", c.c_uint64),
    ]
RpAniParts._fields_ = [
        ("translates", c.c_bool),
        ("rotates", c.c_bool),
        ("scales", c.c_bool),
        ("translation", (c.c_float * 3)),
        ("rotation", (c.c_float * 4)),
        ("scale", (c.c_float * 3)),
    ]
RpAniScene._fields_ = [
        ("context", c.c_void_p),
        ("find_object", CALLBACK(c.c_void_p, c.c_void_p, c.c_char_p)),
        ("find_part", CALLBACK(c.c_void_p, c.c_void_p, c.c_void_p, c.c_char_p)),
        ("variable", CALLBACK(c.c_void_p, c.c_void_p, c.c_char_p)),
        ("is_known_actor", CALLBACK(c.c_bool, c.c_void_p, c.c_char_p)),
        ("action", c.c_char_p),
        ("instance", c.c_uint32),
    ]
RpReadings._fields_ = [("choice", (c.c_uint8 * 64))]
RpArithmetic._fields_ = [
        ("build", c.c_int),
        ("control_word", c.c_uint16),
        ("estimates", c.c_int),
        ("readings", RpReadings),
    ]
RpComparisonCounts._fields_ = [
        ("compared", c.c_uint64),
        ("different", c.c_uint64),
        ("processor", c.c_uint64),
        ("crashed", c.c_uint64),
        ("failed_alike", c.c_uint64),
        ("wrote_outside", c.c_uint64),
        ("not_comparable", c.c_uint64),
        ("not_called", c.c_uint64),
        ("unsupported", c.c_uint64),
    ]
RpComparisonDifference._fields_ = [
        ("function", c.c_char_p),
        ("trace", c.c_char_p),
        ("sequence", c.c_uint64),
        ("field", c.c_char_p),
        ("a", (c.c_uint8 * 12)),
        ("b", (c.c_uint8 * 12)),
        ("size", c.c_uint32),
        ("text_a", c.c_char_p),
        ("text_b", c.c_char_p),
    ]
RpComparisonFunction._fields_ = [
        ("key", c.c_char_p),
        ("name", c.c_char_p),
        ("standing", c.c_char_p),
        ("counts", RpComparisonCounts),
    ]
RpCorpusFile._fields_ = [
        ("kind", c.c_int),
        ("index", c.c_uint32),
        ("path", (c.c_char * 64)),
        ("size", c.c_uint64),
        ("sha256", (c.c_char * 65)),
    ]
RpCorpusModel._fields_ = [
        ("name", c.c_char_p),
        ("library", c.c_char_p),
        ("nodes", c.c_uint32),
        ("animated", c.c_uint32),
        ("frames", c.c_uint32),
        ("keys", c.c_uint32),
        ("slots", c.c_uint32),
        ("batches", c.c_uint32),
        ("triangles", c.c_uint32),
        ("lit", c.c_bool),
        ("paths", c.c_bool),
        ("expected", c.c_char_p),
    ]
RpCorpusOptions._fields_ = [("seed", c.c_uint64), ("readings", RpReadings)]
RpCorpusVariant._fields_ = [("name", c.c_char_p), ("what", c.c_char_p), ("expected", c.c_char_p)]
RpDrawBatch._fields_ = [
        ("flags", c.c_uint32),
        ("material", c.c_uint32),
        ("lightmap", c.c_uint32),
        ("portal", c.c_int32),
        ("first_index", c.c_uint32),
        ("index_count", c.c_uint32),
        ("base_vertex", c.c_uint32),
        ("vertex_count", c.c_uint32),
    ]
RpError._fields_ = [
        ("status", c.c_int),
        ("offset", c.c_uint64),
        ("what", (c.c_char * 160)),
        ("where", (c.c_char * 160)),
        ("expected", (c.c_char * 256)),
        ("found", (c.c_char * 160)),
    ]
RpFinding._fields_ = [
        ("rule", c.c_char_p),
        ("severity", c.c_int),
        ("offset", c.c_uint64),
        ("entry", c.c_int32),
        ("stream", c.c_int32),
        ("node", c.c_int32),
        ("element", c.c_int32),
        ("what", (c.c_char * 160)),
        ("expected", (c.c_char * 128)),
        ("found", (c.c_char * 128)),
    ]
RpFindingCounter._fields_ = [
        ("count", (c.c_uint64 * 4)),
        ("first_error", RpFinding),
        ("next", P(RpFindingSink)),
    ]
RpFindingSink._fields_ = [
        ("take", CALLBACK(None, c.c_void_p, P(RpFinding))),
        ("context", c.c_void_p),
    ]
RpGltfExportOptions._fields_ = [
        ("readings", RpReadings),
        ("name", c.c_char_p),
        ("frames_per_second", c.c_double),
        ("sub_frames", c.c_uint32),
        ("cells", c.c_uint32),
        ("root_motion", c.c_int),
        ("container", c.c_int),
        ("animation", c.c_bool),
        ("restore", c.c_bool),
        ("notes", P(RpFindingSink)),
        ("allocator", P(RpAllocator)),
    ]
RpGltfImportOptions._fields_ = [
        ("readings", RpReadings),
        ("use_readings", c.c_bool),
        ("frames_per_second", c.c_double),
        ("animation", c.c_char_p),
        ("name", c.c_char_p),
        ("tolerance", c.c_double),
        ("ignore_restore", c.c_bool),
        ("load", CALLBACK(c.c_int, c.c_void_p, c.c_char_p, P(RpBuffer), P(RpError))),
        ("load_context", c.c_void_p),
        ("notes", P(RpFindingSink)),
        ("allocator", P(RpAllocator)),
    ]
RpMaterial._fields_ = [
        ("image", c.c_void_p),
        ("size", c.c_size_t),
        ("version", c.c_uint32),
        ("phase_count", c.c_uint32),
        ("track_count", c.c_uint32),
        ("phases", c.c_size_t),
        ("shown", c.c_uint32),
    ]
RpMaterialPhase._fields_ = [
        ("ambient", (c.c_uint8 * 4)),
        ("diffuse", (c.c_uint8 * 4)),
        ("specular", (c.c_uint8 * 4)),
        ("emissive", (c.c_uint8 * 4)),
        ("power", c.c_uint8),
        ("page", c.c_int8),
        ("texture", (c.c_char * 17)),
    ]
RpMeshBounds._fields_ = [
        ("corners", ((c.c_float * 3) * 8)),
        ("agent_sphere", (c.c_float * 4)),
        ("node_sphere", (c.c_float * 4)),
        ("capsule", (c.c_float * 7)),
    ]
RpMeshFilter._fields_ = [
        ("required_batch", c.c_uint32),
        ("excluded_batch", c.c_uint32),
        ("required_triangle", c.c_uint32),
        ("excluded_triangle", c.c_uint32),
    ]
RpMeshHit._fields_ = [
        ("piece", c.c_int32),
        ("batch", c.c_uint32),
        ("batch_triangle", c.c_uint32),
        ("triangle", c.c_uint32),
        ("point", (c.c_float * 3)),
        ("distance", c.c_float),
    ]
RpMeshPiece._fields_ = [
        ("part", c.c_uint32),
        ("node", c.c_uint32),
        ("parent", c.c_int32),
        ("flags", c.c_uint32),
        ("material", c.c_uint32),
        ("stage", c.c_int32),
        ("model", c.c_void_p),
    ]
RpPoseCounters._fields_ = [
        ("out_of_bounds", c.c_uint64),
        ("undefined", c.c_uint64),
        ("by_core", c.c_uint64),
        ("by_x87", c.c_uint64),
        ("refused", c.c_uint64),
    ]
RpModelPose._fields_ = [
        ("node_count", c.c_uint32),
        ("frame_count", c.c_uint32),
        ("local", c.c_void_p),
        ("model_space", c.c_void_p),
        ("names", c.c_void_p),
        ("parents", c.c_void_p),
        ("counters", RpPoseCounters),
        ("allocator", P(RpAllocator)),
    ]
RpSequence._fields_ = [
        ("nodes", P(RpSequenceNode)),
        ("capacity", c.c_uint16),
        ("count", c.c_uint16),
        ("head", c.c_uint16),
        ("tail", c.c_uint16),
        ("first_cyclic", c.c_uint16),
        ("current", c.c_uint16),
        ("unused", c.c_uint16),
        ("frame_number", c.c_double),
        ("velocity", (c.c_float * 3)),
        ("omega", (c.c_float * 3)),
        ("placement", P(RpAcAnimation)),
        ("placement_frame", c.c_uint32),
        ("quirks", c.c_uint32),
        ("has_hooks", c.c_bool),
        ("library", RpAcLibrary),
    ]
RpMotion._fields_ = [
        ("table", P(RpAcMotionTable)),
        ("sequence", RpSequence),
        ("style", c.c_uint32),
        ("substate", c.c_uint32),
        ("substate_speed", c.c_float),
        ("modifiers", (RpAcListed * 16)),
        ("actions", (RpAcListed * 32)),
        ("pending", (RpAcPending * 64)),
        ("modifier_count", c.c_uint32),
        ("action_count", c.c_uint32),
        ("pending_count", c.c_uint32),
        ("animation_counter", c.c_int32),
        ("motion_done", CALLBACK(None, c.c_void_p, c.c_uint32, c.c_bool)),
        ("context", c.c_void_p),
    ]
RpMshStream._fields_ = [
        ("data", c.c_void_p),
        ("size", c.c_uint32),
        ("count", c.c_uint32),
        ("attr1", c.c_uint32),
        ("attr2", c.c_uint32),
        ("attr3", c.c_uint32),
        ("entry", c.c_int32),
        ("offset", c.c_uint32),
    ]
RpMsh._fields_ = [
        ("streams", (RpMshStream * 21)),
        ("node_stride", c.c_uint32),
        ("frame_count", c.c_uint32),
        ("directory_offset", c.c_uint32),
        ("repeated", c.c_uint32),
    ]
RpMshAnimation._fields_ = [
        ("tracks", P(RpMshTrack)),
        ("node_count", c.c_uint32),
        ("frame_count", c.c_uint32),
        ("allocator", P(RpAllocator)),
    ]
RpMshBatch._fields_ = [
        ("flags", c.c_uint16),
        ("material", c.c_uint16),
        ("row", c.c_uint8),
        ("lightmap", c.c_uint8),
        ("portal", c.c_uint16),
        ("index_count", c.c_uint16),
        ("first_index", c.c_uint32),
        ("vertex_count", c.c_uint16),
        ("base_vertex", c.c_uint32),
    ]
RpMshBatchDescription._fields_ = [
        ("flags", c.c_uint16),
        ("material", c.c_uint16),
        ("row", c.c_uint8),
        ("lightmap", c.c_uint8),
        ("portal", c.c_uint16),
        ("base_vertex", c.c_uint32),
        ("indices", c.c_void_p),
        ("index_count", c.c_uint32),
        ("triangle_flags", c.c_void_p),
    ]
RpMshFit._fields_ = [("outside", c.c_double), ("gap", c.c_double)]
RpMshBoxEvidence._fields_ = [
        ("usable", c.c_bool),
        ("why", (c.c_char * 80)),
        ("box", ((c.c_double * 3) * 2)),
        ("diagonal", c.c_double),
        ("nodes", c.c_uint32),
        ("vertices", c.c_uint32),
        ("fits", (((RpMshFit * 2) * 2) * 2)),
        ("supported", ((c.c_bool * 2) * 2)),
        ("supported_count", c.c_uint32),
        ("telling", c.c_bool),
        ("key_order", c.c_int32),
        ("rotation", c.c_int32),
    ]
RpMshCheckOptions._fields_ = [
        ("rules", c.c_uint64),
        ("repeats", c.c_uint32),
        ("allocator", P(RpAllocator)),
    ]
RpMshHeader._fields_ = [
        ("corners", ((c.c_float * 3) * 8)),
        ("sphere", (c.c_float * 4)),
        ("axis_low", (c.c_float * 3)),
        ("axis_high", (c.c_float * 3)),
        ("axis_radius", c.c_float),
    ]
RpMshDescription._fields_ = [
        ("name", (c.c_char * 36)),
        ("nodes", P(RpMshNodeDescription)),
        ("node_count", c.c_uint32),
        ("slots", P(RpMshSlotDescription)),
        ("slot_count", c.c_uint32),
        ("batches", P(RpMshBatchDescription)),
        ("batch_count", c.c_uint32),
        ("vertex_count", c.c_uint32),
        ("positions", c.c_void_p),
        ("normals", c.c_void_p),
        ("uv0", c.c_void_p),
        ("res15", c.c_void_p),
        ("res16", c.c_void_p),
        ("uv1", c.c_void_p),
        ("probes", P(RpMshProbe)),
        ("probe_count", c.c_uint32),
        ("paths", c.c_void_p),
        ("path_vertices", c.c_uint32),
        ("path_links", c.c_uint32),
        ("nodes_attr2", c.c_uint32),
        ("frame_count", c.c_uint32),
        ("has_header", c.c_bool),
        ("header", RpMshHeader),
        ("readings", RpReadings),
    ]
RpMshDiffOptions._fields_ = [
        ("most", c.c_uint32),
        ("bytes_only", c.c_bool),
        ("position", c.c_double),
        ("angle", c.c_double),
        ("readings", RpReadings),
        ("allocator", P(RpAllocator)),
    ]
RpMshDiffResult._fields_ = [
        ("count", c.c_uint64),
        ("posed", c.c_bool),
        ("position", c.c_double),
        ("angle", c.c_double),
        ("node", c.c_int32),
        ("frame", c.c_uint32),
    ]
RpMshDifference._fields_ = [
        ("kind", c.c_int),
        ("stream", c.c_int32),
        ("node", c.c_int32),
        ("element", c.c_int32),
        ("place", (c.c_char * 96)),
        ("a", (c.c_char * 96)),
        ("b", (c.c_char * 96)),
    ]
RpMshKey._fields_ = [
        ("position", (c.c_float * 3)),
        ("time", c.c_float),
        ("rotation", (c.c_int16 * 4)),
    ]
RpMshNode._fields_ = [
        ("flags", c.c_uint16),
        ("parent", c.c_uint16),
        ("map_start", c.c_uint16),
        ("fallback", c.c_uint16),
        ("slots", (c.c_uint16 * 15)),
    ]
RpMshNodeDescription._fields_ = [
        ("name", (c.c_char * 32)),
        ("label", c.c_char_p),
        ("flags", c.c_uint16),
        ("parent", c.c_uint16),
        ("slots", (c.c_uint16 * 15)),
        ("keys", P(RpMshKey)),
        ("key_count", c.c_uint32),
    ]
RpMshProbe._fields_ = [
        ("node", c.c_int32),
        ("position", (c.c_float * 3)),
        ("direction", (c.c_float * 3)),
        ("colour", (c.c_float * 4)),
        ("intensity", c.c_float),
    ]
RpMshReading._fields_ = [
        ("name", (c.c_char * 16)),
        ("choice", (c.c_char * 16)),
        ("certainty", c.c_int),
        ("matters", c.c_bool),
        ("why", (c.c_char * 120)),
    ]
RpMshSlot._fields_ = [
        ("first_triangle", c.c_uint16),
        ("triangle_count", c.c_uint16),
        ("first_batch", c.c_uint16),
        ("batch_count", c.c_uint16),
        ("low", (c.c_float * 3)),
        ("high", (c.c_float * 3)),
        ("sphere", (c.c_float * 4)),
        ("area", c.c_float),
        ("volume", c.c_float),
        ("opaque", (c.c_uint32 * 3)),
    ]
RpMshSlotDescription._fields_ = [
        ("first_batch", c.c_uint32),
        ("batch_count", c.c_uint32),
        ("has_sphere", c.c_bool),
        ("sphere", (c.c_float * 4)),
        ("has_measures", c.c_bool),
        ("area", c.c_float),
        ("volume", c.c_float),
        ("opaque", (c.c_uint32 * 3)),
    ]
RpMshTexts._fields_ = [
        ("stream", P(RpMshStream)),
        ("type", c.c_uint32),
        ("node", c.c_uint32),
        ("offset", c.c_uint32),
    ]
RpMshTrack._fields_ = [("keys", P(RpMshKey)), ("key_count", c.c_uint32)]
RpMshTransform._fields_ = [
        ("scale", (c.c_double * 3)),
        ("quaternion", (c.c_double * 4)),
        ("translation", (c.c_double * 3)),
    ]
RpMshTriangle._fields_ = [
        ("flags", c.c_uint16),
        ("neighbours", (c.c_uint16 * 3)),
        ("normal", (c.c_int16 * 3)),
        ("edges", c.c_uint16),
    ]
RpNRes._fields_ = [
        ("image", c.c_void_p),
        ("size", c.c_uint32),
        ("count", c.c_uint32),
        ("directory_offset", c.c_uint32),
        ("sorted", c.c_bool),
    ]
RpNResArchive._fields_ = [
        ("members", P(RpNResMember)),
        ("count", c.c_uint32),
        ("capacity", c.c_uint32),
        ("regions", P(RpNResRegion)),
        ("region_count", c.c_uint32),
        ("source", RpNRes),
        ("keeps_table", c.c_bool),
        ("payload_bytes", c.c_uint64),
        ("allocator", P(RpAllocator)),
    ]
RpNResEntries._fields_ = [
        ("image", P(RpNRes)),
        ("archive", P(RpNResArchive)),
        ("count", c.c_uint32),
    ]
RpNResEntry._fields_ = [
        ("index", c.c_uint32),
        ("type", c.c_uint32),
        ("attr1", c.c_uint32),
        ("attr2", c.c_uint32),
        ("attr3", c.c_uint32),
        ("name", c.c_void_p),
        ("name_length", c.c_uint32),
        ("size", c.c_uint32),
        ("data_offset", c.c_uint32),
        ("data", c.c_void_p),
        ("sort_index", c.c_uint32),
        ("record_offset", c.c_uint32),
    ]
RpNResMember._fields_ = [
        ("type", c.c_uint32),
        ("attr1", c.c_uint32),
        ("attr2", c.c_uint32),
        ("attr3", c.c_uint32),
        ("name", (c.c_char * 36)),
        ("data", c.c_void_p),
        ("size", c.c_uint32),
        ("offset", c.c_uint32),
        ("owned", c.c_bool),
    ]
RpNResRegion._fields_ = [("data", c.c_void_p), ("offset", c.c_uint32), ("size", c.c_uint32)]
RpObjOptions._fields_ = [
        ("readings", RpReadings),
        ("cell", c.c_uint32),
        ("frame", c.c_double),
        ("zero_root", c.c_bool),
        ("y_up", c.c_bool),
        ("materials", c.c_char_p),
        ("notes", P(RpFindingSink)),
    ]
RpPairCall._fields_ = [
        ("function", c.c_uint32),
        ("arguments", c.c_void_p),
        ("argument_count", c.c_uint32),
        ("ecx", c.c_uint32),
        ("edx", c.c_uint32),
        ("control_word", c.c_uint16),
        ("mxcsr", c.c_uint32),
        ("outcome", c.c_int),
        ("eax", c.c_uint32),
        ("edx_after", c.c_uint32),
        ("st0", (c.c_uint8 * 10)),
        ("returned_float", c.c_bool),
        ("control_word_after", c.c_uint16),
        ("mxcsr_after", c.c_uint32),
        ("popped", c.c_uint32),
        ("exception", c.c_uint32),
        ("offset", c.c_uint32),
        ("module", c.c_int),
        ("exit_code", c.c_uint32),
        ("reason", c.c_char_p),
    ]
RpPairFacts._fields_ = [
        ("kind", c.c_char_p),
        ("description", c.c_char_p),
        ("ngi32_sha256", c.c_char_p),
        ("animesh_sha256", c.c_char_p),
        ("is_published", c.c_bool),
        ("engine", c.c_char_p),
        ("processor", c.c_char_p),
        ("is_software", c.c_bool),
    ]
RpPairOptions._fields_ = [
        ("engine", c.c_int),
        ("processor", c.c_char_p),
        ("force_cpu", c.c_int),
        ("most_instructions", c.c_uint64),
        ("most_memory", c.c_uint64),
        ("stack_bytes", c.c_uint32),
        ("trust", c.c_bool),
    ]
RpPoseTimes._fields_ = [("a", c.c_float), ("b", c.c_float), ("weight", c.c_float)]
RpProcessor._fields_ = [
        ("sse", c.c_bool),
        ("amd3dnow", c.c_bool),
        ("fxch", c.c_bool),
        ("mmx", c.c_bool),
    ]
RpRsLi._fields_ = [
        ("image", c.c_void_p),
        ("size", c.c_size_t),
        ("count", c.c_uint32),
        ("seed", c.c_uint32),
        ("overlay", c.c_uint32),
        ("has_trailer", c.c_bool),
        ("presorted", c.c_bool),
        ("records", P(RpRsLiRecord)),
    ]
RpRsLiArchive._fields_ = [
        ("header", (c.c_uint8 * 32)),
        ("members", P(RpRsLiMember)),
        ("count", c.c_uint32),
        ("capacity", c.c_uint32),
        ("regions", P(RpRsLiRegion)),
        ("region_count", c.c_uint32),
        ("overlay", c.c_uint32),
        ("has_trailer", c.c_bool),
        ("image", c.c_void_p),
        ("image_size", c.c_size_t),
        ("allocator", P(RpAllocator)),
    ]
RpRsLiCipher._fields_ = [("low", c.c_uint8), ("high", c.c_uint8)]
RpRsLiRecord._fields_ = [
        ("name", (c.c_uint8 * 12)),
        ("service", (c.c_uint8 * 4)),
        ("flags", c.c_uint16),
        ("sort", c.c_uint16),
        ("stored_sort", c.c_uint16),
        ("unpacked_size", c.c_uint32),
        ("offset", c.c_uint32),
        ("packed_size", c.c_uint32),
    ]
RpRsLiMember._fields_ = [
        ("record", RpRsLiRecord),
        ("packed", c.c_void_p),
        ("packed_size", c.c_uint32),
        ("packed_key", c.c_uint32),
        ("place", c.c_uint64),
        ("past_end", c.c_uint32),
        ("owned", c.c_bool),
    ]
RpRsLiNotes._fields_ = [
        ("consumed", c.c_uint64),
        ("unwritten_window", c.c_uint64),
        ("past_end", c.c_bool),
    ]
RpRsLiRegion._fields_ = [("data", c.c_void_p), ("place", c.c_uint64), ("size", c.c_uint64)]
RpSequenceEvent._fields_ = [
        ("hook", P(RpAcHook)),
        ("animation", P(RpAcAnimation)),
        ("frame", c.c_uint32),
        ("direction", c.c_int32),
    ]
RpSequenceNode._fields_ = [
        ("animation", P(RpAcAnimation)),
        ("framerate", c.c_float),
        ("stored_framerate", c.c_float),
        ("low", c.c_int32),
        ("high", c.c_int32),
        ("next", c.c_uint16),
        ("previous", c.c_uint16),
    ]
RpSkeleton._fields_ = [
        ("nodes", c.c_void_p),
        ("node_bytes", c.c_uint32),
        ("keys", c.c_void_p),
        ("key_bytes", c.c_uint32),
        ("frame_map", c.c_void_p),
        ("frame_map_bytes", c.c_uint32),
        ("frame_count", c.c_uint32),
    ]
RpTexm._fields_ = [
        ("image", c.c_void_p),
        ("size", c.c_size_t),
        ("width", c.c_uint32),
        ("height", c.c_uint32),
        ("level_count", c.c_uint32),
        ("format", c.c_uint32),
        ("mip_flags", c.c_uint32),
        ("exporter_flags", c.c_uint32),
        ("colour", c.c_uint32),
        ("page_count", c.c_uint32),
        ("pages", c.c_size_t),
    ]
RpTexmPage._fields_ = [
        ("x", c.c_int16),
        ("y", c.c_int16),
        ("width", c.c_int16),
        ("height", c.c_int16),
    ]
RpTraceCall._fields_ = [
        ("function", c.c_char_p),
        ("sequence", c.c_uint64),
        ("outcome", c.c_int),
        ("control_word", c.c_uint16),
        ("control_word_after", c.c_uint16),
        ("mxcsr", c.c_uint32),
        ("mxcsr_after", c.c_uint32),
        ("violations", c.c_uint32),
        ("inputs", c.c_void_p),
        ("outputs", c.c_void_p),
        ("input_size", c.c_size_t),
        ("output_size", c.c_size_t),
        ("signature", c.c_void_p),
    ]
RpViewPage._fields_ = [
        ("html", c.c_void_p),
        ("html_size", c.c_size_t),
        ("title", c.c_char_p),
        ("data", c.c_void_p),
        ("data_size", c.c_size_t),
    ]
RpWear._fields_ = [
        ("materials", P(RpWearName)),
        ("material_count", c.c_uint32),
        ("lightmaps", P(RpWearName)),
        ("lightmap_count", c.c_uint32),
        ("allocator", P(RpAllocator)),
    ]
RpWearName._fields_ = [("text", c.c_void_p), ("length", c.c_size_t)]

STRUCTS: Tuple[Any, ...] = (
    RpAcAnimRef,
    RpAcAnimation,
    RpAcFrame,
    RpAcHook,
    RpAcHookField,
    RpAcLibrary,
    RpAcLink,
    RpAcListed,
    RpAcMotionData,
    RpAcMotionTable,
    RpAcPending,
    RpAcStyle,
    RpAllocator,
    RpAniTrack,
    RpAni,
    RpAniName,
    RpAniActor,
    RpBuffer,
    RpAniActorPlan,
    RpAniBinding,
    RpAniCameraCursor,
    RpAniCursor,
    RpAniGltfOptions,
    RpAniKey,
    RpAniMap,
    RpAniNode,
    RpAniParts,
    RpAniScene,
    RpReadings,
    RpArithmetic,
    RpComparisonCounts,
    RpComparisonDifference,
    RpComparisonFunction,
    RpCorpusFile,
    RpCorpusModel,
    RpCorpusOptions,
    RpCorpusVariant,
    RpDrawBatch,
    RpError,
    RpFinding,
    RpFindingCounter,
    RpFindingSink,
    RpGltfExportOptions,
    RpGltfImportOptions,
    RpMaterial,
    RpMaterialPhase,
    RpMeshBounds,
    RpMeshFilter,
    RpMeshHit,
    RpMeshPiece,
    RpPoseCounters,
    RpModelPose,
    RpSequence,
    RpMotion,
    RpMshStream,
    RpMsh,
    RpMshAnimation,
    RpMshBatch,
    RpMshBatchDescription,
    RpMshFit,
    RpMshBoxEvidence,
    RpMshCheckOptions,
    RpMshHeader,
    RpMshDescription,
    RpMshDiffOptions,
    RpMshDiffResult,
    RpMshDifference,
    RpMshKey,
    RpMshNode,
    RpMshNodeDescription,
    RpMshProbe,
    RpMshReading,
    RpMshSlot,
    RpMshSlotDescription,
    RpMshTexts,
    RpMshTrack,
    RpMshTransform,
    RpMshTriangle,
    RpNRes,
    RpNResArchive,
    RpNResEntries,
    RpNResEntry,
    RpNResMember,
    RpNResRegion,
    RpObjOptions,
    RpPairCall,
    RpPairFacts,
    RpPairOptions,
    RpPoseTimes,
    RpProcessor,
    RpRsLi,
    RpRsLiArchive,
    RpRsLiCipher,
    RpRsLiRecord,
    RpRsLiMember,
    RpRsLiNotes,
    RpRsLiRegion,
    RpSequenceEvent,
    RpSequenceNode,
    RpSkeleton,
    RpTexm,
    RpTexmPage,
    RpTraceCall,
    RpViewPage,
    RpWear,
    RpWearName,
)

# what each function returns, and its parameters
FUNCTIONS: Dict[str, Tuple[Any, Tuple[Any, ...]]] = {
    "RpAcAnimation_Assemble": (c.c_int, (
        c.c_char_p,
        c.c_size_t,
        P(RpAllocator),
        P(RpAcAnimation),
        P(RpError),
    )),
    "RpAcAnimation_Check": (c.c_int, (
        c.c_void_p,
        c.c_size_t,
        P(RpAllocator),
        P(RpFindingSink),
        P(RpError),
    )),
    "RpAcAnimation_Dump": (c.c_int, (P(RpAcAnimation), c.c_uint32, P(RpBuffer), P(RpError))),
    "RpAcAnimation_Free": (None, (P(RpAcAnimation),)),
    "RpAcAnimation_Read": (c.c_int, (
        c.c_void_p,
        c.c_size_t,
        c.c_int,
        P(RpAllocator),
        P(RpAcAnimation),
        P(RpError),
    )),
    "RpAcAnimation_Write": (c.c_int, (P(RpAcAnimation), P(RpBuffer), P(RpError))),
    "RpAcFrame_Combine": (None, (P(RpAcFrame), P(RpAcFrame))),
    "RpAcFrame_CombineScaled": (None, (P(RpAcFrame), P(RpAcFrame), c.c_void_p)),
    "RpAcFrame_Identity": (None, (P(RpAcFrame),)),
    "RpAcFrame_Interpolate": (None, (P(RpAcFrame), P(RpAcFrame), c.c_float, P(RpAcFrame))),
    "RpAcFrame_IsValid": (c.c_bool, (P(RpAcFrame),)),
    "RpAcFrame_Rotate": (None, (P(RpAcFrame), c.c_void_p)),
    "RpAcFrame_RotateGlobally": (None, (P(RpAcFrame), c.c_void_p)),
    "RpAcFrame_SetRotation": (c.c_bool, (P(RpAcFrame), c.c_void_p)),
    "RpAcFrame_Subtract": (None, (P(RpAcFrame), P(RpAcFrame))),
    "RpAcHook_Fields": (c.c_uint32, (c.c_uint32, c.c_uint32, P(RpAcHookField))),
    "RpAcHook_Name": (c.c_char_p, (c.c_uint32,)),
    "RpAcMotionTable_Assemble": (c.c_int, (
        c.c_char_p,
        c.c_size_t,
        P(RpAllocator),
        P(RpAcMotionTable),
        P(RpError),
    )),
    "RpAcMotionTable_Check": (c.c_int, (
        c.c_void_p,
        c.c_size_t,
        P(RpAllocator),
        P(RpFindingSink),
        P(RpError),
    )),
    "RpAcMotionTable_Cycle": (c.c_void_p, (P(RpAcMotionTable), c.c_uint32)),
    "RpAcMotionTable_Default": (c.c_uint32, (P(RpAcMotionTable), c.c_uint32)),
    "RpAcMotionTable_Dump": (c.c_int, (P(RpAcMotionTable), P(RpBuffer), P(RpError))),
    "RpAcMotionTable_Free": (None, (P(RpAcMotionTable),)),
    "RpAcMotionTable_Link": (c.c_void_p, (P(RpAcMotionTable), c.c_uint32, c.c_uint32)),
    "RpAcMotionTable_Modifier": (c.c_void_p, (P(RpAcMotionTable), c.c_uint32)),
    "RpAcMotionTable_Read": (c.c_int, (
        c.c_void_p,
        c.c_size_t,
        c.c_int,
        P(RpAllocator),
        P(RpAcMotionTable),
        P(RpError),
    )),
    "RpAcMotionTable_Write": (c.c_int, (P(RpAcMotionTable), P(RpBuffer), P(RpError))),
    "RpAcQuirk_Describe": (c.c_char_p, (c.c_uint32,)),
    "RpAcQuirk_Name": (c.c_char_p, (c.c_uint32,)),
    "RpAcQuirks_Parse": (c.c_int, (c.c_char_p, c.c_void_p, P(RpError))),
    "RpAc_Key": (c.c_uint32, (c.c_uint32, c.c_uint32)),
    "RpAniActorPlan_Free": (None, (P(RpAniActorPlan),)),
    "RpAniGltfOptions_Default": (RpAniGltfOptions, ()),
    "RpAniKey_Morph": (RpAniKey, (c.c_uint32, c.c_uint8, c.c_uint8)),
    "RpAniKey_Roll": (RpAniKey, (c.c_uint32, c.c_uint8, c.c_float)),
    "RpAniKey_Rotation": (RpAniKey, (
        c.c_uint32,
        c.c_uint8,
        c.c_float,
        c.c_float,
        c.c_float,
        c.c_float,
    )),
    "RpAniKey_Scale": (RpAniKey, (c.c_uint32, c.c_uint8, c.c_float, c.c_float, c.c_float)),
    "RpAniKey_Translation": (RpAniKey, (c.c_uint32, c.c_uint8, c.c_float, c.c_float, c.c_float)),
    "RpAniMap_Free": (None, (P(RpAniMap),)),
    "RpAniPolicy_Name": (c.c_char_p, (c.c_int,)),
    "RpAniPolicy_Parse": (c.c_int, (c.c_char_p, c.c_void_p, P(RpError))),
    "RpAniTrackKind_Bytes": (c.c_uint32, (c.c_int,)),
    "RpAniTrackKind_Name": (c.c_char_p, (c.c_int,)),
    "RpAniTrackKind_Numbers": (c.c_uint32, (c.c_int,)),
    "RpAniTrack_Find": (c.c_uint32, (P(RpAniTrack), c.c_float, c.c_void_p, c.c_void_p)),
    "RpAni_AddActor": (c.c_int, (P(RpAni), c.c_char_p, c.c_size_t, c.c_uint32, P(RpError))),
    "RpAni_AddNode": (c.c_int, (
        P(RpAni),
        c.c_uint32,
        c.c_char_p,
        c.c_size_t,
        c.c_void_p,
        P(RpError),
    )),
    "RpAni_Assemble": (c.c_int, (c.c_char_p, c.c_size_t, P(RpAllocator), P(RpAni), P(RpError))),
    "RpAni_Bind": (c.c_int, (P(RpAni), P(RpAniScene), P(RpAniMap), P(RpError))),
    "RpAni_Check": (c.c_int, (
        c.c_void_p,
        c.c_size_t,
        c.c_int,
        P(RpAllocator),
        P(RpFindingSink),
        P(RpError),
    )),
    "RpAni_Dump": (c.c_int, (P(RpAni), P(RpBuffer), P(RpError))),
    "RpAni_ExportGltf": (c.c_int, (P(RpAni), P(RpAniGltfOptions), P(RpBuffer), P(RpError))),
    "RpAni_FindNode": (c.c_uint32, (P(RpAni), c.c_char_p, c.c_uint32)),
    "RpAni_Free": (None, (P(RpAni),)),
    "RpAni_Init": (None, (P(RpAni), P(RpAllocator))),
    "RpAni_LoopTime": (c.c_int, (P(RpAni), c.c_int32, c.c_void_p, P(RpError))),
    "RpAni_Multiply": (None, (c.c_void_p, c.c_void_p, c.c_int, c.c_void_p)),
    "RpAni_ParsedSize": (c.c_uint64, (P(RpAni),)),
    "RpAni_PathPhase": (c.c_float, (P(RpAni), c.c_float)),
    "RpAni_PlanActor": (c.c_int, (
        P(RpAni),
        c.c_uint32,
        P(RpAniScene),
        P(RpAniActorPlan),
        P(RpError),
    )),
    "RpAni_Read": (c.c_int, (
        c.c_void_p,
        c.c_size_t,
        c.c_int,
        c.c_int,
        P(RpAllocator),
        P(RpAni),
        P(RpError),
    )),
    "RpAni_RemoveNode": (c.c_int, (P(RpAni), c.c_uint32, P(RpError))),
    "RpAni_RenameNode": (c.c_int, (P(RpAni), c.c_uint32, c.c_char_p, c.c_size_t, P(RpError))),
    "RpAni_Sample": (None, (
        P(RpAni),
        c.c_int32,
        c.c_int,
        P(RpAniCursor),
        c.c_void_p,
        c.c_void_p,
        c.c_void_p,
        c.c_void_p,
    )),
    "RpAni_SampleCamera": (c.c_int, (
        P(RpAni),
        c.c_float,
        c.c_int,
        P(RpAniCameraCursor),
        c.c_void_p,
    )),
    "RpAni_SampleLocal": (None, (
        P(RpAni),
        c.c_uint32,
        c.c_float,
        c.c_int,
        P(RpAniCursor),
        c.c_void_p,
    )),
    "RpAni_SampleParts": (None, (
        P(RpAni),
        c.c_uint32,
        c.c_float,
        c.c_int,
        P(RpAniCursor),
        P(RpAniParts),
    )),
    "RpAni_SampleVisible": (c.c_uint8, (P(RpAni), c.c_uint32, c.c_float, P(RpAniCursor))),
    "RpAni_SetKeys": (c.c_int, (
        P(RpAni),
        c.c_uint32,
        c.c_int,
        P(RpAniKey),
        c.c_uint32,
        P(RpError),
    )),
    "RpAni_SetTrailing": (c.c_int, (P(RpAni), c.c_void_p, c.c_size_t, P(RpError))),
    "RpAni_WalkTime": (c.c_int32, (c.c_float,)),
    "RpAni_Write": (c.c_int, (P(RpAni), P(RpBuffer), P(RpError))),
    "RpBuffer_Align": (c.c_bool, (P(RpBuffer), c.c_size_t)),
    "RpBuffer_Append": (c.c_bool, (P(RpBuffer), c.c_void_p, c.c_size_t)),
    "RpBuffer_AppendText": (c.c_bool, (P(RpBuffer), c.c_char_p)),
    "RpBuffer_AppendU16": (c.c_bool, (P(RpBuffer), c.c_uint16)),
    "RpBuffer_AppendU32": (c.c_bool, (P(RpBuffer), c.c_uint32)),
    "RpBuffer_Extend": (c.c_void_p, (P(RpBuffer), c.c_size_t)),
    "RpBuffer_Free": (None, (P(RpBuffer),)),
    "RpBuffer_Init": (None, (P(RpBuffer), P(RpAllocator))),
    "RpBuild_Name": (c.c_char_p, (c.c_int,)),
    "RpClip_Bytes": (c.c_size_t, (c.c_void_p,)),
    "RpClip_Free": (None, (c.c_void_p,)),
    "RpClip_Pose": (None, (
        c.c_void_p,
        P(RpArithmetic),
        c.c_size_t,
        P(RpPoseTimes),
        c.c_bool,
        c.c_void_p,
        c.c_void_p,
        P(RpPoseCounters),
    )),
    "RpClip_Prepare": (c.c_int, (
        P(RpSkeleton),
        P(RpArithmetic),
        P(RpAllocator),
        c.c_void_p,
        P(RpError),
    )),
    "RpComparison_Add": (c.c_int, (
        c.c_void_p,
        c.c_void_p,
        c.c_size_t,
        c.c_void_p,
        c.c_size_t,
        c.c_char_p,
        P(RpError),
    )),
    "RpComparison_Create": (c.c_void_p, (c.c_uint32,)),
    "RpComparison_Destroy": (None, (c.c_void_p,)),
    "RpComparison_FirstDifference": (c.c_bool, (c.c_void_p, c.c_char_p, P(RpComparisonDifference))),
    "RpComparison_FunctionAt": (c.c_bool, (c.c_void_p, c.c_size_t, P(RpComparisonFunction))),
    "RpComparison_FunctionCount": (c.c_size_t, (c.c_void_p,)),
    "RpComparison_Json": (c.c_int, (c.c_void_p, P(RpBuffer), P(RpError))),
    "RpComparison_Totals": (None, (c.c_void_p, P(RpComparisonCounts))),
    "RpCorpusOptions_Default": (RpCorpusOptions, ()),
    "RpCorpus_Benchmark": (c.c_uint32, ()),
    "RpCorpus_File": (RpCorpusFile, (c.c_void_p, c.c_int, c.c_uint32)),
    "RpCorpus_FileCount": (c.c_uint32, (c.c_int,)),
    "RpCorpus_FileImage": (c.c_int, (c.c_void_p, P(RpCorpusFile), P(RpBuffer), P(RpError))),
    "RpCorpus_FindModel": (c.c_int32, (c.c_void_p, c.c_char_p)),
    "RpCorpus_Free": (None, (c.c_void_p,)),
    "RpCorpus_Library": (c.c_int, (c.c_void_p, c.c_uint32, P(RpBuffer), P(RpError))),
    "RpCorpus_LibraryCount": (c.c_uint32, ()),
    "RpCorpus_LibraryName": (c.c_char_p, (c.c_uint32,)),
    "RpCorpus_Manifest": (c.c_int, (
        c.c_void_p,
        P(RpCorpusFile),
        c.c_uint32,
        P(RpBuffer),
        P(RpError),
    )),
    "RpCorpus_Model": (c.c_int, (c.c_void_p, c.c_uint32, P(RpNResArchive), P(RpError))),
    "RpCorpus_ModelInfo": (RpCorpusModel, (c.c_void_p, c.c_uint32)),
    "RpCorpus_New": (c.c_int, (P(RpCorpusOptions), P(RpAllocator), c.c_void_p, P(RpError))),
    "RpCorpus_RsLi": (c.c_int, (c.c_void_p, P(RpBuffer), P(RpError))),
    "RpCorpus_RsLiCount": (c.c_uint32, ()),
    "RpCorpus_RsLiData": (c.c_int, (
        c.c_void_p,
        c.c_uint32,
        c.c_void_p,
        c.c_void_p,
        P(RpBuffer),
        P(RpError),
    )),
    "RpCorpus_SlotWord": (c.c_uint32, (P(RpReadings), c.c_uint32, c.c_uint32)),
    "RpCorpus_Variant": (c.c_int, (c.c_void_p, c.c_uint32, P(RpBuffer), P(RpError))),
    "RpCorpus_VariantCount": (c.c_uint32, ()),
    "RpCorpus_VariantInfo": (RpCorpusVariant, (c.c_uint32,)),
    "RpError_Format": (c.c_int, (P(RpError), c.c_char_p, c.c_size_t)),
    "RpError_Set": (c.c_int, (
        P(RpError),
        c.c_int,
        c.c_uint64,
        c.c_char_p,
        c.c_char_p,
        c.c_char_p,
        c.c_char_p,
    )),
    "RpExactWork_Name": (c.c_char_p, (c.c_int,)),
    "RpExact_Serves": (c.c_bool, (P(RpArithmetic), c.c_int)),
    "RpFile_Read": (c.c_int, (c.c_char_p, P(RpBuffer), P(RpError))),
    "RpFindingCounter_Sink": (RpFindingSink, (P(RpFindingCounter),)),
    "RpFindingCounter_Verdict": (c.c_int, (P(RpFindingCounter), P(RpError))),
    "RpFindingSink_Report": (None, (P(RpFindingSink), P(RpFinding))),
    "RpFinding_New": (RpFinding, (c.c_char_p, c.c_int)),
    "RpFpu_ControlWord": (c.c_uint16, ()),
    "RpFpu_IsIdeal": (c.c_bool, ()),
    "RpFpu_Restore": (None, (c.c_uint16,)),
    "RpFpu_SetControlWord": (c.c_uint16, ()),
    "RpGltfExportOptions_Default": (RpGltfExportOptions, ()),
    "RpGltfImportOptions_Default": (RpGltfImportOptions, ()),
    "RpGltfRootMotion_Name": (c.c_char_p, (c.c_int,)),
    "RpGltf_Export": (c.c_int, (P(RpNResArchive), P(RpGltfExportOptions), P(RpBuffer), P(RpError))),
    "RpGltf_Import": (c.c_int, (
        c.c_void_p,
        c.c_size_t,
        P(RpGltfImportOptions),
        P(RpNResArchive),
        P(RpError),
    )),
    "RpGltf_Is": (c.c_bool, (c.c_void_p, c.c_size_t)),
    "RpLight_Combine": (None, (P(RpArithmetic), c.c_void_p, c.c_void_p, c.c_void_p, c.c_void_p)),
    "RpLight_Directional": (None, (
        P(RpArithmetic),
        c.c_void_p,
        c.c_uint32,
        c.c_void_p,
        c.c_void_p,
        c.c_void_p,
    )),
    "RpLight_Point": (None, (P(RpArithmetic), c.c_void_p, c.c_void_p, c.c_void_p, c.c_void_p)),
    "RpMaterial_Find": (c.c_int32, (P(RpNResEntries), c.c_char_p, c.c_void_p)),
    "RpMaterial_Open": (c.c_int, (c.c_void_p, c.c_size_t, c.c_uint32, P(RpMaterial), P(RpError))),
    "RpMaterial_Phase": (RpMaterialPhase, (P(RpMaterial), c.c_uint32)),
    "RpMatrix_PointToFrame": (None, (P(RpArithmetic), c.c_void_p, c.c_void_p, c.c_void_p)),
    "RpMatrix_PoseProduct": (None, (P(RpArithmetic), c.c_void_p, c.c_void_p, c.c_void_p)),
    "RpMatrix_Product": (None, (P(RpArithmetic), c.c_void_p, c.c_void_p, c.c_void_p)),
    "RpMatrix_Product34": (None, (P(RpArithmetic), c.c_void_p, c.c_void_p, c.c_void_p)),
    "RpMatrix_Rotate": (None, (P(RpArithmetic), c.c_void_p, c.c_void_p, c.c_void_p)),
    "RpMatrix_RotateTransposed": (None, (P(RpArithmetic), c.c_void_p, c.c_void_p, c.c_void_p)),
    "RpMemory_Free": (None, (P(RpAllocator), c.c_void_p)),
    "RpMemory_Refused": (c.c_int, (P(RpError), c.c_char_p)),
    "RpMemory_Resize": (c.c_void_p, (P(RpAllocator), c.c_void_p, c.c_size_t)),
    "RpMeshObject_Attach": (c.c_int, (
        c.c_void_p,
        c.c_void_p,
        c.c_uint32,
        c.c_int32,
        c.c_uint32,
        P(RpError),
    )),
    "RpMeshObject_Batch": (c.c_bool, (c.c_void_p, c.c_int32, c.c_uint32, P(RpDrawBatch))),
    "RpMeshObject_Bounds": (None, (c.c_void_p, P(RpMeshBounds))),
    "RpMeshObject_Box": (None, (c.c_void_p, c.c_int32, c.c_int, c.c_bool, c.c_void_p)),
    "RpMeshObject_Bytes": (c.c_size_t, (c.c_uint32,)),
    "RpMeshObject_ChangeFlags": (None, (c.c_void_p, c.c_int32, c.c_uint32, c.c_bool, c.c_bool)),
    "RpMeshObject_Counters": (None, (c.c_void_p, P(RpPoseCounters))),
    "RpMeshObject_Create": (c.c_int, (
        c.c_void_p,
        P(RpArithmetic),
        P(RpAllocator),
        c.c_void_p,
        P(RpError),
    )),
    "RpMeshObject_Detach": (c.c_int, (c.c_void_p, c.c_uint32, P(RpError))),
    "RpMeshObject_Draw": (None, (
        c.c_void_p,
        c.c_int32,
        CALLBACK(None, c.c_void_p, c.c_int32, c.c_uint32, c.c_void_p, P(RpDrawBatch)),
        c.c_void_p,
    )),
    "RpMeshObject_FirstPieceOfPart": (c.c_int32, (c.c_void_p, c.c_uint32)),
    "RpMeshObject_Free": (None, (c.c_void_p,)),
    "RpMeshObject_IsInside": (c.c_bool, (c.c_void_p, c.c_int32, c.c_void_p, P(RpMeshFilter))),
    "RpMeshObject_Matrix": (c.c_void_p, (c.c_void_p, c.c_int32, c.c_int)),
    "RpMeshObject_NodeCapsule": (None, (c.c_void_p, c.c_int32, c.c_int, c.c_bool, c.c_void_p)),
    "RpMeshObject_Piece": (c.c_bool, (c.c_void_p, c.c_int32, P(RpMeshPiece))),
    "RpMeshObject_PieceCount": (c.c_uint32, (c.c_void_p,)),
    "RpMeshObject_Pose": (None, (c.c_void_p,)),
    "RpMeshObject_PushOut": (c.c_bool, (
        c.c_void_p,
        c.c_void_p,
        c.c_float,
        P(RpMeshFilter),
        c.c_void_p,
        c.c_uint32,
        c.c_void_p,
        c.c_void_p,
    )),
    "RpMeshObject_PushOutRoom": (c.c_size_t, (c.c_uint32,)),
    "RpMeshObject_Segment": (c.c_bool, (
        c.c_void_p,
        c.c_int32,
        c.c_void_p,
        c.c_void_p,
        P(RpMeshFilter),
        P(RpMeshHit),
    )),
    "RpMeshObject_SetFrames": (None, (c.c_void_p, c.c_int32, c.c_int32, c.c_int32, c.c_int32)),
    "RpMeshObject_SetPhase": (None, (c.c_void_p, c.c_float, c.c_float)),
    "RpMeshObject_SetPieceFrames": (None, (
        c.c_void_p,
        c.c_int32,
        c.c_int32,
        c.c_int32,
        c.c_int32,
        c.c_int32,
    )),
    "RpMeshObject_SetPieceMatrix": (None, (c.c_void_p, c.c_int32, c.c_void_p)),
    "RpMeshObject_SetPiecePhase": (None, (c.c_void_p, c.c_int32, c.c_float, c.c_float)),
    "RpMeshObject_SetPlacement": (None, (c.c_void_p, c.c_void_p)),
    "RpMeshObject_SetScale": (None, (c.c_void_p, c.c_void_p)),
    "RpMeshObject_SetStage": (None, (c.c_void_p, c.c_int32, c.c_int32)),
    "RpMeshObject_Sphere": (None, (c.c_void_p, c.c_int32, c.c_int, c.c_bool, c.c_void_p)),
    "RpMeshObject_Tilt": (None, (c.c_void_p, c.c_int32, c.c_void_p, c.c_void_p)),
    "RpMeshObject_UpdateBounds": (None, (c.c_void_p,)),
    "RpMeshObject_WalkFace": (c.c_bool, (c.c_void_p, c.c_void_p, P(RpMeshFilter), P(RpMeshHit))),
    "RpMeshObject_WalkFaceWithMargin": (c.c_bool, (
        c.c_void_p,
        c.c_void_p,
        c.c_float,
        c.c_uint32,
        P(RpMeshHit),
    )),
    "RpModelPose_Free": (None, (P(RpModelPose),)),
    "RpModelPose_FromArchive": (c.c_int, (
        c.c_void_p,
        c.c_size_t,
        c.c_char_p,
        c.c_float,
        P(RpArithmetic),
        P(RpAllocator),
        P(RpModelPose),
        P(RpError),
    )),
    "RpModel_Bytes": (c.c_size_t, (c.c_void_p,)),
    "RpModel_FrameCount": (c.c_uint32, (c.c_void_p,)),
    "RpModel_Free": (None, (c.c_void_p,)),
    "RpModel_FromNRes": (c.c_int, (c.c_void_p, c.c_size_t, P(RpAllocator), c.c_void_p, P(RpError))),
    "RpModel_NodeCount": (c.c_uint32, (c.c_void_p,)),
    "RpModel_PrepareQueries": (c.c_int, (c.c_void_p, P(RpError))),
    "RpMotion_AnimationDone": (None, (P(RpMotion), c.c_bool)),
    "RpMotion_CheckCompleted": (None, (P(RpMotion),)),
    "RpMotion_EnterWorld": (None, (P(RpMotion),)),
    "RpMotion_ExitWorld": (None, (P(RpMotion),)),
    "RpMotion_GetSequence": (c.c_int, (
        P(RpMotion),
        c.c_uint32,
        c.c_float,
        c.c_bool,
        c.c_void_p,
        c.c_void_p,
        P(RpError),
    )),
    "RpMotion_Init": (None, (
        P(RpMotion),
        P(RpAcMotionTable),
        P(RpSequenceNode),
        c.c_uint16,
        P(RpAcLibrary),
    )),
    "RpMotion_Perform": (c.c_int, (
        P(RpMotion),
        c.c_int,
        c.c_uint32,
        c.c_float,
        c.c_void_p,
        P(RpError),
    )),
    "RpMotion_Restore": (c.c_int, (P(RpMotion), c.c_void_p, c.c_uint32, P(RpError))),
    "RpMotion_Save": (None, (P(RpMotion), c.c_void_p)),
    "RpMotion_Start": (c.c_int, (P(RpMotion), P(RpError))),
    "RpMotion_StateWords": (c.c_uint32, (P(RpMotion),)),
    "RpMotion_Stop": (c.c_int, (P(RpMotion), c.c_uint32, c.c_void_p, c.c_void_p, P(RpError))),
    "RpMotion_StopCompletely": (c.c_int, (P(RpMotion), c.c_void_p, c.c_void_p, P(RpError))),
    "RpMotion_Tick": (c.c_int, (
        P(RpMotion),
        c.c_double,
        P(RpAcFrame),
        CALLBACK(None, c.c_void_p, P(RpSequenceEvent)),
        c.c_void_p,
        P(RpError),
    )),
    "RpMshAnimation_Append": (c.c_int, (
        P(RpMshAnimation),
        P(RpMshAnimation),
        c.c_void_p,
        P(RpError),
    )),
    "RpMshAnimation_ClearTrack": (c.c_int, (P(RpMshAnimation), c.c_uint32, c.c_float, P(RpError))),
    "RpMshAnimation_Copy": (c.c_int, (P(RpMshAnimation), P(RpMshAnimation), P(RpError))),
    "RpMshAnimation_Extract": (c.c_int, (
        P(RpMshAnimation),
        P(RpMsh),
        c.c_int,
        c.c_void_p,
        P(RpError),
    )),
    "RpMshAnimation_Free": (None, (P(RpMshAnimation),)),
    "RpMshAnimation_Init": (None, (P(RpMshAnimation), P(RpAllocator))),
    "RpMshAnimation_Install": (c.c_int, (P(RpMshAnimation), P(RpNResArchive), P(RpError))),
    "RpMshAnimation_MakeStatic": (c.c_uint32, (P(RpMshAnimation),)),
    "RpMshAnimation_Range": (c.c_int, (P(RpMshAnimation), c.c_uint32, c.c_uint32, P(RpError))),
    "RpMshAnimation_Resample": (c.c_int, (P(RpMshAnimation), c.c_uint32, P(RpError))),
    "RpMshAnimation_Retime": (c.c_int, (P(RpMshAnimation), c.c_double, c.c_void_p, P(RpError))),
    "RpMshAnimation_RetimeTo": (c.c_int, (P(RpMshAnimation), c.c_uint32, c.c_void_p, P(RpError))),
    "RpMshAnimation_Reverse": (c.c_int, (P(RpMshAnimation), P(RpError))),
    "RpMshAnimation_Sample": (c.c_int, (
        P(RpMshAnimation),
        c.c_uint32,
        c.c_float,
        c.c_void_p,
        c.c_void_p,
        P(RpError),
    )),
    "RpMshAnimation_SetTrack": (c.c_int, (
        P(RpMshAnimation),
        c.c_uint32,
        P(RpMshKey),
        c.c_uint32,
        P(RpError),
    )),
    "RpMshAnimation_Simplify": (c.c_int, (
        P(RpMshAnimation),
        c.c_double,
        c.c_double,
        c.c_void_p,
        P(RpError),
    )),
    "RpMshBatchDescription_Default": (RpMshBatchDescription, ()),
    "RpMshBatch_Read": (None, (P(RpMshBatch), c.c_void_p)),
    "RpMshBatch_Write": (None, (P(RpMshBatch), c.c_void_p)),
    "RpMshCertainty_Name": (c.c_char_p, (c.c_int,)),
    "RpMshCheckOptions_Default": (RpMshCheckOptions, ()),
    "RpMshDiffOptions_Default": (RpMshDiffOptions, ()),
    "RpMshEdit_DropStream": (c.c_int, (P(RpNResArchive), c.c_uint32, P(RpError))),
    "RpMshEdit_FindNode": (c.c_int, (
        P(RpNResArchive),
        P(RpReadings),
        c.c_char_p,
        c.c_void_p,
        P(RpError),
    )),
    "RpMshEdit_Rename": (c.c_int, (P(RpNResArchive), c.c_uint32, c.c_char_p, P(RpError))),
    "RpMshEdit_SetAttribute": (c.c_int, (
        P(RpNResArchive),
        c.c_uint32,
        c.c_uint32,
        c.c_uint32,
        P(RpError),
    )),
    "RpMshEdit_SetFlags": (c.c_int, (P(RpNResArchive), c.c_uint32, c.c_uint32, P(RpError))),
    "RpMshEdit_SetLabel": (c.c_int, (P(RpNResArchive), c.c_uint32, c.c_char_p, P(RpError))),
    "RpMshEdit_SetMaterial": (c.c_int, (
        P(RpNResArchive),
        P(RpReadings),
        c.c_uint32,
        c.c_uint32,
        P(RpError),
    )),
    "RpMshEdit_SetParent": (c.c_int, (P(RpNResArchive), c.c_uint32, c.c_uint32, P(RpError))),
    "RpMshEdit_SetSlot": (c.c_int, (
        P(RpNResArchive),
        c.c_uint32,
        c.c_uint32,
        c.c_uint32,
        P(RpError),
    )),
    "RpMshEdit_TransformAll": (c.c_int, (
        P(RpNResArchive),
        P(RpReadings),
        P(RpMshTransform),
        P(RpError),
    )),
    "RpMshEdit_TransformNode": (c.c_int, (
        P(RpNResArchive),
        P(RpReadings),
        c.c_uint32,
        P(RpMshTransform),
        P(RpError),
    )),
    "RpMshHeader_Read": (None, (P(RpMshHeader), c.c_void_p)),
    "RpMshHeader_Write": (None, (P(RpMshHeader), c.c_void_p)),
    "RpMshKey_Read": (None, (P(RpMshKey), c.c_void_p)),
    "RpMshKey_Write": (None, (P(RpMshKey), c.c_void_p)),
    "RpMshNodeDescription_Default": (RpMshNodeDescription, ()),
    "RpMshNode_Read": (None, (P(RpMshNode), c.c_void_p)),
    "RpMshNode_Write": (None, (P(RpMshNode), c.c_void_p)),
    "RpMshProbe_Read": (None, (P(RpMshProbe), c.c_void_p)),
    "RpMshProbe_Write": (None, (P(RpMshProbe), c.c_void_p)),
    "RpMshRule_Find": (c.c_int32, (c.c_char_p,)),
    "RpMshRule_Id": (c.c_char_p, (c.c_int32,)),
    "RpMshRule_Severities": (c.c_char_p, (c.c_int32,)),
    "RpMshRule_Text": (c.c_char_p, (c.c_int32,)),
    "RpMshSlot_Read": (None, (P(RpMshSlot), c.c_void_p)),
    "RpMshSlot_Write": (None, (P(RpMshSlot), c.c_void_p)),
    "RpMshTexts_Next": (c.c_bool, (P(RpMshTexts), c.c_void_p, c.c_void_p)),
    "RpMshTransform_Identity": (RpMshTransform, ()),
    "RpMshTransform_Turn": (c.c_int, (P(RpMshTransform), c.c_void_p, c.c_double, P(RpError))),
    "RpMshTriangle_Read": (None, (P(RpMshTriangle), c.c_void_p)),
    "RpMshTriangle_Write": (None, (P(RpMshTriangle), c.c_void_p)),
    "RpMsh_Assemble": (c.c_int, (c.c_char_p, c.c_size_t, P(RpBuffer), P(RpError))),
    "RpMsh_Batch": (c.c_bool, (P(RpMsh), c.c_uint32, P(RpMshBatch))),
    "RpMsh_BoxEvidence": (c.c_int, (P(RpMsh), P(RpAllocator), P(RpMshBoxEvidence), P(RpError))),
    "RpMsh_Check": (c.c_int, (RpNResEntries, P(RpMshCheckOptions), P(RpFindingSink), P(RpError))),
    "RpMsh_Count": (c.c_uint32, (P(RpMsh), c.c_uint32)),
    "RpMsh_CountLabels": (c.c_uint32, (P(RpMshStream),)),
    "RpMsh_DecodeRotation": (None, (c.c_void_p, P(RpReadings), c.c_void_p)),
    "RpMsh_Diff": (c.c_int, (
        P(RpNRes),
        P(RpNRes),
        P(RpMshDiffOptions),
        CALLBACK(None, c.c_void_p, P(RpMshDifference)),
        c.c_void_p,
        P(RpMshDiffResult),
        P(RpError),
    )),
    "RpMsh_Dump": (c.c_int, (P(RpNRes), P(RpBuffer), P(RpError))),
    "RpMsh_EncodeNormal": (c.c_int8, (c.c_float,)),
    "RpMsh_EncodeRotation": (None, (c.c_void_p, P(RpReadings), c.c_void_p)),
    "RpMsh_EncodeUv": (c.c_uint16, (c.c_float, P(RpReadings))),
    "RpMsh_FaceNormal": (None, (c.c_void_p, c.c_void_p, c.c_void_p, c.c_void_p)),
    "RpMsh_Header": (c.c_bool, (P(RpMsh), P(RpMshHeader))),
    "RpMsh_IdentityKeys": (None, (P(RpMsh), c.c_void_p, c.c_void_p)),
    "RpMsh_Index": (c.c_bool, (P(RpMsh), c.c_uint32, c.c_void_p)),
    "RpMsh_Is": (c.c_bool, (RpNResEntries,)),
    "RpMsh_IsLand": (c.c_bool, (RpNResEntries,)),
    "RpMsh_Key": (c.c_bool, (P(RpMsh), c.c_uint32, P(RpMshKey))),
    "RpMsh_KeyAt": (c.c_bool, (P(RpMsh), c.c_uint32, c.c_uint32, c.c_void_p)),
    "RpMsh_LinkTriangles": (c.c_int, (
        c.c_void_p,
        c.c_void_p,
        c.c_uint32,
        P(RpMshTriangle),
        P(RpAllocator),
        P(RpError),
    )),
    "RpMsh_Make": (c.c_int, (P(RpMshDescription), P(RpNResArchive), P(RpError))),
    "RpMsh_MapWord": (c.c_bool, (P(RpMsh), c.c_uint32, c.c_void_p)),
    "RpMsh_MatchNodes": (c.c_int, (
        P(RpMsh),
        P(RpMsh),
        P(RpAllocator),
        c.c_void_p,
        c.c_void_p,
        P(RpError),
    )),
    "RpMsh_Node": (c.c_bool, (P(RpMsh), c.c_uint32, P(RpMshNode))),
    "RpMsh_Normal": (c.c_bool, (P(RpMsh), c.c_uint32, c.c_void_p)),
    "RpMsh_Open": (c.c_int, (RpNResEntries, c.c_int, P(RpMsh), P(RpError))),
    "RpMsh_PoseNodes": (c.c_int, (
        P(RpMsh),
        P(RpReadings),
        c.c_double,
        c.c_bool,
        c.c_void_p,
        P(RpError),
    )),
    "RpMsh_Position": (c.c_bool, (P(RpMsh), c.c_uint32, c.c_void_p)),
    "RpMsh_Probe": (c.c_bool, (P(RpMsh), c.c_uint32, P(RpMshProbe))),
    "RpMsh_ReadingsByEvidence": (c.c_int, (
        P(RpMsh),
        P(RpAllocator),
        P(RpReadings),
        P(RpMshReading),
        P(RpError),
    )),
    "RpMsh_Skeleton": (c.c_int, (P(RpMsh), P(RpSkeleton), P(RpError))),
    "RpMsh_Slot": (c.c_bool, (P(RpMsh), c.c_uint32, P(RpMshSlot))),
    "RpMsh_Sphere": (None, (c.c_void_p, c.c_uint32, c.c_void_p)),
    "RpMsh_StreamName": (c.c_char_p, (c.c_uint32,)),
    "RpMsh_Stride": (c.c_uint32, (P(RpMsh), c.c_uint32)),
    "RpMsh_Text": (c.c_void_p, (P(RpMsh), c.c_uint32, c.c_uint32, c.c_void_p)),
    "RpMsh_Texts": (RpMshTexts, (P(RpMsh), c.c_uint32)),
    "RpMsh_Track": (c.c_bool, (P(RpMsh), c.c_uint32, c.c_void_p, c.c_void_p)),
    "RpMsh_Triangle": (c.c_bool, (P(RpMsh), c.c_uint32, P(RpMshTriangle))),
    "RpMsh_UpdateBounds": (c.c_int, (P(RpNResArchive), P(RpReadings), P(RpError))),
    "RpMsh_UpdateHeader": (c.c_int, (P(RpNResArchive), P(RpReadings), P(RpError))),
    "RpMsh_UpdateTriangles": (c.c_int, (P(RpNResArchive), P(RpError))),
    "RpMsh_Uv": (c.c_bool, (P(RpMsh), c.c_uint32, c.c_uint32, c.c_void_p)),
    "RpMsh_Validate": (c.c_int, (P(RpMsh), P(RpError))),
    "RpNResArchive_Add": (c.c_int, (P(RpNResArchive), c.c_uint32, P(RpNResMember), P(RpError))),
    "RpNResArchive_Entries": (RpNResEntries, (P(RpNResArchive),)),
    "RpNResArchive_Find": (c.c_int32, (P(RpNResArchive), c.c_char_p)),
    "RpNResArchive_FindType": (c.c_int32, (P(RpNResArchive), c.c_uint32)),
    "RpNResArchive_Free": (None, (P(RpNResArchive),)),
    "RpNResArchive_Init": (None, (P(RpNResArchive), P(RpAllocator))),
    "RpNResArchive_Move": (c.c_int, (P(RpNResArchive), c.c_uint32, c.c_uint32, P(RpError))),
    "RpNResArchive_Read": (c.c_int, (P(RpNResArchive), P(RpNRes), P(RpError))),
    "RpNResArchive_Remove": (c.c_int, (P(RpNResArchive), c.c_uint32, P(RpError))),
    "RpNResArchive_Rename": (c.c_int, (P(RpNResArchive), c.c_uint32, c.c_char_p, P(RpError))),
    "RpNResArchive_Replace": (c.c_int, (
        P(RpNResArchive),
        c.c_uint32,
        c.c_void_p,
        c.c_size_t,
        P(RpError),
    )),
    "RpNResArchive_Sort": (c.c_int, (P(RpNResArchive), c.c_int, P(RpError))),
    "RpNResArchive_Write": (c.c_int, (P(RpNResArchive), c.c_int, P(RpBuffer), P(RpError))),
    "RpNResEntries_Get": (RpNResEntry, (P(RpNResEntries), c.c_uint32)),
    "RpNResSort_Name": (c.c_char_p, (c.c_int,)),
    "RpNRes_Check": (c.c_int, (c.c_void_p, c.c_size_t, c.c_void_p, P(RpFindingSink), P(RpError))),
    "RpNRes_CheckCopies": (c.c_int, (P(RpNRes), P(RpError))),
    "RpNRes_CheckWork": (c.c_size_t, (c.c_uint32,)),
    "RpNRes_CompareName": (c.c_int, (c.c_char_p, c.c_char_p)),
    "RpNRes_Entries": (RpNResEntries, (P(RpNRes),)),
    "RpNRes_Entry": (RpNResEntry, (P(RpNRes), c.c_uint32)),
    "RpNRes_Find": (c.c_int32, (P(RpNRes), c.c_char_p)),
    "RpNRes_FindAsGame": (c.c_int32, (P(RpNRes), c.c_char_p)),
    "RpNRes_FindType": (c.c_int32, (P(RpNRes), c.c_uint32, c.c_uint32)),
    "RpNRes_Is": (c.c_bool, (c.c_void_p, c.c_size_t)),
    "RpNRes_Open": (c.c_int, (c.c_void_p, c.c_size_t, c.c_int, P(RpNRes), P(RpError))),
    "RpNRes_Walk": (None, (
        P(RpNRes),
        CALLBACK(c.c_bool, c.c_void_p, P(RpNRes), c.c_char_p, c.c_uint32, c.c_uint32),
        c.c_void_p,
    )),
    "RpObjOptions_Default": (RpObjOptions, ()),
    "RpObj_Export": (c.c_int, (
        P(RpNResArchive),
        P(RpObjOptions),
        P(RpBuffer),
        P(RpBuffer),
        P(RpError),
    )),
    "RpPairOptions_Default": (RpPairOptions, ()),
    "RpPair_Allocate": (c.c_uint32, (c.c_void_p, c.c_uint32)),
    "RpPair_Call": (c.c_int, (c.c_void_p, P(RpPairCall), P(RpError))),
    "RpPair_Close": (None, (c.c_void_p,)),
    "RpPair_Export": (c.c_uint32, (c.c_void_p, c.c_int, c.c_char_p)),
    "RpPair_Facts": (None, (c.c_void_p, P(RpPairFacts))),
    "RpPair_Open": (c.c_int, (
        c.c_void_p,
        c.c_size_t,
        c.c_void_p,
        c.c_size_t,
        P(RpPairOptions),
        c.c_void_p,
        P(RpError),
    )),
    "RpPair_Read": (c.c_int, (c.c_void_p, c.c_uint32, c.c_void_p, c.c_size_t, P(RpError))),
    "RpPair_Reason": (c.c_char_p, (c.c_void_p, c.c_char_p)),
    "RpPair_Restore": (c.c_int, (c.c_void_p, P(RpError))),
    "RpPair_Run": (c.c_int, (
        c.c_void_p,
        c.c_void_p,
        c.c_size_t,
        CALLBACK(c.c_bool, c.c_void_p, c.c_uint64, c.c_uint64),
        c.c_void_p,
        P(RpBuffer),
        P(RpError),
    )),
    "RpPair_Slot": (c.c_uint32, (c.c_void_p, c.c_uint32)),
    "RpPair_Write": (c.c_int, (c.c_void_p, c.c_uint32, c.c_void_p, c.c_size_t, P(RpError))),
    "RpPolygon_Contains": (c.c_bool, (
        P(RpArithmetic),
        c.c_void_p,
        c.c_void_p,
        c.c_uint32,
        c.c_void_p,
    )),
    "RpPose_Blend": (None, (
        P(RpSkeleton),
        P(RpArithmetic),
        c.c_uint32,
        c.c_float,
        c.c_float,
        c.c_float,
        c.c_void_p,
        P(RpPoseCounters),
    )),
    "RpPose_Sample": (None, (
        P(RpSkeleton),
        P(RpArithmetic),
        c.c_uint32,
        c.c_float,
        c.c_void_p,
        c.c_void_p,
        P(RpPoseCounters),
    )),
    "RpPose_Skeleton": (c.c_int, (
        P(RpSkeleton),
        P(RpArithmetic),
        c.c_float,
        c.c_float,
        c.c_float,
        c.c_bool,
        c.c_void_p,
        c.c_void_p,
        P(RpPoseCounters),
        P(RpError),
    )),
    "RpPose_Skeletons": (c.c_int, (
        P(RpSkeleton),
        P(RpArithmetic),
        c.c_size_t,
        P(RpPoseTimes),
        c.c_bool,
        c.c_void_p,
        c.c_void_p,
        P(RpPoseCounters),
        P(RpError),
    )),
    "RpProcessor_Build": (c.c_int, (P(RpProcessor),)),
    "RpProcessor_Detect": (None, (P(RpProcessor),)),
    "RpProcessor_FromForceCpu": (None, (c.c_int32, P(RpProcessor))),
    "RpQuaternion_Interpolate": (None, (
        P(RpArithmetic),
        c.c_void_p,
        c.c_void_p,
        c.c_float,
        c.c_void_p,
    )),
    "RpQuaternion_InterpolateMany": (None, (
        P(RpArithmetic),
        c.c_size_t,
        c.c_void_p,
        c.c_void_p,
        c.c_void_p,
        c.c_void_p,
    )),
    "RpQuaternion_ToMatrix": (None, (P(RpArithmetic), c.c_void_p, c.c_void_p)),
    "RpQuaternion_ToMirroredMatrix": (None, (P(RpArithmetic), c.c_void_p, c.c_void_p)),
    "RpReadings_Choice": (c.c_void_p, (P(RpReadings), c.c_int32, c.c_void_p)),
    "RpReadings_Choices": (c.c_char_p, (c.c_int32,)),
    "RpReadings_Format": (c.c_int, (P(RpReadings), c.c_int, c.c_char_p, c.c_size_t)),
    "RpReadings_Kind": (c.c_uint32, (c.c_int32,)),
    "RpReadings_Name": (c.c_char_p, (c.c_int32,)),
    "RpReadings_Parse": (c.c_int, (P(RpReadings), c.c_int, c.c_char_p, P(RpError))),
    "RpReadings_Source": (c.c_char_p, (c.c_int32,)),
    "RpRsLiArchive_Add": (c.c_int, (
        P(RpRsLiArchive),
        c.c_uint32,
        c.c_char_p,
        c.c_uint32,
        c.c_void_p,
        c.c_size_t,
        P(RpError),
    )),
    "RpRsLiArchive_Find": (c.c_int32, (P(RpRsLiArchive), c.c_char_p)),
    "RpRsLiArchive_Free": (None, (P(RpRsLiArchive),)),
    "RpRsLiArchive_Init": (None, (P(RpRsLiArchive), P(RpAllocator))),
    "RpRsLiArchive_Insert": (c.c_int, (P(RpRsLiArchive), c.c_uint32, P(RpRsLiMember), P(RpError))),
    "RpRsLiArchive_Move": (c.c_int, (P(RpRsLiArchive), c.c_uint32, c.c_uint32, P(RpError))),
    "RpRsLiArchive_Read": (c.c_int, (P(RpRsLiArchive), P(RpRsLi), P(RpError))),
    "RpRsLiArchive_Remove": (c.c_int, (P(RpRsLiArchive), c.c_uint32, P(RpError))),
    "RpRsLiArchive_Rename": (c.c_int, (P(RpRsLiArchive), c.c_uint32, c.c_char_p, P(RpError))),
    "RpRsLiArchive_Replace": (c.c_int, (
        P(RpRsLiArchive),
        c.c_uint32,
        c.c_uint32,
        c.c_void_p,
        c.c_size_t,
        P(RpError),
    )),
    "RpRsLiArchive_Write": (c.c_int, (P(RpRsLiArchive), c.c_int, P(RpBuffer), P(RpError))),
    "RpRsLiCipher_Apply": (None, (P(RpRsLiCipher), c.c_void_p, c.c_size_t, c.c_void_p)),
    "RpRsLiCipher_Start": (RpRsLiCipher, (c.c_uint32,)),
    "RpRsLiMethod_HasKey": (c.c_bool, (c.c_uint32,)),
    "RpRsLiMethod_MostUnpacked": (c.c_uint64, (c.c_uint32, c.c_uint64)),
    "RpRsLiMethod_Name": (c.c_char_p, (c.c_uint32,)),
    "RpRsLiMethod_Parse": (c.c_int32, (c.c_char_p,)),
    "RpRsLi_Check": (c.c_int, (
        c.c_void_p,
        c.c_size_t,
        c.c_uint32,
        P(RpAllocator),
        P(RpFindingSink),
        P(RpError),
    )),
    "RpRsLi_CheckSizes": (c.c_int, (P(RpRsLi), P(RpError))),
    "RpRsLi_Count": (c.c_uint32, (c.c_void_p, c.c_size_t)),
    "RpRsLi_Find": (c.c_int32, (P(RpRsLi), c.c_char_p)),
    "RpRsLi_Load": (c.c_int, (
        P(RpRsLi),
        c.c_uint32,
        c.c_void_p,
        c.c_void_p,
        P(RpRsLiNotes),
        P(RpError),
    )),
    "RpRsLi_Open": (c.c_int, (
        c.c_void_p,
        c.c_size_t,
        c.c_uint32,
        c.c_int,
        P(RpRsLiRecord),
        c.c_uint32,
        P(RpRsLi),
        P(RpError),
    )),
    "RpRsLi_Pack": (c.c_int, (
        c.c_uint32,
        c.c_uint32,
        c.c_void_p,
        c.c_size_t,
        P(RpBuffer),
        P(RpError),
    )),
    "RpRsLi_Packed": (c.c_void_p, (P(RpRsLi), c.c_uint32, c.c_void_p)),
    "RpRsLi_Unpack": (c.c_int, (
        c.c_uint32,
        c.c_uint32,
        c.c_void_p,
        c.c_size_t,
        c.c_void_p,
        c.c_size_t,
        c.c_void_p,
        P(RpRsLiNotes),
        P(RpError),
    )),
    "RpScalar_SineCosine": (None, (P(RpArithmetic), c.c_float, c.c_void_p, c.c_void_p)),
    "RpSegment_Plane": (c.c_uint32, (
        P(RpArithmetic),
        c.c_void_p,
        c.c_void_p,
        c.c_void_p,
        c.c_void_p,
    )),
    "RpSequenceNode_End": (c.c_double, (P(RpSequenceNode),)),
    "RpSequenceNode_Start": (c.c_double, (P(RpSequenceNode),)),
    "RpSequence_Append": (c.c_int, (P(RpSequence), P(RpAcAnimRef), P(RpError))),
    "RpSequence_Clear": (None, (P(RpSequence),)),
    "RpSequence_ClearAnimations": (None, (P(RpSequence),)),
    "RpSequence_ClearPhysics": (None, (P(RpSequence),)),
    "RpSequence_CombinePhysics": (None, (P(RpSequence), c.c_void_p, c.c_void_p)),
    "RpSequence_CurrentFrame": (c.c_bool, (P(RpSequence), c.c_void_p, c.c_void_p)),
    "RpSequence_Init": (None, (P(RpSequence), P(RpSequenceNode), c.c_uint16, P(RpAcLibrary))),
    "RpSequence_MultiplyFramerate": (c.c_int, (P(RpSequence), c.c_float, P(RpError))),
    "RpSequence_Pose": (c.c_uint32, (
        P(RpSequence),
        P(RpAcFrame),
        c.c_void_p,
        c.c_bool,
        P(RpAcFrame),
        c.c_uint32,
    )),
    "RpSequence_RemoveAllLinks": (None, (P(RpSequence),)),
    "RpSequence_RemoveCyclic": (None, (P(RpSequence),)),
    "RpSequence_RemoveLinks": (None, (P(RpSequence), c.c_uint32)),
    "RpSequence_SetPhysics": (None, (P(RpSequence), c.c_void_p, c.c_void_p)),
    "RpSequence_SetPlacement": (None, (P(RpSequence), P(RpAcAnimation), c.c_uint32)),
    "RpSequence_SubtractPhysics": (None, (P(RpSequence), c.c_void_p, c.c_void_p)),
    "RpSequence_Update": (c.c_int, (
        P(RpSequence),
        c.c_double,
        P(RpAcFrame),
        CALLBACK(None, c.c_void_p, P(RpSequenceEvent)),
        c.c_void_p,
        P(RpError),
    )),
    "RpSeverity_Name": (c.c_char_p, (c.c_int,)),
    "RpSkeleton_FromNRes": (c.c_int, (c.c_void_p, c.c_size_t, P(RpSkeleton), P(RpError))),
    "RpSkeleton_NodeCount": (c.c_uint32, (P(RpSkeleton),)),
    "RpSkeleton_Parent": (c.c_int32, (P(RpSkeleton), c.c_uint32)),
    "RpStatus_Name": (c.c_char_p, (c.c_int,)),
    "RpTexmFormat_HasAlpha": (c.c_bool, (c.c_uint32,)),
    "RpTexmFormat_Name": (c.c_char_p, (c.c_uint32,)),
    "RpTexm_Level": (c.c_int, (P(RpTexm), c.c_uint32, c.c_void_p, c.c_size_t, P(RpError))),
    "RpTexm_LevelSize": (None, (P(RpTexm), c.c_uint32, c.c_void_p, c.c_void_p)),
    "RpTexm_Open": (c.c_int, (c.c_void_p, c.c_size_t, P(RpTexm), P(RpError))),
    "RpTexm_Page": (RpTexmPage, (P(RpTexm), c.c_uint32)),
    "RpTraceCall_Input": (c.c_bool, (P(RpTraceCall), c.c_char_p, c.c_void_p, c.c_size_t)),
    "RpTraceCall_Result": (c.c_bool, (P(RpTraceCall), c.c_char_p, c.c_void_p, c.c_size_t)),
    "RpTrace_Close": (None, (c.c_void_p,)),
    "RpTrace_Header": (c.c_bool, (c.c_void_p, c.c_char_p, c.c_char_p, c.c_size_t)),
    "RpTrace_Next": (c.c_int, (c.c_void_p, P(RpTraceCall), c.c_void_p, P(RpError))),
    "RpTrace_Open": (c.c_int, (c.c_void_p, c.c_size_t, c.c_char_p, c.c_void_p, P(RpError))),
    "RpTrace_Skeleton": (c.c_bool, (c.c_void_p, P(RpTraceCall), P(RpSkeleton), c.c_void_p)),
    "RpVersion_Number": (c.c_uint32, ()),
    "RpVersion_String": (c.c_char_p, ()),
    "RpView_Assemble": (c.c_int, (P(RpViewPage), P(RpBuffer), P(RpError))),
    "RpView_Describe": (c.c_int, (P(RpNRes), P(RpReadings), P(RpBuffer), P(RpError))),
    "RpWear_Free": (None, (P(RpWear),)),
    "RpWear_Read": (c.c_int, (P(RpWear), c.c_void_p, c.c_size_t, P(RpAllocator), P(RpError))),
}
