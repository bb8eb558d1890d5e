"""The CUDA engine of a batch: the kernels, how they are built, and how they are launched."""
