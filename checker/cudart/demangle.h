/* SPDX-License-Identifier: MIT
 * demangle: C++ names for people. CUDA programs bring a C++ library with them; its demangler is
 * looked up in the running program. Where there is none, names stay as they are.
 */
#ifndef WB_CUDART_DEMANGLE_H
#define WB_CUDART_DEMANGLE_H

/* "reduce<float>(float const*, int)" for a mangled name. The caller frees it; NULL: no memory. */
char *wb_demangle(const char *name);
/* The same without result type and parameters: "reduce<float>". The caller frees it. */
char *wb_demangle_short(const char *name);

#endif
