/* Rotations, linear and affine maps, in binary64. Quaternions are x, y, z, w, as in glTF. */
#ifndef RETROPOSE_FORMATS_GLTF_IMPORT_AFFINE_H
#define RETROPOSE_FORMATS_GLTF_IMPORT_AFFINE_H

#include <stdbool.h>

/* A linear map is row-major. An affine one is a linear one, and then a translation. */
typedef struct GltfAffine {
    double linear[9], offset[3];
} GltfAffine;

/* A result may be one of the operands. */
void Turn_Multiply(const double a[4], const double b[4], double product[4]);
/* The quaternion need not be of length 1. */
void Turn_Matrix(const double q[4], double m[9]);
void Turn_Apply(const double rotation[4], const double vector[3], double result[3]);
/* Gives the rotation in a linear map by Gram and Schmidt's method; the identity where there is
 * none. Of a map that mirrors, it is the rotation in its opposite. */
void Turn_FromLinear(const double a[9], double q[4]);

void Linear_Apply(const double linear[9], const double vector[3], double result[3]);
void Linear_Multiply(const double a[9], const double b[9], double product[9]);
void Linear_Transpose(const double a[9], double result[9]); /* into another map */
double Linear_Determinant(const double a[9]);
bool Linear_IsIdentity(const double a[9]);
/* Returns by how much the map scales, if it scales all directions alike, else 0. */
double Linear_Evenness(const double a[9]);
/* The result is false, and no numbers, where there is no inverse. */
bool Linear_Invert(const double a[9], double result[9]);

void Affine_Apply(const GltfAffine *map, const double vector[3], double result[3]);
GltfAffine Affine_Multiply(const GltfAffine *a, const GltfAffine *b);
bool Affine_Invert(const GltfAffine *map, GltfAffine *inverse);

/* Turns (x, y, z) into (x, -z, y), and the axes of a linear map in the same way. */
void Basis_Turn(double vector[3]);
void Linear_TurnBasis(double linear[9]);

#endif
