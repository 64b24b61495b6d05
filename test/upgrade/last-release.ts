import { spawnSync } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { freshDirectory } from '../database/engines.ts'
import { attach, type Environment, launch, type Server } from '../support/server.ts'
import { ROOT, read } from '../support/source-files.ts'

/** The commit of the release before this one. There is no release yet, so it is one of the day before; see docs/guides/releases.md. */
const COMMIT = read('test/upgrade/last-release').trim()
/** What a server needs of it; the packages are those of this version, which hold all of the older one. */
const PARTS = ['bin', 'src', 'catalog', 'docs/guides', 'examples', 'ruby-prelude', 'package.json']

const git = (...args: string[]) => spawnSync('git', args, { cwd: ROOT, maxBuffer: 500_000_000 })

/** False in a copy without its history, such as a shallow clone. */
export const hasLastRelease = git('cat-file', '-e', `${COMMIT}^{commit}`).status === 0

export interface LastRelease {
  /** Starts a server of that version. */
  start(environment: Environment): Promise<Server>
  remove(): Promise<void>
}

/** Unpacks the last release from the history of this repository. */
export async function unpackLastRelease(): Promise<LastRelease> {
  const { directory, remove } = await freshDirectory()
  const { stdout, status } = git('archive', '--format=tar', COMMIT, ...PARTS)
  const unpacked = spawnSync('tar', ['-x', '-C', directory], { input: stdout })
  if (status !== 0 || unpacked.status !== 0) throw new Error(`The commit ${COMMIT} cannot be unpacked.`)
  await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
  const command = join(directory, 'bin/shopwright.mjs')
  return {
    start: (environment) => attach(launch(process.execPath, [command, 'start'], environment, '', directory)),
    remove,
  }
}
