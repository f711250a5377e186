"""vit_mae: ViT on the quarter of the patches that are not hidden, and a narrow decoder that makes the rest."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import torch
from torch import nn

from ..cores.capturing import collects
from ..masking_utils import create_bidirectional_mask
from ..modeling_utils import BLOCK_RECORDS, register
from ..modeling_outputs import ViTMAEDecoderOutput, ViTMAEForPreTrainingOutput, ViTMAEModelOutput, beside
from ..cores.vision import PatchEmbeddings, VisionConfig, VisionLayer, VisionModelBase, resized, run_layers

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.modeling_outputs import ModelOutput


class ViTMAEConfig(VisionConfig):
    model_type = "vit_mae"
    decoder_num_attention_heads = 16
    decoder_hidden_size = 512
    decoder_num_hidden_layers = 8
    decoder_intermediate_size = 2048
    mask_ratio = 0.75
    norm_pix_loss = False


class ViTMAEEmbeddings(nn.Module):
    def __init__(self, config: ViTMAEConfig) -> None:
        super().__init__()
        self.cls_token = nn.Parameter(torch.zeros(1, 1, config.hidden_size))
        self.patch_embeddings = PatchEmbeddings(config)
        count = self.patch_embeddings.num_patches
        self.position_embeddings = nn.Parameter(torch.zeros(1, count + 1, config.hidden_size), requires_grad=False)
        self.config = config

    def hide(self, sequence: Any, noise: Any = None) -> tuple:
        batch, length, size = sequence.shape
        kept = int(length * (1 - self.config.mask_ratio))
        if noise is None:
            noise = torch.rand(batch, length, device=sequence.device)
        order = torch.argsort(noise, dim=1)
        restore = torch.argsort(order, dim=1)
        first = order[:, :kept]
        seen = torch.gather(sequence, dim=1, index=first.unsqueeze(-1).repeat(1, 1, size))
        mask = torch.ones([batch, length], device=sequence.device)
        mask[:, :kept] = 0
        mask = torch.gather(mask, dim=1, index=restore)
        return seen, mask, restore

    def forward(
        self, pixel_values: Tensor, noise: Tensor | None = None, interpolate_pos_encoding: bool = False
    ) -> Tensor:
        height, width = pixel_values.shape[2:]
        embeddings = self.patch_embeddings(pixel_values)
        position_embeds = self.position_embeddings
        if interpolate_pos_encoding:
            position_embeds = resized(position_embeds, embeddings.shape[1], height, width, self.config.patch_size)
        elif (height, width) != tuple(self.patch_embeddings.image_size):
            raise ValueError(
                f"Input image size ({height}*{width}) doesn't match model ({self.patch_embeddings.image_size})."
            )
        embeddings = embeddings + position_embeds[:, 1:, :]
        embeddings, mask, restore = self.hide(embeddings, noise)
        first = self.cls_token + position_embeds[:, :1, :]
        tokens = first.expand(embeddings.shape[0], -1, -1)
        embeddings = torch.cat((tokens, embeddings), dim=1)
        return embeddings, mask, restore


class ViTMAEModel(VisionModelBase):
    records = BLOCK_RECORDS
    base_model_prefix = "vit"

    def __init__(self, config: ViTMAEConfig) -> None:
        super().__init__(config)
        self.embeddings = ViTMAEEmbeddings(config)
        self.layers = nn.ModuleList(VisionLayer(config) for _ in range(config.num_hidden_layers))
        self.layernorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.post_init()

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.embeddings.patch_embeddings

    @collects(ties_last=False)
    def forward(
        self,
        pixel_values: Tensor | None = None,
        noise: Tensor | None = None,
        interpolate_pos_encoding: bool | None = None,
        attention_mask: Tensor | None = None,
        **kwargs: Any,
    ) -> ModelOutput:
        embedded, mask, restore = self.embeddings(
            pixel_values, noise=noise, interpolate_pos_encoding=interpolate_pos_encoding
        )
        attention_mask = create_bidirectional_mask(self.config, embedded, attention_mask)
        last = run_layers(self.layers, embedded, attention_mask, **kwargs)
        last = self.layernorm(last)
        return ViTMAEModelOutput(last_hidden_state=last, mask=mask, ids_restore=restore)


class ViTMAEDecoder(nn.Module):
    def __init__(self, config: ViTMAEConfig, count: int) -> None:
        super().__init__()
        size = config.decoder_hidden_size
        self.decoder_embed = nn.Linear(config.hidden_size, size)
        self.mask_token = nn.Parameter(torch.zeros(1, 1, size))
        self.decoder_pos_embed = nn.Parameter(torch.zeros(1, count + 1, size), requires_grad=False)
        self.config = own = copy.deepcopy(config)
        own.hidden_size = size
        own.num_hidden_layers = config.decoder_num_hidden_layers
        own.num_attention_heads = config.decoder_num_attention_heads
        own.intermediate_size = config.decoder_intermediate_size
        self.decoder_layers = nn.ModuleList(VisionLayer(own) for _ in range(own.num_hidden_layers))
        self.decoder_norm = nn.LayerNorm(size, eps=config.layer_norm_eps)
        self.decoder_pred = nn.Linear(size, config.patch_size**2 * config.num_channels)
        self.gradient_checkpointing = False

    def forward(self, hidden_states: Tensor, restore: Any, interpolate_pos_encoding: bool = False) -> ModelOutput:
        hidden_states = self.decoder_embed(hidden_states)
        missing = restore.shape[1] + 1 - hidden_states.shape[1]
        hidden = self.mask_token.repeat(hidden_states.shape[0], missing, 1)
        whole = torch.cat([hidden_states[:, 1:, :], hidden], dim=1)
        whole = torch.gather(whole, dim=1, index=restore.unsqueeze(-1).repeat(1, 1, hidden_states.shape[2]))
        hidden_states = torch.cat([hidden_states[:, :1, :], whole], dim=1)
        if interpolate_pos_encoding:
            raise NotImplementedError("vramscope's vit_mae does not resize the decoder's positions")
        hidden_states = hidden_states + self.decoder_pos_embed
        for layer in self.decoder_layers:
            hidden_states = layer(hidden_states)
        hidden_states = self.decoder_norm(hidden_states)
        logits = self.decoder_pred(hidden_states)
        logits = logits[:, 1:, :]
        return ViTMAEDecoderOutput(logits=logits)


class ViTMAEForPreTraining(VisionModelBase):
    base_model_prefix = "vit"

    def __init__(self, config: ViTMAEConfig) -> None:
        super().__init__(config)
        self.vit = ViTMAEModel(config)
        self.decoder = ViTMAEDecoder(config, self.vit.embeddings.patch_embeddings.num_patches)
        self.post_init()

    def patchify(self, images: Any) -> Tensor:
        """Images as sequences of patches [batch, patches, values]."""
        patch, channels = self.config.patch_size, self.config.num_channels
        batch, rows, columns = images.shape[0], images.shape[2] // patch, images.shape[3] // patch
        patches = images.reshape(batch, channels, rows, patch, columns, patch)
        patches = patches.permute(0, 2, 4, 3, 5, 1)
        patches = patches.reshape(batch, rows * columns, patch**2 * channels)
        return patches

    def forward(
        self,
        pixel_values: Tensor | None = None,
        noise: Tensor | None = None,
        interpolate_pos_encoding: bool | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> ModelOutput:
        outputs = self.vit(pixel_values, noise=noise, interpolate_pos_encoding=interpolate_pos_encoding, **kwargs)
        latent, restore, mask = outputs.last_hidden_state, outputs.ids_restore, outputs.mask
        decoded = self.decoder(latent, restore, interpolate_pos_encoding=interpolate_pos_encoding)
        logits = decoded.logits
        loss = self.forward_loss(pixel_values, logits, mask)
        return ViTMAEForPreTrainingOutput(loss=loss, logits=logits, mask=mask, ids_restore=restore, **beside(outputs))

    def forward_loss(self, pixel_values: Tensor, logits: Tensor, mask: Tensor | None) -> Any:
        target = self.patchify(pixel_values)
        if self.config.norm_pix_loss:
            mean = target.mean(dim=-1, keepdim=True)
            spread = target.var(dim=-1, keepdim=True)
            target = (target - mean) / (spread + 1e-6) ** 0.5
        loss = (logits - target) ** 2
        loss = loss.mean(dim=-1)
        loss = (loss * mask).sum() / mask.sum()
        return loss


register(ViTMAEConfig, AutoModel=ViTMAEModel, AutoModelForPreTraining=ViTMAEForPreTraining)
