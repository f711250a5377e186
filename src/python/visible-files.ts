/** Which files below a folder a program may see: the one rule, which docs/files.md tells in words. */

export type Visibility =
  /** The user's own folder: everything but what looks like a secret. */
  | "project"
  /** Installed packages: everything but names that begin with a dot. */
  | "packages";

/** Files that hold keys, by their ending. */
const KEY_ENDING = /\.(pem|key|p12|pfx|pkcs12|jks|keystore|kdbx|gpg|ppk|secret|secrets)$/i;
/** Names of keys, and of files that hold passwords or tokens; sources in Python are programs, not secrets. */
const SECRET_NAME =
  /^(id_(rsa|dsa|ecdsa|ed25519)(\.pub)?|(.*[-_.])?(credentials?|secrets?|passwords?|service[-_]?account)([-_.].*)?|(.*[-_.])?(api|access|auth|hf|private)[-_.]?(key|token)s?([-_.].*)?|token(\.(txt|json|ya?ml|toml|ini|cfg|conf))?|netrc|htpasswd)$/i;

/** Files that only mark a folder, or say what Git and Python do with it: programs look for them to find their root. */
const MARKS = new Set([".project-root", ".here", ".gitignore", ".gitkeep", ".python-version"]);

/** @param name one part of a path below a mounted folder */
export function isHidden(name: string, visibility: Visibility): boolean {
  if (name.startsWith(".")) return visibility === "packages" || !MARKS.has(name);
  if (visibility === "packages") return false;
  return KEY_ENDING.test(name) || (SECRET_NAME.test(name) && !/\.(py|pyi|ipynb)$/i.test(name));
}
