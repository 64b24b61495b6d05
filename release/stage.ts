// Writes what a release holds into a directory: node release/stage.ts [DIRECTORY]
import { globSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SCRIPT_FILES } from '../src/pages/dashboard/kit/stylesheet.ts'
import { FONT_FILES } from '../src/pages/pdf/draw.ts'
import { RUBY_FILE } from '../src/sandbox/snapshot-builder.ts'
import { bundle, WHOLE } from './bundle.ts'
import { compileFolder, copyFolder, write } from './compile.ts'
import { folderOf, type Lock, type Locked, nameAt, placesFrom } from './lock.ts'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The licences of the packages whose code and files are among our own. */
const NOTICES = 'NOTICES.txt'

/** Folders that hold code, and folders that the code reads or people use. */
const CODE = ['bin', 'src']
const AS_THEY_ARE = ['catalog', 'docs/guides', 'examples', 'ruby-prelude']
/** The folder for files of packages that `packageFile` finds, and those files. */
const PACKAGES = 'packages'
const PACKAGE_FILES = [...Object.values(SCRIPT_FILES), ...Object.values(FONT_FILES), RUBY_FILE]
const DOCUMENTS = ['README.md', 'CHANGELOG.md', 'SECURITY.md']

export interface Manifest {
  name: string
  version: string
  dependencies: Record<string, string>
  optionalDependencies: Record<string, string>
  [other: string]: unknown
}

export function readManifest(): Manifest {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest
}

export function readLock(): Lock {
  return JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock
}

/** Writes into `directory` what a release holds. */
export async function stage(directory: string): Promise<void> {
  rmSync(directory, { recursive: true, force: true })
  for (const folder of CODE) compileFolder(join(ROOT, folder), join(directory, folder))
  for (const folder of AS_THEY_ARE) copyFolder(join(ROOT, folder), join(directory, folder))
  for (const file of DOCUMENTS) write(join(directory, file), readFileSync(join(ROOT, file)))
  for (const file of PACKAGE_FILES)
    write(join(directory, PACKAGES, file), readFileSync(join(ROOT, 'node_modules', file)))
  const folders = [...(await bundle(directory, ROOT)), ...PACKAGE_FILES.map((file) => folderOf(`node_modules/${file}`))]
  write(join(directory, NOTICES), noticesOf([...new Set(folders)].sort()))
  write(join(directory, 'package.json'), asJson(releaseManifest()))
}

/**
 * What of the manifest means something where the package is installed. Each package that is not part of the release is named with
 * the version that was tested, those that others need as well, so that npm has nothing to choose.
 */
export function releaseManifest(): Manifest {
  const { name, version, description, type, license, engines, optionalDependencies } = readManifest()
  const lock = readLock()
  const needed = placesFrom(
    WHOLE.map((name) => `node_modules/${name}`),
    lock,
  )
  return {
    ...{ name, version, description, private: true, type, license, engines },
    bin: { shopwright: 'bin/shopwright.mjs' },
    files: [...CODE, ...AS_THEY_ARE, PACKAGES, ...DOCUMENTS, NOTICES],
    dependencies: Object.fromEntries(needed.map((place) => [nameAt(place), specOf(lock.packages[place]!)])),
    optionalDependencies,
  }
}

/** An exact version; a package that is installed under another name says which it is. */
function specOf({ name, version = '' }: Locked): string {
  return name === undefined ? version : `npm:${name}@${version}`
}

/** What the licences of these packages ask to go along with their code. */
function noticesOf(folders: string[]): string {
  const notices = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest
    const texts = globSync('{,dist/}{LICEN[CS]E,licen[cs]e,NOTICE}{,.*,-*}', { cwd: join(ROOT, folder) })
    const said = texts.sort().map((file) => readFileSync(join(ROOT, folder, file), 'utf8').trim())
    return `${name} ${version} (${license})\n\n${said.join('\n\n')}`.trim()
  })
  return `${['Code of these packages is in the files of src, and files of them are in packages.', ...notices].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

if (import.meta.main) await stage(resolve(process.argv[2] ?? join(ROOT, 'dist/package')))
