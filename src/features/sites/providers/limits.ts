import { bytesInWords } from '../../../format/sizes.ts'
import type { SiteFile } from './provider.ts'

const MOST_FILES = 500
export const MOST_BYTES = 20_000_000
export const MOST_FILE_BYTES = 5_000_000
/** The maximum size of an HTML page, which is held in memory while it is sent. */
const MOST_PAGE_BYTES = 1_000_000
const LONGEST_PATH = 200

/**
 * Matches one name in a path: letters and digits of any script, and characters without a special meaning in URLs, HTML and file
 * systems. It does not begin with a dot.
 */
const SEGMENT = /^[\p{L}\p{N}_@+~(!),=-][\p{L}\p{N}\p{M}._@+~(!),= -]*$/u
const WELL_KNOWN = '.well-known/'

/** Returns why a file's path is not allowed, as the end of a sentence, or null. */
export function pathProblem(path: string): string | null {
  if (path.length > LONGEST_PATH) return `is longer than ${LONGEST_PATH} characters`
  const segments = (path.startsWith(WELL_KNOWN) ? path.slice(WELL_KNOWN.length) : path).split('/')
  if (segments.every((segment) => SEGMENT.test(segment) && segment.trim() === segment)) return null
  return 'must consist of names such as assets/style.css, in which no name begins with a dot'
}

export function isPage(path: string): boolean {
  return /\.html?$/i.test(path)
}

export function sizeProblems(files: readonly SiteFile[]): string[] {
  const total = files.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const paths = new Set(files.map(({ path }) => path.toLowerCase()))
  return [
    ...(files.some(({ path }) => path === 'index.html') ? [] : ['There is no index.html.']),
    ...(files.length > MOST_FILES ? [`There are ${files.length} files; a site has at most ${MOST_FILES}.`] : []),
    ...(total > MOST_BYTES
      ? [`The files have ${bytesInWords(total)} together; a site has at most ${bytesInWords(MOST_BYTES)}.`]
      : []),
    ...(paths.size < files.length ? ['Two files have the same path, ignoring case.'] : []),
    ...files.flatMap(problemsOf),
  ]
}

function problemsOf({ path, bytes }: SiteFile): string[] {
  const problem = pathProblem(path)
  if (problem !== null) return [`The path ${JSON.stringify(path.slice(0, 200))} ${problem}.`]
  const most = isPage(path) ? MOST_PAGE_BYTES : MOST_FILE_BYTES
  return bytes.length > most
    ? [
        `${path} has ${bytesInWords(bytes.length)}; ${isPage(path) ? 'a page' : 'a file'} has at most ${bytesInWords(most)}.`,
      ]
    : []
}
