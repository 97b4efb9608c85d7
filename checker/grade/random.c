/* SPDX-License-Identifier: MIT
 * Seeded numbers: SplitMix64 (Steele, Lea, Flood 2014), 64 bits of state, one number a call. The
 * stream of an array depends on the seed, the task, the size and the parameter only, so that the
 * same elements can be made again at any time and in any order.
 */
#include <warpbook/grade.h>

#include <math.h>

static const uint64_t golden = UINT64_C(0x9E3779B97F4A7C15); /* 2^64 / golden ratio, odd */

uint64_t wb_random_next(struct wb_random *random)
{
    uint64_t z = random->state += golden;
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

double wb_random_uniform(struct wb_random *random, double lo, double hi)
{
    double unit = (double)(wb_random_next(random) >> 11) * 0x1p-53;
    double value = lo + (hi - lo) * unit;
    return value < hi || lo == hi ? value : nextafter(hi, lo);
}

struct wb_random wb_random_for(uint64_t seed, unsigned task, struct wb_size size, unsigned param)
{
    const uint64_t parts[] = {task, size.x, size.y, size.z, param};
    struct wb_random random = {seed};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(parts); i++) {
        random.state = wb_random_next(&random) ^ parts[i];
    }
    return random;
}
