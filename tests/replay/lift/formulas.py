"""formulas.py RETROPOSE CALLS FUNCTION[:OPTION,...]...: evaluates the formulas that `retropose lift
--json` prints for the stand-in on CALLS inputs of each function, and compares the results with the
bits that the calls left. Everything is done with whole numbers, and nothing is taken from the
project's code, so an instruction that was lifted or interpreted wrongly shows. Exit code 77: there
is no stand-in."""
import json
import math
import subprocess
import sys

LESS, EQUAL, GREATER, UNORDERED = 1, 2, 4, 8
TOP = 1 << 63
DEFAULT_NAN = 0xFFFF << 64 | 3 << 62
OUTCOMES = {"less": LESS, "equal": EQUAL, "greater": GREATER, "unordered": UNORDERED}


class CannotSay(Exception):
    """An operation that this program does not know."""


# ---- numbers: a finite one is (sign, m, e) = m * 2**e, m >= 0; m == 0 is a zero of that sign ----


def unpack80(value):
    """Returns ("nan", bits), ("inf", sign) or ("finite", sign, m, e)."""
    sign, exponent, significand = value >> 79, value >> 64 & 0x7FFF, value & (1 << 64) - 1
    if exponent == 0x7FFF:
        return ("inf", sign) if significand == TOP else ("nan", value)
    if exponent and not significand & TOP:
        raise CannotSay("a number of 80 bits that is not normal")
    return "finite", sign, significand, max(exponent, 1) - 16383 - 63


def unpack32(value):
    sign, exponent, fraction = value >> 31, value >> 23 & 0xFF, value & 0x7FFFFF
    if exponent == 0xFF:
        return ("inf", sign) if fraction == 0 else ("nan", value)
    return "finite", sign, fraction | (1 << 23 if exponent else 0), max(exponent, 1) - 127 - 23


def round_to(sign, m, e, sticky, precision, least, rounding):
    """Rounds m * 2**e, of which `sticky` says that a little is missing, to `precision` bits, of
    which none is below 2**least. Returns (m, e) with m below 2**precision, or equal to it."""
    drop = max(m.bit_length() - precision, least - e)
    if drop <= 0:
        if sticky:  # the caller gives more bits than any precision
            raise CannotSay("a quotient with too few bits")
        return m, e
    kept, lost = m >> drop, m & (1 << drop) - 1
    half = 1 << (drop - 1)
    if rounding == 0:
        up = lost > half or (lost == half and (sticky or kept & 1))
    elif rounding == 3:
        up = False
    else:
        up = (lost or sticky) and (rounding == 1) == bool(sign)
    return kept + bool(up), e + drop


def overflow(sign, rounding, infinity, largest):
    return largest if rounding == 3 or rounding == (2 if sign else 1) else infinity


def pack80(sign, m, e, sticky, control):
    precision, rounding = {0: 24, 2: 53, 3: 64}[control >> 8 & 3], control >> 10 & 3
    m, e = round_to(sign, m, e, sticky, precision, -1 << 30, rounding)
    if m == 0:
        return sign << 79
    shift = 64 - m.bit_length()
    m, e = (m << shift, e - shift) if shift >= 0 else (m >> -shift, e - shift)
    exponent = e + 63 + 16383
    if exponent < 1:
        raise CannotSay("a denormal number of 80 bits")
    if exponent >= 0x7FFF:
        largest = 0x7FFE << 64 | ((1 << precision) - 1) << 64 - precision
        return sign << 79 | overflow(sign, rounding, 0x7FFF << 64 | TOP, largest)
    return sign << 79 | exponent << 64 | m


def pack_binary(sign, m, e, sticky, rounding, precision, exponent_bits):
    """Rounds to binary32 or binary64."""
    bias = (1 << exponent_bits - 1) - 1
    m, e = round_to(sign, m, e, sticky, precision, 2 - bias - precision, rounding)
    if m.bit_length() > precision:
        m, e = m >> 1, e + 1
    width = precision - 1
    infinity = (1 << exponent_bits) - 1 << width
    if m == 0:
        return sign << width + exponent_bits
    shift = min(precision - m.bit_length(), e - (2 - bias - precision))
    m, e = m << shift, e - shift
    if m.bit_length() < precision:
        bits = m
    else:
        exponent = e + width + bias
        bits = exponent << width | m - (1 << width)
        if exponent >= (1 << exponent_bits) - 1:
            bits = overflow(sign, rounding, infinity, infinity - 1)
    return sign << width + exponent_bits | bits


# ---- arithmetic --------------------------------------------------------------------------------


def add(a, b, rounding):
    """Of two finite numbers. Returns (sign, m, e, sticky)."""
    (_, sa, ma, ea), (_, sb, mb, eb) = a, b
    e = min(ea, eb)
    total = (-ma if sa else ma) * (1 << ea - e) + (-mb if sb else mb) * (1 << eb - e)
    if total == 0:
        return (sa if sa == sb and ma == mb == 0 else int(rounding == 1)), 0, 0, False
    return int(total < 0), abs(total), e, False


def divide(a, b):
    (_, sa, ma, ea), (_, sb, mb, eb) = a, b
    quotient, rest = divmod(ma << 140, mb)
    return sa ^ sb, quotient, ea - eb - 140, rest != 0


def root(a):
    _, _, m, e = a
    shift = 160 + (e & 1)
    n = m << shift
    low = math.isqrt(n)
    return 0, low, (e - shift) // 2, low * low != n


def arithmetic(operation, a, b, rounding):
    """Returns "invalid", ("inf", sign) or (sign, m, e, sticky); no operand is a NaN."""
    if operation == "SUB":
        b = ("inf", 1 - b[1]) if b[0] == "inf" else ("finite", 1 - b[1], b[2], b[3])
        operation = "ADD"
    infinite = a[0] == "inf", b[0] == "inf"
    sign = a[1] ^ b[1]
    if operation == "ADD":
        if any(infinite):
            return "invalid" if all(infinite) and sign else a if infinite[0] else b
        return add(a, b, rounding)
    if operation == "MUL":
        if any(infinite):
            zero = (not infinite[0] and a[2] == 0) or (not infinite[1] and b[2] == 0)
            return "invalid" if zero else ("inf", sign)
        return sign, a[2] * b[2], a[3] + b[3], False
    if infinite[0]:
        return "invalid" if infinite[1] else ("inf", sign)
    if infinite[1]:
        return sign, 0, 0, False
    if b[2] == 0:
        return "invalid" if a[2] == 0 else ("inf", sign)
    return divide(a, b)


QUIET = 1 << 62


def x87_nan(operands):
    """The NaN that the x87 gives for operands of which one is a NaN or both are."""
    nans = [value for value in operands if unpack80(value)[0] == "nan"]
    if len(nans) == 2:
        quiet = [value for value in nans if value & QUIET]
        if len(quiet) == 1:
            nans = quiet
        else:  # the larger significand; of two equal ones the positive
            nans.sort(key=lambda value: (value & (1 << 64) - 1, -(value >> 79)))
    return nans[-1] | QUIET


def x87(operation, control, a, b=None):
    operands = [unpack80(a)] if b is None else [unpack80(a), unpack80(b)]
    if any(operand[0] == "nan" for operand in operands):
        return x87_nan([a] if b is None else [a, b])
    if operation == "SQRT":
        kind, sign = operands[0][:2]
        if kind == "finite" and operands[0][2] == 0:
            return a
        if sign:
            return DEFAULT_NAN
        if kind == "inf":
            return a
        return pack80(*root(operands[0]), control)
    result = arithmetic(operation, *operands, control >> 10 & 3)
    if result == "invalid":
        return DEFAULT_NAN
    if result[0] == "inf":
        return result[1] << 79 | 0x7FFF << 64 | TOP
    return pack80(*result, control)


def sse(operation, control, a, b=None):
    rounding = control >> 13 & 3
    quiet = 1 << 22
    if control & 0x8040:
        raise CannotSay("flush to zero")
    operands = [unpack32(a)] if b is None else [unpack32(a), unpack32(b)]
    if operation in ("MIN", "MAX"):
        order = compare(*operands)
        return a if order == (LESS if operation == "MIN" else GREATER) else b
    for operand in operands:
        if operand[0] == "nan":
            return operand[1] | quiet
    if operation == "SQRT":
        if operands[0][0] == "finite" and operands[0][2] == 0:
            return a
        if operands[0][1]:
            return 0xFFC00000
        if operands[0][0] == "inf":
            return a
        result = root(operands[0])
    else:
        result = arithmetic(operation, *operands, rounding)
    if result == "invalid":
        return 0xFFC00000
    if result[0] == "inf":
        return result[1] << 31 | 0x7F800000
    return pack_binary(*result, rounding, 24, 8)


def compare(a, b):
    if a[0] == "nan" or b[0] == "nan":
        return UNORDERED

    def key(of, e):
        if of[0] == "inf":
            return (-1 if of[1] else 1), 0
        value = of[2] << of[3] - e
        return 0, -value if of[1] else value

    e = min(of[3] for of in (a, b, ("finite", 0, 0, 0)) if of[0] == "finite")
    left, right = key(a, e), key(b, e)
    return LESS if left < right else GREATER if left > right else EQUAL


def load(value, unpack, fraction_bits, quietens):
    """A binary32 or binary64 as a number of 80 bits."""
    number = unpack(value)
    if number[0] == "inf":
        return number[1] << 79 | 0x7FFF << 64 | TOP
    if number[0] == "nan":
        fraction = value & (1 << fraction_bits) - 1
        sign = value >> (31 if fraction_bits == 23 else 63)
        loaded = sign << 79 | 0x7FFF << 64 | TOP | fraction << 63 - fraction_bits
        return loaded | QUIET if quietens else loaded
    _, sign, m, e = number
    return pack80(sign, m, e, False, 0x0300)


def unpack64(value):
    sign, exponent, fraction = value >> 63, value >> 52 & 0x7FF, value & (1 << 52) - 1
    if exponent == 0x7FF:
        return ("inf", sign) if fraction == 0 else ("nan", value)
    return "finite", sign, fraction | (1 << 52 if exponent else 0), max(exponent, 1) - 1023 - 52


def store(value, control, precision, exponent_bits):
    number = unpack80(value)
    width = precision - 1
    infinity = (1 << exponent_bits) - 1 << width
    if number[0] == "nan":
        fraction = (value & (1 << 63) - 1) >> 64 - precision | 1 << width - 1
        return value >> 79 << width + exponent_bits | infinity | fraction
    if number[0] == "inf":
        return number[1] << width + exponent_bits | infinity
    return pack_binary(*number[1:], False, control >> 10 & 3, precision, exponent_bits)


def to_integer(value, bits, rounding):
    number = unpack80(value)
    indefinite = 1 << bits - 1
    if number[0] != "finite":
        return indefinite
    _, sign, m, e = number
    whole, e = round_to(sign, m, e, False, 1 << 30, 0, rounding) if e < 0 else (m, e)
    whole <<= max(e, 0)
    whole = -whole if sign else whole
    return whole & (1 << bits) - 1 if -indefinite <= whole < indefinite else indefinite


def signed(value, bits):
    return value - (1 << bits) if value >> bits - 1 else value


# ---- expressions -------------------------------------------------------------------------------


class Call:
    """The expressions of a function for the inputs of one call."""

    def __init__(self, expressions, inputs):
        self.expressions, self.inputs = expressions, inputs
        self.values = [None] * len(expressions)

    def value(self, number):
        if self.values[number] is None:
            expression = self.expressions[number]
            operands = [self.value(operand) for operand in expression.get("of", ())]
            self.values[number] = self.evaluate(expression, operands)
        return self.values[number]

    def bytes(self, region, offset, bits):
        given = self.inputs.get(region)
        if given is None or offset < 0 or offset + bits // 8 > len(given):
            raise CannotSay(f"no input {region}+{offset}")
        return int.from_bytes(given[offset:offset + bits // 8], "little")

    def evaluate(self, expression, of):
        operation, bits = expression["op"], expression["bits"]
        control, at = expression.get("control", 0), expression.get("at", 0)
        mask = (1 << bits) - 1
        family, _, word = operation.partition("_")
        if operation == "CONSTANT":
            return int(expression["value"], 16)
        if operation == "INPUT":
            return self.bytes(expression["region"], at, bits)
        if operation == "LOAD":
            return self.bytes(expression["region"], signed(of[0], 32), bits)
        if family == "X87" and word in ("ADD", "SUB", "MUL", "DIV", "SQRT"):
            return x87(word, control, *of)
        if family == "SSE" and word in ("ADD", "SUB", "MUL", "DIV", "SQRT", "MIN", "MAX"):
            if bits != 32:
                raise CannotSay("binary64 in SSE")
            return sse(word, control, *of)
        if operation in ("X87_LOAD32", "X87_OPERAND32"):
            return load(of[0], unpack32, 23, word == "LOAD32")
        if operation in ("X87_LOAD64", "X87_OPERAND64"):
            return load(of[0], unpack64, 52, word == "LOAD64")
        if operation == "X87_FROM_INTEGER":
            source = self.expressions[expression["of"][0]]["bits"]
            whole = signed(of[0], source)
            return pack80(int(whole < 0), abs(whole), 0, False, 0x0300)
        if operation == "X87_NEG":
            return of[0] ^ 1 << 79
        if operation == "X87_ABS":
            return of[0] & (1 << 79) - 1
        if operation == "X87_TO_F32":
            return store(of[0], control, 24, 8)
        if operation == "X87_TO_F64":
            return store(of[0], control, 53, 11)
        if operation == "X87_TO_INTEGER":
            return to_integer(of[0], bits, control >> 10 & 3)
        if operation == "COMPARE_X87":
            return compare(unpack80(of[0]), unpack80(of[1]))
        if operation == "ADD":
            return of[0] + of[1] & mask
        if operation == "MUL":
            return of[0] * of[1] & mask
        if operation == "AND":
            return of[0] & of[1]
        if operation == "OR":
            return of[0] | of[1]
        if operation == "XOR":
            return of[0] ^ of[1]
        if operation == "SHL":
            return of[0] << of[1] & mask
        if operation == "SHR":
            return of[0] >> of[1]
        if operation == "SAR":
            return signed(of[0], bits) >> of[1] & mask
        if operation == "EXTRACT":
            return of[0] >> at & mask
        if operation == "CONCAT":
            return of[0] | of[1] << self.expressions[expression["of"][0]]["bits"]
        if operation == "ZERO_EXTEND":
            return of[0]
        if operation == "SIGN_EXTEND":
            return signed(of[0], self.expressions[expression["of"][0]]["bits"]) & mask
        raise CannotSay(operation)

    def holds(self, condition):
        left, right = self.value(condition["left"]), self.value(condition["right"])
        bits = self.expressions[condition["left"]]["bits"]
        if condition["order"] == "x87":
            outcome = compare(unpack80(left), unpack80(right))
        elif condition["order"] == "sse":
            unpack = unpack32 if bits == 32 else unpack64
            outcome = compare(unpack(left), unpack(right))
        else:
            if condition["order"] == "signed":
                left, right = signed(left, bits), signed(right, bits)
            outcome = LESS if left < right else GREATER if left > right else EQUAL
        return any(OUTCOMES[word] == outcome for word in condition["outcomes"])


def place(of):
    return of["place"], of.get("region"), of.get("offset")


def check(lifted):
    """Says how many calls were compared. Ends the program at the first difference. A call whose
    path has an operation that is not known here, such as the arc tangent, is not compared."""
    expressions, function = lifted["expressions"], lifted["function"]
    compared, unknown = 0, {}
    for number, made in enumerate(lifted["calls"]):
        if not made["returned"]:
            sys.exit(f"{function}: call {number} did not return")
        inputs = {name: bytes.fromhex(text) for name, text in made["input"].items()}
        call = Call(expressions, inputs)
        taken = [path for path in lifted["paths"]
                 if all(call.holds(condition) for condition in path["conditions"])]
        if len(taken) != 1:
            sys.exit(f"{function}: call {number} fulfils the conditions of {len(taken)} paths")
        try:
            wanted = {place(output): call.value(output["value"]) for output in taken[0]["outputs"]}
        except CannotSay as operation:
            unknown[str(operation)] = unknown.get(str(operation), 0) + 1
            continue
        left = {place(output): int(output["bits"], 16) for output in made["left"]}
        if wanted != left:
            for where in sorted(set(wanted) | set(left), key=str):
                if wanted.get(where) != left.get(where):
                    sys.exit(f"{function}: call {number}, {where}: the formula gives "
                             f"{wanted.get(where):#x}, the call left {left.get(where):#x}")
        compared += 1
    if compared == 0:
        sys.exit(f"{function}: no call was compared, because of {', '.join(unknown)}")
    return f"{compared} calls have the same bits" + "".join(
        f", {count} not compared ({operation})" for operation, count in sorted(unknown.items()))


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    command, calls, functions = sys.argv[1], sys.argv[2], sys.argv[3:]
    for word in functions:
        function, _, rest = word.partition(":")
        options = rest.split(",") if rest else []
        run = subprocess.run([command, "lift", "stand-in", function, "--json", "--calls", calls,
                              *options], capture_output=True, text=True, check=False)
        if "no standin/ beside this program" in run.stderr:
            print("skipped: the stand-in is not built; build the preset windows first")
            sys.exit(77)
        if run.returncode != 0:
            sys.exit(f"{word}: exit code {run.returncode}: {run.stderr}")
        lifted = json.loads(run.stdout)
        print(f"{word}: {len(lifted['paths'])} paths, {check(lifted)}", flush=True)


main()
