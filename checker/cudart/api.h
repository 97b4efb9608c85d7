/* SPDX-License-Identifier: MIT
 * What implements the functions of api.def. rt_NAME runs under the lock of enter.h and may call
 * other rt_* functions, which are then not traced.
 */
#ifndef WB_CUDART_API_H
#define WB_CUDART_API_H

#include "abi.h"

#define API(name, parameters, arguments) enum cudaError rt_##name parameters;
#include "api.def"
#undef API

#endif
