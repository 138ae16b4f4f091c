"""The x87 under a control word, in whole numbers.

A finite number is sign, mantissa and exponent: (-1)^sign * mantissa * 2^exponent, exact however long the mantissa is.
Only rounding makes it shorter. This shares no code with the library: it is the definition of docs/reference/x87.md
once more, written so that every step can be checked by hand, and slow.

Not modelled, and refused: results outside of the range of the x87's 15-bit exponents, which the vectors do not reach,
and NaNs, which the vectors leave out.
"""

from math import isqrt

INFINITE = "infinite"
LEAST, MOST = -16000, 16000  # of the exponents that are allowed
FRACTION = 640  # bits behind the point while a series is summed
PI_66 = 0xC90FDAA22168C234C  # the x87's pi: this many units of 2^-66


class Number:
    __slots__ = ("sign", "mantissa", "exponent")

    def __init__(self, sign, mantissa, exponent):
        self.sign, self.mantissa, self.exponent = sign, mantissa, exponent

    @property
    def is_zero(self):
        return self.mantissa == 0

    @property
    def is_infinite(self):
        return self.mantissa == INFINITE

    def __neg__(self):
        return Number(1 - self.sign, self.mantissa, self.exponent)


def whole(value):
    return Number(int(value < 0), abs(value), 0)


ZERO, ONE = whole(0), whole(1)


def finite(*numbers):
    for number in numbers:
        if number.is_infinite:
            raise ValueError("an infinity, which no vector computes with")


# ---- rounding -----------------------------------------------------------------------------------------


def nearest(mantissa, shift):
    """mantissa / 2^shift, rounded to the nearest whole number, halves to even."""
    if shift <= 0:
        return mantissa << -shift
    kept, rest, half = mantissa >> shift, mantissa & ((1 << shift) - 1), 1 << (shift - 1)
    return kept + (rest > half or (rest == half and kept & 1))


def rounded(number, bits):
    """To so many bits of mantissa, nearest, halves to even; the exponent is not limited."""
    if number.is_zero or number.is_infinite:
        return number
    shift = number.mantissa.bit_length() - bits
    if shift <= 0:
        return number
    result = Number(number.sign, nearest(number.mantissa, shift), number.exponent + shift)
    if not LEAST < result.exponent < MOST:
        raise ValueError("outside of the range of the x87")
    return result


# ---- binary32 -----------------------------------------------------------------------------------------


def load(word):
    """The number that 32 bits stand for."""
    sign, exponent, fraction = word >> 31, word >> 23 & 0xFF, word & 0x7FFFFF
    if exponent == 0xFF:
        if fraction:
            raise ValueError("a NaN, which no vector has")
        return Number(sign, INFINITE, 0)
    if exponent == 0:
        return Number(sign, fraction, -149)
    return Number(sign, fraction | 0x800000, exponent - 150)


def store(number):
    """The 32 bits that `fstp m32` writes."""
    sign = number.sign << 31
    if number.is_infinite:
        return sign | 0x7F800000
    if number.is_zero:
        return sign
    top = number.mantissa.bit_length() + number.exponent  # the number is less than 2^top
    unit = max(top - 24, -149)
    units = nearest(number.mantissa, unit - number.exponent)
    if units == 1 << 24:
        units, unit = units >> 1, unit + 1
    if unit > 104:
        return sign | 0x7F800000
    return sign | (units if units < 1 << 23 else units - (1 << 23) + (unit + 150 << 23))


# ---- arithmetic ---------------------------------------------------------------------------------------


def aligned(a, b):
    exponent = min(a.exponent, b.exponent)
    return (
        (-a.mantissa if a.sign else a.mantissa) << a.exponent - exponent,
        (-b.mantissa if b.sign else b.mantissa) << b.exponent - exponent,
        exponent,
    )


def compare(a, b):
    """Negative, 0 or positive, of the numbers themselves: comparisons do not round."""
    finite(a, b)
    left, right, _ = aligned(a, b)
    return (left > right) - (left < right)


class X87:
    """Operations that round to `bits` of mantissa: 24 under the control word 0x007F."""

    def __init__(self, bits=24):
        self.bits = bits

    def add(self, a, b):
        finite(a, b)
        left, right, exponent = aligned(a, b)
        total = left + right
        if total == 0:  # a zero is negative only where both operands are
            return Number(a.sign & b.sign, 0, 0)
        return rounded(Number(int(total < 0), abs(total), exponent), self.bits)

    def sub(self, a, b):
        return self.add(a, -b)

    def mul(self, a, b):
        finite(a, b)
        product = Number(a.sign ^ b.sign, a.mantissa * b.mantissa, a.exponent + b.exponent)
        return rounded(product, self.bits)

    def div(self, a, b):
        finite(a, b)
        if b.is_zero:
            raise ZeroDivisionError
        shift = max(0, self.bits + 8 + b.mantissa.bit_length() - a.mantissa.bit_length())
        quotient, rest = divmod(a.mantissa << shift, b.mantissa)
        # What is left decides only whether a half is exact, so one bit stands for all of it.
        quotient = quotient << 1 | (rest != 0)
        return rounded(Number(a.sign ^ b.sign, quotient, a.exponent - b.exponent - shift - 1), self.bits)

    def sqrt(self, a):
        finite(a)
        if a.is_zero:
            return a
        if a.sign:
            raise ValueError("the root of a negative number")
        shift = max(0, 2 * self.bits + 16 - a.mantissa.bit_length())
        shift += (a.exponent - shift) & 1
        root = isqrt(a.mantissa << shift)
        inexact = root * root != a.mantissa << shift
        return rounded(Number(0, root << 1 | inexact, (a.exponent - shift) // 2 - 1), self.bits)


# ---- functions ----------------------------------------------------------------------------------------
#
# Processors round fsin, fcos and fpatan to 64 bits, whatever the control word says, and err in the last of these now
# and then. The true value, rounded once, is what is computed here ("ideal").


def fixed(number, bits=FRACTION):
    """The magnitude in units of 2^-bits."""
    shift = number.exponent + bits
    return number.mantissa << shift if shift >= 0 else number.mantissa >> -shift


def series_sine(x, bits):
    """sin(x), x in units of 2^-bits and less than 1."""
    term, total, square, n = x, x, x * x >> bits, 1
    while term:
        term = (term * square >> bits) // ((n + 1) * (n + 2))
        n += 2
        total += -term if n & 2 else term
    return total


def series_cosine(x, bits):
    term, total, square, n = 1 << bits, 1 << bits, x * x >> bits, 0
    while term:
        term = (term * square >> bits) // ((n + 1) * (n + 2))
        n += 2
        total += -term if n & 2 else term
    return total


def reduced(x):
    """The quarter of the circle and what is left of |x|, in units of 2^-bits, and these bits."""
    # A small argument needs as many bits more as it has zeros behind its point.
    bits = FRACTION + max(0, -(x.mantissa.bit_length() + x.exponent))
    magnitude = fixed(x, bits)
    quarter = PI_66 << bits - 67  # pi / 2
    if magnitude <= quarter // 2:
        return 0, magnitude, bits
    turns = (2 * magnitude + quarter) // (2 * quarter)
    return turns, magnitude - turns * quarter, bits


def of_circle(x, quarter_more):
    turns, rest, bits = reduced(x)
    turns += quarter_more
    value = series_cosine(abs(rest), bits) if turns & 1 else series_sine(abs(rest), bits)
    negative = turns & 2 != 0
    if not turns & 1 and rest < 0:
        negative = not negative
    return negative, value, bits


def fsin(x):
    finite(x)
    if x.is_zero or x.mantissa.bit_length() + x.exponent > 63:
        return x  # 2^63 and more are left as they are
    negative, value, bits = of_circle(x, 0)
    return rounded(Number(x.sign ^ negative, value, -bits), 64)


def fcos(x):
    finite(x)
    if x.is_zero:
        return ONE
    if x.mantissa.bit_length() + x.exponent > 63:
        return x
    negative, value, bits = of_circle(x, 1)
    return rounded(Number(int(negative), value, -bits), 64)


def series_arctangent(x, bits):
    """atan(x), x in units of 2^-bits and at most 1: halved until the series is fast."""
    halvings = 0
    while x >> bits - 8:
        x = (x << bits) // ((1 << bits) + isqrt((1 << 2 * bits) + x * x))
        halvings += 1
    term, total, square, n = x, x, x * x >> bits, 1
    while term:
        term = term * square >> bits
        n += 2
        total += -(term // n) if n & 2 else term // n
    return total << halvings


def pi(bits):
    return series_arctangent(1 << bits, bits) * 4


def fpatan(y, x):
    """The angle of the point (x, y), x not negative."""
    finite(x, y)
    if x.sign:
        raise ValueError("no vector has an angle beyond a right one")
    if y.is_zero:
        return y
    above, below = fixed_pair(y, x)
    bits = FRACTION + max(0, below.bit_length() - above.bit_length())
    if above <= below:
        angle = series_arctangent((above << bits) // below, bits)
    else:
        angle = pi(bits) // 2 - series_arctangent((below << bits) // above, bits)
    return rounded(Number(y.sign, angle, -bits), 64)


def fixed_pair(y, x):
    exponent = min(y.exponent, x.exponent)
    return y.mantissa << y.exponent - exponent, x.mantissa << x.exponent - exponent
