/** Bytes of a clone as it is sent. */
export const MOST_PACK_BYTES = 30_000_000
/** What the objects of a clone have when they are unpacked, and with it the work of putting them together. */
export const MOST_UNPACKED_BYTES = 150_000_000
export const MOST_OBJECTS = 10_000
/** Files and folders of the newest commit that are looked at. */
export const MOST_ENTRIES = 10_000
export const DEEPEST = 20
/** For the whole clone, and for one answer of the git host. */
export const CLONE_MS = 120_000
export const ANSWER_MS = 60_000
export const MOST_REDIRECTS = 3
