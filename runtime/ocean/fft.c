#include "runtime/ocean/fft.h"

#include "runtime/math/det_math.h"

#include <stddef.h>
#include <string.h>

enum { LANES = 16 };
typedef float Lanes __attribute__((vector_size(LANES * sizeof(float))));

void fft_init(Fft *fft, int points) {
    fft->points = points;
    for (int j = 0; j < points / 2; j++) {
        double sine, cosine;
        det_sincos(DET_TURN * j / points, &sine, &cosine);
        fft->cosine[j] = (float)cosine;
        fft->sine[j] = (float)sine;
    }
    for (int row = 0; row < points; row++) {
        int reversed = 0;
        for (int bit = 1; bit < points; bit *= 2)
            reversed = reversed * 2 + (row & bit ? 1 : 0);
        fft->reversed[row] = reversed;
    }
}

/* One step of Cooley and Tukey's (1965): pairs of rows `half` apart. */
static void step(const Fft *fft, Lanes *re, Lanes *im, int half) {
    int stride = fft->points / (2 * half);
    for (int j = 0; j < half; j++) {
        float c = fft->cosine[j * stride], s = fft->sine[j * stride];
        for (int a = j; a < fft->points; a += 2 * half) {
            int b = a + half;
            Lanes turned_re = re[b] * c - im[b] * s, turned_im = re[b] * s + im[b] * c;
            re[b] = re[a] - turned_re;
            im[b] = im[a] - turned_im;
            re[a] += turned_re;
            im[a] += turned_im;
        }
    }
}

/* Two steps at once, of four rows: they are read and written once. */
static void two_steps(const Fft *fft, Lanes *re, Lanes *im, int half) {
    int stride = fft->points / (4 * half);
    for (int j = 0; j < half; j++) {
        float c1 = fft->cosine[2 * j * stride], s1 = fft->sine[2 * j * stride];
        float c2 = fft->cosine[j * stride], s2 = fft->sine[j * stride];
        for (int a = j; a < fft->points; a += 4 * half) {
            int b = a + half, c = b + half, d = c + half;
            Lanes b_re = re[b] * c1 - im[b] * s1, b_im = re[b] * s1 + im[b] * c1;
            Lanes d_re = re[d] * c1 - im[d] * s1, d_im = re[d] * s1 + im[d] * c1;
            Lanes e_re = re[a] + b_re, e_im = im[a] + b_im, f_re = re[a] - b_re, f_im = im[a] - b_im;
            Lanes g_re = re[c] + d_re, g_im = im[c] + d_im, h_re = re[c] - d_re, h_im = im[c] - d_im;
            Lanes u_re = g_re * c2 - g_im * s2, u_im = g_re * s2 + g_im * c2;
            Lanes v_re = -(h_re * s2 + h_im * c2), v_im = h_re * c2 - h_im * s2; /* a quarter turn further */
            re[a] = e_re + u_re, im[a] = e_im + u_im;
            re[c] = e_re - u_re, im[c] = e_im - u_im;
            re[b] = f_re + v_re, im[b] = f_im + v_im;
            re[d] = f_re - v_re, im[d] = f_im - v_im;
        }
    }
}

/* The sums along columns from `first` on; they become rows. */
static void columns(const Fft *fft, int first, const float *real, const float *imaginary, float *out_real, float *out_imaginary) {
    Lanes re[FFT_MOST], im[FFT_MOST];
    size_t points = (size_t)fft->points;
    for (size_t row = 0; row < points; row++) {
        size_t from = (size_t)fft->reversed[row] * points + (size_t)first;
        memcpy(&re[row], real + from, sizeof(Lanes));
        memcpy(&im[row], imaginary + from, sizeof(Lanes));
    }
    int half = 1;
    for (; half * 4 <= fft->points; half *= 4)
        two_steps(fft, re, im, half);
    if (half < fft->points) step(fft, re, im, half);
    for (size_t row = 0; row < points; row += LANES)
        for (size_t lane = 0; lane < LANES; lane++) {
            size_t to = ((size_t)first + lane) * points + row;
            for (size_t k = 0; k < LANES; k++)
                out_real[to + k] = re[row + k][lane];
            for (size_t k = 0; k < LANES; k++)
                out_imaginary[to + k] = im[row + k][lane];
        }
}

void fft_square(const Fft *fft, float *real, float *imaginary, float *work_real, float *work_imaginary) {
    for (int first = 0; first < fft->points; first += LANES)
        columns(fft, first, real, imaginary, work_real, work_imaginary);
    for (int first = 0; first < fft->points; first += LANES)
        columns(fft, first, work_real, work_imaginary, real, imaginary);
}
