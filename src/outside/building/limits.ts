/** What one build may hold. */
export const MOST_FILES = 500
export const MOST_BYTES = 20_000_000
export const MOST_FILE_BYTES = 5_000_000
/** Pages are held in memory while they are sent. */
export const MOST_PAGE_BYTES = 1_000_000
/** Characters of a path. */
const LONGEST_PATH = 200

/** Letters of any script, and signs that mean nothing in a URL, in HTML or to a file system. A name never begins with a dot. */
const SEGMENT = /^[\p{L}\p{N}_@+~(!),=-][\p{L}\p{N}\p{M}._@+~(!),= -]*$/u
const WELL_KNOWN = '.well-known/'

/** Why no file of a site may have the path, as the end of a sentence; null for one that is fine. */
export function pathProblem(path: string): string | null {
  if (path.length > LONGEST_PATH) return `is longer than ${LONGEST_PATH} characters`
  const segments = (path.startsWith(WELL_KNOWN) ? path.slice(WELL_KNOWN.length) : path).split('/')
  if (segments.every((segment) => SEGMENT.test(segment) && segment.trim() === segment)) return null
  return 'must consist of names such as assets/style.css, in which no name begins with a dot'
}

export function isPage(path: string): boolean {
  return /\.html?$/i.test(path)
}
