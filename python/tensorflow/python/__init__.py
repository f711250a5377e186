"""Parts of TensorFlow that lie below tensorflow.python."""
