/* SPDX-License-Identifier: MIT
 * Our declarations of the driver's and CUPTI's interface against NVIDIA's own headers: sizes,
 * offsets, structSize values, enumerators and the driver's versioned symbol names. Built only where
 * those headers are installed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu_api.h"

#include <cuda.h>
#include <cupti.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>

#include <string.h>

struct pair {
    const char *what;
    unsigned long long ours, theirs;
};

/* A structure: its size. A field: its place and size. The end: the value of structSize. */
#define TYPE(our, their)                                                                           \
    {                                                                                              \
#our, sizeof(struct our), sizeof(their)                                                    \
    }
#define FIELD(our, their, name)                                                                    \
    {#our "." #name, offsetof(struct our, name), offsetof(their, name)},                           \
    {                                                                                              \
        "sizeof " #our "." #name, sizeof(((struct our *)0)->name), sizeof(((their *)0)->name)      \
    }
#define END(our, their, last)                                                                      \
    {#our ".structSize", WB_CUPTI_SIZE(our, last), their##_STRUCT_SIZE},                           \
        FIELD(our, their, structSize), FIELD(our, their, pPriv), TYPE(our, their)

static const struct pair pairs[] = {
    END(cupti_profiler_initialize, CUpti_Profiler_Initialize_Params, pPriv),
    END(cupti_chip_name, CUpti_Device_GetChipName_Params, pChipName),
    FIELD(cupti_chip_name, CUpti_Device_GetChipName_Params, deviceIndex),
    FIELD(cupti_chip_name, CUpti_Device_GetChipName_Params, pChipName),

    END(cupti_sass_properties, CUpti_SassMetrics_GetProperties_Params, metric),
    FIELD(cupti_sass_properties, CUpti_SassMetrics_GetProperties_Params, pChipName),
    FIELD(cupti_sass_properties, CUpti_SassMetrics_GetProperties_Params, pMetricName),
    FIELD(cupti_sass_properties, CUpti_SassMetrics_GetProperties_Params, metric.metricId),
    FIELD(cupti_sass_properties, CUpti_SassMetrics_GetProperties_Params, metric.pMetricName),
    FIELD(cupti_sass_properties, CUpti_SassMetrics_GetProperties_Params, metric.pMetricDescription),
    TYPE(cupti_sass_metric, CUpti_SassMetrics_Config),
    FIELD(cupti_sass_metric, CUpti_SassMetrics_Config, metricId),
    FIELD(cupti_sass_metric, CUpti_SassMetrics_Config, outputGranularity),
    END(cupti_sass_set_config, CUpti_SassMetricsSetConfig_Params, deviceIndex),
    FIELD(cupti_sass_set_config, CUpti_SassMetricsSetConfig_Params, numOfMetricConfig),
    FIELD(cupti_sass_set_config, CUpti_SassMetricsSetConfig_Params, pConfigs),
    FIELD(cupti_sass_set_config, CUpti_SassMetricsSetConfig_Params, deviceIndex),
    END(cupti_sass_unset_config, CUpti_SassMetricsUnsetConfig_Params, deviceIndex),
    FIELD(cupti_sass_unset_config, CUpti_SassMetricsUnsetConfig_Params, deviceIndex),
    END(cupti_sass_enable, CUpti_SassMetricsEnable_Params, enableLazyPatching),
    FIELD(cupti_sass_enable, CUpti_SassMetricsEnable_Params, ctx),
    FIELD(cupti_sass_enable, CUpti_SassMetricsEnable_Params, enableLazyPatching),
    END(cupti_sass_disable, CUpti_SassMetricsDisable_Params, numOfDroppedRecords),
    FIELD(cupti_sass_disable, CUpti_SassMetricsDisable_Params, ctx),
    FIELD(cupti_sass_disable, CUpti_SassMetricsDisable_Params, numOfDroppedRecords),
    END(cupti_sass_data_properties, CUpti_SassMetricsGetDataProperties_Params, numOfInstances),
    FIELD(cupti_sass_data_properties, CUpti_SassMetricsGetDataProperties_Params, ctx),
    FIELD(cupti_sass_data_properties, CUpti_SassMetricsGetDataProperties_Params,
          numOfPatchedInstructionRecords),
    FIELD(cupti_sass_data_properties, CUpti_SassMetricsGetDataProperties_Params, numOfInstances),
    TYPE(cupti_sass_value, CUpti_SassMetrics_InstanceValue),
    FIELD(cupti_sass_value, CUpti_SassMetrics_InstanceValue, metricId),
    FIELD(cupti_sass_value, CUpti_SassMetrics_InstanceValue, value),
    TYPE(cupti_sass_record, CUpti_SassMetrics_Data),
    FIELD(cupti_sass_record, CUpti_SassMetrics_Data, structSize),
    FIELD(cupti_sass_record, CUpti_SassMetrics_Data, cubinCrc),
    FIELD(cupti_sass_record, CUpti_SassMetrics_Data, functionIndex),
    FIELD(cupti_sass_record, CUpti_SassMetrics_Data, functionName),
    FIELD(cupti_sass_record, CUpti_SassMetrics_Data, pcOffset),
    FIELD(cupti_sass_record, CUpti_SassMetrics_Data, pInstanceValues),
    END(cupti_sass_flush, CUpti_SassMetricsFlushData_Params, numOfInstances),
    FIELD(cupti_sass_flush, CUpti_SassMetricsFlushData_Params, ctx),
    FIELD(cupti_sass_flush, CUpti_SassMetricsFlushData_Params, numOfPatchedInstructionRecords),
    FIELD(cupti_sass_flush, CUpti_SassMetricsFlushData_Params, numOfInstances),
    FIELD(cupti_sass_flush, CUpti_SassMetricsFlushData_Params, pMetricsData),

    END(cupti_availability, CUpti_Profiler_GetCounterAvailability_Params,
        pCounterAvailabilityImage),
    FIELD(cupti_availability, CUpti_Profiler_GetCounterAvailability_Params, ctx),
    FIELD(cupti_availability, CUpti_Profiler_GetCounterAvailability_Params,
          counterAvailabilityImageSize),
    FIELD(cupti_availability, CUpti_Profiler_GetCounterAvailability_Params,
          pCounterAvailabilityImage),
    END(cupti_host_initialize, CUpti_Profiler_Host_Initialize_Params, pHostObject),
    FIELD(cupti_host_initialize, CUpti_Profiler_Host_Initialize_Params, profilerType),
    FIELD(cupti_host_initialize, CUpti_Profiler_Host_Initialize_Params, pChipName),
    FIELD(cupti_host_initialize, CUpti_Profiler_Host_Initialize_Params, pCounterAvailabilityImage),
    FIELD(cupti_host_initialize, CUpti_Profiler_Host_Initialize_Params, pHostObject),
    END(cupti_host_deinitialize, CUpti_Profiler_Host_Deinitialize_Params, pHostObject),
    FIELD(cupti_host_deinitialize, CUpti_Profiler_Host_Deinitialize_Params, pHostObject),
    END(cupti_host_add_metrics, CUpti_Profiler_Host_ConfigAddMetrics_Params, numMetrics),
    FIELD(cupti_host_add_metrics, CUpti_Profiler_Host_ConfigAddMetrics_Params, pHostObject),
    FIELD(cupti_host_add_metrics, CUpti_Profiler_Host_ConfigAddMetrics_Params, ppMetricNames),
    FIELD(cupti_host_add_metrics, CUpti_Profiler_Host_ConfigAddMetrics_Params, numMetrics),
    END(cupti_host_image_size, CUpti_Profiler_Host_GetConfigImageSize_Params, configImageSize),
    FIELD(cupti_host_image_size, CUpti_Profiler_Host_GetConfigImageSize_Params, pHostObject),
    FIELD(cupti_host_image_size, CUpti_Profiler_Host_GetConfigImageSize_Params, configImageSize),
    END(cupti_host_image, CUpti_Profiler_Host_GetConfigImage_Params, pConfigImage),
    FIELD(cupti_host_image, CUpti_Profiler_Host_GetConfigImage_Params, pHostObject),
    FIELD(cupti_host_image, CUpti_Profiler_Host_GetConfigImage_Params, configImageSize),
    FIELD(cupti_host_image, CUpti_Profiler_Host_GetConfigImage_Params, pConfigImage),
    END(cupti_host_evaluate, CUpti_Profiler_Host_EvaluateToGpuValues_Params, pMetricValues),
    FIELD(cupti_host_evaluate, CUpti_Profiler_Host_EvaluateToGpuValues_Params, pHostObject),
    FIELD(cupti_host_evaluate, CUpti_Profiler_Host_EvaluateToGpuValues_Params, pCounterDataImage),
    FIELD(cupti_host_evaluate, CUpti_Profiler_Host_EvaluateToGpuValues_Params,
          counterDataImageSize),
    FIELD(cupti_host_evaluate, CUpti_Profiler_Host_EvaluateToGpuValues_Params, rangeIndex),
    FIELD(cupti_host_evaluate, CUpti_Profiler_Host_EvaluateToGpuValues_Params, ppMetricNames),
    FIELD(cupti_host_evaluate, CUpti_Profiler_Host_EvaluateToGpuValues_Params, numMetrics),
    FIELD(cupti_host_evaluate, CUpti_Profiler_Host_EvaluateToGpuValues_Params, pMetricValues),

    END(cupti_range_enable, CUpti_RangeProfiler_Enable_Params, pRangeProfilerObject),
    FIELD(cupti_range_enable, CUpti_RangeProfiler_Enable_Params, ctx),
    FIELD(cupti_range_enable, CUpti_RangeProfiler_Enable_Params, pRangeProfilerObject),
    END(cupti_range_object, CUpti_RangeProfiler_Start_Params, pRangeProfilerObject),
    FIELD(cupti_range_object, CUpti_RangeProfiler_Start_Params, pRangeProfilerObject),
    END(cupti_range_object, CUpti_RangeProfiler_Disable_Params, pRangeProfilerObject),
    FIELD(cupti_range_object, CUpti_RangeProfiler_Disable_Params, pRangeProfilerObject),
    END(cupti_range_data_size, CUpti_RangeProfiler_GetCounterDataSize_Params, counterDataSize),
    FIELD(cupti_range_data_size, CUpti_RangeProfiler_GetCounterDataSize_Params,
          pRangeProfilerObject),
    FIELD(cupti_range_data_size, CUpti_RangeProfiler_GetCounterDataSize_Params, pMetricNames),
    FIELD(cupti_range_data_size, CUpti_RangeProfiler_GetCounterDataSize_Params, numMetrics),
    FIELD(cupti_range_data_size, CUpti_RangeProfiler_GetCounterDataSize_Params, maxNumOfRanges),
    FIELD(cupti_range_data_size, CUpti_RangeProfiler_GetCounterDataSize_Params,
          maxNumRangeTreeNodes),
    FIELD(cupti_range_data_size, CUpti_RangeProfiler_GetCounterDataSize_Params, counterDataSize),
    END(cupti_range_data_init, CUpti_RangeProfiler_CounterDataImage_Initialize_Params,
        pCounterData),
    FIELD(cupti_range_data_init, CUpti_RangeProfiler_CounterDataImage_Initialize_Params,
          pRangeProfilerObject),
    FIELD(cupti_range_data_init, CUpti_RangeProfiler_CounterDataImage_Initialize_Params,
          counterDataSize),
    FIELD(cupti_range_data_init, CUpti_RangeProfiler_CounterDataImage_Initialize_Params,
          pCounterData),
    END(cupti_range_set_config, CUpti_RangeProfiler_SetConfig_Params, targetNestingLevel),
    FIELD(cupti_range_set_config, CUpti_RangeProfiler_SetConfig_Params, pRangeProfilerObject),
    FIELD(cupti_range_set_config, CUpti_RangeProfiler_SetConfig_Params, configSize),
    FIELD(cupti_range_set_config, CUpti_RangeProfiler_SetConfig_Params, pConfig),
    FIELD(cupti_range_set_config, CUpti_RangeProfiler_SetConfig_Params, counterDataImageSize),
    FIELD(cupti_range_set_config, CUpti_RangeProfiler_SetConfig_Params, pCounterDataImage),
    FIELD(cupti_range_set_config, CUpti_RangeProfiler_SetConfig_Params, range),
    FIELD(cupti_range_set_config, CUpti_RangeProfiler_SetConfig_Params, replayMode),
    FIELD(cupti_range_set_config, CUpti_RangeProfiler_SetConfig_Params, maxRangesPerPass),
    FIELD(cupti_range_set_config, CUpti_RangeProfiler_SetConfig_Params, numNestingLevels),
    FIELD(cupti_range_set_config, CUpti_RangeProfiler_SetConfig_Params, minNestingLevel),
    FIELD(cupti_range_set_config, CUpti_RangeProfiler_SetConfig_Params, passIndex),
    FIELD(cupti_range_set_config, CUpti_RangeProfiler_SetConfig_Params, targetNestingLevel),
    END(cupti_range_stop, CUpti_RangeProfiler_Stop_Params, isAllPassSubmitted),
    FIELD(cupti_range_stop, CUpti_RangeProfiler_Stop_Params, pRangeProfilerObject),
    FIELD(cupti_range_stop, CUpti_RangeProfiler_Stop_Params, passIndex),
    FIELD(cupti_range_stop, CUpti_RangeProfiler_Stop_Params, targetNestingLevel),
    FIELD(cupti_range_stop, CUpti_RangeProfiler_Stop_Params, isAllPassSubmitted),
    END(cupti_range_decode, CUpti_RangeProfiler_DecodeData_Params, numOfRangeDropped),
    FIELD(cupti_range_decode, CUpti_RangeProfiler_DecodeData_Params, pRangeProfilerObject),
    FIELD(cupti_range_decode, CUpti_RangeProfiler_DecodeData_Params, numOfRangeDropped),
    END(cupti_range_data_info, CUpti_RangeProfiler_GetCounterDataInfo_Params, numTotalRanges),
    FIELD(cupti_range_data_info, CUpti_RangeProfiler_GetCounterDataInfo_Params, pCounterDataImage),
    FIELD(cupti_range_data_info, CUpti_RangeProfiler_GetCounterDataInfo_Params,
          counterDataImageSize),
    FIELD(cupti_range_data_info, CUpti_RangeProfiler_GetCounterDataInfo_Params, numTotalRanges),

    {"granularity", CUPTI_SASS_GRANULARITY_GPU, CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU},
    {"profiler type", CUPTI_PROFILER_TYPE_RANGE, CUPTI_PROFILER_TYPE_RANGE_PROFILER},
    {"auto range", CUPTI_AUTO_RANGE, CUPTI_AutoRange},
    {"kernel replay", CUPTI_KERNEL_REPLAY, CUPTI_KernelReplay},

    {"no device", CUDA_NO_DEVICE, CUDA_ERROR_NO_DEVICE},
    {"out of memory", CUDA_OUT_OF_MEMORY, CUDA_ERROR_OUT_OF_MEMORY},
    {"threads", CUDA_ATTRIBUTE_MAX_THREADS_PER_BLOCK, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK},
    {"registers", CUDA_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK,
     CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK},
    {"major", CUDA_ATTRIBUTE_CAPABILITY_MAJOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR},
    {"minor", CUDA_ATTRIBUTE_CAPABILITY_MINOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR},
    {"shared", CUDA_ATTRIBUTE_MAX_SHARED_PER_BLOCK_OPTIN,
     CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN},
    {"dynamic shared", CUDA_FUNCTION_MAX_DYNAMIC_SHARED,
     CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES},
    {"CUdevice", sizeof(int), sizeof(CUdevice)},
    {"CUdeviceptr", sizeof(uint64_t), sizeof(CUdeviceptr)},
    {"CUresult", sizeof(int), sizeof(CUresult)},
    {"CUptiResult", sizeof(int), sizeof(CUptiResult)},
};

static void layouts_are_the_same(void **state)
{
    (void)state;
    size_t wrong = 0;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(pairs); i++) {
        if (pairs[i].ours != pairs[i].theirs) {
            print_error("%s: %llu here, %llu in NVIDIA's headers\n", pairs[i].what, pairs[i].ours,
                        pairs[i].theirs);
            wrong++;
        }
    }
    print_message("# %zu values compared\n", WB_ARRAY_LENGTH(pairs));
    assert_int_equal(wrong, 0);
}

/* The driver's headers rename functions to their newest version: the rows must name that one. */
#define EXPAND_NAME(name) #name
#define NEWEST(name)      EXPAND_NAME(name)

static void driver_symbols_are_the_newest(void **state)
{
    (void)state;
    static const char *const versioned[] = {
        NEWEST(cuMemAlloc),     NEWEST(cuMemFree),        NEWEST(cuMemcpyHtoD),
        NEWEST(cuMemcpyDtoH),   NEWEST(cuCtxSynchronize), NEWEST(cuDevicePrimaryCtxRetain),
        NEWEST(cuModuleUnload), NEWEST(cuCtxSetCurrent),  NEWEST(cuLaunchKernel),
    };
#define X(need, member, symbol, parameters) #symbol,
    static const char *const ours[] = {WB_CUDA_SYMBOLS(X)};
#undef X
    for (size_t v = 0; v < WB_ARRAY_LENGTH(versioned); v++) {
        bool found = false;
        for (size_t i = 0; i < WB_ARRAY_LENGTH(ours); i++) {
            found |= strcmp(versioned[v], ours[i]) == 0;
        }
        print_message("# %s\n", versioned[v]);
        assert_true(found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layouts_are_the_same),
        cmocka_unit_test(driver_symbols_are_the_newest),
    };
    return cmocka_run_group_tests_name("layout", tests, NULL, NULL);
}
