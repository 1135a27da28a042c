/* Fourier sums of a square of complex numbers: the same bits on every machine.
 *
 * Of our own because libraries take their roots of unity from the platform's sin and cos, and choose their order of sums by the
 * processor; here both are fixed, and nothing is contracted. Sixteen columns are worked on side by side, so that any vector unit
 * of 32-bit floats is filled and none changes what comes out.
 */
#ifndef WORLD_OCEAN_FFT_H
#define WORLD_OCEAN_FFT_H

enum { FFT_LEAST = 16, FFT_MOST = 512 };

typedef struct Fft {
    int points;
    float cosine[FFT_MOST / 2], sine[FFT_MOST / 2]; /* of the turns j / points */
    int reversed[FFT_MOST];                         /* a row's number, its bits from the last to the first */
} Fft;

/* points: a power of two, FFT_LEAST to FFT_MOST. */
void fft_init(Fft *fft, int points);
/* out(x, y) = sum over (j, k) of in(j, k) e^(2 pi i (j x + k y) / points), over points * points numbers row by row, in place. The
 * other two arrays are as large, and hold nothing before and after. */
void fft_square(const Fft *fft, float *real, float *imaginary, float *work_real, float *work_imaginary);

#endif
