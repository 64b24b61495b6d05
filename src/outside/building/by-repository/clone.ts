import type { Errors as GitErrors } from 'isomorphic-git'
import type { WebClient } from '../../web/client.ts'
import { AddressRefusedError, NoAnswerError } from '../../web/client.ts'
import { BuildFailedError } from '../provider.ts'
import { gitHttp } from './git-http.ts'
import { CLONE_MS, DEEPEST, MOST_ENTRIES } from './limits.ts'
import { memoryFiles } from './memory.ts'

/** Something in the newest commit of a repository. */
export interface Entry {
  path: string
  kind: 'file' | 'link' | 'submodule'
  oid: string
}

export interface Clone {
  entries: Entry[]
  read(entry: Entry): Promise<Uint8Array>
}

const LINK_MODE = '120000'
const DIRECTORY = '/repository'

/** The newest commit of the branch that a repository shows first. Throws BuildFailedError, with the reason in a sentence. */
export async function clone(url: string, name: string, web: WebClient, signal: AbortSignal): Promise<Clone> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(CLONE_MS)])
  const git = await import('isomorphic-git')
  try {
    const place = { fs: memoryFiles(), dir: DIRECTORY, cache: {} }
    const shallow = { depth: 1, singleBranch: true, noTags: true, noCheckout: true }
    await git.clone({ ...place, http: gitHttp(web, until), url, ...shallow })
    const commit = await git.resolveRef({ ...place, ref: 'HEAD' })
    const { tree } = (await git.readCommit({ ...place, oid: commit })).commit
    const entries: Entry[] = []
    await list((oid) => git.readTree({ ...place, oid }), { oid: tree, below: '', depth: 0 }, entries)
    return { entries, read: async ({ oid }) => (await git.readBlob({ ...place, oid })).blob }
  } catch (error) {
    signal.throwIfAborted()
    throw explained(error, name, until, git.Errors)
  }
}

type ReadTree = (oid: string) => Promise<{ tree: { path: string; type: string; mode: string; oid: string }[] }>

async function list(
  readTree: ReadTree,
  { oid, below, depth }: { oid: string; below: string; depth: number },
  entries: Entry[],
): Promise<void> {
  if (depth > DEEPEST) throw new BuildFailedError([`The repository has folders that are more than ${DEEPEST} deep.`])
  for (const one of (await readTree(oid)).tree) {
    if (entries.length >= MOST_ENTRIES)
      throw new BuildFailedError([`The repository has more than ${MOST_ENTRIES} files.`])
    const path = below + one.path
    if (one.type === 'tree') await list(readTree, { oid: one.oid, below: `${path}/`, depth: depth + 1 }, entries)
    else entries.push({ path, oid: one.oid, kind: kindOf(one) })
  }
}

function kindOf({ type, mode }: { type: string; mode: string }): Entry['kind'] {
  if (type === 'commit') return 'submodule'
  return mode === LINK_MODE ? 'link' : 'file'
}

function explained(error: unknown, name: string, until: AbortSignal, Errors: typeof GitErrors): Error {
  if (error instanceof BuildFailedError) return error
  if (until.aborted) return failed(`Cloning ${name} took longer than ${CLONE_MS / 1000} seconds.`)
  if (error instanceof AddressRefusedError) return failed(`The address of the git host ${error.message}.`)
  if (error instanceof NoAnswerError) return failed(`The git host did not answer: ${error.message}`)
  const status = error instanceof Errors.HttpError ? error.data.statusCode : undefined
  if (status === 401 || status === 403 || status === 404)
    return failed(`There is no repository ${name}, or it is not public.`)
  if (status !== undefined) return failed(`The git host answered with status ${status}.`)
  const words = error instanceof Error ? error.message.replace(/\s+/g, ' ').slice(0, 200) : String(error)
  return failed(`The repository ${name} could not be cloned: ${words}`)
}

function failed(problem: string): BuildFailedError {
  return new BuildFailedError([problem])
}
