"""The synthetic corpus: models like the game's, made up, for trying things out."""

from __future__ import annotations

import ctypes
import weakref
from dataclasses import dataclass
from typing import Any, List

from . import _abi
from .archive import Archive, Layout, _NRes
from .errors import RetroposeError, Status
from .library import Buffer, attempt, call, text, whole
from .readings import AnyReadings, Readings


@dataclass(frozen=True)
class CorpusModel:
    index: int
    name: str
    library: str
    nodes: int
    frames: int
    keys: int
    slots: int
    batches: int
    triangles: int


def _free(corpus: Any) -> None:
    call("RpCorpus_Free", corpus)


class Corpus:
    """435 models in libraries. The same seed gives the same bytes on every machine."""

    def __init__(self, seed: int = 1, readings: AnyReadings = None) -> None:
        options = _abi.RpCorpusOptions(
            whole(seed, "the seed", 0xFFFFFFFFFFFFFFFF), Readings(readings).raw
        )
        self._raw = ctypes.c_void_p()
        attempt("RpCorpus_New", options, None, ctypes.byref(self._raw))
        weakref.finalize(self, _free, self._raw)

    @property
    def models(self) -> List[CorpusModel]:
        found = []
        for index in range(_abi.RP_CORPUS_MODELS):
            raw = call("RpCorpus_ModelInfo", self._raw, index)
            found.append(
                CorpusModel(
                    index, text(raw.name), text(raw.library), raw.nodes, raw.frames, raw.keys,
                    raw.slots, raw.batches, raw.triangles,
                )
            )
        return found

    @property
    def libraries(self) -> List[str]:
        return [
            text(call("RpCorpus_LibraryName", index))
            for index in range(call("RpCorpus_LibraryCount"))
        ]

    def model(self, name: "int | str") -> bytes:
        """The bytes of a model (`.msh`)."""
        if isinstance(name, str):
            index = call("RpCorpus_FindModel", self._raw, name.encode())
            if index < 0:
                raise RetroposeError(
                    Status.NOT_FOUND, "the corpus has no model of this name", found=name
                )
        else:
            index = whole(name, "the model", _abi.RP_CORPUS_MODELS - 1)
        with Archive.new("nres") as file:
            assert isinstance(file, _NRes)
            attempt("RpCorpus_Model", self._raw, index, file.writable())
            return file.to_bytes(Layout.CANONICAL)

    def library(self, name: "int | str") -> bytes:
        """The bytes of an NRes library (`.rlb`)."""
        names = self.libraries
        if isinstance(name, str):
            if name not in names:
                raise RetroposeError(
                    Status.NOT_FOUND, "the corpus has no library of this name",
                    expected=" ".join(names), found=name,
                )
            name = names.index(name)
        with Buffer() as buffer:
            index = whole(name, "the library", len(names) - 1)
            attempt("RpCorpus_Library", self._raw, index, buffer.raw)
            return buffer.take()

    def rsli(self) -> bytes:
        """The bytes of an RsLi library that uses every packing method."""
        with Buffer() as buffer:
            attempt("RpCorpus_RsLi", self._raw, buffer.raw)
            return buffer.take()
