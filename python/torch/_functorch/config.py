"""Settings of the compiler's autograd part. Compiled code runs as eager code here, so they change nothing."""

donated_buffer = True
activation_memory_budget = 1.0
