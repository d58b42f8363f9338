/* The kernels of more_kernels.py as plain C loops, one thread. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>

void triad(float *restrict a, const float *restrict b, const float *restrict c, float s, int n) {
  for (int i = 0; i < n; i++) a[i] = b[i] + s * c[i];
}

void sum(float *restrict total, const float *restrict x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i];
  *total = (float)s;
}

static inline double cnd(double d) {
  double k = 1.0 / (1.0 + 0.2316419 * fabs(d));
  double w = ((((1.330274429 * k - 1.821255978) * k + 1.781477937) * k - 0.356563782) * k + 0.31938153) * k;
  double c = 0.39894228 * exp(-0.5 * d * d) * w;
  return d > 0.0 ? 1.0 - c : c;
}
void blackscholes64(double *restrict call, const double *restrict S, const double *restrict K, const double *restrict T,
                    int n) {
  for (int i = 0; i < n; i++) {
    const double r = 0.02, v = 0.30;
    double sq = sqrt(T[i]), d1 = (log(S[i] / K[i]) + (r + 0.5 * v * v) * T[i]) / (v * sq), d2 = d1 - v * sq;
    call[i] = S[i] * cnd(d1) - K[i] * exp(-r * T[i]) * cnd(d2);
  }
}

void nbody(float *restrict ax, const float *restrict X, const float *restrict Y, const float *restrict Z, int n) {
  for (int i = 0; i < n; i++) {
    float a = 0;
    for (int j = 0; j < n; j++) {
      float dx = X[j] - X[i], dy = Y[j] - Y[i], dz = Z[j] - Z[i];
      float q = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
      a += dx * q * q * q;
    }
    ax[i] = a;
  }
}

void matmul(float *restrict C, const float *restrict A, const float *restrict B, int n) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) C[(size_t)i * n + j] = 0;
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++) C[(size_t)i * n + j] += A[(size_t)i * n + k] * B[(size_t)k * n + j];
  }
}

void scan(float *restrict out, const float *restrict x, int n) {
  for (int b = 0; b < n; b += 256) {
    float s = 0;
    for (int i = b; i < b + 256; i++) out[i] = s += x[i];
  }
}

/* The steps of the kernel, for a block's threads one after the other. */
void scan_by_steps(float *restrict out, const float *restrict x, int n) {
  for (int b = 0; b < n; b += 256) {
    float s[256], v[256];
    for (int t = 0; t < 256; t++) s[t] = x[b + t];
    for (int step = 1; step < 256; step *= 2) {
      for (int t = 0; t < 256; t++) v[t] = t >= step ? s[t - step] : 0.0f;
      for (int t = 0; t < 256; t++) s[t] += v[t];
    }
    for (int t = 0; t < 256; t++) out[b + t] = s[t];
  }
}

void stencil3d(float *restrict out, const float *restrict a, int n) {
  for (int z = 1; z < n - 1; z++)
    for (int y = 1; y < n - 1; y++)
      for (int x = 1; x < n - 1; x++) {
        size_t i = ((size_t)z * n + y) * n + x, row = n, plane = (size_t)n * n;
        out[i] = 0.4f * a[i] + 0.1f * (a[i - 1] + a[i + 1] + a[i - row] + a[i + row] + a[i - plane] + a[i + plane]);
      }
}

void spmv(float *restrict y, const int *restrict ptr, const int *restrict col, const float *restrict val,
          const float *restrict x, int rows) {
  for (int r = 0; r < rows; r++) {
    float s = 0;
    for (int j = ptr[r]; j < ptr[r + 1]; j++) s += val[j] * x[col[j]];
    y[r] = s;
  }
}

void raymarch(float *restrict out, int h, int w) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float dx = (x - 0.5f * w) / w, dy = (y - 0.5f * h) / h, k = 1.0f / sqrtf(dx * dx + dy * dy + 1.0f);
      dx *= k, dy *= k;
      float dz = k, t = 0, hit = 0;
      for (int step = 0; step < 64; step++) {
        float px = dx * t, py = dy * t, pz = dz * t - 3.0f;
        float qx = px - 4.0f * floorf(px / 4.0f + 0.5f);
        float d = fminf(sqrtf(qx * qx + py * py + pz * pz) - 1.0f, py + 1.5f);
        if (d < 1e-3f) {
          hit = 1.0f / (1.0f + 0.1f * t * t);
          break;
        }
        t += d;
        if (t > 20.0f) break;
      }
      out[(size_t)y * w + x] = hit;
    }
}

void bitonic(float *restrict x, int n) {
  for (float *a = x; a < x + n; a += 512)
    for (int k = 2; k <= 512; k *= 2)
      for (int j = k / 2; j > 0; j /= 2)
        for (int i = 0; i < 512; i++) {
          int other = i ^ j;
          if (other <= i) continue;
          float p = a[i], q = a[other];
          if ((p > q) == ((i & k) == 0)) a[i] = q, a[other] = p;
        }
}

void transpose(float *restrict out, const float *restrict a, int n) {
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++) out[(size_t)x * n + y] = a[(size_t)y * n + x];
}

void needleman(int *restrict score, const uint8_t *restrict a, const uint8_t *restrict b, int pairs) {
  for (int p = 0; p < pairs; p++) {
    int row[65];
    for (int j = 0; j <= 64; j++) row[j] = -2 * j;
    for (int i = 1; i <= 64; i++) {
      int corner = row[0];
      row[0] = -2 * i;
      for (int j = 1; j <= 64; j++) {
        int match = corner + (a[p * 64 + i - 1] == b[p * 64 + j - 1] ? 1 : -1);
        corner = row[j];
        int gap = (row[j] > row[j - 1] ? row[j] : row[j - 1]) - 2;
        row[j] = match > gap ? match : gap;
      }
    }
    score[p] = row[64];
  }
}
