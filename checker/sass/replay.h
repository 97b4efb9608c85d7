/* SPDX-License-Identifier: MIT
 * What repeated launches did, so that they need not be executed again: see replay.c.
 */
#ifndef WB_SASS_REPLAY_H
#define WB_SASS_REPLAY_H

struct wb_replay;

void wb_replay_destroy(struct wb_replay *replay);

#endif
