"""seed.py RETROPOSE SEEDS: holds the formulas of slots 14, 17 and 22, as `retropose lift` reads
them out of the stand-in, against the text of seed 000, section 4.4. The text is C. It leaves
open three things, which docs/reference/arithmetic.md decides: in which order the terms of a dot
product are summed, how the arc cosine is computed, and that twice a number is that number plus
itself. Products may have their factors in either order. Exit code 77: there are no seeds, or no
stand-in."""
import ast
import glob
import json
import os
import re
import struct
import subprocess
import sys
from fractions import Fraction

ONE = ("const", Fraction(1))
ZERO = ("const", Fraction(0))


def binary32(text):
    """The number that a constant such as 9.9999997e-6f is."""
    return Fraction(struct.unpack("<f", struct.pack("<f", float(text)))[0])


# ---- trees: ("mul", a, b), ("const", number), ("in", name, element), ("call", name, a) ----------


def make(operation, *of):
    """One form for what the text and the arithmetic's page leave open."""
    if operation == "add" and of[0] == of[1]:  # twice a number
        operation, of = "mul", (("const", Fraction(2)), of[0])
    if operation == "neg" and of[0][0] == "const":
        return "const", -of[0][1]
    if operation == "patan":  # the arc cosine, as reading slerp-acos=crt computes it
        c = of[1]
        square = make("mul", ("add", ONE, c), ("sub", ONE, c))
        if of[0] == ("call", "sqrt", square):
            return "call", "acos", c
    if operation == "mul":
        of = tuple(sorted(of, key=repr))
    if operation == "add":
        terms = flatten(("add", *of))
        factors = [term[1:] for term in terms if term[0] == "mul"]
        dot = [(("in", "q0", i), ("in", "q1", i)) for i in range(4)]
        if sorted(factors) == dot and len(terms) == 4:
            return "call", "dot4", "q0", "q1"
    return (operation, *of)


def flatten(tree):
    return flatten(tree[1]) + flatten(tree[2]) if tree[0] == "add" else [tree]


# ---- the seed's text ---------------------------------------------------------------------------


OPERATORS = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div"}


class Text:
    """The statements of a block of C, carried out on trees. `known` are the variables."""

    def __init__(self, text, known):
        self.text = text
        self.paths = []
        self.run(self.parse(), [(dict(known), [])])

    def parse(self):
        tokens = re.findall(r"[{}]|if \(.*?\) (?=\{)|else (?=\{)|[^;{}]+;", self.text)
        tokens = [token.strip() for token in tokens]

        def block(at):
            statements = []
            while at < len(tokens) and tokens[at] != "}":
                if tokens[at].startswith("if"):
                    condition = tokens[at][tokens[at].index("(") + 1:-1]
                    then, at = block(at + 2)
                    otherwise = []
                    if at < len(tokens) and tokens[at] == "else":
                        otherwise, at = block(at + 2)
                    statements.append((condition, then, otherwise))
                else:
                    statements.append(tokens[at][:-1])
                    at += 1
            return statements, at + 1

        return block(0)[0]

    def run(self, statements, states):
        """Takes (variables, conditions) through the statements. Returns what becomes of them."""
        for statement in statements:
            if isinstance(statement, tuple):
                condition, then, otherwise = statement
                after = []
                for known, conditions in states:
                    test = ast.parse(self.plain(condition), mode="eval").body
                    relation = {ast.Lt: "<", ast.LtE: "<="}[type(test.ops[0])]
                    asked = (self.tree(test.left, known), self.tree(test.comparators[0], known))
                    for branch, holds in ((then, True), (otherwise, False)):
                        after += self.run(branch, [(dict(known),
                                                    conditions + [(asked, relation, holds)])])
                states = after
                continue
            statement = re.sub(r"^float\s+", "", statement)
            if "=" not in statement:
                continue  # a declaration alone
            target, value = re.split(r"\s*\*?=\s*", statement, maxsplit=1)
            for known, _ in states:
                tree = self.tree(ast.parse(self.plain(value), mode="eval").body, known)
                known[target.strip()] = (make("mul", known[target.strip()], tree)
                                         if "*=" in statement else tree)
        self.paths = states
        return states

    @staticmethod
    def plain(text):
        return re.sub(r"(?<=[0-9])f\b", "", text.strip())

    def tree(self, node, known):
        if isinstance(node, ast.Constant):
            return "const", binary32(str(node.value))
        if isinstance(node, ast.Name):
            return known[node.id]
        if isinstance(node, ast.UnaryOp):
            return make("neg", self.tree(node.operand, known))
        if isinstance(node, ast.BinOp):
            return make(OPERATORS[type(node.op)], self.tree(node.left, known),
                        self.tree(node.right, known))
        if node.func.id == "dot4":
            return "call", "dot4", "q0", "q1"
        return "call", node.func.id, self.tree(node.args[0], known)


def block_after(seed, words):
    """The block of C behind a line that has these words."""
    return re.search(r"```c\n(.*?)```", seed[seed.index(words):], re.S).group(1)


# ---- what was lifted ---------------------------------------------------------------------------


ARITHMETIC = {"X87_ADD": "add", "X87_SUB": "sub", "X87_MUL": "mul", "X87_DIV": "div",
              "X87_NEG": "neg", "X87_PATAN": "patan"}
FUNCTIONS = {"X87_SIN": "sin", "X87_COS": "cos", "X87_SQRT": "sqrt"}


def trees(expressions):
    made = []
    for expression in expressions:
        operation = expression["op"]
        of = [made[operand] for operand in expression.get("of", ())]
        if operation == "CONSTANT":
            bits = int(expression["value"], 16)
            if expression["bits"] == 80:
                exponent, significand = bits >> 64 & 0x7FFF, bits & (1 << 64) - 1
                number = significand * Fraction(2) ** (exponent - 16383 - 63)
                tree = "const", -number if bits >> 79 else number
            else:
                number = struct.unpack("<f", struct.pack("<I", bits & 0xFFFFFFFF))[0]
                tree = "const", Fraction(number)
        elif operation == "INPUT":
            tree = "in", expression["region"], expression.get("at", 0) // 4
        elif operation in ("X87_LOAD32", "X87_OPERAND32", "X87_LOAD64", "X87_TO_F32"):
            tree = of[0]
        elif operation in ARITHMETIC:
            tree = make(ARITHMETIC[operation], *of)
        elif operation in FUNCTIONS:
            tree = "call", FUNCTIONS[operation], *of
        else:
            tree = (operation, *of)
        made.append(tree)
    return made


def lift(command, slot):
    run = subprocess.run([command, "lift", "stand-in", f"ngi32.slot{slot}", "--json"],
                         capture_output=True, text=True, check=False)
    if "no standin/ beside this program" in run.stderr:
        print("skipped: the stand-in is not built; build the preset windows first")
        sys.exit(77)
    if run.returncode:
        sys.exit(f"slot {slot}: exit code {run.returncode}: {run.stderr}")
    return json.loads(run.stdout)


def outputs(path, made):
    return {output["offset"] // 4: made[output["value"]] for output in path["outputs"]}


def expect(slot, what, wanted, found):
    if wanted != found:
        sys.exit(f"slot {slot}, {what}:\n  the seed has {wanted}\n  lifted is    {found}")


def check_matrix(command, seed):
    known = {name: ("in", "quaternion", i) for i, name in enumerate("wxyz")}
    text = Text(block_after(seed, "`quat_to_matrix` для"), known)
    wanted = text.paths[0][0]
    lifted = lift(command, 14)
    expect(14, "paths", 1, len(lifted["paths"]))
    found = outputs(lifted["paths"][0], trees(lifted["expressions"]))
    for element in range(16):
        expect(14, f"element {element}", wanted[f"m[{element}]"], found[element])
    return 16


def decided(conditions, made):
    """The outcomes that a path's conditions leave to each comparison."""
    left = {}
    for condition in conditions:
        asked = made[condition["left"]], made[condition["right"]]
        outcomes = set(condition["outcomes"])
        swapped = {"less": "greater", "greater": "less"}
        if asked[0][0] == "const":
            asked = asked[::-1]
            outcomes = {swapped.get(outcome, outcome) for outcome in outcomes}
        left[asked] = left.get(asked, {"less", "equal", "greater", "unordered"}) & outcomes
    return left


def check_slerp(command, seed, slot):
    quaternions = [("in", "q0", 0), ("in", "q1", 0)]
    known = {"a": ("in", "t", 0), "q0": quaternions[0], "q1": quaternions[1]}
    text = Text(block_after(seed, "`quat_interp`/`quat_blend`"), known)
    lifted = lift(command, slot)
    made = trees(lifted["expressions"])
    every = {"less", "equal", "greater", "unordered"}
    holds = {"<": {"less"}, "<=": {"less", "equal"}}
    compared = 0
    expect(slot, "paths", len(text.paths), len(lifted["paths"]))
    for variables, conditions in text.paths:
        wanted = {asked: holds[relation] if taken else every - holds[relation]
                  for asked, relation, taken in conditions}
        paths = [path for path in lifted["paths"] if decided(path["conditions"], made) == wanted]
        if len(paths) != 1:
            found = [decided(path["conditions"], made) for path in lifted["paths"]]
            sys.exit(f"slot {slot}: {len(paths)} paths are taken if {wanted}, of\n{found}")
        found = outputs(paths[0], made)
        for element in range(4):
            replaced = repr(variables["out"])
            for name in ("q0", "q1"):
                replaced = replaced.replace(repr(("in", name, 0)), repr(("in", name, element)))
            tree = eval(replaced, {"Fraction": Fraction})  # pylint: disable=eval-used
            expect(slot, f"element {element}", tree, found[element])
            compared += 1
    return compared


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    command, folder = sys.argv[1:]
    names = glob.glob(os.path.join(folder, "000_*.txt"))
    if not names:
        print(f"skipped: there is no seed 000 in {folder}")
        sys.exit(77)
    with open(names[0], encoding="utf-8") as file:
        seed = file.read()
    compared = check_matrix(command, seed)
    for slot in (17, 22):
        compared += check_slerp(command, seed, slot)
    print(f"{compared} formulas of slots 14, 17 and 22 are the seed's")


main()
