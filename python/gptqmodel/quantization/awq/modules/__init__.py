"""Parts of AWQ."""
