/**
 * Host files inside the interpreter: an Emscripten file system that asks for a folder when Python looks into it, and for bytes
 * when Python reads them. What a program writes stays in memory, on top of what the host has; the host's files never change.
 */

import type { PyodideInterface } from "pyodide";
import { MOST_READ_BYTES, type HostEntry, type HostFiles, type HostListing } from "./host-files.ts";

/** A node of Emscripten's in-memory file system; those of host files have `host`. */
export interface FileNode {
  id: number;
  name: string;
  mode: number;
  parent: FileNode;
  /** Nodes by name of a folder; bytes of a file, null while they are the host's. */
  contents: Record<string, FileNode> | Uint8Array | null;
  usedBytes: number;
  atime: number;
  mtime: number;
  ctime: number;
  node_ops: object;
  stream_ops: object;
  host?: HostPart;
}

/** What a node knows of the host. */
interface HostPart {
  readonly files: HostFiles;
  readonly path: string;
  /** Of a folder that was looked into: what no node stands for yet. */
  entries: Map<string, HostEntry> | null;
  /** Of a file: its size is known. */
  sized: boolean;
  /** Of a file that is being read: the bytes last asked for. */
  window: { readonly from: number; readonly bytes: Uint8Array } | null;
}

interface Stream {
  readonly node: FileNode;
}

type NodeOps = Record<string, (...args: never[]) => unknown>;

/** The parts of Emscripten's file system that are used here. */
export interface FileSystem {
  ErrnoError: new (errno: number) => Error;
  filesystems: { MEMFS: { node_ops: NodeOps; stream_ops: NodeOps } };
  createNode(parent: FileNode | null, name: string, mode: number, rdev: number): FileNode;
  mkdirTree(path: string): void;
  mount(type: object, options: object, path: string): void;
  lookupPath(path: string): { node: FileNode };
  hashRemoveNode(node: FileNode): void;
  isDir(mode: number): boolean;
}

const FOLDER_MODE = 0o40755;
const FILE_MODE = 0o100644;
const ENOENT = 44;
const EIO = 29;
const EFBIG = 22;
/** A host file that is written to is copied into memory, up to this size. */
const MOST_COPIED_BYTES = 2 ** 30;

export const fileSystemOf = (pyodide: PyodideInterface): FileSystem => pyodide.FS as unknown as FileSystem;

/** Mounts folders of the host at their paths inside; `listings`: what is known of them already. */
export function mountHost(
  pyodide: PyodideInterface,
  files: HostFiles,
  paths: readonly string[],
  listings: Readonly<Record<string, HostListing>>,
): void {
  const FS = fileSystemOf(pyodide);
  const operations = hostOperations(FS, files, new Map(Object.entries(listings)));
  for (const path of paths) {
    FS.mkdirTree(path);
    FS.mount({ mount: () => operations.root(path) }, {}, path);
  }
}

/** Drops what was written, moved and removed: from now on the mounted folders are the host's again. */
export function forgetWritten(pyodide: PyodideInterface, paths: readonly string[]): void {
  const FS = fileSystemOf(pyodide);
  const drop = (folder: FileNode): void => {
    for (const node of Object.values(childrenOf(folder))) {
      if (FS.isDir(node.mode)) drop(node);
      FS.hashRemoveNode(node);
    }
  };
  for (const path of paths) {
    const { node } = FS.lookupPath(path);
    drop(node);
    node.contents = {};
    if (node.host !== undefined) node.host.entries = null;
  }
}

/** @param listings what is known already, until it is asked for once */
function hostOperations(
  FS: FileSystem,
  files: HostFiles,
  listings: Map<string, HostListing>,
): { root(path: string): FileNode } {
  const { node_ops: memory, stream_ops: memoryStream } = FS.filesystems.MEMFS;
  const call = (ops: NodeOps, name: string, ...args: unknown[]): unknown =>
    (ops[name] as (...operands: unknown[]) => unknown)(...args);
  const missing = new FS.ErrnoError(ENOENT);

  const make = (parent: FileNode | null, path: string, entry: HostEntry): FileNode => {
    const node = FS.createNode(parent, entry.name, entry.folder ? FOLDER_MODE : FILE_MODE, 0);
    node.node_ops = entry.folder ? folderOps : fileOps;
    node.stream_ops = entry.folder ? { llseek: memoryStream["llseek"] } : streamOps;
    node.contents = entry.folder ? {} : null;
    node.usedBytes = entry.bytes ?? 0;
    node.atime = node.mtime = node.ctime = entry.changedMs;
    node.host = { files, path, entries: null, sized: entry.bytes !== null, window: null };
    if (parent !== null) childrenOf(parent)[entry.name] = node;
    return node;
  };

  const entriesOf = (node: FileNode): Map<string, HostEntry> => {
    const host = node.host!;
    if (host.entries === null) {
      const entries = listings.get(host.path)?.entries ?? files.list(host.path) ?? [];
      listings.delete(host.path);
      host.entries = new Map(entries.map((entry) => [entry.name, entry]));
    }
    return host.entries;
  };

  /** All bytes of a host file, in memory from now on. */
  const own = (node: FileNode, bytes = node.usedBytes): void => {
    if (node.contents !== null) return;
    if (bytes > MOST_COPIED_BYTES) throw new FS.ErrnoError(EFBIG);
    const contents = wholeFile(files, node.host!.path, bytes);
    if (contents === null) throw new FS.ErrnoError(EIO);
    node.contents = contents;
    node.usedBytes = bytes;
  };

  const knowSize = (node: FileNode): void => {
    const host = node.host!;
    if (host.sized) return;
    const entry = files.stat(host.path);
    node.usedBytes = entry?.bytes ?? 0;
    node.mtime = node.ctime = entry?.changedMs ?? 0;
    host.sized = true;
  };

  const folderOps = {
    getattr: memory["getattr"],
    setattr: memory["setattr"],
    mknod: memory["mknod"],
    symlink: memory["symlink"],
    lookup: (parent: FileNode, name: string): FileNode => {
      const entries = entriesOf(parent);
      const entry = entries.get(name);
      if (entry === undefined) throw missing;
      entries.delete(name);
      return make(parent, `${parent.host!.path}/${name}`, entry);
    },
    readdir: (node: FileNode): string[] => [".", "..", ...Object.keys(childrenOf(node)), ...entriesOf(node).keys()],
    rename: memory["rename"],
    unlink: memory["unlink"],
    rmdir: (parent: FileNode, name: string): void => {
      const node = childrenOf(parent)[name];
      // what lies in it counts, whether a node stands for it or not
      if (node?.host !== undefined && entriesOf(node).size > 0) throw new FS.ErrnoError(55);
      call(memory, "rmdir", parent, name);
    },
  };

  const fileOps = {
    getattr: (node: FileNode): unknown => {
      knowSize(node);
      return call(memory, "getattr", node);
    },
    setattr: (node: FileNode, attributes: { size?: number }): void => {
      knowSize(node);
      if (attributes.size !== undefined) own(node, Math.min(node.usedBytes, attributes.size));
      call(memory, "setattr", node, attributes);
    },
  };

  const streamOps = {
    llseek: (stream: Stream, offset: number, whence: number): unknown => {
      knowSize(stream.node);
      return call(memoryStream, "llseek", stream, offset, whence);
    },
    read: (stream: Stream, buffer: Uint8Array, offset: number, length: number, position: number): unknown => {
      const { node } = stream;
      if (node.contents !== null) return call(memoryStream, "read", stream, buffer, offset, length, position);
      knowSize(node);
      const wanted = Math.min(length, node.usedBytes - position);
      if (wanted <= 0) return 0;
      const host = node.host!;
      const { window } = host;
      if (window === null || position < window.from || position >= window.from + window.bytes.length) {
        const bytes = files.read(host.path, position, MOST_READ_BYTES);
        if (bytes === null) throw new FS.ErrnoError(EIO);
        host.window = { from: position, bytes };
      }
      const { from, bytes } = host.window!;
      const piece = bytes.subarray(position - from, position - from + wanted);
      buffer.set(piece, offset);
      return piece.length;
    },
    write: (stream: Stream, ...args: unknown[]): unknown => {
      knowSize(stream.node);
      own(stream.node);
      return call(memoryStream, "write", stream, ...args);
    },
    mmap: (stream: Stream, ...args: unknown[]): unknown => {
      knowSize(stream.node);
      own(stream.node);
      return call(memoryStream, "mmap", stream, ...args);
    },
    msync: memoryStream["msync"],
    close: (stream: Stream): void => {
      if (stream.node.host !== undefined) stream.node.host.window = null;
    },
  };

  return {
    root: (path) => {
      const changedMs = (listings.get(path) ?? files.stat(path))?.changedMs ?? 0;
      return make(null, path, { name: "/", folder: true, bytes: 0, changedMs });
    },
  };
}

export const childrenOf = (node: FileNode): Record<string, FileNode> => node.contents as Record<string, FileNode>;

export const isFile = (node: FileNode): boolean => (node.mode & 0o170000) === 0o100000;

/** A file's bytes are the host's as long as nothing was written to it. */
export const isHosts = (node: FileNode): boolean => node.host !== undefined && node.contents === null;

/** What the host has of a file that a program may have written to, when it is as large as it is now; else null. */
export function hostsBytes(node: FileNode): Uint8Array | null {
  const { host } = node;
  if (host === undefined || host.files.stat(host.path)?.bytes !== node.usedBytes) return null;
  return wholeFile(host.files, host.path, node.usedBytes);
}

/** Null where the host cannot read it. */
function wholeFile(files: HostFiles, path: string, bytes: number): Uint8Array | null {
  const contents = new Uint8Array(bytes);
  for (let at = 0; at < bytes;) {
    const piece = files.read(path, at, bytes - at);
    if (piece === null) return null;
    if (piece.length === 0) break;
    contents.set(piece, at);
    at += piece.length;
  }
  return contents;
}
