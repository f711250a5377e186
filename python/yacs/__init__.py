"""yacs: experiment settings in nested nodes; `yacs.config` has all of it."""
