import { chmod, mkdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { releaseManifest, stage } from '../../release/stage.ts'
import { freshDirectory } from '../database/engines.ts'
import { type Environment, environmentOf, launch, type Process } from '../support/server.ts'

export interface Installed {
  /** The directory in which somebody has installed it. */
  directory: string
  /** Runs `npx shopwright …`, as npx does: the command of the package, in that directory. */
  run(args: string[], environment?: Environment): Process
  remove(): Promise<void>
}

/**
 * A release as npm installs it, without npm and its registry: the staged package below `node_modules`, and the packages that a
 * release names, and no others, as links to those of this repository.
 */
export async function installFromStage(): Promise<Installed> {
  const { directory, remove } = await freshDirectory()
  const own = join(directory, 'node_modules/shopwright')
  await stage(own)
  for (const name of Object.keys(releaseManifest().dependencies)) {
    const place = join('node_modules', name)
    await mkdir(dirname(join(directory, place)), { recursive: true })
    await symlink(join(process.cwd(), place), join(directory, place))
  }
  const command = join(own, 'bin/shopwright.mjs')
  await chmod(command, 0o755)
  return {
    directory,
    run: (args, environment = environmentOf(join(directory, 'data'))) =>
      launch(process.execPath, [command, ...args], environment, '', directory),
    remove,
  }
}
