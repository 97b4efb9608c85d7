/* SPDX-License-Identifier: MIT
 * See wait.h.
 */
#include "wait.h"

#include "api.h"
#include "capture.h"
#include "clock.h"
#include "crossing.h"
#include "runtime.h"
#include "stream.h"

enum cudaError wb_wait_begin(void)
{
    enum cudaError error = wb_capture_blocks();
    return error ? error : wb_runtime_synchronise();
}

enum cudaError wb_wait_end(enum cudaError result)
{
    struct wb_stream *stream = wb_stream_find(NULL);
    wb_clock_wait(wb_stream_start(stream));
    wb_stream_gather(stream);
    wb_crossing_host_waited(&stream->past);
    return result;
}

enum cudaError rt_cudaDeviceSynchronize(void)
{
    enum cudaError error = wb_capture_blocks_device();
    if (error != cudaSuccess) {
        return error;
    }
    for (const struct wb_stream *s = wb_stream_next(NULL); s; s = wb_stream_next(s)) {
        wb_clock_wait(wb_stream_start(s));
    }
    error = wb_runtime_synchronise();
    wb_crossing_host_waited_all();
    return error;
}
