import { withoutMarker } from '../../../../contract/values/agent-marker.ts'
import { REPOSITORY_NAME } from '../../../../contract/values/repository-name.ts'
import type { WebClient } from '../../../../providers/web/client.ts'
import { elsewhereNotes } from '../elsewhere.ts'
import { MOST_BYTES, MOST_FILE_BYTES, sizeProblems } from '../limits.ts'
import { BuildFailedError, type BuildOrder, type BuiltSite, type SiteBuilder, type SiteFile } from '../provider.ts'
import { type Clone, clone, type Entry } from './clone.ts'

/** The folders that may contain the site. The first one with a start page is used; build output comes before source. */
const FOLDERS = ['dist/', '', 'public/', 'docs/', 'site/'] as const

/** Serves the static files of a public repository unchanged, and executes nothing in it. */
export function repositoryBuilder(host: string, web: WebClient): SiteBuilder {
  return {
    name: 'repository',
    instructionsFor({ id, name, prompt, repository }) {
      return [
        `This service serves the website “${name}” (${id}) from the repository ${repository}: the files of its newest commit, as they are.`,
        ...(prompt === null ? [] : [withoutMarker(prompt)]),
        'Make this task active to fetch the repository again.',
      ].join('\n\n')
    },
    work: { lasts: 'long', tokens: null, build: (order) => build(order, host, web) },
  }
}

async function build({ brief, signal }: BuildOrder, host: string, web: WebClient): Promise<BuiltSite> {
  const name = brief.repository ?? ''
  if (!REPOSITORY_NAME.test(name)) throw new BuildFailedError([`${name} is not the name of a repository.`])
  const cloned = await clone(`${host}/${name}.git`, name, web, signal)
  const folder = FOLDERS.find((one) => cloned.entries.some(({ path }) => path === `${one}index.html`))
  if (folder === undefined)
    throw new BuildFailedError([
      `The repository ${name} has no index.html in its root, dist/, public/, docs/ or site/. Commit the built site to one of these.`,
    ])
  const entries = cloned.entries.filter(({ path }) => path.startsWith(folder) && isOfSite(path.slice(folder.length)))
  const refused = entries.flatMap(refusalOf)
  if (refused.length > 0) throw new BuildFailedError(refused)
  const files = await filesOf(cloned, entries, folder)
  const problems = sizeProblems(files)
  if (problems.length > 0) throw new BuildFailedError(problems)
  return { files, notes: elsewhereNotes(files), inputTokens: 0, outputTokens: 0 }
}

/** Whether a file belongs to the site: installed packages and hidden files do not, except files in `.well-known`. */
function isOfSite(path: string): boolean {
  const parts = (path.startsWith('.well-known/') ? path.slice('.well-known/'.length) : path).split('/')
  return parts.every((part) => !part.startsWith('.') && part !== 'node_modules')
}

function refusalOf({ path, kind }: Entry): string[] {
  if (kind === 'link') return [`${path} is a symbolic link; commit the file itself.`]
  if (kind === 'submodule') return [`${path} is a submodule; commit its files themselves.`]
  return []
}

const LARGE_FILE = 'version https://git-lfs.github.com/spec/'

async function filesOf(cloned: Clone, entries: readonly Entry[], folder: string): Promise<SiteFile[]> {
  const files: SiteFile[] = []
  let total = 0
  for (const entry of entries) {
    const bytes = await cloned.read(entry)
    if (Buffer.from(bytes.subarray(0, LARGE_FILE.length)).toString('latin1') === LARGE_FILE)
      throw new BuildFailedError([`${entry.path} is kept in Git LFS; commit the file itself.`])
    total += bytes.length
    files.push({ path: entry.path.slice(folder.length), bytes })
    // The remaining files need not be read, because a site of this size is refused.
    if (total > MOST_BYTES + MOST_FILE_BYTES) break
  }
  return files
}
