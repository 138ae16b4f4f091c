"""What the sources say about the house: which folder and which file uses which other one."""
import json
import os
import re
import shlex
import subprocess
from collections import defaultdict

PRODUCT = "core exports ngi32 animesh tracefile machine formats siblings dll replay game bindings/viewer cli".split()
SOURCE = (".c", ".h", ".S", ".inc")

INCLUDES = "includes it"  # why a file uses another one; the other reasons name a symbol

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.S)
# A definition of a public function: it begins in the first column and is no prototype.
DEFINITION = re.compile(r"^(?!return\b)(?:[A-Za-z_][\w \t*]*[ \t*])?(Rp[A-Z]\w*)\([^;{]*\)\s*\{", re.M)
CALL = re.compile(r"\b(Rp[A-Z]\w*)\b")


def unit(path):
    """A file for the test of circles: a header and its source are one, whatever the system."""
    stem = os.path.splitext(path)[0]
    return re.sub(r"_(posix|windows|machine)$", "", stem)


def read_list(path):
    """Lines `folder -> folder...`: {folder: [folders]}, in the order of the file."""
    edges = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            line = line.split("#")[0].strip()
            if line:
                name, _, targets = line.partition("->")
                if name.strip() in edges:
                    raise SystemExit(f"{path}: {name.strip()} has two lines")
                edges[name.strip()] = targets.split()
    return edges


def reachable(edges, start):
    """All folders that `start` may use: those of its line, and those that these may use."""
    found, waiting = set(), list(edges.get(start, ()))
    while waiting:
        folder = waiting.pop()
        if folder not in found:
            found.add(folder)
            waiting.extend(edges.get(folder, ()))
    return found


def circles(graph):
    """The strongly connected components of more than one node, each sorted (Tarjan, no recursion)."""
    index, low, on_stack, stack, found = {}, {}, set(), [], []
    for root in sorted(graph):
        if root in index:
            continue
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        work = [(root, iter(sorted(graph.get(root, ()))))]
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    on_stack.add(target)
                    work.append((target, iter(sorted(graph.get(target, ())))))
                    break
                if target in on_stack:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    component = []
                    while True:
                        member = stack.pop()
                        on_stack.discard(member)
                        component.append(member)
                        if member == node:
                            break
                    if len(component) > 1:
                        found.append(sorted(component))
    return sorted(found)


class House:
    """The sources below `root`, and with `build` the objects that a build made of them."""

    def __init__(self, root, build=None):
        self.root = root
        self.files = []  # of the product's folders, relative to the root
        self.uses = defaultdict(set)  # (file, file used) -> why
        self.neighbours = []  # includes by a path that is not the one from the root
        self.objects = 0
        for top in PRODUCT:
            for folder, folders, names in os.walk(os.path.join(root, top)):
                folders[:] = sorted(f for f in folders if f != "node_modules")
                for name in sorted(names):
                    self.files.append(os.path.relpath(os.path.join(folder, name), root))
        self._read_sources()
        if build:
            self._read_objects(build)

    def _read_sources(self):
        known = set(self.files)
        defined, called = {}, defaultdict(set)
        for path in self.files:
            if not path.endswith(SOURCE):
                continue
            with open(os.path.join(self.root, path), encoding="utf-8") as file:
                text = file.read()
            for name in INCLUDE.findall(text):
                beside = os.path.join(os.path.dirname(path), name)
                if name in known:
                    self.uses[path, name].add(INCLUDES)
                elif beside in known:
                    self.neighbours.append(f'{path} includes "{name}", not "{beside}"')
            text = COMMENT.sub(" ", text)
            if path.endswith(".c"):
                for name in DEFINITION.findall(text):
                    defined[name] = path
            for name in CALL.findall(text):
                called[name].add(path)
        # A public header does not say whose functions it declares; who defines them does.
        for name, definer in defined.items():
            for path in called[name]:
                if path != definer and not path.endswith(".h"):
                    self.uses[path, definer].add(f"calls {name}")

    def _read_objects(self, build):
        with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
            commands = json.load(file)
        known = set(self.files)
        objects = {}
        for command in commands:
            path = os.path.relpath(os.path.join(command["directory"], command["file"]), self.root)
            if path in known:
                words = shlex.split(command["command"])
                name = os.path.join(command["directory"], words[words.index("-o") + 1])
                if os.path.exists(name):  # else it belongs to what this build leaves out
                    objects[name] = path
        if not objects:
            raise SystemExit(f"{build} has no object of the product")
        defined, wanted = {}, defaultdict(set)
        output = subprocess.run(["nm", "-A", "-P", *objects], check=True, text=True,
                                stdout=subprocess.PIPE).stdout
        for line in output.splitlines():
            name, _, rest = line.partition(": ")
            symbol, kind = rest.split()[:2]
            if kind == "U":
                wanted[symbol].add(objects[name])
            elif kind.isupper() and kind not in "VW":
                defined.setdefault(symbol, set()).add(objects[name])
        for symbol, definers in defined.items():
            if len(definers) == 1:  # a name that two programs define tells of no use
                definer = next(iter(definers))
                for path in wanted[symbol]:
                    if path != definer:
                        self.uses[path, definer].add(f"uses the symbol {symbol}")
        self.objects = len(objects)

    def folder_edges(self):
        """{(folder, folder): example}"""
        edges = {}
        for (path, target), reasons in sorted(self.uses.items()):
            key = os.path.dirname(path), os.path.dirname(target)
            if key[0] != key[1]:
                edges.setdefault(key, f"{path} -> {target} ({sorted(reasons)[0]})")
        return edges

    def file_circles(self):
        """The circles of files as lines `includes: file file...` and `symbols: file file...`."""
        includes, symbols = defaultdict(set), defaultdict(set)
        for (path, target), reasons in self.uses.items():
            if unit(path) != unit(target):
                if INCLUDES in reasons:
                    includes[unit(path)].add(unit(target))
                if reasons - {INCLUDES}:
                    symbols[unit(path)].add(unit(target))
        return [f"{kind}: {' '.join(circle)}"
                for kind, graph in (("includes", includes), ("symbols", symbols))
                for circle in circles(graph)]

    def explain(self, circle):
        """Why the files of a line of file_circles() use each other."""
        kind, _, members = circle.partition(": ")
        members = members.split()
        for (path, target), reasons in sorted(self.uses.items()):
            if unit(path) in members and unit(target) in members and unit(path) != unit(target):
                for reason in sorted(reasons):
                    if (reason == INCLUDES) == (kind == "includes"):
                        yield f"{path} -> {target} ({reason})"
