"""pycocotools: annotations of COCO by their numbers and shapes; what detections are worth is not measured."""
