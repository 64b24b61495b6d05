import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A release brings its copies of such files along; in the source they are where npm has put the packages. */
const FOLDERS = [
  fileURLToPath(new URL('../packages', import.meta.url)),
  ...(createRequire(import.meta.url).resolve.paths('a-package') ?? []),
]

/** The path of a file of a package: `packageFile('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')`. */
export function packageFile(file: string): string {
  const path = FOLDERS.map((folder) => join(folder, file)).find(existsSync)
  if (path === undefined) throw new Error(`The package of ${file} is not installed: run npm ci.`)
  return path
}
