/** What the build puts in place of names. */

/** Folder of Python's parts, relative to the page. */
declare const __PYTHON_PARTS__: string;
/** The run that the playground opens on, and the snapshot that the viewer offers; relative to the page. */
declare const __FIRST_ANSWER__: string;
declare const __SAMPLE_SNAPSHOT__: string;
/** What the page holds a prediction against: docs/compare.md. */
declare const __PROOF__: string;
declare const __VERSION__: string;
