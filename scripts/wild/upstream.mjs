/**
 * Programs that end alike on the real PyTorch, or with the real version of a package, whoever runs them: why, and how that is known.
 * They stay in the count of those that fail.
 */

const SEEN = "the real PyTorch 2.14.1 and package end with the same message";
const READ = "read from the program's text";

const CAUSES = {
  "model vit mae": ["its ViT has position embeddings without a batch axis in this release", SEEN],
  "model vit simmim": ["its ViT has position embeddings without a batch axis in this release", SEEN],
  "model vit mpp": ["its ViT's class token has two axes in this release, and the pattern asks for three", READ],
  "model vit normalized_vit": ["an argument that this release requires is not given", SEEN],
  "model vit vivit": ["the class has another name in this release", SEEN],
  "model vit simple_flash": [
    "asks for the flash kernel alone with float32 tensors, which that kernel does not take",
    READ,
  ],
  "program AntixK/PyTorch-VAE tests/test_vq_vae.py": ["its test raises its own Warning that there is no sampler", READ],
  "program datawhalechina/happy-llm docs/chapter6/code/pretrain.py": [
    "raises its own ValueError where neither a configuration nor a model is given",
    READ,
  ],
  "program eriklindernoren/PyTorch-GAN implementations/cyclegan/cyclegan.py": [
    "asserts that more epochs are asked for than the arguments do",
    SEEN,
  ],
  "program facebookresearch/ConvNeXt main.py": [
    "imports a name that the installed release of timm does not have",
    SEEN,
  ],
  "program lucidrains/PaLM-rlhf-pytorch train.py": [
    "asks for the flash kernel alone on an A100 with float32 tensors, which that kernel does not take",
    READ,
  ],
  "program tunz/transformer-pytorch train.py": ["imports a class that torchtext took away in 0.12", READ],
  "program huggingface/pytorch-image-models train.py": ["has no such option", SEEN],
  "program pytorch/examples word_language_model/main.py": ["has no such option", SEEN],
  "program yunjey/pytorch-tutorial tutorials/01-basics/pytorch_basics/main.py": [
    "calls a method of iterators that PyTorch took away in 1.13",
    READ,
  ],
  "program tloen/alpaca-lora finetune.py": ["imports a name that the installed release of peft does not have", SEEN],
  "program huggingface/peft examples/sequence_classification/peft_no_lora_accelerate.py": [
    "requires an argument that is not given",
    SEEN,
  ],
  "program rasbt/LLMs-from-scratch ch05/16_qwen3.5/qwen3_5_transformers.py": [
    "defines functions and calls none of them",
    "it ends without a word on the real PyTorch 2.14.1, too",
  ],
  "program hunkim/PyTorchZeroToAll 11_1_toy_inception_mnist.py": [
    "takes item 0 of a loss that has no dimensions",
    "the real PyTorch 2.14.1 raises the same error for that expression",
  ],
  "program hunkim/PyTorchZeroToAll 13_2_rnn_classification.py": [
    "takes item 0 of a loss that has no dimensions",
    "the real PyTorch 2.14.1 raises the same error for that expression",
  ],
  "program hunkim/PyTorchZeroToAll 14_2_seq2seq_att.py": [
    "hands a target without dimensions to a loss over a batch",
    "the real PyTorch 2.14.1 raises the same error for that expression",
  ],
  "program openai/guided-diffusion scripts/image_train.py": [
    "its argument names a folder of the repository in which no images lie, and a shuffled loader of nothing is refused",
    "the real PyTorch 2.14.1 raises the same error for that expression",
  ],
  "program artidoro/qlora qlora.py": [
    "one of its arguments has the name of one that the installed release of transformers has",
    "the real transformers 5.12.1 raises the same error for a class of that argument",
  ],
  "program hyunwoongko/transformer train.py": ["imports a module that torchtext took away in 0.12", READ],
  "program pytorch/examples word_language_model/generate.py": [
    "loads a whole model as its sibling saves it, which torch.load refuses since 2.6 without weights_only=False",
    "the real PyTorch 2.14.1 raises UnpicklingError for such a file",
  ],
  "program karpathy/minGPT tests/test_huggingface_import.py": [
    "asserts that transformers' GPT-2 has as many names as its own, 161, buffers included",
    "the real transformers 5.12.1 has 149: buffers are no longer among them",
  ],
  "program tloen/alpaca-lora generate.py": [
    "gives an argument that the installed release of transformers does not have",
    "the real transformers 5.12.1 raises the same error for that call",
  ],
  "program huggingface/notebooks sagemaker/28_train_llms_with_qlora/scripts/run_clm.py": [
    "gives an argument that the installed release of transformers does not have",
    "the real transformers 5.12.1 raises the same error for that call",
  ],
  "program huggingface/notebooks sagemaker/01_getting_started_pytorch/scripts/train.py": [
    "reads environment variables that only SageMaker sets",
    READ,
  ],
  "program pytorch/examples distributed/FSDP/T5_training.py": [
    "imports a name that the installed release of transformers does not have",
    "the real transformers 5.12.1 raises the same error for that import",
  ],
  "program state-spaces/mamba benchmarks/benchmark_generation_mamba_simple.py": [
    "asks for a kernel that its setup.py builds only where MAMBA_KEEP_CUDA_BUILD is set",
    READ,
  ],
  "program wdndev/tiny-llm-zh train/ptm_train.py": [
    "imports a name that the installed release of transformers does not have",
    READ,
  ],
};

/** Why a program cannot work anywhere, and how that is known; null for all others. */
export function upstreamOf({ kind, name }) {
  const found = CAUSES[`${kind} ${name}`];
  return found === undefined ? null : { why: found[0], evidence: found[1] };
}
