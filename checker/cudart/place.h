/* SPDX-License-Identifier: MIT
 * place: which line of the running program an address belongs to, through its debug information
 * (libdw), else which function. Answers are kept for the life of the process. Needs the lock.
 */
#ifndef WB_CUDART_PLACE_H
#define WB_CUDART_PLACE_H

#include <stdbool.h>
#include <stddef.h>

enum { WB_PLACE_TEXT = 300 }; /* bytes that are enough for wb_place_text */

struct wb_place {
    const char *file;     /* as the compiler saw it; NULL: no debug information */
    unsigned line;        /* 0 if unknown */
    const char *function; /* demangled; NULL if unknown */
    unsigned long offset; /* of the address in the function, else in the module */
    const char *module;   /* base name of the program or library; NULL if unknown */
    bool wrapper;         /* a function of CUDA's own headers: the caller's caller is the place */
};

/* The place of the call that returns to `from`. Never NULL. A call made inside one of the C++
 * wrappers of CUDA's headers (cudaMalloc<float>) is placed where the wrapper was called: then the
 * stack of the calling thread is walked, so `from` must be on it. */
const struct wb_place *wb_place_of(const void *from);

/* "vectorAdd.cu:42", else "main+0x42 in vectorAdd"; writes at most `size` bytes, returns `text`. */
const char *wb_place_text(char *text, size_t size, const struct wb_place *place);

#endif
