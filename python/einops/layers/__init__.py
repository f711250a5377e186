"""einops as modules."""
