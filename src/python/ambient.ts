/**
 * Everything that JavaScript, Node, a browser and Pyodide leave to a thread in which programs run, each name with its reason.
 * Whatever is not listed here goes before a program starts, so that a new release of any of them adds nothing.
 */

/** Names by the reason why they stay. */
type Reasons = Readonly<Record<string, string>>;

const namesIn = (reasons: Reasons): ReadonlySet<PropertyKey> =>
  new Set(Object.values(reasons).flatMap((names) => names.trim().split(/\s+/)));

/** The language's own objects; they are frozen (intrinsics.ts). */
const LANGUAGE: Reasons = {
  "the language itself: no name of these leads out of it, and `Function` makes no code any more": `
    Infinity NaN undefined Object Function Array Number Boolean String Symbol BigInt Date RegExp JSON Math
    Intl Promise Proxy Reflect Map Set WeakMap WeakSet WeakRef FinalizationRegistry Iterator parseFloat parseInt isFinite
    isNaN Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError SuppressedError
    ArrayBuffer SharedArrayBuffer DataView Atomics Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array
    Float16Array Float32Array Float64Array Uint8ClampedArray BigUint64Array BigInt64Array
    decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape`,
  "the interpreter's machine, and the classes of its errors; code in it calls what it is given": "WebAssembly",
  "text from bytes and back": "TextDecoder TextEncoder",
};
export const LANGUAGE_NAMES = namesIn(LANGUAGE);

/** Names of the global object. Those that sandbox.ts puts in the place of the host's are objects with nothing but what is read here. */
export const GLOBAL_NAMES: ReadonlySet<PropertyKey> = new Set([
  ...LANGUAGE_NAMES,
  ...namesIn({
    "the global object's own names": "globalThis global self",
    "put in the place of the host's: what os.getuid and os.umask ask, last words, the clock, random bytes, and timers that never fire":
      "process console performance crypto setTimeout clearTimeout",
  }),
]);

/** Names of what a browser puts above the global object. */
export const INHERITED_NAMES: ReadonlySet<PropertyKey> = namesIn({ "the global object itself": "self" });

/** Functions of Node's modules, with the module's name before the dot. */
export const NODE_FUNCTIONS = namesIn({
  "random bytes for os.urandom: Emscripten looks it up at each call": "crypto.randomFillSync",
});

/** What the main thread of a program's process has of them: it runs no program. */
export const RELAY_FUNCTIONS: ReadonlySet<PropertyKey> = namesIn({
  "how Node reads an error that ended the thread: looked up at the first one": "v8.deserialize",
});

/** What of Node's own `process` its code reads to deliver messages and to end the thread. No program sees this object. */
export const NODE_PROCESS_NAMES = namesIn({
  "numbers and texts that are facts and no powers": "version versions arch platform release features",
  "what is to be done next": "nextTick",
  "the end of the thread, which says before why": "_exiting exitCode _fatalException exit reallyExit",
});

/** What of its `process` the main thread of a program's process has beside that: messages to and from whoever asked for the run. */
export const RELAY_PROCESS_NAMES: ReadonlySet<PropertyKey> = new Set([
  ...NODE_PROCESS_NAMES,
  ...namesIn({
    "the channel, which Node's own code keeps on this object and looks up with each message": `
      send connected channel disconnect _send _disconnect _handleQueue _pendingMessage kChannelHandle`,
    "an empty table, in which Node looks for its own settings": "env",
    "the name under which the system shows the process": "title",
    "who hears of messages": "_events _eventsCount _maxListeners kCapture",
  }),
]);

/** What of the classes behind that channel its code calls; the rest opens and connects others. */
export const CHANNEL_NAMES = namesIn({
  "messages in and out": `
    readStart readStop shutdown writev writeBuffer writeAsciiString writeUtf8String writeUcs2String writeLatin1String
    useUserBuffer onread bytesRead bytesWritten writeQueueSize`,
  "whether it keeps the process from ending, and its end": `
    close ref unref hasRef refCounted unrefCounted getAsyncId getProviderType asyncReset fd`,
});

/** What of Pyodide's inner interface its own code needs to pass on calls and errors; the rest loads, mounts and installs. */
export const PYODIDE_INNER_NAMES = namesIn({
  "which kind an object has": "version runtimeEnv getTypeTag typedArrayAsUint8Array pyproxyIsAlive isPyProxy isPromise",
  "errors on their way": `
    fatal_error maybe_fatal_error fatal_loading_error capture_stderr restore_stderr PythonError NoGilError
    errorConstructors`,
});

/** What of Pyodide's outer interface we use ourselves when a program has started. */
export const PYODIDE_OUTER_NAMES = namesIn({
  "files in the interpreter's memory, and streams between programs": "FS setStdin setStdout setStderr",
  "the way to the inner interface, which is closed itself": "_api _module",
});
