"""The synthetic corpus: models like the game's, made up, for trying things out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import List

from .readings import AnyReadings


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


class Corpus:
    """435 models in libraries. The same seed gives the same bytes on every machine."""

    def __init__(self, seed: int = 1, readings: AnyReadings = None) -> None:
        raise NotImplementedError

    @property
    def models(self) -> List[CorpusModel]:
        raise NotImplementedError

    @property
    def libraries(self) -> List[str]:
        raise NotImplementedError

    def model(self, name: "int | str") -> bytes:
        """The bytes of a model (`.msh`)."""
        raise NotImplementedError

    def library(self, name: "int | str") -> bytes:
        """The bytes of an NRes library (`.rlb`)."""
        raise NotImplementedError

    def rsli(self) -> bytes:
        """The bytes of an RsLi library that uses every packing method."""
        raise NotImplementedError
