#include "formats/gltf/import/affine.h"

#include <math.h>
#include <string.h>

static const double no_difference = 1e-6;
static const double even_enough = 1e-5;

void Turn_Multiply(const double a[4], const double b[4], double product[4]) {
    const double x = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    const double y = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    const double z = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    const double w = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
    product[0] = x;
    product[1] = y;
    product[2] = z;
    product[3] = w;
}

void Turn_Matrix(const double q[4], double m[9]) {
    double x = q[0], y = q[1], z = q[2], w = q[3];
    double square = x * x + y * y + z * z + w * w, s = square > 0.0 ? 2.0 / square : 0.0;
    const double rows[9] = {
        1.0 - s * (y * y + z * z), s * (x * y - w * z),       s * (x * z + w * y),
        s * (x * y + w * z),       1.0 - s * (x * x + z * z), s * (y * z - w * x),
        s * (x * z - w * y),       s * (y * z + w * x),       1.0 - s * (x * x + y * y)};
    memcpy(m, rows, sizeof rows);
}

void Linear_Apply(const double linear[9], const double vector[3], double result[3]) {
    const double v[3] = {vector[0], vector[1], vector[2]};
    for (int i = 0; i < 3; i++)
        result[i] = linear[3 * i] * v[0] + linear[3 * i + 1] * v[1] + linear[3 * i + 2] * v[2];
}

void Turn_Apply(const double rotation[4], const double vector[3], double result[3]) {
    double matrix[9];
    Turn_Matrix(rotation, matrix);
    Linear_Apply(matrix, vector, result);
}

void Linear_Multiply(const double a[9], const double b[9], double product[9]) {
    double result[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            result[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
    memcpy(product, result, sizeof result);
}

void Linear_Transpose(const double a[9], double result[9]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            result[3 * i + j] = a[3 * j + i];
}

double Linear_Determinant(const double a[9]) {
    return a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) +
           a[2] * (a[3] * a[7] - a[4] * a[6]);
}

bool Linear_IsIdentity(const double a[9]) {
    for (int i = 0; i < 9; i++)
        if (!(fabs(a[i] - (i % 4 == 0 ? 1.0 : 0.0)) <= no_difference))
            return false;
    return true;
}

double Linear_Evenness(const double a[9]) {
    double gram[9], back[9], square = 0.0;
    Linear_Transpose(a, back);
    Linear_Multiply(back, a, gram);
    for (int i = 0; i < 3; i++)
        square += gram[4 * i] / 3.0;
    for (int i = 0; i < 9; i++)
        if (!(fabs(gram[i] - (i % 4 == 0 ? square : 0.0)) <= even_enough * square))
            return 0.0;
    return sqrt(square);
}

bool Linear_Invert(const double a[9], double result[9]) {
    const double determinant = Linear_Determinant(a);
    double inverse[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int k = (i + 1) % 3, l = (i + 2) % 3, m = (j + 1) % 3, n = (j + 2) % 3;
            inverse[3 * j + i] =
                (a[3 * k + m] * a[3 * l + n] - a[3 * k + n] * a[3 * l + m]) / determinant;
        }
    memcpy(result, inverse, sizeof inverse);
    for (int i = 0; i < 9; i++)
        if (!isfinite(inverse[i]))
            return false;
    return true;
}

void Linear_TurnBasis(double linear[9]) {
    static const int from[3] = {0, 2, 1};
    static const double sign[3] = {1.0, -1.0, 1.0};
    double result[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            result[3 * i + j] = sign[i] * sign[j] * linear[3 * from[i] + from[j]];
    memcpy(linear, result, sizeof result);
}

void Affine_Apply(const GltfAffine *map, const double vector[3], double result[3]) {
    Linear_Apply(map->linear, vector, result);
    for (int i = 0; i < 3; i++)
        result[i] += map->offset[i];
}

GltfAffine Affine_Multiply(const GltfAffine *a, const GltfAffine *b) {
    GltfAffine product;
    Linear_Multiply(a->linear, b->linear, product.linear);
    Affine_Apply(a, b->offset, product.offset);
    return product;
}

bool Affine_Invert(const GltfAffine *map, GltfAffine *inverse) {
    const bool can = Linear_Invert(map->linear, inverse->linear);
    Linear_Apply(inverse->linear, map->offset, inverse->offset);
    for (int i = 0; i < 3; i++)
        inverse->offset[i] = 0.0 - inverse->offset[i];
    return can;
}

void Basis_Turn(double vector[3]) {
    const double y = vector[1];
    vector[1] = 0.0 - vector[2];
    vector[2] = y;
}

void Turn_FromLinear(const double a[9], double q[4]) {
    static const double identity[4] = {0.0, 0.0, 0.0, 1.0};
    double columns[3][3];
    for (int c = 0; c < 3; c++) {
        double square = 0.0;
        for (int i = 0; i < 3; i++)
            columns[c][i] = a[3 * i + c];
        for (int before = 0; before < c; before++) {
            double dot = 0.0;
            for (int i = 0; i < 3; i++)
                dot += columns[c][i] * columns[before][i];
            for (int i = 0; i < 3; i++)
                columns[c][i] -= dot * columns[before][i];
        }
        for (int i = 0; i < 3; i++)
            square += columns[c][i] * columns[c][i];
        if (!(square > 1e-24)) {
            memcpy(q, identity, sizeof identity);
            return;
        }
        for (int i = 0; i < 3; i++)
            columns[c][i] /= sqrt(square);
    }
    double m[9];
    for (int i = 0; i < 9; i++)
        m[i] = columns[i % 3][i / 3];
    double sign = Linear_Determinant(m) < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 9; i++)
        m[i] *= sign;

    /* The columns are orthonormal now, and have determinant 1. q is x, y, z, w. */
    const double trace = m[0] + m[4] + m[8];
    if (trace > 0.0) {
        double s = sqrt(trace + 1.0) * 2.0;
        q[3] = s / 4.0;
        q[0] = (m[7] - m[5]) / s;
        q[1] = (m[2] - m[6]) / s;
        q[2] = (m[3] - m[1]) / s;
    } else {
        int i = m[4] > m[0] ? 1 : 0;
        i = m[8] > m[4 * i] ? 2 : i;
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double s = sqrt(1.0 + m[4 * i] - m[4 * j] - m[4 * k]) * 2.0;
        q[i] = s / 4.0;
        q[j] = (m[3 * j + i] + m[3 * i + j]) / s;
        q[k] = (m[3 * k + i] + m[3 * i + k]) / s;
        q[3] = (m[3 * k + j] - m[3 * j + k]) / s;
    }
}
