/* Does what check_slerp.c does, in C++17, for a sampler of your own in C++. */
#include "raii.hpp"

#include <retropose/retropose.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string_view>

using Quaternion = std::array<float, 4>;

/* ---- what is checked ------------------------------------------------------------------------- */

static double Dot(const Quaternion &a, const Quaternion &b) {
    double dot = 0;
    for (size_t i = 0; i < a.size(); i++)
        dot += double(a[i]) * double(b[i]);
    return dot;
}

/* This slerp is written with doubles, as most people would. It is near the game's, but it cannot
 * have all of its bits, because the game rounds each step to 24 bits. */
static Quaternion OwnSlerp(const Quaternion &a, const Quaternion &b, float t) {
    const double sign = Dot(a, b) < 0 ? -1 : 1, dot = sign * Dot(a, b);
    double from = 1 - double(t), to = double(t);
    if (1 - dot > 1e-5) {
        const double angle = std::acos(dot), sine = std::sin(angle);
        from = std::sin(from * angle) / sine;
        to = std::sin(to * angle) / sine;
    }
    Quaternion result;
    for (size_t i = 0; i < result.size(); i++)
        result[i] = float(from * double(a[i]) + sign * to * double(b[i]));
    return result;
}

/* ---- how it is compared ---------------------------------------------------------------------- */

/* The number of calls, and the numbers of values that are equal, next to each other, and
 * neither. */
struct Tally {
    unsigned calls = 0, same = 0, near = 0, far = 0;
};

/* Returns floats in the order of their values, so that neighbours differ by 1; +0 and -0 are the
 * same. */
static int64_t Rank(float value) {
    int32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits < 0 ? INT64_C(-0x80000000) - bits : bits;
}

static void Compare(const Quaternion &own, const Quaternion &recorded, Tally &tally) {
    for (size_t i = 0; i < own.size(); i++) {
        const int64_t distance = Rank(own[i]) - Rank(recorded[i]);
        tally.same += distance == 0;
        tally.near += distance == 1 || distance == -1;
        tally.far += distance > 1 || distance < -1;
    }
    tally.calls++;
}

static bool IsUnit(const Quaternion &q) {
    return Dot(q, q) > 0.9999 && Dot(q, q) < 1.0001;
}

/* Counts a recorded call if it returned and if a game would make it: under the game's control word,
 * with rotations, and at a time between both. */
static void CheckCall(const RpTraceCall &call, Tally &tally) {
    Quaternion a, b, recorded;
    float t;
    if (std::string_view(call.function) == "ngi32.slot17" && call.control_word == 0x007F &&
        RpTraceCall_Input(&call, "q0", a.data(), a.size()) &&
        RpTraceCall_Input(&call, "q1", b.data(), b.size()) &&
        RpTraceCall_Input(&call, "t", &t, 1) &&
        RpTraceCall_Result(&call, "result", recorded.data(), recorded.size()) && IsUnit(a) &&
        IsUnit(b) && t >= 0 && t <= 1)
        Compare(OwnSlerp(a, b, t), recorded, tally);
}

static Tally Check(const char *path) {
    Handle<RpBuffer, RpBuffer_Free> bytes;
    RpTrace *opened = nullptr;
    Require([&](RpError *error) { return RpFile_Read(path, &bytes, error); });
    Require([&](RpError *error) {
        return RpTrace_Open(bytes.bytes, bytes.size, path, &opened, error);
    });
    const Pointer<RpTrace, RpTrace_Close> trace(opened);
    Tally tally;
    RpTraceCall call;
    for (bool found = true; found;) {
        Require([&](RpError *error) { return RpTrace_Next(trace.get(), &call, &found, error); });
        if (found)
            CheckCall(call, tally);
    }
    return tally;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        std::fputs("usage: check_slerp TRACE\n", stderr);
        return 2;
    }
    try {
        const Tally tally = Check(argv[1]);
        std::printf("%u calls, %u values: %u with the same bits, %u beside them, %u farther away\n",
                    tally.calls, 4 * tally.calls, tally.same, tally.near, tally.far);
    } catch (const std::exception &failure) {
        std::fprintf(stderr, "check_slerp: %s\n", failure.what());
        return 1;
    }
    return 0;
}
