"""Settings of the compiler's autograd part. The engine follows compiled code by the default ones, whatever is set here."""

donated_buffer = True
activation_memory_budget = 1.0
