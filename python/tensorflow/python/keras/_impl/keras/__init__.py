"""Where the releases before 1.5 kept Keras."""
