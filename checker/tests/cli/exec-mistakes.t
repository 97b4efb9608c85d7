## needs nvcc
## What `warpbook exec` says of the mistakes of fixtures/exec/mistakes.cu. Addresses of the host differ
## from run to run.
$ cp $FIXTURES/exec/mistakes.cu .; $NVCC -arch=sm_90 -cudart shared -lineinfo -g -o mistakes mistakes.cu
$ warpbook exec ./mistakes copy-too-large 2>&1 | sed 's/0x[0-9a-f]*/ADDRESS/; /^kernel  /d'
No kernel ran to its end.
mistakes.cu:54: error: cudaMemcpy writes 4000 bytes of the memory from cudaMalloc (mistakes.cu:45) (1000 bytes): 3000 bytes too many [out-of-bounds]
mistakes.cu:54: note: The allocation is too small by just the size of an element: allocate n * sizeof(element) bytes.
mistakes.cu:54: error: cudaMemcpy failed with cudaErrorInvalidValue, and the program went on without asking for it [unchecked-error]
mistakes.cu:54: note: Check every return code.
$ warpbook exec ./mistakes copy-back-too-large 2>&1 | sed 's/0x[0-9a-f]*/ADDRESS/; /^kernel  /d'
No kernel ran to its end.
mistakes.cu:61: error: cudaMemcpy reads 240 bytes of the memory from cudaMalloc (mistakes.cu:45) (400 bytes), from byte 200 on: 40 bytes too many [out-of-bounds]
mistakes.cu:61: note: Sizes are in bytes. Compare this one with that of the allocation.
mistakes.cu:61: error: cudaMemcpy failed with cudaErrorInvalidValue, and the program went on without asking for it [unchecked-error]
mistakes.cu:61: note: Check every return code.
$ warpbook exec ./mistakes set-too-large 2>&1 | sed 's/0x[0-9a-f]*/ADDRESS/; /^kernel  /d'
No kernel ran to its end.
mistakes.cu:68: error: cudaMemset writes 1001 bytes of the memory from cudaMalloc (mistakes.cu:45) (1000 bytes): 1 byte too many [out-of-bounds]
mistakes.cu:68: note: Sizes are in bytes. Compare this one with that of the allocation.
mistakes.cu:68: error: cudaMemset failed with cudaErrorInvalidValue, and the program went on without asking for it [unchecked-error]
mistakes.cu:68: note: Check every return code.
$ warpbook exec ./mistakes copy-of-freed 2>&1 | sed 's/0x[0-9a-f]*/ADDRESS/; /^kernel  /d'
No kernel ran to its end.
mistakes.cu:76: error: cudaMemcpy reads the memory from cudaMalloc (mistakes.cu:45) (1000 bytes), which was freed at mistakes.cu:75 [out-of-bounds]
mistakes.cu:76: note: Free memory only behind the last kernel and copy that use it.
mistakes.cu:76: error: cudaMemcpy failed with cudaErrorInvalidValue, and the program went on without asking for it [unchecked-error]
mistakes.cu:76: note: Check every return code.
$ warpbook exec ./mistakes kernel-on-freed 2>&1 | sed 's/0x[0-9a-f]*/ADDRESS/; /^kernel  /d'
cudaErrorIllegalAddress
fill           1          no branch         29.4        125/125               0/0         10
mistakes.cu:18: error: thread (0,0,0) of block (0,0,0) writes 4 bytes of the memory from cudaMalloc (mistakes.cu:45) (4000 bytes, 1000 elements of 4) after it was freed at mistakes.cu:82; 1000 accesses in this line do so (kernel fill, launched at mistakes.cu:83) [out-of-bounds]
mistakes.cu:18: note: Free memory only behind the last kernel and copy that use it.
$ warpbook exec ./mistakes free-twice 2>&1 | sed 's/0x[0-9a-f]*/ADDRESS/; /^kernel  /d'
No kernel ran to its end.
mistakes.cu:91: error: cudaFree was given the memory from cudaMalloc (mistakes.cu:45) (1000 bytes), which was freed before at mistakes.cu:90 [bad-free]
mistakes.cu:91: note: Free each allocation once; set the pointer to nullptr after that.
mistakes.cu:91: error: cudaFree failed with cudaErrorInvalidValue, and the program went on without asking for it [unchecked-error]
mistakes.cu:91: note: Check every return code.
$ warpbook exec ./mistakes free-of-host 2>&1 | sed 's/0x[0-9a-f]*/ADDRESS/; /^kernel  /d'
No kernel ran to its end.
mistakes.cu:96: error: cudaFree was given an address of host memory (ADDRESS) that is not CUDA's [bad-free]
mistakes.cu:96: note: Free it the way it was made: malloc with free, new[] with delete[]; a local array not at all.
mistakes.cu:97: error: cudaFreeHost was given an address of host memory (ADDRESS) that is not CUDA's [bad-free]
mistakes.cu:97: note: Free it the way it was made: malloc with free, new[] with delete[]; a local array not at all.
mistakes.cu:96: error: cudaFree failed with cudaErrorInvalidValue, and the program went on without asking for it; 1 later call failed, too [unchecked-error]
mistakes.cu:96: note: Check every return code.
$ warpbook exec ./mistakes free-of-inside 2>&1 | sed 's/0x[0-9a-f]*/ADDRESS/; /^kernel  /d'
No kernel ran to its end.
mistakes.cu:104: error: cudaFree was given an address inside of the memory from cudaMalloc (mistakes.cu:45) (1000 bytes), 40 bytes behind its start [bad-free]
mistakes.cu:104: note: Keep the pointer that the allocation gave, and free that one.
mistakes.cu:104: error: cudaFree failed with cudaErrorInvalidValue, and the program went on without asking for it [unchecked-error]
mistakes.cu:104: note: Check every return code.
mistakes.cu:45: warning: 1 device allocation (1000 bytes) made here was never given back with cudaFree [leak]
mistakes.cu:45: note: Free it on every path, also after an error.
$ warpbook exec ./mistakes free-by-wrong-call 2>&1 | sed 's/0x[0-9a-f]*/ADDRESS/; /^kernel  /d'
No kernel ran to its end.
mistakes.cu:111: error: cudaFree cannot free the memory from cudaHostAlloc (mistakes.cu:110) (1000 bytes) [bad-free]
mistakes.cu:111: note: Free it with cudaFreeHost.
mistakes.cu:112: error: cudaFreeHost cannot free the memory from cudaMalloc (mistakes.cu:45) (1000 bytes) [bad-free]
mistakes.cu:112: note: Free device memory with cudaFree.
mistakes.cu:111: error: cudaFree failed with cudaErrorInvalidValue, and the program went on without asking for it; 1 later call failed, too [unchecked-error]
mistakes.cu:111: note: Check every return code.
mistakes.cu:45: warning: 1 device allocation (1000 bytes) made here was never given back with cudaFree [leak]
mistakes.cu:45: note: Free it on every path, also after an error.
mistakes.cu:110: warning: 1 pinned host allocation (1000 bytes) made here was never given back with cudaFreeHost [leak]
mistakes.cu:110: note: Free it on every path, also after an error.
$ warpbook exec ./mistakes free-of-nothing 2>&1 | sed 's/0x[0-9a-f]*/ADDRESS/; /^kernel  /d'
No kernel ran to its end.
mistakes.cu:118: error: cudaFree was given an address (ADDRESS) where nothing is; was the pointer ever set? [bad-free]
mistakes.cu:118: note: Set each pointer to nullptr where it is declared: freeing that does nothing.
mistakes.cu:118: error: cudaFree failed with cudaErrorInvalidValue, and the program went on without asking for it [unchecked-error]
mistakes.cu:118: note: Check every return code.
$ warpbook exec ./mistakes device-pointer 2>&1 | sed 's/0x[0-9a-f]*/ADDRESS/; /^kernel  /d'
No kernel ran to its end.
mistakes.cu:125: error: the program used a device pointer (ADDRESS, the memory from cudaMalloc (mistakes.cu:45) (4000 bytes)) on the host; the last CUDA call was cudaMalloc at mistakes.cu:45 (cudaSuccess) [crash]
mistakes.cu:125: note: Copy the data to the host with cudaMemcpy and use the copy; free device memory with cudaFree.
warpbook: ./mistakes was ended by signal 11 (Segmentation fault).
$ warpbook exec ./mistakes freed-device-pointer 2>&1 | sed 's/0x[0-9a-f]*/ADDRESS/; /^kernel  /d'
No kernel ran to its end.
mistakes.cu:133: error: the program used a device pointer (ADDRESS, byte 8 of the memory from cudaMalloc (mistakes.cu:45) (4000 bytes), which was freed at mistakes.cu:132) on the host; the last CUDA call was cudaFree at mistakes.cu:132 (cudaSuccess) [crash]
mistakes.cu:133: note: Copy the data to the host with cudaMemcpy and use the copy; free device memory with cudaFree.
warpbook: ./mistakes was ended by signal 11 (Segmentation fault).
$ warpbook exec ./mistakes copy-from-nowhere 2>&1 | sed 's/0x[0-9a-f]*/ADDRESS/; /^kernel  /d'
No kernel ran to its end.
mistakes.cu:140: error: cudaMemcpy reads 1000 bytes of host memory at its source, ADDRESS, but no memory is there [crash]
mistakes.cu:140: note: Look where this pointer was set: it must come from malloc, new or an array, and not be freed yet.
warpbook: ./mistakes was ended by signal 11 (Segmentation fault).
$ warpbook exec ./mistakes copy-to-short-array 2>&1 | sed 's/0x[0-9a-f]*/ADDRESS/; /^kernel  /d'
No kernel ran to its end.
mistakes.cu:149: error: cudaMemcpy writes 8192 bytes of host memory at its destination, ADDRESS, but the memory there ends before [crash]
mistakes.cu:149: note: Compare the size, in bytes, with that of the array on the host.
warpbook: ./mistakes was ended by signal 11 (Segmentation fault).
$ warpbook exec ./mistakes result-to-nowhere 2>&1 | sed 's/0x[0-9a-f]*/ADDRESS/; /^kernel  /d'
No kernel ran to its end.
mistakes.cu:155: error: one of the pointers that cudaEventCreate was given points to no memory of the host [crash]
mistakes.cu:155: note: Give the address of a variable that is there, as in &variable.
warpbook: ./mistakes was ended by signal 11 (Segmentation fault).
$ warpbook exec ./mistakes null-pointer 2>&1 | sed 's/0x[0-9a-f]*/ADDRESS/; /^kernel  /d'
fill           1          no branch         29.7            4/4               0/0         10
mistakes.cu:164: error: the program used a null pointer (address ADDRESS) on the host; the last CUDA call was cudaLaunchKernel at mistakes.cu:161 (cudaSuccess) [crash]
mistakes.cu:164: note: Give the pointer memory first, and look at whether that succeeded.
warpbook: ./mistakes was ended by signal 11 (Segmentation fault).
$ warpbook exec ./mistakes uninitialised-pointer 2>&1 | sed 's/0x[0-9a-f]*/ADDRESS/; /^kernel  /d'
No kernel ran to its end.
mistakes.cu:170: error: the program used a pointer on the host whose value cannot be an address [crash]
mistakes.cu:170: note: Look for a pointer that was never set, memory that was freed, or an index far outside of an array.
warpbook: ./mistakes was ended by signal 11 (Segmentation fault).
$ warpbook exec ./mistakes divides-by-zero 2>&1 | sed 's/0x[0-9a-f]*/ADDRESS/; /^kernel  /d'
No kernel ran to its end.
mistakes.cu:177: error: the program divided an integer by zero on the host; the last CUDA call was cudaMalloc at mistakes.cu:45 (cudaSuccess) [crash]
mistakes.cu:177: note: Find out why the divisor is 0: often an argument that was not given.
warpbook: ./mistakes was ended by signal 8 (Floating point exception).
$ warpbook exec ./mistakes large-local-array 2>&1 | sed 's/0x[0-9a-f]*/ADDRESS/; /^kernel  /d'
No kernel ran to its end.
mistakes.cu:183: error: the program used up its stack on the host [crash]
mistakes.cu:183: note: Put large arrays into memory from malloc, new or std::vector, and look for functions that call themselves without end.
warpbook: ./mistakes was ended by signal 11 (Segmentation fault).
$ warpbook exec ./mistakes trap 2>&1 | sed 's/0x[0-9a-f]*/ADDRESS/; /^kernel  /d'
cudaErrorLaunchFailure
traps          1          no branch         26.7            0/0               0/0          4
mistakes.cu:25: error: thread (3,0,0) of block (0,0,0) stopped the kernel: it reached a trap instruction (kernel traps, launched at mistakes.cu:189) [trap]
mistakes.cu:25: note: __trap() stops the kernel on purpose: find out why this line was reached.
$ warpbook exec ./mistakes assertion 2>&1 | sed 's/0x[0-9a-f]*/ADDRESS/; /^kernel  /d'
mistakes.cu:31: void asserts(int): block: [0,0,0], thread: [3,0,0] Assertion `threadIdx.x != n` failed.
cudaErrorAssert
asserts         1           100.00 %          8.3            0/0               0/0         24
mistakes.cu:31: error: thread (3,0,0) of block (0,0,0) stopped the kernel: assertion `threadIdx.x != n` failed (mistakes.cu:31) (kernel asserts, launched at mistakes.cu:195) [trap]
mistakes.cu:31: note: Read the condition of the assert that failed.
