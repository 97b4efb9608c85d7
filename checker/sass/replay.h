/* SPDX-License-Identifier: MIT
 * What repeated launches did, so that they need not be executed again: see replay.c.
 */
#ifndef WB_SASS_REPLAY_H
#define WB_SASS_REPLAY_H

#include <stdint.h>

struct wb_replay;

void wb_replay_destroy(struct wb_replay *replay);
/* Launches so far that were not executed. */
uint64_t wb_replay_count(const struct wb_replay *replay);

#endif
