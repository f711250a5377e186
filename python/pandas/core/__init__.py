"""pandas.core: where packages look the classes up."""
