"""Models with fresh weights: ResNet and VGG. Their layers and sizes are those of torchvision."""

from torch._stand_ins import lacks

from .resnet import ResNet, resnet18, resnet34, resnet50, resnet101, resnet152
from .vgg import VGG, vgg11, vgg11_bn, vgg13, vgg13_bn, vgg16, vgg16_bn, vgg19, vgg19_bn

__getattr__ = lacks("torchvision.models")
