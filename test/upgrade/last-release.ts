import { spawnSync } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { freshDirectory } from '../database/engines.ts'
import { attach, type Environment, launch, type Server } from '../support/server.ts'
import { ROOT, read } from '../support/source-files.ts'

/** The commit of the release before this one. There is no release yet, so it is the last one before the baseline of the schema; see docs/guides/releases.md. */
const COMMIT = read('test/upgrade/last-release').trim()
/** What a server needs of it; the packages are those of this version, which hold all of the older one. */
const PARTS = ['bin', 'src', 'catalog', 'docs/guides', 'examples', 'ruby-prelude', 'package.json']

const git = (...args: string[]) => spawnSync('git', args, { cwd: ROOT, maxBuffer: 500_000_000 })

/** False in a copy without its history, such as a shallow clone. */
export const hasCommit = (commit: string) => git('cat-file', '-e', `${commit}^{commit}`).status === 0
export const hasLastRelease = hasCommit(COMMIT)

export interface LastRelease {
  /** Starts a server of that version. */
  start(environment: Environment): Promise<Server>
  remove(): Promise<void>
}

/** Unpacks files of a commit from the history of this repository. */
export async function unpack(commit: string, parts: string[]): ReturnType<typeof freshDirectory> {
  const fresh = await freshDirectory()
  const { stdout, status } = git('archive', '--format=tar', commit, ...parts)
  const unpacked = spawnSync('tar', ['-x', '-C', fresh.directory], { input: stdout })
  if (status !== 0 || unpacked.status !== 0) throw new Error(`The commit ${commit} cannot be unpacked.`)
  return fresh
}

export async function unpackLastRelease(): Promise<LastRelease> {
  const { directory, remove } = await unpack(COMMIT, PARTS)
  await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
  const command = join(directory, 'bin/shopwright.mjs')
  return {
    start: (environment) => attach(launch(process.execPath, [command, 'start'], environment, '', directory)),
    remove,
  }
}
