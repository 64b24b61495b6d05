import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folders of packages: a release has copies of the needed files in `packages`, a source checkout has `node_modules`. */
const FOLDERS = [
  fileURLToPath(new URL('../../packages', import.meta.url)),
  ...(createRequire(import.meta.url).resolve.paths('a-package') ?? []),
]

/** Returns the path of a file in a package: `packageFile('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')`. */
export function packageFile(file: string): string {
  const path = FOLDERS.map((folder) => join(folder, file)).find(existsSync)
  if (path === undefined) throw new Error(`The package of ${file} is not installed: run npm ci.`)
  return path
}
