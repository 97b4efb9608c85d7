/* SPDX-License-Identifier: MIT
 * Nearest names by edit distance, capital and small letters taken as equal. To have one more name
 * suggested, add it to the list.
 */
#include "spelling.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST = 40, SHORTEST = 4 };

static const char *const cuda_names[] = {
    "threadIdx",
    "blockIdx",
    "blockDim",
    "gridDim",
    "warpSize",
    "__syncthreads",
    "__syncwarp",
    "__shfl_sync",
    "__shfl_up_sync",
    "__shfl_down_sync",
    "__shfl_xor_sync",
    "__ballot_sync",
    "__any_sync",
    "__all_sync",
    "__activemask",
    "__popc",
    "__threadfence",
    "atomicAdd",
    "atomicSub",
    "atomicMin",
    "atomicMax",
    "atomicExch",
    "atomicCAS",
    "printf",
    "assert",
    "sqrtf",
    "rsqrtf",
    "expf",
    "logf",
    "powf",
    "sinf",
    "cosf",
    "tanhf",
    "fabsf",
    "fminf",
    "fmaxf",
    "floorf",
    "ceilf",
    "fmodf",
    "cudaMalloc",
    "cudaFree",
    "cudaMemcpy",
    "cudaMemset",
    "cudaDeviceSynchronize",
    "cudaGetLastError",
    "cudaGetErrorString",
    "__shared__",
    "__constant__",
};

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Insertions, deletions, changes and swaps of neighbours that turn `a` into `b`. */
static unsigned distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    unsigned d[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= a_length; i++) {
        for (size_t k = 0; k <= b_length; k++) {
            if (i == 0 || k == 0) {
                d[i][k] = (unsigned)(i + k);
                continue;
            }
            int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[k - 1]);
            d[i][k] = smaller(smaller(d[i - 1][k], d[i][k - 1]) + 1, d[i - 1][k - 1] + (x != y));
            if (i > 1 && k > 1 && x == tolower((unsigned char)b[k - 2]) &&
                y == tolower((unsigned char)a[i - 2])) {
                d[i][k] = smaller(d[i][k], d[i - 2][k - 2] + 1);
            }
        }
    }
    return d[a_length][b_length];
}

struct guess {
    const char *word;
    size_t length;
    const char *best;
    size_t best_length;
    unsigned best_distance; /* only what is nearer than this is taken */
};

static void consider(struct guess *guess, const char *name, size_t length)
{
    bool same = length == guess->length && strncmp(name, guess->word, length) == 0;
    size_t at_least = length > guess->length ? length - guess->length : guess->length - length;
    if (same || length < SHORTEST || length > LONGEST || at_least >= guess->best_distance) {
        return;
    }
    unsigned d = distance(guess->word, guess->length, name, length);
    if (d < guess->best_distance) {
        guess->best = name;
        guess->best_length = length;
        guess->best_distance = d;
    }
}

static size_t name_length(const char *text)
{
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || text[n] == '_') {
        n++;
    }
    return n;
}

char *wb_spelling_guess(struct wb_arena *arena, const char *word, const char *text)
{
    struct guess guess = {.word = word, .length = strlen(word)};
    if (guess.length < SHORTEST || guess.length > LONGEST) {
        return NULL;
    }
    guess.best_distance = guess.length < 6 ? 2 : 3;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(cuda_names); i++) {
        consider(&guess, cuda_names[i], strlen(cuda_names[i]));
    }
    while (text && *text) {
        size_t length = name_length(text);
        if (length && !isdigit((unsigned char)*text)) {
            consider(&guess, text, length);
        }
        text += length ? length : 1;
    }
    return guess.best ? wb_arena_strndup(arena, guess.best, guess.best_length) : NULL;
}
