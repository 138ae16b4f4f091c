"""glTF and OBJ: what an import gives, and the choices of an export. The functions are methods of
Model: export_glb, export_obj, import_glb."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, List, NamedTuple

from . import _abi
from .errors import Finding

if TYPE_CHECKING:
    from .model import Model


class RootMotion(enum.IntEnum):
    """Where the translation of node 0 goes, which the game's pose walk ignores."""

    KEEP = _abi.RP_GLTF_ROOT_KEEP
    DROP = _abi.RP_GLTF_ROOT_DROP
    SEPARATE = _abi.RP_GLTF_ROOT_SEPARATE


class Import(NamedTuple):
    """A model made of a glTF file, and what could not be taken over, as it is noted."""

    model: "Model"
    notes: List[Finding]
