/* SPDX-License-Identifier: MIT
 * cudaGetDeviceProperties: the attributes of device.def in their old form, a structure. A row names
 * a field and the attribute that it repeats.
 */
#include "api.h"
#include "device.h"
#include "heap.h"

#include <string.h>

/* X(field, attribute) */
#define PROPERTY_LIST(X)                                                                           \
    X(sharedMemPerBlock, MaxSharedMemoryPerBlock)                                                  \
    X(regsPerBlock, MaxRegistersPerBlock)                                                          \
    X(warpSize, WarpSize)                                                                          \
    X(memPitch, MaxPitch)                                                                          \
    X(maxThreadsPerBlock, MaxThreadsPerBlock)                                                      \
    X(maxThreadsDim[0], MaxBlockDimX)                                                              \
    X(maxThreadsDim[1], MaxBlockDimY)                                                              \
    X(maxThreadsDim[2], MaxBlockDimZ)                                                              \
    X(maxGridSize[0], MaxGridDimX)                                                                 \
    X(maxGridSize[1], MaxGridDimY)                                                                 \
    X(maxGridSize[2], MaxGridDimZ)                                                                 \
    X(totalConstMem, TotalConstantMemory)                                                          \
    X(major, ComputeCapabilityMajor)                                                               \
    X(minor, ComputeCapabilityMinor)                                                               \
    X(textureAlignment, TextureAlignment)                                                          \
    X(texturePitchAlignment, TexturePitchAlignment)                                                \
    X(multiProcessorCount, MultiProcessorCount)                                                    \
    X(integrated, Integrated)                                                                      \
    X(canMapHostMemory, CanMapHostMemory)                                                          \
    X(maxTexture1D, MaxTexture1DWidth)                                                             \
    X(maxTexture1DMipmap, MaxTexture1DMipmappedWidth)                                              \
    X(maxTexture2D[0], MaxTexture2DWidth)                                                          \
    X(maxTexture2D[1], MaxTexture2DHeight)                                                         \
    X(maxTexture2DMipmap[0], MaxTexture2DMipmappedWidth)                                           \
    X(maxTexture2DMipmap[1], MaxTexture2DMipmappedHeight)                                          \
    X(maxTexture2DLinear[0], MaxTexture2DLinearWidth)                                              \
    X(maxTexture2DLinear[1], MaxTexture2DLinearHeight)                                             \
    X(maxTexture2DLinear[2], MaxTexture2DLinearPitch)                                              \
    X(maxTexture2DGather[0], MaxTexture2DGatherWidth)                                              \
    X(maxTexture2DGather[1], MaxTexture2DGatherHeight)                                             \
    X(maxTexture3D[0], MaxTexture3DWidth)                                                          \
    X(maxTexture3D[1], MaxTexture3DHeight)                                                         \
    X(maxTexture3D[2], MaxTexture3DDepth)                                                          \
    X(maxTexture3DAlt[0], MaxTexture3DWidthAlt)                                                    \
    X(maxTexture3DAlt[1], MaxTexture3DHeightAlt)                                                   \
    X(maxTexture3DAlt[2], MaxTexture3DDepthAlt)                                                    \
    X(maxTextureCubemap, MaxTextureCubemapWidth)                                                   \
    X(maxTexture1DLayered[0], MaxTexture1DLayeredWidth)                                            \
    X(maxTexture1DLayered[1], MaxTexture1DLayeredLayers)                                           \
    X(maxTexture2DLayered[0], MaxTexture2DLayeredWidth)                                            \
    X(maxTexture2DLayered[1], MaxTexture2DLayeredHeight)                                           \
    X(maxTexture2DLayered[2], MaxTexture2DLayeredLayers)                                           \
    X(maxTextureCubemapLayered[0], MaxTextureCubemapLayeredWidth)                                  \
    X(maxTextureCubemapLayered[1], MaxTextureCubemapLayeredLayers)                                 \
    X(maxSurface1D, MaxSurface1DWidth)                                                             \
    X(maxSurface2D[0], MaxSurface2DWidth)                                                          \
    X(maxSurface2D[1], MaxSurface2DHeight)                                                         \
    X(maxSurface3D[0], MaxSurface3DWidth)                                                          \
    X(maxSurface3D[1], MaxSurface3DHeight)                                                         \
    X(maxSurface3D[2], MaxSurface3DDepth)                                                          \
    X(maxSurface1DLayered[0], MaxSurface1DLayeredWidth)                                            \
    X(maxSurface1DLayered[1], MaxSurface1DLayeredLayers)                                           \
    X(maxSurface2DLayered[0], MaxSurface2DLayeredWidth)                                            \
    X(maxSurface2DLayered[1], MaxSurface2DLayeredHeight)                                           \
    X(maxSurface2DLayered[2], MaxSurface2DLayeredLayers)                                           \
    X(maxSurfaceCubemap, MaxSurfaceCubemapWidth)                                                   \
    X(maxSurfaceCubemapLayered[0], MaxSurfaceCubemapLayeredWidth)                                  \
    X(maxSurfaceCubemapLayered[1], MaxSurfaceCubemapLayeredLayers)                                 \
    X(surfaceAlignment, SurfaceAlignment)                                                          \
    X(concurrentKernels, ConcurrentKernels)                                                        \
    X(ECCEnabled, EccEnabled)                                                                      \
    X(pciBusID, PciBusId)                                                                          \
    X(pciDeviceID, PciDeviceId)                                                                    \
    X(pciDomainID, PciDomainId)                                                                    \
    X(tccDriver, TccDriver)                                                                        \
    X(asyncEngineCount, AsyncEngineCount)                                                          \
    X(unifiedAddressing, UnifiedAddressing)                                                        \
    X(memoryBusWidth, GlobalMemoryBusWidth)                                                        \
    X(l2CacheSize, L2CacheSize)                                                                    \
    X(persistingL2CacheMaxSize, MaxPersistingL2CacheSize)                                          \
    X(maxThreadsPerMultiProcessor, MaxThreadsPerMultiProcessor)                                    \
    X(streamPrioritiesSupported, StreamPrioritiesSupported)                                        \
    X(globalL1CacheSupported, GlobalL1CacheSupported)                                              \
    X(localL1CacheSupported, LocalL1CacheSupported)                                                \
    X(sharedMemPerMultiprocessor, MaxSharedMemoryPerMultiprocessor)                                \
    X(regsPerMultiprocessor, MaxRegistersPerMultiprocessor)                                        \
    X(managedMemory, ManagedMemory)                                                                \
    X(isMultiGpuBoard, IsMultiGpuBoard)                                                            \
    X(multiGpuBoardGroupID, MultiGpuBoardGroupID)                                                  \
    X(hostNativeAtomicSupported, HostNativeAtomicSupported)                                        \
    X(pageableMemoryAccess, PageableMemoryAccess)                                                  \
    X(concurrentManagedAccess, ConcurrentManagedAccess)                                            \
    X(computePreemptionSupported, ComputePreemptionSupported)                                      \
    X(canUseHostPointerForRegisteredMem, CanUseHostPointerForRegisteredMem)                        \
    X(cooperativeLaunch, CooperativeLaunch)                                                        \
    X(sharedMemPerBlockOptin, MaxSharedMemoryPerBlockOptin)                                        \
    X(pageableMemoryAccessUsesHostPageTables, PageableMemoryAccessUsesHostPageTables)              \
    X(directManagedMemAccessFromHost, DirectManagedMemAccessFromHost)                              \
    X(maxBlocksPerMultiProcessor, MaxBlocksPerMultiprocessor)                                      \
    X(accessPolicyMaxWindowSize, MaxAccessPolicyWindowSize)                                        \
    X(reservedSharedMemPerBlock, ReservedSharedMemoryPerBlock)                                     \
    X(hostRegisterSupported, HostRegisterSupported)                                                \
    X(sparseCudaArraySupported, SparseCudaArraySupported)                                          \
    X(hostRegisterReadOnlySupported, HostRegisterReadOnlySupported)                                \
    X(timelineSemaphoreInteropSupported, TimelineSemaphoreInteropSupported)                        \
    X(memoryPoolsSupported, MemoryPoolsSupported)                                                  \
    X(gpuDirectRDMASupported, GPUDirectRDMASupported)                                              \
    X(gpuDirectRDMAFlushWritesOptions, GPUDirectRDMAFlushWritesOptions)                            \
    X(gpuDirectRDMAWritesOrdering, GPUDirectRDMAWritesOrdering)                                    \
    X(memoryPoolSupportedHandleTypes, MemoryPoolSupportedHandleTypes)                              \
    X(deferredMappingCudaArraySupported, DeferredMappingCudaArraySupported)                        \
    X(ipcEventSupported, IpcEventSupport)                                                          \
    X(clusterLaunch, ClusterLaunch)                                                                \
    X(deviceNumaConfig, NumaConfig)                                                                \
    X(deviceNumaId, NumaId)                                                                        \
    X(mpsEnabled, MpsEnabled)                                                                      \
    X(hostNumaId, HostNumaId)                                                                      \
    X(gpuPciDeviceID, GpuPciDeviceId)                                                              \
    X(gpuPciSubsystemID, GpuPciSubsystemId)                                                        \
    X(hostNumaMultinodeIpcSupported, HostNumaMultinodeIpcSupported)

static int attribute(enum cudaDeviceAttr which)
{
    int value = 0;
    wb_device_attribute(&value, which);
    return value;
}

enum cudaError rt_cudaGetDeviceProperties(struct cudaDeviceProp *out, int device)
{
    if (!out) {
        return cudaErrorInvalidValue;
    }
    if (device != 0) {
        return cudaErrorInvalidDevice;
    }
    memset(out, 0, sizeof *out);
    strcpy(out->name, WB_DEVICE_NAME);
    memcpy(out->uuid, "warpbook sm_90", sizeof "warpbook sm_90");
    out->totalGlobalMem = WB_DEVICE_MEMORY;
#define PROPERTY(field, which) out->field = (__typeof__(out->field))attribute(cudaDevAttr##which);
    PROPERTY_LIST(PROPERTY)
#undef PROPERTY
    return cudaSuccess;
}
