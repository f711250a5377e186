"""Result types of functions with several results."""
