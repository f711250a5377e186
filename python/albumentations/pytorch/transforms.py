"""albumentations.pytorch.transforms: where ToTensorV2 is defined."""

from albumentations.pytorch import ToTensorV2 as ToTensorV2
