/* SPDX-License-Identifier: MIT
 * Calls that go past the border of trace.c (functions of api_missing.def, entry points that a
 * program looked up by itself) are told by CUPTI's callback API, which sees every call of NVIDIA's
 * runtime: name and result, at its end. Without CUPTI these few are missing from the trace, that is
 * all. Declarations are our own: no CUDA header is needed.
 */
#include "trace.h"

#include "log.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <string.h>

enum { DOMAIN_RUNTIME = 2, SITE_EXIT = 1, MAX_FRAMES = 32 };

/* The beginning of CUpti_CallbackData. */
struct callback_data {
    int site;
    const char *name;
    const void *parameters;
    const int *result;
};

typedef void callback_function(void *context, int domain, uint32_t id,
                               const struct callback_data *data);

/* The innermost return address outside of CUDA's libraries and this one. */
static const void *caller(void)
{
    static const char *const inner[] = {"libcudart", "libcupti", "libcuda", "libwarpbook"};
    void *frames[MAX_FRAMES];
    int count = backtrace(frames, MAX_FRAMES);
    for (int i = 1; i < count; i++) {
        Dl_info info;
        bool known = dladdr(frames[i], &info) && info.dli_fname;
        for (size_t k = 0; known && k < sizeof inner / sizeof inner[0]; k++) {
            known = !strstr(info.dli_fname, inner[k]);
        }
        if (known) {
            return frames[i];
        }
    }
    return NULL;
}

static void on_call(void *context, int domain, uint32_t id, const struct callback_data *data)
{
    struct wb_call call;
    (void)context, (void)id;
    if (domain != DOMAIN_RUNTIME || data->site != SITE_EXIT || wb_trace_inside()) {
        return;
    }
    wb_lock(&call, caller());
    if (wb_trace_wanted()) {
        wb_log_call(data->name, data->result ? *data->result : 0, false, wb_call_place());
    }
    wb_unlock(&call);
}

__attribute__((constructor)) static void subscribe(void)
{
    static void *subscriber;
    void *library = dlopen("libcupti.so.13", RTLD_NOW | RTLD_LOCAL);
    void *found[2] = {NULL, NULL};
    int (*start)(void **subscriber, callback_function *callback, void *context);
    int (*enable)(uint32_t on, void *subscriber, int domain);
    if (library && wb_trace_wanted()) {
        found[0] = dlsym(library, "cuptiSubscribe");
        found[1] = dlsym(library, "cuptiEnableDomain");
    }
    memcpy(&start, &found[0], sizeof start); /* C has no cast for this */
    memcpy(&enable, &found[1], sizeof enable);
    if (found[0] && found[1] && start(&subscriber, on_call, NULL) == 0) {
        enable(1, subscriber, DOMAIN_RUNTIME);
    }
}
