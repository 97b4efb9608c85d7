/* SPDX-License-Identifier: MIT
 * Which compilation of the handlers to use.
 */
#include "engine.h"

#ifdef WB_HAVE_AVX2_ENGINE
const struct wb_engine *wb_engine_choose(void)
{
    bool fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                __builtin_cpu_supports("bmi2");
    return fast ? &wb_exec_avx2_engine : &wb_exec_base_engine;
}
#else
const struct wb_engine *wb_engine_choose(void)
{
    return &wb_exec_base_engine;
}
#endif
