import { bytesInWords } from '../../words/sizes.ts'
import { isPage, MOST_BYTES, MOST_FILE_BYTES, MOST_FILES, MOST_PAGE_BYTES, pathProblem } from './limits.ts'
import type { SiteFile } from './provider.ts'

/** What keeps files from being a site, whoever has written them: a sentence each. */
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
