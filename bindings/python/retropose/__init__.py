"""Retropose in Python: archives, models and poses of the game Parkan: Iron Strategy, bit for bit.

The package calls the C library `libretropose` (`retropose-1.dll` on Windows) through ctypes. It
needs nothing but Python 3.9 and that library; where NumPy is installed, arrays are NumPy's, else
they are `memoryview` objects of the same shape.

    import retropose

    archive = retropose.Archive.open("library.rlb")
    model = retropose.Model.from_archive(archive, "robot.msh")
    pose = model.pose(12.5)                # or model.pose(3, 7, 0.25): a blend of two times
    pose.model[4]                          # 4 x 4 matrix of node 4 in the space of the model
    model.rename(4, "turret")
    model.store()                          # into the archive, whose file is still as it was
    archive.save("library.rlb")            # the whole file at once, or nothing

Everything that fails raises RetroposeError, which says what, where, what was expected and what was
found. An argument of the wrong type raises TypeError, as usual.
"""

from .animation import Animation, Track
from .archive import Archive, Layout, Member, Method, ReadMode
from .errors import Finding, RetroposeError, Severity, Status
from .library import library_path, load, version
from .model import (
    Batch,
    BoxEvidence,
    Difference,
    Differences,
    Header,
    Key,
    Model,
    Node,
    NodeDescription,
    Probe,
    Slot,
    SlotDescription,
    BatchDescription,
    Stream,
    StreamType,
    Transform,
    Triangle,
)
from .gltf import Import, RootMotion
from .machine import (
    CallResult,
    ComparedFunction,
    Comparison,
    ComparisonCounts,
    FunctionDifference,
    Pair,
)
from .mesh import Bounds, Filter, Hit, MeshObject, Piece, Space
from .pose import Arithmetic, Build, Clip, Estimates, Pose
from .readings import Reading, ReadingEvidence, Readings
from .texture import (
    Material,
    MaterialMatch,
    MaterialPhase,
    Page,
    Texture,
    TextureFormat,
    Wear,
)
from .trace import (
    Outcome,
    SamplerReport,
    Trace,
    TraceCall,
    TraceSkeleton,
    check_sampler,
    ulps_between,
)
from .corpus import Corpus, CorpusModel
from . import fastproc

__all__ = [
    "Animation",
    "Archive",
    "Arithmetic",
    "Batch",
    "BatchDescription",
    "Bounds",
    "BoxEvidence",
    "Build",
    "CallResult",
    "Clip",
    "ComparedFunction",
    "Comparison",
    "ComparisonCounts",
    "Corpus",
    "CorpusModel",
    "Difference",
    "Differences",
    "Estimates",
    "Filter",
    "Finding",
    "FunctionDifference",
    "Header",
    "Hit",
    "Import",
    "Key",
    "Layout",
    "Material",
    "MaterialMatch",
    "MaterialPhase",
    "Member",
    "MeshObject",
    "Method",
    "Model",
    "Node",
    "NodeDescription",
    "Outcome",
    "Page",
    "Pair",
    "Piece",
    "Pose",
    "Probe",
    "ReadMode",
    "Reading",
    "ReadingEvidence",
    "Readings",
    "RetroposeError",
    "RootMotion",
    "SamplerReport",
    "Severity",
    "Slot",
    "SlotDescription",
    "Space",
    "Status",
    "Stream",
    "StreamType",
    "Texture",
    "TextureFormat",
    "Trace",
    "TraceCall",
    "TraceSkeleton",
    "Track",
    "Transform",
    "Triangle",
    "Wear",
    "check_sampler",
    "fastproc",
    "library_path",
    "load",
    "ulps_between",
    "version",
]
