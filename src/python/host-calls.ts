/**
 * What WebAssembly may call of JavaScript while a program runs. A program can do nothing that its interpreter cannot, and
 * the interpreter reaches the world only by the functions that it was given when it was loaded: of those, the ones that are
 * listed here go on working, and every other is closed, with whatever a later release of Pyodide adds.
 */

import { table } from "../base/table.ts";
/** The first argument of WebAssembly.instantiate: functions by module and name. */
type Imports = Record<string, Record<string, unknown>>;
type Call = (...args: unknown[]) => unknown;

/** Why, and which. None of them takes an object of JavaScript and does something with it that a program chooses. */
const ALLOWED = table<string>({
  "files in the interpreter's own memory, by Emscripten's file system; those that reach a host are not mounted": `
    __syscall_chdir __syscall_chmod __syscall_dup __syscall_dup3 __syscall_faccessat __syscall_fadvise64
    __syscall_fallocate __syscall_fchdir __syscall_fchmod __syscall_fchmodat2 __syscall_fchown32 __syscall_fchownat
    __syscall_fcntl64 __syscall_fdatasync __syscall_fstat64 __syscall_fstatfs64 __syscall_ftruncate64 __syscall_getcwd
    __syscall_getdents64 __syscall_ioctl __syscall_lstat64 __syscall_mkdirat __syscall_newfstatat __syscall_openat
    __syscall_pipe __syscall_poll __syscall_readlinkat __syscall_renameat __syscall_rmdir __syscall_stat64
    __syscall_statfs64 __syscall_symlinkat __syscall_truncate64 __syscall_unlinkat __syscall_utimensat _maybe_poll_async
    _try_fcntl64 fd_close fd_fdstat_get fd_pread fd_pwrite fd_read fd_seek fd_sync fd_write _mmap_js _msync_js _munmap_js`,
  "fixed answers: the user's number, the mask of new files": "__syscall_getuid32_js __syscall_umask_js",
  "the time, and random bytes": `
    clock_res_get clock_time_get emscripten_date_now emscripten_get_now _gmtime_js _localtime_js _mktime_js _timegm_js
    _tzset_js random_get _setitimer_js`,
  "the size of WebAssembly's own memory": "emscripten_get_heap_max emscripten_resize_heap",
  "calls within WebAssembly, which only go through JavaScript": `
    _PyEM_TrampolineCall_JS __call_sighandler emscripten_runtime_keepalive_push emscripten_runtime_keepalive_pop
    _emscripten_runtime_keepalive_clear`,
  "the byte by which the host stops a program": "_Py_CheckEmscriptenSignals_Helper",
  "the end of the interpreter: they throw, and the thread ends": "exit proc_exit _abort_js __assert_fail",
  "our own calls of Python functions: numbers and texts in and out": `
    JsvArray_Get JsvNoValue_Check JsvNum_fromInt JsvNum_fromDouble JsvNum_toInt JsvBigInt_fromInt JsvBigInt_fromDigits
    Jsv_BigIntToNum js2python_js js2python_immutable_js _python2js_ascii _python2js_ucs1 _python2js_ucs2
    _python2js_ucs4 pyproxy_Check JsvError_Check Jsv_GetError_import`,
  "an error of Python on its way to us": "new_error JsvError_Throw capture_stderr restore_stderr",
});

const allowed: ReadonlySet<string> = new Set(Object.values(ALLOWED).flatMap((names) => names.trim().split(/\s+/)));

const ENOSYS = 52;
const EAI_FAIL = -4;

/** What closed functions of C give that programs call without meaning harm: an error that C knows. */
const ANSWERS = table<number>({
  _emscripten_system: -ENOSYS,
  getaddrinfo: EAI_FAIL,
  getnameinfo: EAI_FAIL,
  getprotobyname: 0,
  _dlopen_js: 0,
});

/** Sets a Python error. */
export type Raise = (text: string) => void;

/** Pyodide's functions end with what they give after an error: an empty value, or the value that stands for an error. */
const AFTER_ERROR = /handle_js_error\(e\);return ?(0|-1|Module\.error)\b/;

function refusal(name: string, call: Call, errorValue: () => unknown, raise: () => Raise): Call {
  if (name.startsWith("__syscall_")) return () => -ENOSYS;
  if (Object.hasOwn(ANSWERS, name)) return () => ANSWERS[name];
  const answer = AFTER_ERROR.exec(Function.prototype.toString.call(call))?.[1];
  return () => {
    // where there is no way to tell Python, the interpreter ends
    if (answer === undefined) throw new Error(`closed: ${name}`);
    raise()("closed");
    return answer === "Module.error" ? errorValue() : Number(answer);
  };
}

export interface HostCalls {
  /** The same functions, which can be closed. */
  gated(imports: Imports): Imports;
  /** Irreversible. */
  close(raise: Raise, errorValue: unknown): void;
}

export function hostCalls(): HostCalls {
  let closed = false;
  let raise: Raise = () => {};
  let errorValue: unknown;

  const gate = (name: string, value: unknown): unknown => {
    if (allowed.has(name)) return value;
    // what suspends WebAssembly is an object, not a function; nothing of ours suspends it
    const call: Call =
      typeof value === "function"
        ? (value as Call)
        : () => {
            throw new Error(`closed: ${name}`);
          };
    let refuse: Call | null = null;
    return (...args: unknown[]) => {
      if (!closed) return call(...args);
      refuse ??= refusal(
        name,
        call,
        () => errorValue,
        () => raise,
      );
      return refuse(...args);
    };
  };

  return {
    gated: (imports) =>
      Object.fromEntries(
        Object.entries(imports).map(([module, functions]) => [
          module,
          // tables of addresses within WebAssembly, made as they are asked for
          module.startsWith("GOT.")
            ? functions
            : Object.fromEntries(Object.entries(functions).map(([name, value]) => [name, gate(name, value)])),
        ]),
      ),
    close: (...how) => {
      [raise, errorValue] = how;
      closed = true;
    },
  };
}
