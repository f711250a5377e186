"""Trains each named model type of transformers in a small configuration and prints, as one line of JSON for each type, the device
bytes after each phase: allocated, peak within the phase, reserved. The same file runs under the simulator and on a real PyTorch.

usage: program.py TYPES [find] [traceback]    TYPES: JSON, {model type: recipe or null}

A recipe is [number of a shrinking, name of a class, names of inputs, whether labels are given], or a written one, for types whose
small form no rule finds: {"class": name, "config": what differs from the type's own configuration, "inputs": specs by name, "labels":
specs by name that only training takes}. A spec is "dtype LxMxN", with " on the CPU" where it stays there, and " = value" or
" = value,value*times,..." where it is not drawn; lists and objects of specs stand for lists and dictionaries, any other value for itself. With find each type without a
recipe is tried with one after the other, each in a process of its own, until one trains.
"""

import dataclasses
import gc
import importlib
import inspect
import json
import os
import re
import sys
import warnings

import torch
import transformers
from transformers.models.auto import configuration_auto, modeling_auto

warnings.simplefilter("ignore")
transformers.logging.set_verbosity_error()
BATCH, LENGTH, TOKENS, MOST_TRIES = 2, 16, 4, 6

# --- a small configuration ----------------------------------------------------------------------------------------------

# How many there are of something that is repeated: two will do.
_REPEATED = re.compile(r"((^|_)n?_?(layers?|blocks|depth)$|^n_layer$|^num_hidden_layers$|_layers$|num_hidden_layers$|num_layers$|num_blocks$)")
_NOT_REPEATED = re.compile(r"(residual|proj|feature|postnet|dense|shared|predict|window|upscale|stage|encode|buckets|groups|mode|head|conv|adapter|random)")
_WIDTH = re.compile(r"(hidden_size|intermediate_size|_dim|^dim|d_model|d_ff|n_embd|n_inner|embed_dim|ffn_dim|hidden_dim|hidden|embedding_size|mlp_dim)$")
_NOT_WIDTH = re.compile(r"(head_dim|rope|rotary|lora|codebook|codevector|tdnn|xvector|conv_dim|input_dim|output_dim|mel|freq|feature|kernel|state)")
_HEADS = re.compile(r"(^|_)(num_(attention_)?heads|attention_heads|n_heads?|num_attention_heads)$")
_VOCABULARY = re.compile(r"(^|_)(vocab_size|n_vocab|vocabulary_size)$")
_TOKEN = re.compile(r"(token_ids?|token_index|_index|_idx|_id|_token)$")
_EXPERTS = re.compile(r"(experts|n_routed_experts)$")
_CHOSEN = re.compile(r"(experts_per_tok|top_?k|moe_k|topk)$")
_GROUPS = re.compile(r"^(n_group|topk_group)$")
SMALL_VOCABULARY = 1024
SHRINKINGS = ("width", "vocabulary", "layers", "nothing")


def fields_of(config):
    return {f.name: f for f in dataclasses.fields(config)}


def parts_of(config):
    found = {}
    for name in getattr(type(config), "sub_configs", None) or {}:
        part = getattr(config, name, None)
        if isinstance(part, transformers.PretrainedConfig):
            found[name] = part
    return found


def divisor_of(config):
    """By what all widths are divided: each head keeps sixteen numbers or more, in all parts, because parts name each other's widths."""
    divisors = [divisor_of(part) for part in parts_of(config).values()]
    values = {name: getattr(config, name, None) for name in fields_of(config)}
    numbers = {name: value for name, value in values.items() if type(value) is int}
    main = next((numbers[n] for n in ("hidden_size", "d_model", "n_embd", "embed_dim") if n in numbers), None)
    heads = [v for n, v in numbers.items() if _HEADS.search(n)]
    free = "head_dim" in numbers or "qk_nope_head_dim" in numbers
    if main is not None:
        fits = (d for d in (8, 4, 2) if main % (8 * d) == 0 and (free or all(_fits(main // d, h) for h in heads)))
        divisors.append(next(fits, 1))
    return min(divisors, default=4)


def _fits(width, heads):
    return width % (4 * heads) == 0 and width // heads >= 16


def shrunk_value(name, value, shrinking, divisor, tokens):
    kind = SHRINKINGS[shrinking]
    if kind == "nothing" or isinstance(value, bool):
        return value
    if type(value) is int:
        if _REPEATED.search(name) and not _NOT_REPEATED.search(name) and value > 2:
            return 2
        if kind == "layers":
            return value
        if _VOCABULARY.search(name):
            return min(value, SMALL_VOCABULARY)
        if _TOKEN.search(name) and value >= SMALL_VOCABULARY - 64:
            return tokens.setdefault(value, SMALL_VOCABULARY - 1 - len(tokens))
        if _GROUPS.search(name):
            return 1
        if _EXPERTS.search(name) and value > 4:
            return 4
        if _CHOSEN.search(name) and value > 2:
            return 2
        if kind == "width" and _WIDTH.search(name) and not _NOT_WIDTH.search(name) and value >= 64 and value % (divisor * 8) == 0:
            return value // divisor
    elif isinstance(value, (list, tuple)) and value and kind != "layers":
        if _TOKEN.search(name) and all(type(v) is int for v in value):
            return type(value)(shrunk_value("_id", v, shrinking, divisor, tokens) for v in value)
    elif isinstance(value, (list, tuple)) and name in ("depths", "num_block_repeats") and all(type(v) is int for v in value):
        return type(value)(min(v, 2) for v in value)
    return value


def shrunk(config, shrinking, divisor=None, tokens=None):
    """The configuration of a type with its parts, smaller by one of SHRINKINGS; every field that is derived from others is left out."""
    divisor = divisor or divisor_of(config)
    tokens = {} if tokens is None else tokens
    given = {name: shrunk(part, shrinking, divisor, tokens) for name, part in parts_of(config).items()}
    layers = next((v for n in ("num_hidden_layers", "num_layers", "n_layer") if type(v := getattr(config, n, None)) is int), None)
    for name, field in fields_of(config).items():
        if name in given or not field.init or name.startswith("_"):
            continue
        value = getattr(config, name, None)
        default = field.default if field.default is not dataclasses.MISSING else None
        if type(value) not in (int, list, tuple):
            continue
        if isinstance(value, (list, tuple)) and default is None:
            continue
        new = shrunk_value(name, value, shrinking, divisor, tokens)
        if isinstance(new, (list, tuple)) and len(new) == layers and SHRINKINGS[shrinking] != "nothing" and layers > 2:
            new = new[:2]
        if new != default:
            given[name] = new
    rope = getattr(config, "rope_parameters", None)
    if isinstance(rope, dict) and "mrope_section" not in rope and _reads_sections(config):
        head = getattr(config, "head_dim", None) or config.hidden_size // divisor // config.num_attention_heads
        given["rope_parameters"] = {**rope, "mrope_section": [head // 2 - 2 * (head * 3 // 16), head * 3 // 16, head * 3 // 16]}
    return type(config)(**given)


def _reads_sections(config):
    """Whether the type's code asks for sections of rotary positions that its default configuration does not have."""
    file = sys.modules[type(config).__module__].__file__.replace("configuration_", "modeling_")
    with open(file) as text:
        return '["mrope_section"]' in text.read()


# --- a class, inputs and a loss -----------------------------------------------------------------------------------------

MAPPINGS = """SEQ_TO_SEQ_CAUSAL_LM SPEECH_SEQ_2_SEQ IMAGE_TEXT_TO_TEXT CAUSAL_LM MASKED_LM CTC RNNT TDT IMAGE_CLASSIFICATION
VIDEO_CLASSIFICATION AUDIO_CLASSIFICATION SEQUENCE_CLASSIFICATION MULTIMODAL_LM SEMANTIC_SEGMENTATION DEPTH_ESTIMATION
TIME_SERIES_PREDICTION PRETRAINING MASKED_IMAGE_MODELING OBJECT_DETECTION UNIVERSAL_SEGMENTATION INSTANCE_SEGMENTATION
IMAGE_SEGMENTATION ZERO_SHOT_IMAGE_CLASSIFICATION ZERO_SHOT_OBJECT_DETECTION IMAGE_TO_IMAGE MASK_GENERATION KEYPOINT_DETECTION
POSE_ESTIMATION TEXT_TO_SPECTROGRAM TEXT_TO_WAVEFORM AUDIO_TOKENIZATION RETRIEVAL TABLE_RECOGNITION TEXT_RECOGNITION
IMAGE_MATTING KEYPOINT_MATCHING""".split()


def classes_of(model_type):
    names = []
    for mapping in [f"MODEL_FOR_{name}_MAPPING_NAMES" for name in MAPPINGS] + ["MODEL_MAPPING_NAMES"]:
        found = getattr(modeling_auto, mapping, {}).get(model_type)
        names += [found] if isinstance(found, str) else list(found or ())
    return list(dict.fromkeys(names))


def find(config, *names):
    """The first of the names that a configuration or one of its parts has."""
    for name in names:
        for one in (config, *parts_of(config).values()):
            value = getattr(one, name, None)
            if value is not None and not isinstance(value, bool):
                return value
    return None


def ids(high, *shape):
    return torch.randint(3, max(high, 4), shape, device="cuda")


def real(*shape):
    return torch.randn(*shape, device="cuda")


def pair(value):
    return (value, value) if isinstance(value, int) else tuple(value)[-2:]


def vocabulary(config):
    size = find(config, "vocab_size", "n_vocab", "num_embeddings")
    return min(size if type(size) is int else 100, 900)


def picture(config):
    vision = next((p for n, p in parts_of(config).items() if "vision" in n or "image" in n), config)
    size = find(vision, "image_size", "input_size", "img_size") or 224
    if isinstance(size, dict):
        size = (size.get("height", 224), size.get("width", 224))
    channels = find(vision, "num_channels", "in_channels", "in_chans")
    return (channels if type(channels) is int else 3, *pair(size))


def mel(config):
    bins = find(config, "num_mel_bins", "feature_size", "n_mels", "input_feat_per_channel", "input_dim", "feature_dim")
    return bins if type(bins) is int else 80


MADE = {
    "input_ids": lambda c: ids(vocabulary(c), BATCH, LENGTH),
    "decoder_input_ids": lambda c: ids(vocabulary(c), BATCH, LENGTH),
    "attention_mask": lambda c: torch.ones(BATCH, LENGTH, dtype=torch.long, device="cuda"),
    "pixel_values": lambda c: real(BATCH, *picture(c)),
    "pixel_mask": lambda c: torch.ones(BATCH, *picture(c)[1:], dtype=torch.long, device="cuda"),
    "pixel_values_videos": lambda c: real(BATCH, find(c, "num_frames", "frames_per_clip") or 16, *picture(c)),
    "video": lambda c: real(BATCH, find(c, "num_frames", "frames_per_clip") or 16, *picture(c)),
    "input_features": lambda c: real(BATCH, mel(c), 2 * (find(c, "max_source_positions") or 50)),
    "features_by_time": lambda c: real(BATCH, 64, mel(c)),
    "input_values": lambda c: real(BATCH, 16000),
    "values_by_channel": lambda c: real(BATCH, 1, 16000),
    "spectrogram": lambda c: real(BATCH, find(c, "max_length") or 1024, mel(c)),
    "bbox": lambda c: torch.zeros(BATCH, LENGTH, 4, dtype=torch.long, device="cuda"),
    "past_values": lambda c: real(BATCH, find(c, "context_length") or 32, find(c, "num_input_channels") or 1),
}
MEANT = {"features_by_time": "input_features", "values_by_channel": "input_values", "spectrogram": "input_values", "video": "pixel_values"}


def inputs_to_try(model_class):
    """Sets of inputs, by their names in MADE: the main one alone, then with others that the signature knows."""
    known = inspect.signature(model_class.forward).parameters
    required = [n for n, p in known.items() if p.default is p.empty and p.kind == p.POSITIONAL_OR_KEYWORD and n != "self"]
    main = getattr(model_class, "main_input_name", "input_ids")
    if main not in known:
        main = next((n for n in known if n in MADE), None)
    tries = []
    odd = [odd for odd, name in MEANT.items() if name == main and (odd != "video" or "Video" in model_class.__name__)]
    for first in [main, *odd]:
        for second in ([], ["decoder_input_ids"], ["input_ids"], ["pixel_values"], ["bbox"], ["attention_mask"], ["input_ids", "pixel_values"], ["input_ids", "bbox", "pixel_values"], ["input_ids", "features_by_time"], ["input_ids", "input_features"]):
            names = [first, *[n for n in second if MEANT.get(n, n) in known and n != first]]
            if len(names) == 1 + len(second) and first in MADE and all(MEANT.get(n, n) in known for n in names):
                if all(r in [MEANT.get(n, n) for n in names] for r in required):
                    tries.append(names)
    return tries


def labels_of(name, model, config, inputs):
    """Labels as the class takes them, by the end of its name; None where it takes none."""
    known = inspect.signature(model.forward).parameters
    if "labels" not in known:
        return {}
    tokens = inputs.get("decoder_input_ids", inputs.get("input_ids"))
    if name.endswith(("SequenceClassification", "ImageClassification", "VideoClassification", "ForAudioClassification")):
        return {"labels": torch.randint(0, config.num_labels, (BATCH,), device="cuda")}
    if name.endswith("SemanticSegmentation"):
        return {"labels": torch.randint(0, config.num_labels, (BATCH, *picture(config)[1:]), device="cuda")}
    if name.endswith(("LM", "ForConditionalGeneration", "LMHeadModel", "ForPreTraining", "Seq2Seq", "ImageTextToText", "ForSpeechSeq2Seq", "ForCTC")):
        return {"labels": tokens if tokens is not None else ids(vocabulary(config), BATCH, LENGTH)}
    return {}


def loss_of(output):
    loss = getattr(output, "loss", None)
    if isinstance(loss, torch.Tensor):
        return loss.sum()
    values = [*output.values()] if isinstance(output, dict) else output if isinstance(output, (list, tuple)) else [output]
    found = trained_among(values) or trained_among([v for part in values if isinstance(part, (list, tuple)) for v in part])
    if not found:
        raise ValueError("no output to train on")
    return sum(v.float().mean() for v in found)


def trained_among(values):
    return [v for v in values if isinstance(v, torch.Tensor) and v.is_floating_point() and v.requires_grad]


# --- a written recipe --------------------------------------------------------------------------------------------------

_SPEC = re.compile(r"^(float32|float16|bfloat16|int32|int64|bool) ([0-9]+(?:x[0-9]+)*|-)( on the CPU)?(?: = (.+))?$")


def written_configuration(model_type, recipe):
    kind = configuration_auto.CONFIG_MAPPING[model_type]
    try:
        default = kind()
    except Exception:  # a type that is made of others has no configuration of its own
        default = None
    return kind(**in_kind(recipe["config"], default))


def in_kind(value, default):
    """A value in the kind of number that the default is: 1 may stand for 1.0 in a recipe, which configurations refuse."""
    if isinstance(value, dict):
        return {n: in_kind(v, default.get(n) if isinstance(default, dict) else getattr(default, n, None)) for n, v in value.items()}
    if isinstance(value, list) and any(isinstance(v, float) for v in [*value, *(default if isinstance(default, (list, tuple)) else ())]):
        return [float(v) for v in value]
    return float(value) if isinstance(default, float) and type(value) is int else value


def written_class(model_type, recipe):
    """The class of the recipe, from the module that stands beside its configuration's."""
    kind = configuration_auto.CONFIG_MAPPING[model_type]
    module = importlib.import_module(kind.__module__.replace(".configuration_", ".modeling_"))
    return getattr(module, recipe["class"])


def made(spec):
    if isinstance(spec, dict):
        return {name: made(part) for name, part in spec.items()}
    if isinstance(spec, list):
        return [made(part) for part in spec]
    found = _SPEC.match(spec) if isinstance(spec, str) else None
    if not found:
        return spec
    *described, on_cpu, values = found.groups()
    tensor = tensor_of(*described, values)
    return tensor if on_cpu else tensor.to("cuda")


def tensor_of(name, sizes, values):
    dtype = getattr(torch, name)
    shape = () if sizes == "-" else tuple(int(size) for size in sizes.split("x"))
    if values is None:
        return torch.rand(shape, dtype=dtype) if dtype.is_floating_point else torch.zeros(shape, dtype=dtype)
    known = [number for run in values.split(",") for number in numbers_of(run, float if dtype.is_floating_point else int)]
    return torch.full(shape, known[0], dtype=dtype) if len(known) == 1 else torch.tensor(known, dtype=dtype).reshape(shape)


def numbers_of(run, kind):
    """A value, or "value*times"."""
    value, _, times = run.partition("*")
    return [kind(value)] * int(times or 1)


# --- one type -----------------------------------------------------------------------------------------------------------


class Phases(dict):
    """Bytes after each phase."""

    def end(self, name):
        c = torch.cuda
        self[name] = [c.memory_allocated(), c.max_memory_allocated(), c.memory_reserved()]
        c.reset_peak_memory_stats()


def warm_up():
    """Takes the workspaces of both threads, so that every type begins with the same."""
    layer = torch.nn.Linear(8, 8).cuda()
    layer(torch.ones(8, 8, device="cuda")).sum().backward()
    del layer
    settle()


def settle():
    gc.collect()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()


def prepared(model_type, recipe):
    """The configuration of a recipe, its class, and a function that makes the inputs of a model."""
    if isinstance(recipe, dict):
        labels = recipe.get("labels", {})
        config = written_configuration(model_type, recipe)
        return config, written_class(model_type, recipe), lambda model: made(recipe["inputs"] | labels), {*labels}
    shrinking, name, names, labelled = recipe
    config = shrunk(configuration_auto.CONFIG_MAPPING[model_type](), shrinking)

    def inputs_of(model):
        inputs = {MEANT.get(n, n): MADE[n](config) for n in names}
        return inputs | (labels_of(name, model, config, inputs) if labelled else {})

    return config, getattr(transformers, name), inputs_of, {"labels"}


def train(model_type, recipe, phases):
    torch.manual_seed(0)
    config, kind, inputs_of, labels = prepared(model_type, recipe)
    if not isinstance(recipe, dict):
        with torch.device("meta"):
            size = sum(p.numel() for p in kind(config).parameters())
        if size > 400e6:
            raise MemoryError(f"{size} parameters")
    model = kind(config).train().to("cuda")
    phases["parameters"] = sum(p.numel() for p in model.parameters())
    phases.end("model")
    inputs = inputs_of(model)
    phases.end("inputs")
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    for step in (1, 2):
        loss = loss_of(model(**inputs))
        phases.end(f"forward {step}")
        loss.backward()
        phases.end(f"backward {step}")
        optimizer.step()
        phases.end(f"step {step}")
        optimizer.zero_grad()
        del loss
        phases.end(f"zero_grad {step}")
    model.eval()
    for name in labels:
        inputs.pop(name, None)
    with torch.no_grad():
        model(**inputs)
    phases.end("inference")
    if next(iter(inputs), None) == "input_ids" and getattr(model, "can_generate", bool)():
        generate(model, config, inputs, recipe, phases)


def generate(model, config, inputs, recipe, phases):
    model.generation_config.eos_token_id = None
    if model.config.is_encoder_decoder and model.generation_config.decoder_start_token_id is None:
        model.generation_config.decoder_start_token_id = 0
    prompt = inputs.pop("input_ids")
    try:
        if isinstance(recipe, dict):
            others = {n: v for n, v in inputs.items() if not n.startswith("decoder_")}
            model.generate(prompt, **others, max_new_tokens=TOKENS, min_new_tokens=TOKENS, do_sample=False)
        else:
            del prompt
            model.generate(ids(vocabulary(config), BATCH, LENGTH), max_new_tokens=TOKENS, do_sample=False)
        phases.end("generate")
    except Exception as error:
        phases["generate"] = said(error)


def said(error):
    return f"{type(error).__name__}: {str(error).strip()}"[:300]


def run(model_type, recipe):
    import time

    began = time.process_time()
    phases = Phases()
    settle()
    before = torch.cuda.memory_allocated()
    try:
        train(model_type, recipe, phases)
    except BaseException as error:
        phases["error"] = said(error)
        if "traceback" in sys.argv:
            import traceback

            traceback.print_exc()
        if isinstance(error, (KeyboardInterrupt, SystemExit)):
            raise
    settle()
    if torch.cuda.memory_allocated() != before:
        phases["left"] = torch.cuda.memory_allocated() - before
    print(f"{model_type} {time.process_time() - began:.1f} s", file=sys.stderr)
    return phases


def prepare():
    """Imports what all types need, once for all processes."""
    import transformers.generation.utils
    import transformers.modeling_utils

    torch.set_num_threads(1)
    parameter = torch.nn.Parameter(torch.ones(1))
    parameter.grad = torch.ones(1)
    torch.optim.AdamW([parameter]).step()
    transformers.LlamaForCausalLM, transformers.BertForMaskedLM, transformers.ViTForImageClassification
    gc.collect()
    gc.freeze()


def run_apart(model_type, recipe, seconds=100):
    """Runs a recipe in a process of its own."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        import signal

        signal.alarm(seconds)
        os.close(read)
        warm_up()
        with os.fdopen(write, "w") as file:
            file.write(json.dumps(run(model_type, recipe)))
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as file:
        text = file.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else {"error": "the process ended without an answer"}


def recipes_of(model_type):
    classes = [name for name in classes_of(model_type) if hasattr(transformers, name)]
    for name in classes[:3]:
        kind = getattr(transformers, name)
        try:
            tries = inputs_to_try(kind)[:6]
        except Exception:
            continue
        for names in tries:
            yield name, names


def found_by_trying(model_type):
    """The first recipe that trains with what it gave, or the first error."""
    first, tried = None, []
    count = 0
    fits = 0
    try:
        configuration_auto.CONFIG_MAPPING[model_type]()
    except Exception as error:
        return None, {"error": said(error)}
    for name, names in recipes_of(model_type):
        for shrinking in range(fits, len(SHRINKINGS)):
            for labelled in (True, False):
                result = run_apart(model_type, [shrinking, name, names, labelled])
                count += 1
                if "zero_grad 2" in result:
                    return [shrinking, name, names, labelled], result
                first = first or result
                tried.append(f"{shrinking} {name} {' '.join(names)} {labelled}: {result['error']}")
                if result["error"].startswith("ImportError"):
                    return None, {**first, "tried": tried}
                if labelled and not re.search("label|loss|target|nonzero", result["error"], re.IGNORECASE):
                    break
                if "inputs" not in result or count >= MOST_TRIES or "forward 1" in result:
                    break
            if count >= MOST_TRIES:
                return None, {**first, "tried": tried}
            if "inputs" in result:
                # the model could be built: it is the inputs that do not fit
                fits = shrinking
                break
    return None, {**(first or {"error": "no class to train, or unknown inputs"}), "tried": tried}


def main():
    types = json.loads(sys.argv[1]) if sys.argv[1] != "all" else dict.fromkeys(configuration_auto.CONFIG_MAPPING_NAMES)
    if "find" in sys.argv:
        prepare()
        for model_type, recipe in types.items():
            recipe, result = (recipe, run_apart(model_type, recipe)) if recipe else found_by_trying(model_type)
            print(json.dumps({"type": model_type, "recipe": recipe, **result}), flush=True)
        return
    warm_up()
    for model_type, recipe in types.items():
        result = run(model_type, recipe)
        print(json.dumps({"type": model_type, "recipe": recipe, **result}), flush=True)
        if "left" in result:
            # what comes after would not begin with the same
            break


if __name__ == "__main__":
    main()
