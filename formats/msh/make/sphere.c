/* Finds the smallest sphere around points.
 *
 * At most four of the points determine the sphere; they are called holders. The search begins with
 * one point as the only holder. In each step, the point farthest outside becomes a holder, and the
 * smallest sphere around the holders (five at most) decides which of them stay. The radius only
 * grows, so this ends with the smallest sphere around all points. The radius of a sphere is always
 * the farthest distance from its centre. So rounding can make it a little too large, but never
 * leave a point outside. */
#include "formats/msh/make/make.h"
#include "ngi32/processor/modes.h"

#include <math.h>

enum { MAX_HOLDERS = 5, MAX_ROUNDS = 1000 };

typedef struct Ball {
    double centre[3], squared;
    double holders[MAX_HOLDERS][3];
    int count;
} Ball;

static double Dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void Subtract(const double a[3], const double b[3], double difference[3]) {
    for (int i = 0; i < 3; i++)
        difference[i] = a[i] - b[i];
}

static double SquaredDistance(const double a[3], const double b[3]) {
    double d[3];
    Subtract(a, b, d);
    return Dot(d, d);
}

/* Computes the centre that has the same distance from all points and lies in their own line, plane
 * or space. With edges e from the first point, centre = first + sum of x e, where e_i . sum = e_i .
 * e_i / 2. */
static bool Circumcentre(const double (*points)[3], int count, double centre[3]) {
    double edges[3][3], matrix[3][4], weights[3];
    for (int i = 1; i < count; i++)
        Subtract(points[i], points[0], edges[i - 1]);
    for (int row = 0; row < count - 1; row++) {
        for (int column = 0; column < count - 1; column++)
            matrix[row][column] = Dot(edges[row], edges[column]);
        matrix[row][count - 1] = Dot(edges[row], edges[row]) / 2;
    }

    /* The weights are found by Gaussian elimination with pivots, unless the points do not span so
     * many dimensions. */
    const int size = count - 1;
    for (int column = 0; column < size; column++) {
        int pivot = column;
        for (int row = column + 1; row < size; row++)
            if (fabs(matrix[row][column]) > fabs(matrix[pivot][column]))
                pivot = row;
        if (matrix[pivot][column] == 0)
            return false;
        double swap[4];
        memcpy(swap, matrix[pivot], sizeof swap);
        memcpy(matrix[pivot], matrix[column], sizeof swap);
        memcpy(matrix[column], swap, sizeof swap);
        for (int row = column + 1; row < size; row++) {
            double factor = matrix[row][column] / matrix[column][column];
            for (int i = column; i <= size; i++)
                matrix[row][i] -= factor * matrix[column][i];
        }
    }
    for (int row = size - 1; row >= 0; row--) {
        double sum = matrix[row][size];
        for (int i = row + 1; i < size; i++)
            sum -= matrix[row][i] * weights[i];
        weights[row] = sum / matrix[row][row];
    }
    for (int i = 0; i < 3; i++) {
        centre[i] = points[0][i];
        for (int e = 0; e < count - 1; e++)
            centre[i] += weights[e] * edges[e][i];
    }
    return Make_IsFinite(centre[0]) && Make_IsFinite(centre[1]) && Make_IsFinite(centre[2]);
}

/* Makes the ball the smallest one around its holders, with as few holders as possible. */
static void Tighten(Ball *ball) {
    Ball best = *ball;
    best.squared = INFINITY;
    for (unsigned subset = 1; subset < 1U << ball->count; subset++) {
        Ball candidate = {.count = 0};
        for (int i = 0; i < ball->count; i++)
            if (subset >> i & 1U)
                memcpy(candidate.holders[candidate.count++], ball->holders[i],
                       sizeof ball->holders[i]);
        if (candidate.count == MAX_HOLDERS ||
            !Circumcentre((const double(*)[3])candidate.holders, candidate.count, candidate.centre))
            continue;
        candidate.squared = 0;
        for (int i = 0; i < ball->count; i++)
            candidate.squared =
                fmax(candidate.squared, SquaredDistance(ball->holders[i], candidate.centre));
        if (candidate.squared < best.squared)
            best = candidate;
    }
    if (best.squared < INFINITY)
        *ball = best;
}

/* ---- many points ----------------------------------------------------------------------------- */

typedef struct Cloud {
    const float (*points)[3];
    uint32_t count;
    double origin[3]; /* origin of the computation: the middle of the box */
} Cloud;

static double Farthest(const Cloud *cloud, const double centre[3], double farthest[3]) {
    double squared = -1;
    for (uint32_t p = 0; p < cloud->count; p++) {
        double point[3];
        for (int i = 0; i < 3; i++)
            point[i] = (double)cloud->points[p][i] - cloud->origin[i];
        double distance = SquaredDistance(point, centre);
        if (distance > squared) {
            squared = distance;
            memcpy(farthest, point, sizeof point);
        }
    }
    return squared;
}

void RpMsh_Sphere(const float (*points)[3], uint32_t count, float sphere[4]) {
    MODES_OF_C();
    memset(sphere, 0, 4 * sizeof *sphere);
    if (count == 0)
        return;
    Cloud cloud = {.points = points, .count = count};
    Ball ball;
    for (int i = 0; i < 3; i++) {
        double low = cloud.points[0][i], high = low;
        for (uint32_t p = 1; p < cloud.count; p++) {
            low = fmin(low, cloud.points[p][i]);
            high = fmax(high, cloud.points[p][i]);
        }
        cloud.origin[i] = low + (high - low) / 2;
    }

    /* The farthest point outside becomes a holder, until no point is outside. */
    double centre[3], farthest[3];
    ball = (Ball){.count = 1};
    Farthest(&cloud, ball.centre, ball.holders[0]);
    memcpy(ball.centre, ball.holders[0], sizeof ball.centre);
    for (int round = 0; round < MAX_ROUNDS; round++) {
        double squared = Farthest(&cloud, ball.centre, farthest);
        if (!(squared > ball.squared * (1 + 1e-14)) || ball.count == MAX_HOLDERS)
            break;
        Ball next = ball;
        memcpy(next.holders[next.count++], farthest, sizeof farthest);
        Tighten(&next);
        if (!(next.squared > ball.squared))
            break; /* because of rounding there is no better one */
        ball = next;
    }
    for (int i = 0; i < 3; i++) {
        sphere[i] = (float)(ball.centre[i] + cloud.origin[i]);
        centre[i] = (double)sphere[i] - cloud.origin[i];
    }
    /* The radius is taken around the centre as it is stored, and rounded up, so that every point is
     * inside. */
    double radius = sqrt(Farthest(&cloud, centre, farthest));
    float rounded = (float)radius;
    sphere[3] = (double)rounded < radius ? nextafterf(rounded, INFINITY) : rounded;
}
