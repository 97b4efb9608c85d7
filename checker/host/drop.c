/* SPDX-License-Identifier: MIT
 * libwarpbook-drop.so: preloaded before a CUDA runtime, any, it takes every launch and runs none.
 * What a function still computes then was not computed by a kernel. To cover one more way to
 * launch, add its name.
 */

/* The arguments stay where the caller put them: nobody looks at them. */
#define DROP(name)                                                                                 \
    __attribute__((visibility("default"))) int name(void);                                         \
    int name(void)                                                                                 \
    {                                                                                              \
        return 0;                                                                                  \
    }

DROP(__cudaLaunchKernel)
DROP(__cudaLaunchKernel_ptsz)
DROP(cudaLaunchKernel)
DROP(cudaLaunchKernel_ptsz)
DROP(cudaLaunchKernelExC)
DROP(cudaLaunchKernelExC_ptsz)
DROP(cudaLaunchCooperativeKernel)
DROP(cudaLaunchCooperativeKernel_ptsz)
DROP(cudaGraphLaunch)
DROP(cudaGraphLaunch_ptsz)
