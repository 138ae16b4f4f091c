"""The Python package `retropose`, which the zip carries, and the C library that it calls."""

from __future__ import annotations

import os

import bpy

from .lib import retropose

ADD_ON = __package__


def preferences():
    """This add-on's preferences, or None where it runs without being installed."""
    add_on = bpy.context.preferences.addons.get(ADD_ON)
    return add_on.preferences if add_on else None


def load():
    """The package, with its library loaded. RetroposeError says where the library was looked for."""
    chosen = preferences()
    path = bpy.path.abspath(chosen.library) if chosen and chosen.library else ""
    if path and not os.path.isfile(path):
        raise retropose.RetroposeError(
            retropose.Status.NOT_FOUND,
            "the library that the add-on's preferences name is not there",
            path,
            "libretropose.so.1 or retropose-1.dll",
        )
    retropose.load(path or None)
    return retropose


Error = retropose.RetroposeError
