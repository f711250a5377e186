"""Programs of one rank of a training layout: what Megatron-Core's layers, buffers, optimizer and schedules allocate on one GPU."""
