/** What Python asks of one tensor: its metadata, gradient, geometry and storage. */

import type { Node } from "../autograd/node.ts";
import { metaOf, refreshView } from "../session/history.ts";
import type { Session } from "../session/session.ts";
import { isComplex, isFloating } from "../tensor/dtype.ts";
import { TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { BridgeFunction, BridgeState } from "./bridge.ts";
import { hostAddresses } from "./host-addresses.ts";

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

export function tensorFunctions({ session, handles, guard }: BridgeState): Record<string, BridgeFunction> {
  const find = handles.tensor;
  const hostAddress = hostAddresses();
  const at = (frame: number): void => {
    session.place.frame = frame;
  };
  return {
    meta: (handle: number): string => {
      const t = find(handle);
      return `${t.dtype.name}|${t.device}|${t.offset}|${t.sizes.join(",")}|${t.strides.join(",")}`;
    },
    setRequiresGrad: guard((handle: number, value: boolean) => {
      const t = find(handle);
      if (value && !isFloating(t.dtype) && !isComplex(t.dtype))
        throw new TorchError("only Tensors of floating point and complex dtype can require gradients");
      if (value && t.isInference && !session.inferenceMode)
        throw new TorchError("Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.");
      if (!value && t.gradFn)
        throw new TorchError(
          "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a subgraph that doesn't require differentiation use var_no_grad = var.detach().",
        );
      t.requiresGrad = value;
    }),
    grad: (handle: number): number => {
      const g = find(handle).grad;
      return g ? handles.expose(g) : 0;
    },
    setGrad: (handle: number, grad: number, frame: number): void => {
      at(frame);
      const t = find(handle);
      const old = t.grad;
      t.grad = grad ? find(grad).retain() : null;
      if (t.grad && t.isLeaf) session.becameGradient(t.grad);
      old?.release();
    },
    setData: guard((handle: number, source: number, frame: number, viaSet?: boolean) => {
      at(frame);
      const t = find(handle);
      const s = find(source);
      const sharesStorage = !viaSet || session.rules.setTakesStorage || s.storage === t.storage;
      t.dtype = s.dtype;
      t.sizes = s.sizes;
      t.strides = s.strides;
      t.offset = s.offset;
      t.version = { value: t.version.value };
      if (sharesStorage) t.setStorage(s.storage);
      else if (t.storage.nbytes < s.storage.nbytes) session.memory.resize(t.storage, s.storage.nbytes, session.stream);
      const accumulator = t.gradAccumulator as Node | null;
      if (accumulator) accumulator.results[0] = metaOf(t);
    }),
    /** A view op's geometry for the tensor itself: t_, squeeze_, and the like. */
    adoptGeometry: guard((handle: number, source: number) => {
      const t = find(handle);
      const s = find(source);
      if (s.storage !== t.storage) throw new TorchError("a tensor takes the geometry of its own views only");
      t.sizes = s.sizes;
      t.strides = s.strides;
      t.offset = s.offset;
      t.version.value++;
      const fn = s.gradFn as Node | null;
      if (fn && t.requiresGrad) {
        fn.retain();
        const old = t.gradFn;
        t.gradFn = fn;
        t.outputNr = s.outputNr;
        old?.release();
      }
    }),
    resize: guard((handle: number, frame: number, ...sizes: number[]) => {
      at(frame);
      const t = find(handle);
      const impossible = sizes.find((size) => !isCount(size));
      // VariableTypeManual.cpp
      if (t.requiresGrad) throw new TorchError("cannot resize variables that require grad");
      if (impossible !== undefined)
        throw new TorchError(`Trying to create tensor with negative dimension ${impossible}: [${sizes.join(", ")}]`);
      let n = 1;
      for (const s of sizes) n *= s;
      const bytes = (n + t.offset) * t.dtype.itemBytes;
      if (n > 0 && bytes > t.storage.nbytes) {
        const { place } = session;
        const { op } = place;
        place.op = session.trace.op("aten::resize_");
        try {
          session.memory.resize(t.storage, bytes, session.stream);
        } finally {
          place.op = op;
        }
      }
      const strides: number[] = [];
      let step = 1;
      for (let i = sizes.length - 1; i >= 0; i--) {
        strides[i] = step;
        step *= Math.max(sizes[i], 1);
      }
      t.sizes = sizes;
      t.strides = strides;
    }),
    resizeStorage: guard((handle: number, bytes: number, frame: number) => {
      at(frame);
      if (!isCount(bytes)) throw new TorchError("a storage has a whole number of bytes");
      session.memory.resize(find(handle).storage, bytes, session.stream);
    }),
    storageBytes: (handle: number): number => find(handle).storage.nbytes,
    storageId: (handle: number): number => {
      const { storage } = find(handle);
      const block = storage.block as { address: number } | null;
      return block ? block.address : hostAddress(storage);
    },
    sameStorage: (a: number, b: number): boolean => find(a).storage === find(b).storage,
    version: (handle: number): number => find(handle).version.value,
    /** `x.data` counts its changes by itself. */
    ownVersion: (handle: number): void => {
      find(handle).version = { value: 0 };
    },
    setVersion: (handle: number, version: number): void => {
      find(handle).version.value = version;
    },
    base: (handle: number): number => {
      const b = find(handle).viewBase;
      return b ? handles.expose(b) : 0;
    },
    ...factFunctions(session, find),
  };
}

/** Yes or no, under PyTorch's names for it. */
function factFunctions(session: Session, find: (handle: number) => Tensor): Record<string, BridgeFunction> {
  const fact =
    (isSo: (t: Tensor) => boolean) =>
    (handle: number): boolean => {
      const t = find(handle);
      // what was done to its base since may have given it a gradient function
      if (t.viewBase) refreshView(session, t);
      return isSo(t);
    };
  return {
    requiresGrad: fact((t) => t.requiresGrad),
    isLeaf: fact((t) => t.isLeaf),
    isInference: fact((t) => t.isInference),
    retainsGrad: fact((t) => t.retainsGrad),
    isView: fact((t) => Boolean(t.viewBase)),
    isContiguous: fact((t) => t.isContiguous),
    /** Its values are conjugated or negated only when they are read. */
    isUnresolved: fact((t) => t.unresolved),
  };
}
