"""sam: an encoder of large images with windows, an encoder of points, boxes and masks, and a decoder of masks."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from ..activations import ACT2FN
from ..attention import HeadedModule, eager_wide
from ..capturing import collects
from ..config import PreTrainedConfig
from ..model import Block, register, register_classes
from ..outputs import output_class
from ..vision import VisionModelBase, pair

SamVisionEncoderOutput = output_class(
    "SamVisionEncoderOutput", "image_embeds last_hidden_state hidden_states attentions"
)
SamImageSegmentationOutput = output_class(
    "SamImageSegmentationOutput",
    "iou_scores pred_masks vision_hidden_states vision_attentions mask_decoder_attentions",
)


class SamPromptEncoderConfig(PreTrainedConfig):
    hidden_size = 256
    image_size = 1024
    patch_size = 16
    mask_input_channels = 16
    num_point_embeddings = 4
    hidden_act = "gelu"
    layer_norm_eps = 1e-6

    def complete(self):
        self.image_embedding_size = self.image_size // self.patch_size


class SamMaskDecoderConfig(PreTrainedConfig):
    hidden_size = 256
    hidden_act = "relu"
    mlp_dim = 2048
    num_hidden_layers = 2
    num_attention_heads = 8
    attention_downsample_rate = 2
    num_multimask_outputs = 3
    iou_head_depth = 3
    iou_head_hidden_dim = 256
    layer_norm_eps = 1e-6


class SamVisionConfig(PreTrainedConfig):
    model_type = "sam_vision_model"
    hidden_size = 768
    output_channels = 256
    num_hidden_layers = 12
    num_attention_heads = 12
    num_channels = 3
    image_size = 1024
    patch_size = 16
    hidden_act = "gelu"
    layer_norm_eps = 1e-6
    attention_dropout = 0.0
    initializer_range = 1e-10
    qkv_bias = True
    mlp_ratio = 4.0
    use_abs_pos = True
    use_rel_pos = True
    window_size = 14
    global_attn_indexes = (2, 5, 8, 11)
    num_pos_feats = 128
    mlp_dim = None

    def complete(self):
        self.mlp_dim = int(self.hidden_size * self.mlp_ratio) if self.mlp_dim is None else self.mlp_dim
        self.scale = self.hidden_size // 2


class SamConfig(PreTrainedConfig):
    model_type = "sam"
    sub_configs = {
        "vision_config": SamVisionConfig,
        "prompt_encoder_config": SamPromptEncoderConfig,
        "mask_decoder_config": SamMaskDecoderConfig,
    }
    initializer_range = 0.02


class SamMLP(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.lin1 = nn.Linear(config.hidden_size, config.mlp_dim)
        self.lin2 = nn.Linear(config.mlp_dim, config.hidden_size)
        self.act = ACT2FN[config.hidden_act]

    def forward(self, hidden_states):
        hidden_states = self.lin1(hidden_states)
        hidden_states = self.act(hidden_states)
        hidden_states = self.lin2(hidden_states)
        return hidden_states


class ChannelNorm(nn.LayerNorm):
    """A norm over the channels of [batch, channels, height, width]."""

    def __init__(self, size, eps=1e-6):
        super().__init__(size, eps=eps)

    def forward(self, features):
        features = features.permute(0, 2, 3, 1)
        features = super().forward(features)
        features = features.permute(0, 3, 1, 2)
        return features


# --- the encoder of images


class SamPatches(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.image_size = pair(config.image_size)
        self.num_channels = config.num_channels
        self.projection = nn.Conv2d(
            config.num_channels, config.hidden_size, kernel_size=pair(config.patch_size), stride=pair(config.patch_size)
        )

    def forward(self, pixel_values):
        _, channels, height, width = pixel_values.shape
        if channels != self.num_channels:
            raise ValueError(
                "Make sure that the channel dimension of the pixel values match with the one set in the configuration."
            )
        if (height, width) != tuple(self.image_size):
            raise ValueError(
                f"Input image size ({height}*{width}) doesn't match model ({self.image_size[0]}*{self.image_size[1]})."
            )
        embeddings = self.projection(pixel_values).permute(0, 2, 3, 1)
        return embeddings


class SamVisionAttention(nn.Module):
    """Every patch of a window, or of the image if `window` is 0; learned biases by distance along each side."""

    def __init__(self, config, window):
        super().__init__()
        self.config = config
        self.heads = config.num_attention_heads
        size = config.hidden_size // self.heads
        self.scale = size**-0.5
        self.dropout = config.attention_dropout
        self.qkv = nn.Linear(config.hidden_size, config.hidden_size * 3, bias=config.qkv_bias)
        self.proj = nn.Linear(config.hidden_size, config.hidden_size)
        if config.use_rel_pos:
            side = window or config.image_size // config.patch_size
            self.rel_pos_h = nn.Parameter(torch.zeros(2 * side - 1, size))
            self.rel_pos_w = nn.Parameter(torch.zeros(2 * side - 1, size))

    def along(self, side, table):
        """Entries of the table for each pair of places along a side [side, side, size]."""
        reach = 2 * side - 1
        table = F.interpolate(table.reshape(1, table.shape[0], -1).transpose(1, 2), size=reach, mode="linear")
        table = table.reshape(-1, reach).permute(1, 0)
        apart = torch.arange(side)[:, None] - torch.arange(side)[None, :] + (side - 1) * 1.0
        return table[apart.long()]

    def bias(self, query, height, width):
        tall = self.along(height, self.rel_pos_h)
        wide = self.along(width, self.rel_pos_w)
        places = query.reshape(query.shape[0], height, width, query.shape[-1])
        by_row = torch.einsum("bhwc,hkc->bhwk", places, tall)
        by_column = torch.einsum("bhwc,wkc->bhwk", places, wide)
        total = by_row[:, :, :, :, None] + by_column[:, :, :, None, :]
        return total

    def eager(self, query, key, value, height, width):
        weights = query * self.scale @ key.transpose(-2, -1)
        if self.config.use_rel_pos:
            bias = self.bias(query, height, width)
            bias = bias.reshape_as(weights)
            weights = weights + bias
        weights = F.softmax(weights, dtype=torch.float32, dim=-1).to(query.dtype)
        kept = F.dropout(weights, p=self.dropout, training=self.training)
        return kept @ value, (weights, kept)

    def fused(self, query, key, value, height, width):
        count, length = query.shape[0], height * width
        batch = count // self.heads
        bias = None
        if self.config.use_rel_pos:
            bias = self.bias(query, height, width).reshape(batch, self.heads, length, length)
        query, key, value = (t.view(batch, self.heads, length, -1) for t in (query, key, value))
        return F.scaled_dot_product_attention(query, key, value, attn_mask=bias), (bias,)

    def forward(self, hidden_states):
        batch, height, width, _ = hidden_states.shape
        qkv = self.qkv(hidden_states).reshape(batch, height * width, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        query, key, value = qkv.reshape(3, batch * self.heads, height * width, -1).unbind(0)
        attend = self.eager if self.config._attn_implementation == "eager" else self.fused
        output, kept = attend(query, key, value, height, width)
        output = output.reshape(batch, self.heads, height, width, -1)
        output = output.permute(0, 2, 3, 1, 4).reshape(batch, height, width, -1)
        output = self.proj(output)
        return output, None


class SamVisionLayer(Block):
    def __init__(self, config, window):
        super().__init__()
        self.layer_norm1 = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.attn = SamVisionAttention(config, window)
        self.layer_norm2 = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.mlp = SamMLP(config)
        self.window_size = window

    def cut(self, states):
        """Windows [windows, size, size, channels], and how large the image is with what fills it up."""
        size = self.window_size
        batch, height, width, channels = states.shape
        below, beside = -height % size, -width % size
        states = F.pad(states, (0, 0, 0, beside, 0, below))
        height, width = height + below, width + beside
        states = states.reshape(batch, height // size, size, width // size, size, channels)
        windows = states.permute(0, 1, 3, 2, 4, 5).contiguous().reshape(-1, size, size, channels)
        return windows, (height, width)

    def join(self, windows, filled, height, width):
        size = self.window_size
        tall, wide = filled
        batch = windows.shape[0] // (tall * wide // size // size)
        states = windows.reshape(batch, tall // size, wide // size, size, size, -1)
        states = states.permute(0, 1, 3, 2, 4, 5).contiguous().reshape(batch, tall, wide, -1)
        states = states[:, :height, :width, :].contiguous()
        return states

    def forward(self, hidden_states):
        residual = hidden_states
        hidden_states = self.layer_norm1(hidden_states)
        if self.window_size > 0:
            height, width = hidden_states.shape[1], hidden_states.shape[2]
            hidden_states, filled = self.cut(hidden_states)
        hidden_states, _ = self.attn(hidden_states=hidden_states)
        if self.window_size > 0:
            hidden_states = self.join(hidden_states, filled, height, width)
        hidden_states = residual + hidden_states
        normed = self.layer_norm2(hidden_states)
        hidden_states = hidden_states + self.mlp(normed)
        return hidden_states


class SamNeck(nn.Module):
    def __init__(self, config):
        super().__init__()
        size = config.output_channels
        self.conv1 = nn.Conv2d(config.hidden_size, size, kernel_size=1, bias=False)
        self.layer_norm1 = ChannelNorm(size)
        self.conv2 = nn.Conv2d(size, size, kernel_size=3, padding=1, bias=False)
        self.layer_norm2 = ChannelNorm(size)

    def forward(self, hidden_states):
        hidden_states = hidden_states.permute(0, 3, 1, 2)
        hidden_states = self.conv1(hidden_states)
        hidden_states = self.layer_norm1(hidden_states)
        hidden_states = self.conv2(hidden_states)
        hidden_states = self.layer_norm2(hidden_states)
        return hidden_states


class SamVisionEncoder(VisionModelBase):
    records = {"hidden_states": SamVisionLayer, "attentions": SamVisionAttention}

    base_model_prefix = "sam"

    def __init__(self, config):
        super().__init__(config)
        self.patch_embed = SamPatches(config)
        self.pos_embed = None
        if config.use_abs_pos:
            side = config.image_size // config.patch_size
            self.pos_embed = nn.Parameter(torch.zeros(1, side, side, config.hidden_size))
        self.layers = nn.ModuleList(
            SamVisionLayer(config, 0 if index in config.global_attn_indexes else config.window_size)
            for index in range(config.num_hidden_layers)
        )
        self.neck = SamNeck(config)
        self.gradient_checkpointing = False
        self.post_init()

    def get_input_embeddings(self):
        return self.patch_embed

    @collects(ties_last=False)
    def forward(self, pixel_values=None, **_):
        if pixel_values is None:
            raise ValueError("You have to specify pixel_values")
        hidden_states = self.patch_embed(pixel_values)
        if self.pos_embed is not None:
            hidden_states = hidden_states + self.pos_embed
        for layer in self.layers:
            hidden_states = layer(hidden_states)
        hidden_states = self.neck(hidden_states)
        return SamVisionEncoderOutput(last_hidden_state=hidden_states)


class SamVisionModel(VisionModelBase):
    base_model_prefix = "sam"

    def __init__(self, config):
        super().__init__(config)
        self.vision_encoder = SamVisionEncoder(config)
        self.post_init()

    def get_input_embeddings(self):
        return self.vision_encoder.patch_embed

    def forward(self, pixel_values=None, **kwargs):
        return self.vision_encoder(pixel_values, **kwargs)


# --- the encoder of prompts


class SamPositions(nn.Module):
    """Places as sines and cosines of random directions."""

    def __init__(self, config):
        super().__init__()
        self.positional_embedding = nn.Parameter(config.scale * torch.randn((2, config.num_pos_feats)))

    def forward(self, places, shape=None):
        coordinates = places.clone()
        if shape is not None:
            coordinates[:, :, :, 0] = coordinates[:, :, :, 0] / shape[1]
            coordinates[:, :, :, 1] = coordinates[:, :, :, 1] / shape[0]
        coordinates = 2 * coordinates - 1
        coordinates = coordinates.to(self.positional_embedding.dtype)
        coordinates = coordinates @ self.positional_embedding
        coordinates = 2 * math.pi * coordinates
        return torch.cat([torch.sin(coordinates), torch.cos(coordinates)], dim=-1)


class SamMaskEmbedding(nn.Module):
    def __init__(self, config):
        super().__init__()
        wide = config.mask_input_channels
        narrow = wide // 4
        self.activation = ACT2FN[config.hidden_act]
        self.conv1 = nn.Conv2d(1, narrow, kernel_size=2, stride=2)
        self.conv2 = nn.Conv2d(narrow, wide, kernel_size=2, stride=2)
        self.conv3 = nn.Conv2d(wide, config.hidden_size, kernel_size=1)
        self.layer_norm1 = ChannelNorm(narrow, eps=config.layer_norm_eps)
        self.layer_norm2 = ChannelNorm(narrow * 4, eps=config.layer_norm_eps)

    def forward(self, masks):
        hidden_states = self.conv1(masks)
        hidden_states = self.layer_norm1(hidden_states)
        hidden_states = self.activation(hidden_states)
        hidden_states = self.conv2(hidden_states)
        hidden_states = self.layer_norm2(hidden_states)
        hidden_states = self.activation(hidden_states)
        dense = self.conv3(hidden_states)
        return dense


class SamPromptEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.shared_embedding = SamPositions(config.vision_config)
        config = config.prompt_encoder_config
        self.mask_embed = SamMaskEmbedding(config)
        self.no_mask_embed = nn.Embedding(1, config.hidden_size)
        self.side = config.image_embedding_size
        self.shape = (config.image_size, config.image_size)
        self.point_embed = nn.ModuleList(
            nn.Embedding(1, config.hidden_size) for _ in range(config.num_point_embeddings)
        )
        self.not_a_point_embed = nn.Embedding(1, config.hidden_size)

    def points(self, points, labels, pad):
        points = points + 0.5
        if pad:
            no_point = torch.zeros((*points.shape[:2], 1, points.shape[-1]), device=points.device)
            no_label = -torch.ones((*points.shape[:2], 1), device=labels.device)
            points = torch.cat([points, no_point], dim=2)
            labels = torch.cat([labels, no_label], dim=2)
        found = self.shared_embedding(points, self.shape)
        found = torch.where(labels[..., None] == -1, self.not_a_point_embed.weight, found)
        found = torch.where(labels[..., None] != -10, found, torch.zeros_like(found))
        for kind in (0, 1):
            more = self.point_embed[kind].weight[None, None, :, :]
            found = torch.where((labels == kind)[:, :, :, None], found + more, found)
        return found

    def boxes(self, boxes):
        boxes = boxes + 0.5
        corners = boxes.reshape(*boxes.shape[:2], 2, 2)
        found = self.shared_embedding(corners, self.shape)
        found[:, :, 0, :] += self.point_embed[2].weight
        found[:, :, 1, :] += self.point_embed[3].weight
        return found

    def forward(self, input_points, input_labels, input_boxes, input_masks):
        sparse, batch = None, 1
        if input_points is not None:
            batch = input_points.shape[0]
            if input_labels is None:
                raise ValueError("If points are provided, labels must also be provided.")
            sparse = self.points(input_points, input_labels, pad=input_boxes is None)
        if input_boxes is not None:
            batch = input_boxes.shape[0]
            boxes = self.boxes(input_boxes)
            sparse = boxes if sparse is None else torch.cat([sparse, boxes], dim=2)
        if input_masks is not None:
            dense = self.mask_embed(input_masks)
        else:
            dense = self.no_mask_embed.weight.reshape(1, -1, 1, 1).expand(batch, -1, self.side, self.side)
        return sparse, dense


# --- the decoder of masks


class SamAttention(HeadedModule):
    """States are [batch, prompts, tokens, size]; the inner size is smaller by `rate`."""

    eager = staticmethod(eager_wide)

    def __init__(self, config, rate=None):
        super().__init__()
        self.config = config
        inner = config.hidden_size // (config.attention_downsample_rate if rate is None else rate)
        self.heads = config.num_attention_heads
        if inner % self.heads:
            raise ValueError("num_attention_heads must divide hidden_size.")
        self.scaling = (inner // self.heads) ** -0.5
        for name in ("q_proj", "k_proj", "v_proj"):
            setattr(self, name, nn.Linear(config.hidden_size, inner))
        self.out_proj = nn.Linear(inner, config.hidden_size)
        self.is_causal = False

    def split(self, states):
        batch, prompts, tokens, size = states.shape
        states = states.reshape(batch * prompts, tokens, self.heads, size // self.heads)
        return states.transpose(1, 2)

    def forward(self, query, key, value, attention_similarity=None):
        query = self.q_proj(query)
        key = self.k_proj(key)
        value = self.v_proj(value)
        prompts = query.shape[1]
        query = self.split(query)
        key = self.split(key)
        value = self.split(value)
        output, weights = self.attention_function()(
            *(self, query, key, value),
            attention_similarity,
            dropout=0.0,
            scaling=self.scaling,
            is_causal=self.is_causal,
        )
        count, tokens, heads, size = output.shape
        output = output.reshape(count // prompts, prompts, tokens, heads * size)
        output = self.out_proj(output)
        return output, weights


class SamTwoWayBlock(nn.Module):
    """Prompts see each other and the image, then the image sees the prompts."""

    def __init__(self, config, first):
        super().__init__()

        def norm():
            return nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)

        self.self_attn = SamAttention(config, rate=1)
        self.layer_norm1 = norm()
        self.cross_attn_token_to_image = SamAttention(config, rate=2)
        self.layer_norm2 = norm()
        self.mlp = SamMLP(config)
        self.layer_norm3 = norm()
        self.layer_norm4 = norm()
        self.cross_attn_image_to_token = SamAttention(config, rate=2)
        self.first = first

    def forward(self, queries, keys, query_places, key_places, attention_similarity):
        if self.first:
            queries, _ = self.self_attn(query=queries, key=queries, value=queries)
        else:
            query = queries + query_places
            attended, _ = self.self_attn(query=query, key=query, value=queries)
            queries = queries + attended
        queries = self.layer_norm1(queries)
        query = queries + query_places
        key = keys + key_places
        attended, _ = self.cross_attn_token_to_image(
            query=query, key=key, value=keys, attention_similarity=attention_similarity
        )
        queries = queries + attended
        queries = self.layer_norm2(queries)
        more = self.mlp(queries)
        queries = queries + more
        queries = self.layer_norm3(queries)
        query = queries + query_places
        key = keys + key_places
        attended, _ = self.cross_attn_image_to_token(query=key, key=query, value=queries)
        keys = keys + attended
        keys = self.layer_norm4(keys)
        return queries, keys, attended


class SamTwoWayTransformer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.layers = nn.ModuleList(SamTwoWayBlock(config, index == 0) for index in range(config.num_hidden_layers))
        self.final_attn_token_to_image = SamAttention(config)
        self.layer_norm_final_attn = nn.LayerNorm(config.hidden_size)

    def forward(self, point_embeddings, image_embeddings, image_places, attention_similarity, target_embedding=None):
        image_embeddings = image_embeddings.flatten(2).transpose(1, 2).unsqueeze(1)
        image_places = image_places.flatten(2).transpose(1, 2).unsqueeze(1)
        queries, keys = point_embeddings, image_embeddings
        for layer in self.layers:
            if target_embedding is not None:
                queries += target_embedding
            queries, keys, _ = layer(
                queries=queries,
                keys=keys,
                query_places=point_embeddings,
                key_places=image_places,
                attention_similarity=attention_similarity,
            )
        query = queries + point_embeddings
        key = keys + image_places
        attended, _ = self.final_attn_token_to_image(query=query, key=key, value=keys)
        queries = queries + attended
        queries = self.layer_norm_final_attn(queries)
        return queries, keys


class SamFeedForward(nn.Module):
    def __init__(self, inputs, inner, outputs, count):
        super().__init__()
        self.activation = nn.ReLU()
        self.proj_in = nn.Linear(inputs, inner)
        self.proj_out = nn.Linear(inner, outputs)
        self.layers = nn.ModuleList(nn.Linear(inner, inner) for _ in range(count - 2))

    def forward(self, hidden_states):
        hidden_states = self.proj_in(hidden_states)
        hidden_states = self.activation(hidden_states)
        for layer in self.layers:
            hidden_states = self.activation(layer(hidden_states))
        hidden_states = self.proj_out(hidden_states)
        return hidden_states


class SamMaskDecoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        size = config.hidden_size
        self.count = config.num_multimask_outputs + 1
        self.iou_token = nn.Embedding(1, size)
        self.mask_tokens = nn.Embedding(self.count, size)
        self.transformer = SamTwoWayTransformer(config)
        self.upscale_conv1 = nn.ConvTranspose2d(size, size // 4, kernel_size=2, stride=2)
        self.upscale_conv2 = nn.ConvTranspose2d(size // 4, size // 8, kernel_size=2, stride=2)
        self.upscale_layer_norm = ChannelNorm(size // 4)
        self.activation = nn.GELU()
        self.output_hypernetworks_mlps = nn.ModuleList(
            SamFeedForward(size, size, size // 8, 3) for _ in range(self.count)
        )
        self.iou_prediction_head = SamFeedForward(size, config.iou_head_hidden_dim, self.count, config.iou_head_depth)

    def forward(
        self,
        image_embeddings,
        image_places,
        sparse,
        dense,
        multimask_output,
        attention_similarity=None,
        target_embedding=None,
    ):
        batch, channels, height, width = image_embeddings.shape
        prompts = sparse.shape[1] if sparse is not None else 1
        own = torch.cat([self.iou_token.weight, self.mask_tokens.weight], dim=0)
        own = own.repeat(batch, prompts, 1, 1)
        tokens = torch.cat((own, sparse), dim=2) if sparse is not None else own
        points = tokens.to(self.iou_token.weight.dtype)
        image_embeddings = image_embeddings + dense
        image_embeddings = image_embeddings.repeat_interleave(prompts, 0)
        image_places = image_places.repeat_interleave(prompts, 0)
        found, image_embeddings = self.transformer(
            point_embeddings=points,
            image_embeddings=image_embeddings,
            image_places=image_places,
            attention_similarity=attention_similarity,
            target_embedding=target_embedding,
        )
        iou = found[:, :, 0, :]
        of_masks = found[:, :, 1 : 1 + self.count, :]
        image_embeddings = image_embeddings.transpose(2, 3).reshape(batch * prompts, channels, height, width)
        upscaled = self.upscale_conv1(image_embeddings)
        upscaled = self.activation(self.upscale_layer_norm(upscaled))
        upscaled = self.activation(self.upscale_conv2(upscaled))
        weights = []
        for index in range(self.count):
            weights.append(self.output_hypernetworks_mlps[index](of_masks[:, :, index, :]))
        together = torch.stack(weights, dim=2)
        _, channels, height, width = upscaled.shape
        upscaled = upscaled.reshape(batch, prompts, channels, height * width)
        masks = (together @ upscaled).reshape(batch, prompts, -1, height, width)
        quality = self.iou_prediction_head(iou)
        wanted = slice(1, None) if multimask_output else slice(0, 1)
        masks = masks[:, :, wanted, :, :]
        quality = quality[:, :, wanted]
        return masks, quality


class SamModel(VisionModelBase):
    base_model_prefix = "sam"
    tied = {"prompt_encoder.shared_embedding.positional_embedding": "shared_image_embedding.positional_embedding"}

    def __init__(self, config):
        super().__init__(config)
        self.shared_image_embedding = SamPositions(config.vision_config)
        self.vision_encoder = SamVisionEncoder(config.vision_config)
        self.prompt_encoder = SamPromptEncoder(config)
        self.mask_decoder = SamMaskDecoder(config.mask_decoder_config)
        self.post_init()

    def get_input_embeddings(self):
        return self.vision_encoder.get_input_embeddings()

    def get_image_wide_positional_embeddings(self):
        side = self.config.prompt_encoder_config.image_embedding_size
        table = self.shared_image_embedding.positional_embedding
        grid = torch.ones((side, side), device=table.device, dtype=table.dtype)
        y = grid.cumsum(dim=0) - 0.5
        x = grid.cumsum(dim=1) - 0.5
        y = y / side
        x = x / side
        places = self.shared_image_embedding(torch.stack([x, y], dim=-1))
        return places.permute(2, 0, 1).unsqueeze(0)

    @torch.no_grad()
    def get_image_embeddings(self, pixel_values, **kwargs):
        outputs = self.vision_encoder(pixel_values, **kwargs)
        return outputs.last_hidden_state

    @torch.no_grad()
    def get_prompt_embeddings(self, input_points=None, input_labels=None, input_boxes=None, input_masks=None):
        return self.prompt_encoder(input_points, input_labels, input_boxes, input_masks)

    def forward(
        self,
        pixel_values=None,
        input_points=None,
        input_labels=None,
        input_boxes=None,
        input_masks=None,
        image_embeddings=None,
        multimask_output=True,
        attention_similarity=None,
        target_embedding=None,
        return_dict=None,
        **kwargs,
    ):
        if pixel_values is None and image_embeddings is None:
            raise ValueError("Either pixel_values or image_embeddings must be provided.")
        if pixel_values is not None and image_embeddings is not None:
            raise ValueError("Only one of pixel_values and image_embeddings can be provided.")
        places = self.get_image_wide_positional_embeddings()
        batch = (pixel_values if pixel_values is not None else image_embeddings).shape[0]
        places = places.repeat(batch, 1, 1, 1)
        states = None
        if pixel_values is not None:
            seen = self.vision_encoder(pixel_values, **kwargs)
            image_embeddings = seen.last_hidden_state
            states = seen.hidden_states
        if input_points is not None and input_labels is None:
            input_labels = torch.ones_like(input_points[:, :, :, 0], dtype=torch.int, device=input_points.device)
        sparse, dense = self.prompt_encoder(input_points, input_labels, input_boxes, input_masks)
        masks, quality = self.mask_decoder(
            image_embeddings=image_embeddings,
            image_places=places,
            sparse=sparse,
            dense=dense,
            multimask_output=multimask_output,
            attention_similarity=attention_similarity,
            target_embedding=target_embedding,
        )
        return SamImageSegmentationOutput(iou_scores=quality, pred_masks=masks, vision_hidden_states=states)


register(SamVisionConfig, AutoModel=SamVisionModel)
register(SamConfig, AutoModel=SamModel, AutoModelForMaskGeneration=SamModel)
register_classes(SamPromptEncoderConfig, SamMaskDecoderConfig)
