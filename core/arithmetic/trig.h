/* Sine, cosine and arc cosine in binary64. They are correctly rounded in all but about one in 2^40
 * cases and the same on every machine, whereas C libraries and processors differ in the last bit.
 *
 * The work is done in pairs of binary64 numbers (Dekker 1971, "A floating-point technique for
 * extending the available precision"), about 100 bits, with additions, multiplications and
 * divisions alone. The processor must round to nearest.
 */
#ifndef RETROPOSE_CORE_ARITHMETIC_TRIG_H
#define RETROPOSE_CORE_ARITHMETIC_TRIG_H

/* Beyond 2^20 radians the result is the C library's, because nothing in the game turns 160,000
 * times. */
double Trig_Sin(double x);
double Trig_Cos(double x);
/* Returns NaN outside [-1, 1]. */
double Trig_Acos(double x);

#endif
