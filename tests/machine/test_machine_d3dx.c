/* Runs the mathematics of Wine's d3dx9_36.dll, which somebody else has compiled, and compares it
 * with the published definitions (the pages of D3DXMatrixMultiply and similar functions), from
 * which alone the code here was written. The DLL computes on the x87 with the 53 bits that a thread
 * begins with and rounds to binary32 where it stores, which binary64 can do as well; where its
 * compiler stored in between was found by trying. The results agree bit for bit with Debian 12's
 * build; another build is allowed some ulps.
 *
 * Sines and arc cosines are those of ucrtbase.dll, which in the machine are those of this process
 * (machine/services/runtime.c), so that they are the same here. */
#include "foreign.h"

#include "core/digest.h"
#include "core/random.h"
#include "tests/bits.h"
#include "tests/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEBIAN_12  "f01f99d0aa1d8272c764cad1b87470888eb4d81b6effc843375f8f0c9fce1ec1"
#define ROUNDS     2000
#define OTHER_ULPS 8.0 /* the allowed ulps of the largest term, for other builds */

static uint8_t *dll;
static size_t dll_size;
static bool is_debian_12;
static Foreign foreign;
static uint32_t a_at, b_at, out_at;
static uint32_t random_state;

static int Load(MachineEngine engine) {
    foreign = Foreign_Load(engine, "d3dx9_36.dll", dll, dll_size);
    a_at = Foreign_Allocate(&foreign, 3 * 64);
    b_at = a_at + 64;
    out_at = b_at + 64;
    random_state = 2001;
    return 0;
}

static int LoadTranslated(void **state) {
    (void)state;
    return Load(MACHINE_TRANSLATOR);
}

static int LoadInterpreted(void **state) {
    (void)state;
    return Load(MACHINE_INTERPRETER);
}

static int Unload(void **state) {
    (void)state;
    Machine_Destroy(foreign.machine);
    return 0;
}

#define TEST_IN_BOTH(name)                                                                         \
    TEST_TWICE(name, LoadTranslated, " translated", LoadInterpreted, " interpreted", Unload)

/* Returns a random number between −4 and 4. */
static float Random(void) {
    return (float)(int32_t)Random_Lcg32(&random_state) * 0x1p-29f;
}

static void Fill(float *numbers, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = Random();
}

/* Compares two numbers. `scale` is the largest term of the sum that they are. */
static void Is(float found, double expected, double scale) {
    const float rounded = (float)expected;
    if (is_debian_12 ? memcmp(&found, &rounded, sizeof found) != 0
                     : !(fabs(found - expected) <= OTHER_ULPS * 0x1p-23 * (scale + 1)))
        fail_msg("%a, expected %a", found, rounded);
}

/* ---- matrices and vectors -------------------------------------------------------------------- */

TEST_IN_BOTH(MatricesMultiply) {
    float a[16], b[16], out[16];
    for (int round = 0; round < ROUNDS; round++) {
        Fill(a, 16);
        Fill(b, 16);
        Foreign_Put(&foreign, a_at, a, sizeof a);
        Foreign_Put(&foreign, b_at, b, sizeof b);
        assert_int_equal(FOREIGN_CALL(&foreign, "D3DXMatrixMultiply", out_at, a_at, b_at), out_at);
        Foreign_Get(&foreign, out_at, out, sizeof out);
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                double sum = (double)a[4 * i] * b[j];
                for (int k = 1; k < 4; k++)
                    sum += (double)a[4 * i + k] * b[4 * k + j];
                Is(out[4 * i + j], sum, 16);
            }
    }
}

/* Transforms a point with a fourth coordinate of 1, and divides the result by its fourth
 * coordinate. */
TEST_IN_BOTH(VectorsAreTransformed) {
    float vector[3], matrix[16], out[4], divided[3];
    for (int round = 0; round < ROUNDS; round++) {
        Fill(vector, 3);
        Fill(matrix, 16);
        Foreign_Put(&foreign, a_at, vector, sizeof vector);
        Foreign_Put(&foreign, b_at, matrix, sizeof matrix);
        FOREIGN_CALL(&foreign, "D3DXVec3Transform", out_at, a_at, b_at);
        Foreign_Get(&foreign, out_at, out, sizeof out);
        FOREIGN_CALL(&foreign, "D3DXVec3TransformCoord", out_at, a_at, b_at);
        Foreign_Get(&foreign, out_at, divided, sizeof divided);
        double sums[4];
        for (int j = 0; j < 4; j++) {
            sums[j] = (double)matrix[j] * vector[0] + (double)matrix[4 + j] * vector[1] +
                      (double)matrix[8 + j] * vector[2] + matrix[12 + j];
            Is(out[j], sums[j], 16);
        }
        for (int j = 0; j < 3; j++)
            Is(divided[j], sums[j] / sums[3], fabs(16 / sums[3]) * (1 + fabs(sums[j] / sums[3])));
    }
}

TEST_IN_BOTH(VectorsAreNormalized) {
    float vector[3], out[3];
    for (int round = 0; round < ROUNDS; round++) {
        Fill(vector, 3);
        Foreign_Put(&foreign, a_at, vector, sizeof vector);
        FOREIGN_CALL(&foreign, "D3DXVec3Normalize", out_at, a_at);
        Foreign_Get(&foreign, out_at, out, sizeof out);
        const double length = sqrt((double)vector[0] * vector[0] + (double)vector[1] * vector[1] +
                                   (double)vector[2] * vector[2]);
        for (int i = 0; i < 3; i++)
            Is(out[i], vector[i] / length, 1);
    }
}

TEST_IN_BOTH(RotationsAndPerspectivesAreMade) {
    float out[16];
    for (int round = 0; round < ROUNDS; round++) {
        const float angle = Random(), field = (Random() + 4.25f) / 3;
        FOREIGN_CALL(&foreign, "D3DXMatrixRotationY", out_at, Bits(angle));
        Foreign_Get(&foreign, out_at, out, sizeof out);
        const double rotation[16] = {cos(angle), 0, -sin(angle), 0, 0, 1, 0, 0,
                                     sin(angle), 0, cos(angle),  0, 0, 0, 0, 1};
        for (int i = 0; i < 16; i++)
            if (rotation[i] == 0)
                assert_true(out[i] == 0);
            else
                Is(out[i], rotation[i], 1);
        /* width to height 5:4, from 1 to 100 */
        FOREIGN_CALL(&foreign, "D3DXMatrixPerspectiveFovLH", out_at, Bits(field), Bits(1.25f),
                     Bits(1), Bits(100));
        Foreign_Get(&foreign, out_at, out, sizeof out);
        const float tangent = (float)tan(field / 2.0);
        Is(out[5], 1.0 / tangent, 1.0 / tangent);
        Is(out[0], 1.0 / (1.25 * tangent), 1.0 / tangent);
        assert_true(out[11] == 1 && out[15] == 0);
    }
}

/* Inverts products of rotations, scalings and shifts, because these are far from having no inverse.
 * The DLL rounds products of two and of three elements, whose errors add up to no more than
 * stated. */
TEST_IN_BOTH(InversesAreWithinSomeUlps) {
    enum { ULPS = 24 };
    float matrix[16], out[16], determinant;
    for (int round = 0; round < ROUNDS; round++) {
        const float yaw = Random(), scale = (Random() + 4.5f) / 2;
        const float cosine = cosf(yaw) * scale, sine = sinf(yaw) * scale;
        const float filled[16] = {cosine, 0, -sine, 0, 0, scale, 0, 0, sine, 0, cosine, 0};
        memcpy(matrix, filled, sizeof filled);
        Fill(matrix + 12, 3);
        matrix[15] = 1;
        Foreign_Put(&foreign, a_at, matrix, sizeof matrix);
        assert_int_equal(FOREIGN_CALL(&foreign, "D3DXMatrixInverse", out_at, b_at, a_at), out_at);
        Foreign_Get(&foreign, out_at, out, sizeof out);
        Foreign_Get(&foreign, b_at, &determinant, sizeof determinant);
        const double volume = (double)scale * ((double)cosine * cosine + (double)sine * sine);
        assert_true(fabs(determinant - volume) <= ULPS * 0x1p-23 * volume);
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                double sum = 0, largest = 0;
                for (int k = 0; k < 4; k++) {
                    const double term = (double)matrix[4 * i + k] * out[4 * k + j];
                    sum += term;
                    largest = fabs(term) > largest ? fabs(term) : largest;
                }
                assert_true(fabs(sum - (i == j)) <= ULPS * 0x1p-23 * (largest + 1));
            }
    }
    /* a matrix without an inverse */
    memset(matrix, 0, sizeof matrix);
    Foreign_Put(&foreign, a_at, matrix, sizeof matrix);
    assert_int_equal(FOREIGN_CALL(&foreign, "D3DXMatrixInverse", out_at, 0, a_at), 0);
}

/* ---- quaternions ----------------------------------------------------------------------------- */

/* Compares with the product of the second quaternion and the first. */
TEST_IN_BOTH(QuaternionsMultiply) {
    float p[4], q[4], out[4];
    for (int round = 0; round < ROUNDS; round++) {
        Fill(p, 4);
        Fill(q, 4);
        Foreign_Put(&foreign, a_at, p, sizeof p);
        Foreign_Put(&foreign, b_at, q, sizeof q);
        FOREIGN_CALL(&foreign, "D3DXQuaternionMultiply", out_at, a_at, b_at);
        Foreign_Get(&foreign, out_at, out, sizeof out);
        const double x = p[0], y = p[1], z = p[2], w = p[3];
        Is(out[0], q[3] * x + q[0] * w + q[1] * z - q[2] * y, 16);
        Is(out[1], q[3] * y - q[0] * z + q[1] * w + q[2] * x, 16);
        Is(out[2], q[3] * z + q[0] * y - q[1] * x + q[2] * w, 16);
        Is(out[3], q[3] * w - q[0] * x - q[1] * y - q[2] * z, 16);
    }
}

static void Unit(float q[4]) {
    Fill(q, 4);
    const double length =
        sqrt((double)q[0] * q[0] + (double)q[1] * q[1] + (double)q[2] * q[2] + (double)q[3] * q[3]);
    for (int i = 0; i < 4; i++)
        q[i] = (float)(q[i] / length);
}

/* The result is sin((1−t)φ)/sin φ times the first quaternion plus sin(tφ)/sin φ times the second
 * one, or its negative if that is nearer. If the two are so near that the sine is zero, the result
 * is on a straight line. */
TEST_IN_BOTH(QuaternionsAreInterpolated) {
    float p[4], q[4], out[4];
    for (int round = 0; round < ROUNDS; round++) {
        const float t = (Random() + 4) / 8;
        Unit(p);
        Unit(q);
        if (round % 10 == 0) {
            memcpy(q, p, sizeof q);
            q[0] += 0.0009765625f;
        }
        Foreign_Put(&foreign, a_at, p, sizeof p);
        Foreign_Put(&foreign, b_at, q, sizeof q);
        FOREIGN_CALL(&foreign, "D3DXQuaternionSlerp", out_at, a_at, b_at, Bits(t));
        Foreign_Get(&foreign, out_at, out, sizeof out);

        double of_p = 1.0 - t, of_q = t;
        double cosine =
            (double)p[0] * q[0] + (double)p[1] * q[1] + (double)p[2] * q[2] + (double)p[3] * q[3];
        if (cosine < 0) {
            cosine = -cosine;
            of_q = -of_q;
        }
        if (1.0 - cosine > 0.001) {
            const float angle = (float)acos(cosine), sine = (float)sin(angle);
            of_p = (float)((float)sin((double)angle * (float)of_p) / (double)sine);
            of_q = (float)sin(angle * of_q) / (double)sine;
        }
        for (int i = 0; i < 4; i++)
            Is(out[i], of_p * p[i] + of_q * q[i], 2);
    }
}

int main(void) {
    dll = Foreign_Read(FOREIGN_DLL, &dll_size);
    if (!dll) {
        printf("skipped: %s is not there; scripts/setup --all unpacks it\n", FOREIGN_DLL);
        return 77;
    }
    char sum[DIGEST_HEX_BYTES];
    Digest_OfBytes(dll, dll_size, sum);
    is_debian_12 = strcmp(sum, DEBIAN_12) == 0;
    if (!is_debian_12)
        printf("notice: not Debian 12's build, so that %g ulps are allowed\n", OTHER_ULPS);
    int failed = Tests_Run();
    free(dll);
    return failed;
}
