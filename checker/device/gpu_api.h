/* SPDX-License-Identifier: MIT
 * gpu_api: the part of the CUDA driver API and of CUPTI that we use, declared here so that no CUDA
 * header is needed, and opened at run time. CUPTI's structures keep CUPTI's own field names; a
 * test compares their layout with NVIDIA's headers where those are installed.
 *
 * To use one more entry point, add a row to a symbol list (and a structure for its parameters).
 */
#ifndef WARPBOOK_DEVICE_GPU_API_H
#define WARPBOOK_DEVICE_GPU_API_H

#include <warpbook/base.h>

/* ---- CUDA driver API: results are CUresult, 0 is success ---------------------------------- */

/* Results that we treat apart. */
enum {
    CUDA_OUT_OF_MEMORY = 2,
    CUDA_NO_DEVICE = 100,
};

enum { /* CUdevice_attribute */
       CUDA_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
       CUDA_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = 12,
       CUDA_ATTRIBUTE_CAPABILITY_MAJOR = 75,
       CUDA_ATTRIBUTE_CAPABILITY_MINOR = 76,
       CUDA_ATTRIBUTE_MAX_SHARED_PER_BLOCK_OPTIN = 97,
};

enum { CUDA_FUNCTION_MAX_DYNAMIC_SHARED = 8 }; /* CUfunction_attribute */

/* X(REQUIRED|OPTIONAL, member, symbol, (parameters)). Contexts, modules, functions and streams
 * are opaque pointers, device addresses 64-bit numbers. */
#define WB_CUDA_SYMBOLS(X)                                                                         \
    X(REQUIRED, init, cuInit, (unsigned flags))                                                    \
    X(REQUIRED, driver_version, cuDriverGetVersion, (int *version))                                \
    X(REQUIRED, device_get, cuDeviceGet, (int *device, int ordinal))                               \
    X(REQUIRED, device_name, cuDeviceGetName, (char *name, int length, int device))                \
    X(REQUIRED, device_attribute, cuDeviceGetAttribute, (int *value, int attribute, int device))   \
    X(REQUIRED, context_retain, cuDevicePrimaryCtxRetain, (void **context, int device))            \
    X(REQUIRED, context_set, cuCtxSetCurrent, (void *context))                                     \
    X(REQUIRED, synchronize, cuCtxSynchronize, (void))                                             \
    X(REQUIRED, module_load, cuModuleLoadData, (void **module, const void *image))                 \
    X(REQUIRED, module_unload, cuModuleUnload, (void *module))                                     \
    X(REQUIRED, module_function, cuModuleGetFunction,                                              \
      (void **function, void *module, const char *name))                                           \
    X(REQUIRED, module_global, cuModuleGetGlobal_v2,                                               \
      (uint64_t * address, size_t * size, void *module, const char *name))                         \
    X(REQUIRED, mem_alloc, cuMemAlloc_v2, (uint64_t * address, size_t size))                       \
    X(REQUIRED, mem_free, cuMemFree_v2, (uint64_t address))                                        \
    X(REQUIRED, copy_to_device, cuMemcpyHtoD_v2, (uint64_t to, const void *from, size_t size))     \
    X(REQUIRED, copy_to_host, cuMemcpyDtoH_v2, (void *to, uint64_t from, size_t size))             \
    X(REQUIRED, function_set, cuFuncSetAttribute, (void *function, int attribute, int value))      \
    X(REQUIRED, launch, cuLaunchKernel,                                                            \
      (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,        \
       unsigned block_y, unsigned block_z, unsigned dynamic_shared, void *stream, void **params,   \
       void **extra))                                                                              \
    X(OPTIONAL, error_name, cuGetErrorName, (int result, const char **name))                       \
    X(OPTIONAL, error_text, cuGetErrorString, (int result, const char **text))

struct wb_cuda {
#define X(need, member, symbol, parameters) int(*member) parameters;
    WB_CUDA_SYMBOLS(X)
#undef X
};

/* Opens libcuda.so.1. NO_DEVICE says what is missing. Only ever in a child process: once CUDA was
 * initialised, no child of that process can use it. */
bool wb_cuda_open(struct wb_cuda *cuda, struct wb_status *status);

/* ---- CUPTI: results are CUptiResult, 0 is success ------------------------------------------ */

/* Value of a structSize: up to and with the last field that CUPTI's own constant counts. */
#define WB_CUPTI_SIZE(type, last) (offsetof(struct type, last) + sizeof(((struct type *)0)->last))

struct cupti_profiler_initialize { /* structSize ends with pPriv */
    size_t structSize;
    void *pPriv;
};

struct cupti_chip_name { /* ... pChipName */
    size_t structSize;
    void *pPriv;
    size_t deviceIndex;
    const char *pChipName;
};

/* SASS metrics: one value per instruction. */

struct cupti_sass_properties { /* ... metric */
    size_t structSize;
    void *pPriv;
    const char *pChipName;
    const char *pMetricName;
    struct {
        uint64_t metricId;
        const char *pMetricName;
        const char *pMetricDescription;
    } metric;
};

enum { CUPTI_SASS_GRANULARITY_GPU = 0 };

struct cupti_sass_metric {
    uint64_t metricId;
    uint8_t outputGranularity;
};

struct cupti_sass_set_config { /* ... deviceIndex */
    size_t structSize;
    void *pPriv;
    size_t numOfMetricConfig;
    struct cupti_sass_metric *pConfigs;
    uint32_t deviceIndex;
};

struct cupti_sass_unset_config { /* ... deviceIndex */
    size_t structSize;
    void *pPriv;
    uint32_t deviceIndex;
};

struct cupti_sass_enable { /* ... enableLazyPatching */
    size_t structSize;
    void *pPriv;
    void *ctx;
    uint8_t enableLazyPatching;
};

struct cupti_sass_disable { /* ... numOfDroppedRecords */
    size_t structSize;
    void *pPriv;
    void *ctx;
    size_t numOfDroppedRecords;
};

struct cupti_sass_data_properties { /* ... numOfInstances */
    size_t structSize;
    void *pPriv;
    void *ctx;
    size_t numOfPatchedInstructionRecords;
    size_t numOfInstances;
};

struct cupti_sass_value {
    uint64_t metricId;
    uint64_t value;
};

struct cupti_sass_record { /* structSize is the whole structure */
    size_t structSize;
    void *pPriv;
    uint32_t cubinCrc;
    uint32_t functionIndex;
    const char *functionName;
    uint32_t pcOffset;
    struct cupti_sass_value *pInstanceValues;
};

struct cupti_sass_flush { /* ... numOfInstances, although a field follows */
    size_t structSize;
    void *pPriv;
    void *ctx;
    size_t numOfPatchedInstructionRecords;
    size_t numOfInstances;
    struct cupti_sass_record *pMetricsData;
};

/* Range Profiler: totals of a launch. */

struct cupti_availability { /* ... pCounterAvailabilityImage */
    size_t structSize;
    void *pPriv;
    void *ctx;
    size_t counterAvailabilityImageSize;
    uint8_t *pCounterAvailabilityImage;
};

enum { CUPTI_PROFILER_TYPE_RANGE = 0 };

struct cupti_host_initialize { /* ... pHostObject */
    size_t structSize;
    void *pPriv;
    int profilerType;
    const char *pChipName;
    const uint8_t *pCounterAvailabilityImage;
    void *pHostObject;
};

struct cupti_host_deinitialize { /* ... pHostObject */
    size_t structSize;
    void *pPriv;
    void *pHostObject;
};

struct cupti_host_add_metrics { /* ... numMetrics */
    size_t structSize;
    void *pPriv;
    void *pHostObject;
    const char **ppMetricNames;
    size_t numMetrics;
};

struct cupti_host_image_size { /* ... configImageSize */
    size_t structSize;
    void *pPriv;
    void *pHostObject;
    size_t configImageSize;
};

struct cupti_host_image { /* ... pConfigImage */
    size_t structSize;
    void *pPriv;
    void *pHostObject;
    size_t configImageSize;
    uint8_t *pConfigImage;
};

struct cupti_host_evaluate { /* ... pMetricValues */
    size_t structSize;
    void *pPriv;
    void *pHostObject;
    const uint8_t *pCounterDataImage;
    size_t counterDataImageSize;
    size_t rangeIndex;
    const char **ppMetricNames;
    size_t numMetrics;
    double *pMetricValues;
};

struct cupti_range_enable { /* ... pRangeProfilerObject */
    size_t structSize;
    void *pPriv;
    void *ctx;
    void *pRangeProfilerObject;
};

struct cupti_range_object { /* Disable and Start: ... pRangeProfilerObject */
    size_t structSize;
    void *pPriv;
    void *pRangeProfilerObject;
};

struct cupti_range_data_size { /* ... counterDataSize */
    size_t structSize;
    void *pPriv;
    void *pRangeProfilerObject;
    const char **pMetricNames;
    size_t numMetrics;
    size_t maxNumOfRanges;
    uint32_t maxNumRangeTreeNodes;
    size_t counterDataSize;
};

struct cupti_range_data_init { /* ... pCounterData */
    size_t structSize;
    void *pPriv;
    void *pRangeProfilerObject;
    size_t counterDataSize;
    uint8_t *pCounterData;
};

enum { CUPTI_AUTO_RANGE = 1, CUPTI_KERNEL_REPLAY = 2 };

struct cupti_range_set_config { /* ... targetNestingLevel */
    size_t structSize;
    void *pPriv;
    void *pRangeProfilerObject;
    size_t configSize;
    const uint8_t *pConfig;
    size_t counterDataImageSize;
    uint8_t *pCounterDataImage;
    int range;
    int replayMode;
    size_t maxRangesPerPass;
    uint16_t numNestingLevels;
    uint16_t minNestingLevel;
    size_t passIndex;
    uint16_t targetNestingLevel;
};

struct cupti_range_stop { /* ... isAllPassSubmitted */
    size_t structSize;
    void *pPriv;
    void *pRangeProfilerObject;
    size_t passIndex;
    size_t targetNestingLevel;
    uint8_t isAllPassSubmitted;
};

struct cupti_range_decode { /* ... numOfRangeDropped */
    size_t structSize;
    void *pPriv;
    void *pRangeProfilerObject;
    size_t numOfRangeDropped;
};

struct cupti_range_data_info { /* ... numTotalRanges */
    size_t structSize;
    void *pPriv;
    const uint8_t *pCounterDataImage;
    size_t counterDataImageSize;
    size_t numTotalRanges;
};

/* X(need, member, symbol, (parameters)): what measuring per instruction needs is REQUIRED; the
 * Range Profiler, which older versions lack, is OPTIONAL as a whole. */
#define WB_CUPTI_SYMBOLS(X)                                                                        \
    X(REQUIRED, profiler_initialize, cuptiProfilerInitialize,                                      \
      (struct cupti_profiler_initialize *))                                                        \
    X(REQUIRED, chip_name, cuptiDeviceGetChipName, (struct cupti_chip_name *))                     \
    X(REQUIRED, sass_properties, cuptiSassMetricsGetProperties, (struct cupti_sass_properties *))  \
    X(REQUIRED, sass_set_config, cuptiSassMetricsSetConfig, (struct cupti_sass_set_config *))      \
    X(REQUIRED, sass_unset_config, cuptiSassMetricsUnsetConfig,                                    \
      (struct cupti_sass_unset_config *))                                                          \
    X(REQUIRED, sass_enable, cuptiSassMetricsEnable, (struct cupti_sass_enable *))                 \
    X(REQUIRED, sass_disable, cuptiSassMetricsDisable, (struct cupti_sass_disable *))              \
    X(REQUIRED, sass_data_properties, cuptiSassMetricsGetDataProperties,                           \
      (struct cupti_sass_data_properties *))                                                       \
    X(REQUIRED, sass_flush, cuptiSassMetricsFlushData, (struct cupti_sass_flush *))                \
    X(OPTIONAL, availability, cuptiProfilerGetCounterAvailability, (struct cupti_availability *))  \
    X(OPTIONAL, host_initialize, cuptiProfilerHostInitialize, (struct cupti_host_initialize *))    \
    X(OPTIONAL, host_deinitialize, cuptiProfilerHostDeinitialize,                                  \
      (struct cupti_host_deinitialize *))                                                          \
    X(OPTIONAL, host_add_metrics, cuptiProfilerHostConfigAddMetrics,                               \
      (struct cupti_host_add_metrics *))                                                           \
    X(OPTIONAL, host_image_size, cuptiProfilerHostGetConfigImageSize,                              \
      (struct cupti_host_image_size *))                                                            \
    X(OPTIONAL, host_image, cuptiProfilerHostGetConfigImage, (struct cupti_host_image *))          \
    X(OPTIONAL, host_evaluate, cuptiProfilerHostEvaluateToGpuValues,                               \
      (struct cupti_host_evaluate *))                                                              \
    X(OPTIONAL, range_enable, cuptiRangeProfilerEnable, (struct cupti_range_enable *))             \
    X(OPTIONAL, range_disable, cuptiRangeProfilerDisable, (struct cupti_range_object *))           \
    X(OPTIONAL, range_data_size, cuptiRangeProfilerGetCounterDataSize,                             \
      (struct cupti_range_data_size *))                                                            \
    X(OPTIONAL, range_data_init, cuptiRangeProfilerCounterDataImageInitialize,                     \
      (struct cupti_range_data_init *))                                                            \
    X(OPTIONAL, range_set_config, cuptiRangeProfilerSetConfig, (struct cupti_range_set_config *))  \
    X(OPTIONAL, range_start, cuptiRangeProfilerStart, (struct cupti_range_object *))               \
    X(OPTIONAL, range_stop, cuptiRangeProfilerStop, (struct cupti_range_stop *))                   \
    X(OPTIONAL, range_decode, cuptiRangeProfilerDecodeData, (struct cupti_range_decode *))         \
    X(OPTIONAL, range_data_info, cuptiRangeProfilerGetCounterDataInfo,                             \
      (struct cupti_range_data_info *))

struct wb_cupti {
    char path[256];  /* of the library that was opened */
    unsigned major;  /* its version: 13 or 12 */
    bool has_ranges; /* all of the optional entry points are there */
#define X(need, member, symbol, parameters) int(*member) parameters;
    WB_CUPTI_SYMBOLS(X)
#undef X
};

/* Opens the newest CUPTI that fits the driver (driver_major: CUDA version of the driver, 13):
 * the file that WARPBOOK_CUPTI names, else in the toolkit's folders, else wherever the loader
 * looks. toolkit_root may be NULL. TOOL_MISSING says what to do. */
bool wb_cupti_open(struct wb_cupti *cupti, const char *toolkit_root, unsigned driver_major,
                   struct wb_status *status);

#endif
