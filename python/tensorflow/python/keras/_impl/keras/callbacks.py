"""Keras' callbacks under their oldest name."""

from tensorflow.python.keras.callbacks import Callback as Callback
from tensorflow.python.keras.callbacks import CallbackList as CallbackList
from tensorflow.python.keras.callbacks import EarlyStopping as EarlyStopping
from tensorflow.python.keras.callbacks import History as History
from tensorflow.python.keras.callbacks import ModelCheckpoint as ModelCheckpoint
