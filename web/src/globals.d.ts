/** What the build puts in place of names. */

/** Folder of Python's parts, relative to the page. */
declare const __PYTHON_PARTS__: string;
declare const __VERSION__: string;
